/** What a query, a header, a cookie or a form can carry: each value is a text, or several, and in a form a file. */

import { type Definitions, membersOf, type ObjectShape, type Shape } from "#runtime/wire/shape";
import { innerShapesOf } from "./inner-shapes.ts";

/** Why a shape can't be of such a value. */
export interface Misfit {
  /** The property that it is about; undefined for the whole. */
  readonly name?: string;
  /** As in "an object". */
  readonly what: string;
}

/** The objects that a shape is one of: their properties are the keys. Empty for a single value. */
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

/** @param isItem whether it is already in an array. */
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

/** The definitions that have no file in them: every handler asks again for those that its own contains. */
const fileless = new WeakMap<Definitions, Set<string>>();

/** Whether a value of the shape can have a file somewhere in it. */
export function hasFile(shape: Shape, definitions: Definitions): boolean {
  const known = fileless.get(definitions) ?? new Set();
  fileless.set(definitions, known);
  const names = new Set<string>();
  const isInside = (one: Shape): boolean => {
    if (one.kind === "reference" && !known.has(one.name)) names.add(one.name);
    return one.kind === "file" || innerShapesOf(one).some(isInside);
  };
  if (isInside(shape)) return true;
  // Not by following them at once: a chain of types can be longer than the stack.
  for (const name of names) if (isInside(definitions[name] ?? { kind: "never" })) return true;
  for (const name of names) known.add(name);
  return false;
}
