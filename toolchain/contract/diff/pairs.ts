/** Which things of two lists belong together. */

import type { LiteralShape, Property } from "#runtime/wire/shape";
import type { Member } from "./cases.ts";

/** Two that belong together, or one that has no counterpart. */
export type Pair<One> = readonly [was: One | undefined, is: One | undefined];

/** By their keys: in the order of the first list, and then what only the second one has. */
export function pairUp<One>(
  was: readonly One[],
  is: readonly One[],
  keyOf: (one: One) => unknown,
): readonly Pair<One>[] {
  const left = new Map(is.map((one) => [keyOf(one), one]));
  const first = was.map((one): Pair<One> => {
    const key = keyOf(one);
    const other = left.get(key);
    left.delete(key);
    return [one, other];
  });
  return [...first, ...[...left.values()].map((one) => [undefined, one] as const)];
}

/** First those that are written alike, and then the likest. Those that are not alike at all only where there is no other. */
export function matchMembers(was: readonly Member[], is: readonly Member[]): readonly Pair<Member>[] {
  const left = [...is];
  const take = (isMeant: (other: Member) => boolean): Member | undefined => {
    const at = left.findIndex(isMeant);
    return at === -1 ? undefined : left.splice(at, 1)[0];
  };
  const alike = was.map((one) => take((other) => JSON.stringify(other.shape) === JSON.stringify(one.shape)));
  const matched = was.map((one, index): Pair<Member> => {
    const isOnly = left.length === 1 && was.length === 1;
    const best = Math.max(isOnly ? 0 : 1, ...left.map((other) => likeness(one, other)));
    return [one, alike[index] ?? take((other) => likeness(one, other) >= best)];
  });
  return [...matched, ...left.map((other) => [undefined, other] as const)];
}

/** A literal that two objects have in common, as in `kind: "a"`, tells more than all names of properties. */
const TELLING = 1000;

/** How many properties two objects share, and 0 where a literal tells them apart; of anything else, one is as like as another. */
function likeness({ found: one }: Member, { found: other }: Member): number {
  if (one.kind !== "object" || other.kind !== "object") return 1;
  const properties = new Map(other.properties.map((property) => [property.name, property]));
  let shared = 0;
  for (const property of one.properties) {
    const found = properties.get(property.name);
    const [values, others] = [literalsOf(property), literalsOf(found)];
    const isCommon = values.some((value) => others.includes(value));
    if (values.length > 0 && others.length > 0 && !isCommon) return 0;
    if (found) shared += isCommon ? TELLING : 1;
  }
  return shared;
}

/** Of a property that is always there. */
function literalsOf(property: Property | undefined): LiteralShape["values"] {
  return property?.shape.kind === "literal" && !property.optional ? property.shape.values : [];
}
