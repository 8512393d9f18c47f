/** The candidate that a misspelt word most likely meant: the one did-you-mean of the whole project. */

import { leven } from "#convention/deps/leven";

/** A longer word is not a slip of the keyboard, and its distance would only cost time. */
const LONGEST_WORD = 100;

/**
 * @returns the nearest candidate, the first of equals, or undefined if none is near: at most a third of the
 * longer word's letters may differ. Two neighbours in swapped order count as one letter; case does not count.
 * @example closest("prot", ["port", "host"]) // "port"
 */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > LONGEST_WORD) return undefined;
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const [typed, meant] = [word.toLowerCase(), candidate.toLowerCase()];
    const distance = isSwap(typed, meant) ? 1 : leven(typed, meant);
    const allowed = Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3));
    if (distance <= allowed && distance < least && distance < candidate.length) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest;
}

/** Whether the words differ only by two neighbouring letters that changed places: the most common slip. */
export function isSwap(word: string, candidate: string): boolean {
  if (word.length !== candidate.length || word === candidate) return false;
  let at = 0;
  while (word[at] === candidate[at]) at++;
  return (
    word[at] === candidate[at + 1] &&
    word[at + 1] === candidate[at] &&
    word.slice(at + 2) === candidate.slice(at + 2)
  );
}
