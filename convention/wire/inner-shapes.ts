/** Walks over the children of shapes, and over the definitions that they refer to. */

import type { Definitions, Shape } from "#runtime/wire/shape";

/** @returns the names of referenced definitions in order, with duplicates. */
export function referencesIn(shape: Shape): readonly string[] {
  return shape.kind === "reference" ? [shape.name] : innerShapesOf(shape).flatMap(referencesIn);
}

/** Copies a shape with mapped children. Only this function knows which fields of a shape have shapes. */
export function mapChildren(shape: Shape, map: (child: Shape) => Shape): Shape {
  switch (shape.kind) {
    case "array":
      return { ...shape, items: map(shape.items) };
    case "tuple":
      return { ...shape, items: shape.items.map(map), ...(shape.rest && { rest: map(shape.rest) }) };
    case "object": {
      const properties = shape.properties.map((one) => ({ ...one, shape: map(one.shape) }));
      return { ...shape, properties, ...(shape.others && { others: map(shape.others) }) };
    }
    case "union":
      return { ...shape, of: shape.of.map(map) };
    default:
      return shape;
  }
}

export function innerShapesOf(shape: Shape): readonly Shape[] {
  const children: Shape[] = [];
  mapChildren(shape, (child) => {
    children.push(child);
    return child;
  });
  return children;
}

/** @returns the names of all definitions that the shapes refer to, directly or indirectly, in order. */
export function reachable(shapes: readonly Shape[], definitions: Definitions): ReadonlySet<string> {
  const names = new Set(shapes.flatMap(referencesIn));
  for (const name of names) {
    const shape = definitions[name];
    for (const inner of shape ? referencesIn(shape) : []) names.add(inner);
  }
  return names;
}
