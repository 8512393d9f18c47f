/** What a query, a header, a cookie or a form can carry: each value is a text, or several, and in a form a file. */

import type { ObjectShape, Shape } from "#runtime/wire/shape";
import { innerShapesOf } from "./inner-shapes.ts";
import type { FindDefinition } from "./shapes.ts";

/** Why a shape can't be of such a value. */
export interface Misfit {
  /** The property that it is about; undefined for the whole. */
  readonly name?: string;
  /** As in "an object". */
  readonly what: string;
}

/** The objects that a shape is one of: their properties are the keys. Empty for a single value. */
export function objectsOf(shape: Shape, find: FindDefinition): readonly ObjectShape[] {
  switch (shape.kind) {
    case "object":
      return [shape];
    case "reference":
      return objectsOf(find(shape.name) ?? { kind: "never" }, find);
    case "union": {
      const objects = shape.of.map((one) => objectsOf(one, find));
      return objects.every(({ length }) => length > 0) ? objects.flat() : [];
    }
    default:
      return [];
  }
}

export function findMisfit(shape: Shape, find: FindDefinition): Misfit | undefined {
  if (shape.kind === "schema") return undefined;
  const objects = objectsOf(shape, find);
  if (objects.length === 0) return misfit(undefined, nameMisfit(shape, find, false));
  for (const { properties, others } of objects) {
    const found = properties.map((one) => misfit(one.name, nameMisfit(one.shape, find, false)));
    const rest = others && misfit(undefined, nameMisfit(others, find, false));
    const first = found.find((one) => one !== undefined) ?? rest;
    if (first) return first;
  }
  return undefined;
}

function misfit(name: string | undefined, what: string | undefined): Misfit | undefined {
  return what === undefined ? undefined : { ...(name !== undefined && { name }), what };
}

/** @param isItem whether it is already in an array. */
function nameMisfit(shape: Shape, find: FindDefinition, isItem: boolean): string | undefined {
  const first = (shapes: readonly Shape[], areItems: boolean): string | undefined =>
    shapes.map((one) => nameMisfit(one, find, areItems)).find((what) => what !== undefined);
  switch (shape.kind) {
    case "object":
      return "an object";
    case "unknown":
    case "null":
    case "never":
      return `\`${shape.kind}\``;
    case "array":
    case "tuple":
      return isItem ? "an array in an array" : first(innerShapesOf(shape), true);
    case "union":
      return first(shape.of, isItem);
    case "reference":
      return nameMisfit(find(shape.name) ?? { kind: "never" }, find, isItem);
    default:
      return undefined;
  }
}

/** The definitions that have no file in them: every handler asks again for those that its own contains. */
const fileless = new WeakMap<FindDefinition, Set<string>>();

/** Whether a value of the shape can have a file somewhere in it. */
export function hasFile(shape: Shape, find: FindDefinition): boolean {
  const known = fileless.get(find) ?? new Set<string>();
  const names = new Set<string>();
  const isInside = (one: Shape): boolean => {
    if (one.kind === "reference" && !known.has(one.name)) names.add(one.name);
    return one.kind === "file" || innerShapesOf(one).some(isInside);
  };
  if (isInside(shape)) return true;
  // Not by following them at once: a chain of types can be longer than the stack.
  for (const name of names) if (isInside(find(name) ?? { kind: "never" })) return true;
  for (const name of names) known.add(name);
  fileless.set(find, known);
  return false;
}
