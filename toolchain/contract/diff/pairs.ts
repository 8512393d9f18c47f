/** Which things of two lists belong together. */

import type { Property, Shape } from "#runtime/wire/shape";
import type { Literal, Member } from "./cases.ts";

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

/** @param tag tells the members apart: those belong together that have a literal of it in common. */
export function matchMembers(
  was: readonly Member[],
  is: readonly Member[],
  tag: string | undefined,
): readonly Pair<Member>[] {
  if (tag === undefined) return matchLikest(was, is);
  const meets = (one: Member, other: Member): boolean =>
    literalsOf(one, tag).some((value) => literalsOf(other, tag).includes(value));
  return [
    ...was.flatMap((one): readonly Pair<Member>[] => {
      const others = is.filter((other) => meets(one, other));
      return others.length === 0 ? [[one, undefined]] : others.map((other) => [one, other] as const);
    }),
    ...is
      .filter((other) => !was.some((one) => meets(one, other)))
      .map((other) => [undefined, other] as const),
  ];
}

/** First those that are written alike, and then the likest. Those that are not alike at all only where no other is left. */
function matchLikest(was: readonly Member[], is: readonly Member[]): readonly Pair<Member>[] {
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

/** How many properties two objects share; of anything else, one is as like as another. */
function likeness(one: Member, other: Member): number {
  if (one.found.kind !== "object") return 1;
  const names = new Set(propertiesOf(one).map(({ name }) => name));
  return propertiesOf(other).filter(({ name }) => names.has(name)).length;
}

/** The first property whose literals tell the objects of each union apart, where there is more than one of them. */
export function findTag(was: readonly Member[], is: readonly Member[]): string | undefined {
  if (was.length + is.length === 2 || !was[0]) return undefined;
  const names = propertiesOf(was[0]).map(({ name }) => name);
  return names.find((name) =>
    [was, is].every((members) => {
      const literals = members.map((member) => literalsOf(member, name));
      const all = literals.flat();
      return literals.every(({ length }) => length > 0) && new Set(all).size === all.length;
    }),
  );
}

/** The literals of a property that is always there. */
export function literalsOf(member: Member, name: string): readonly Literal[] {
  const property = propertiesOf(member).find((one) => one.name === name);
  return property?.shape.kind === "literal" && !property.optional ? property.shape.values : [];
}

function propertiesOf({ found }: { readonly found: Shape }): readonly Property[] {
  return found.kind === "object" ? found.properties : [];
}
