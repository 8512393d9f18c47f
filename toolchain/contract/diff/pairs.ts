/** Which things of two lists belong together. */

/** Two that belong together, or one that has no counterpart. */
export type Pair<One> = readonly [was: One | undefined, is: One | undefined];

/** By their keys, of which each list has one once: in the order of the first list, and then what only the second one has. */
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
