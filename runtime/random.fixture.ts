/** For tests: numbers that look like chance and are the same in each run. */

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

/** @param list not empty. */
export function pick<T>(random: Random, list: readonly T[]): T {
  return list[random(list.length)] as T;
}
