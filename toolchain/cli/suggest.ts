/** Did-you-mean for the words of the command line. */

import { closest } from "#convention/diagnostics/closest";

/**
 * A hint for a wrong word: the nearest right one, else all of them.
 *
 * @param show how a candidate is typed, as in `--app` for `app`.
 */
export function suggest(
  word: string,
  candidates: readonly string[],
  show: (candidate: string) => string = (candidate) => candidate,
): string {
  const nearest = closest(word, candidates);
  if (nearest !== undefined) return `Did you mean ${show(nearest)}?`;
  return candidates.length === 0 ? "It takes none." : `There is ${candidates.map(show).join(", ")}.`;
}
