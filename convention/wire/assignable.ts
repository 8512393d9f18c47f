/** Whether every value of one type fits another: what `Extract` and `Exclude` ask of each member of a union. */

import type { ArrayOutline, Outline, Part, TupleOutline } from "./outline.ts";
import { singles } from "./unions.ts";

/** Types that contain themselves are the same this deep or not at all. */
const DEEPEST_COMPARED = 20;

export function isAssignable(one: Part, other: Part, depth = 0): boolean {
  if (depth > DEEPEST_COMPARED || one.label() === other.label()) return true;
  const target = other.outline();
  if (target.kind === "unknown") return true;
  return singles(one).every((member) =>
    singles(other).some((wanted) => fits(member.outline(), wanted.outline(), depth + 1)),
  );
}

function fits(one: Outline, other: Outline, depth: number): boolean {
  if (one.kind === "never" || other.kind === "unknown") return true;
  if (one.kind === "literal")
    return other.kind === "literal"
      ? one.values.every((value) => other.values.includes(value))
      : one.values.every((value) => typeof value === other.kind);
  if (one.kind === "object" && other.kind === "object")
    return [...other.fields].every(([name, wanted]) => {
      const field = one.fields.get(name);
      if (field === undefined) return wanted.optional;
      return (wanted.optional || !field.optional) && isAssignable(field.part, wanted.part, depth);
    });
  if (isList(one) && isList(other)) return fitsList(one, other, depth);
  return one.kind === other.kind;
}

type ListOutline = ArrayOutline | TupleOutline;

function isList(outline: Outline): outline is ListOutline {
  return outline.kind === "array" || outline.kind === "tuple";
}

function fitsList(one: ListOutline, other: ListOutline, depth: number): boolean {
  const all = (part: Part): boolean => partsIn(one).every((item) => isAssignable(item, part, depth));
  if (other.kind === "array") return all(other.items);
  if (one.kind === "array" || one.items.length !== other.items.length) return false;
  return other.items.every(({ part }, index) => {
    const item = one.items[index];
    return item !== undefined && isAssignable(item.part, part, depth);
  });
}

function partsIn(list: ListOutline): readonly Part[] {
  if (list.kind === "array") return [list.items];
  return [...list.items.map(({ part }) => part), ...(list.rest ? [list.rest] : [])];
}
