/** Which shapes contain a type that contains itself: only their values can be nested without end. */

import type { Definitions, Shape } from "#runtime/core/wire/shape";

/** @returns the names, in the order in which they are first met. */
export function namesIn(shape: Shape): readonly string[] {
  return shape.kind === "reference" ? [shape.name] : innerShapesOf(shape).flatMap(namesIn);
}

function innerShapesOf(shape: Shape): readonly Shape[] {
  switch (shape.kind) {
    case "array":
      return [shape.items];
    case "tuple":
      return [...shape.items, ...(shape.rest ? [shape.rest] : [])];
    case "object":
      return [...shape.properties.map((property) => property.shape), ...(shape.others ? [shape.others] : [])];
    case "union":
      return shape.of;
    default:
      return [];
  }
}

/** @returns all names that the shapes refer to, directly or by others; in order. */
export function reachable(shapes: readonly Shape[], definitions: Definitions): ReadonlySet<string> {
  const names = new Set(shapes.flatMap(namesIn));
  for (const name of names) {
    const shape = definitions[name];
    for (const inner of shape ? namesIn(shape) : []) names.add(inner);
  }
  return names;
}

/** @returns the names of types that contain themselves, and of those that contain one of them. */
export function findDeep(definitions: Definitions): ReadonlySet<string> {
  const reached = Object.entries(definitions).map(
    ([name, shape]) => [name, reachable([shape], definitions)] as const,
  );
  const recursive = reached.flatMap(([name, names]) => (names.has(name) ? [name] : []));
  return new Set(
    reached.flatMap(([name, names]) =>
      recursive.some((one) => one === name || names.has(one)) ? [name] : [],
    ),
  );
}
