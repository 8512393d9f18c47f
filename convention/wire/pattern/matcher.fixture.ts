/** A backtracking matcher after ECMA-262, section 22.2.2, that counts its attempts at single characters and assertions, for tests. */

import { parseRegExp, type Tree } from "./syntax.ts";

type Then = (at: number) => boolean;

class TooManySteps extends Error {}

const LEAVES: ReadonlySet<string> = new Set(["set", "end", "boundary"]);

/** @returns whether the pattern matches, and the number of steps; Infinity above `limit`. */
export function countSteps(source: string, text: string, limit: number): { found: boolean; steps: number } {
  const characters = [...text];
  let steps = 0;

  function match(tree: Tree, at: number, then: Then): boolean {
    if (LEAVES.has(tree.kind) && ++steps > limit) throw new TooManySteps();
    switch (tree.kind) {
      case "set": {
        const character = characters[at]?.codePointAt(0) ?? -1;
        const fits = tree.characters.some(([first, last]) => first <= character && character <= last);
        return fits && then(at + 1);
      }
      case "start":
        return at === 0 && then(at);
      case "end":
        return at === characters.length && then(at);
      case "boundary":
        return (isWord(at - 1) !== isWord(at)) === (source[tree.start + 1] === "b") && then(at);
      case "lookahead":
        return match(tree.of, at, () => true) === (source[tree.start + 2] === "=") && then(at);
      case "lookbehind": {
        const ends = (from: number): boolean => match(tree.of, from, (end) => end === at);
        const found = Array.from({ length: at + 1 }, (_, from) => from).some(ends);
        return found === (source[tree.start + 3] === "=") && then(at);
      }
      case "sequence":
        return tree.of.reduceRight<Then>((rest, each) => (from) => match(each, from, rest), then)(at);
      case "choice":
        return tree.of.some((each) => match(each, at, then));
      case "repeat":
        return repeat(tree, tree.min, tree.max, at, then);
    }
  }

  function repeat(
    tree: Tree & { kind: "repeat" },
    min: number,
    max: number,
    at: number,
    then: Then,
  ): boolean {
    if (max === 0) return then(at);
    const again = (end: number): boolean =>
      !(min === 0 && end === at) && repeat(tree, Math.max(min - 1, 0), max - 1, end, then);
    if (min > 0) return match(tree.of, at, again);
    const isLazy = /.\?$/.test(source.slice(tree.of.end, tree.end));
    return isLazy ? then(at) || match(tree.of, at, again) : match(tree.of, at, again) || then(at);
  }

  function isWord(at: number): boolean {
    return /^\w$/.test(characters[at] ?? "");
  }

  const tree = parseRegExp(source);
  try {
    const found = Array.from({ length: characters.length + 1 }, (_, at) => at).some((at) =>
      match(tree, at, () => true),
    );
    return { found, steps };
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
    return { found: false, steps: Number.POSITIVE_INFINITY };
  }
}
