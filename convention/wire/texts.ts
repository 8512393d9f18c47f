/** Checks which shapes a query, header, cookie or form can carry: strings, lists of strings, and in a form files. */

import { type Definitions, membersOf, type ObjectShape, type Shape } from "#runtime/wire/shape";
import { innerShapesOf } from "./inner-shapes.ts";

/** An unsupported type in such a value. */
export interface Misfit {
  /** The property with the type; undefined for the whole value. */
  readonly name?: string;
  /** The type for messages, as in "an object". */
  readonly what: string;
}

/** The members of a shape, if all are objects: their properties are the keys in the request. Empty for a single value. */
export function objectsOf(shape: Shape, definitions: Definitions): readonly ObjectShape[] {
  const members = membersOf(shape, definitions);
  const objects = members.filter((member) => member.kind === "object");
  return objects.length === members.length ? objects : [];
}

export function findMisfit(shape: Shape, definitions: Definitions): Misfit | undefined {
  if (shape.kind === "schema") return undefined;
  const objects = objectsOf(shape, definitions);
  const values = objects.flatMap(({ properties, others }) => [
    ...properties,
    ...(others ? [{ shape: others }] : []),
  ]);
  for (const { shape: value, ...property } of objects.length > 0 ? values : [{ shape }]) {
    const what = nameMisfit(value, definitions, false);
    if (what !== undefined) return "name" in property ? { name: property.name, what } : { what };
  }
  return undefined;
}

/** @param isItem true inside an array. */
function nameMisfit(shape: Shape, definitions: Definitions, isItem: boolean): string | undefined {
  const misfits = membersOf(shape, definitions).map((member) => {
    switch (member.kind) {
      case "object":
        return "an object";
      case "unknown":
      case "null":
      case "never":
        return `\`${member.kind}\``;
      case "array":
      case "tuple": {
        const items = { kind: "union", of: innerShapesOf(member) } as const;
        return isItem ? "an array in an array" : nameMisfit(items, definitions, true);
      }
      default:
        return undefined;
    }
  });
  return misfits.find((what) => what !== undefined);
}

/** Cached names of definitions without a file: many handlers share their definitions. */
const fileless = new WeakMap<Definitions, Set<string>>();

/** True if the shape contains a file at any depth. */
export function hasFile(shape: Shape, definitions: Definitions): boolean {
  const known = fileless.get(definitions) ?? new Set();
  fileless.set(definitions, known);
  const names = new Set<string>();
  const isInside = (one: Shape): boolean => {
    if (one.kind === "reference" && !known.has(one.name)) names.add(one.name);
    return one.kind === "file" || innerShapesOf(one).some(isInside);
  };
  if (isInside(shape)) return true;
  // A loop over names: recursion would overflow the stack for a long chain of types.
  for (const name of names) if (isInside(definitions[name] ?? { kind: "never" })) return true;
  for (const name of names) known.add(name);
  return false;
}
