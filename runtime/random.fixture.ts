/** For tests: how much is tested, and numbers that look like chance and are the same for the same seed. */

/** `npm run test:long` tests all; a commit a part of it. */
export const IS_LONG: boolean = process.env.LONG === "1";

/** `npm test` takes another one for each commit, and prints it. */
export const SEED: number = Number(process.env.SEED ?? 1);

/** @returns a whole number from 0 that is below the limit. */
export type Random = (limit: number) => number;

/** Mulberry32: small, and the same everywhere. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * limit);
  };
}

/** @returns how many examples at random are tried. */
export function runs(forCommit: number, inLongRun: number): number {
  return IS_LONG ? inLongRun : forCommit;
}

/** @returns all of a list in a long run, in others so many of it that the seed chooses, in their order. They are printed. */
export function sample<T>(what: string, list: readonly T[], count: number): readonly T[] {
  if (IS_LONG || list.length <= count) return list;
  // Else a commit that takes the first of two would take the first of all twos.
  const random = createRandom(
    [...what].reduce((mixed, letter) => Math.imul(mixed, 31) + letter.charCodeAt(0), SEED),
  );
  const left = list.map((_, index) => index);
  const taken = Array.from({ length: count }, () => left.splice(random(left.length), 1)[0] as number);
  const chosen = taken.sort((one, other) => one - other).map((index) => list[index] as T);
  console.log(`${count} of ${list.length} ${what}: SEED=${SEED}`);
  return chosen;
}

/** @param list not empty. */
export function pick<T>(random: Random, list: readonly T[]): T {
  return list[random(list.length)] as T;
}
