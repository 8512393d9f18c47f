/**
 * The automaton of a regular expression whose paths are what a backtracking engine tries: Glushkov's, with the number of ways from
 * one position to the next (Weideman et al. 2016, "Analyzing Matching Time Behavior of Backtracking Regular Expression Matchers by
 * Using Ambiguity of NFA", show that the number of paths is the time that a failing match takes).
 */

import { type Characters, complement, only } from "./characters.ts";
import {
  AT_START,
  aside,
  behind,
  delayed,
  EMPTY,
  either,
  type Fragment,
  IMPOSSIBLE,
  skippable,
  type Ways,
} from "./fragment.ts";
import { type Span, type Tree, Unproven } from "./syntax.ts";

/** A place in the pattern that takes one character. */
export interface Position {
  /** None for an assertion; null for START. */
  readonly characters: Characters | null;
  /** The outermost part that repeats it, or itself. */
  readonly span: Span;
  /** In how many ways each position can take the next character. */
  readonly next: Map<number, number>;
  /** The rest of the pattern can match nothing, whatever follows: the engine never goes back over it. */
  sure: boolean;
}

/** The attempts that begin at the first character, and those that begin later. */
export const START = 0;
export const SEARCH = 1;

/** The end of the text, as if it were a character. */
export const END = -1;
const AT_END: Characters = only(END);

const POSITIONS = 10_000;
const STEPS = 200_000;
/** In how many ways a part may match nothing. */
const WAYS_TO_NOTHING = 10;

/** @throws {Unproven} for a lookbehind that repeats something, and for too many positions. */
export function toAutomaton(tree: Tree): readonly Position[] {
  const positions: Position[] = [
    { characters: null, span: tree, next: new Map(), sure: false },
    { characters: complement([]), span: tree, next: new Map(), sure: false },
  ];
  let steps = 0;

  function connect(from: Ways, to: Ways): void {
    for (const [one, ways] of from) {
      const next = positions[one]?.next;
      for (const [other, times] of to) next?.set(other, (next.get(other) ?? 0) + ways * times);
    }
    spend(from.size * to.size);
  }

  function spend(more: number): void {
    steps += more;
    if (steps > STEPS) throw new Unproven("too many ways to match", tree);
  }

  function toFragment(tree: Tree, outermost: Span | undefined): Fragment {
    switch (tree.kind) {
      case "set":
        return position(tree.characters, outermost ?? tree);
      case "end":
        return position(AT_END, outermost ?? tree);
      case "start":
        return AT_START;
      case "boundary":
        return aside(position([], outermost ?? tree));
      case "ahead":
        return aside(either(toFragment(tree.of, outermost), position([], tree)));
      case "behind":
        if (repeats(tree.of)) throw new Unproven("a lookbehind that repeats something", tree);
        return aside(position([], outermost ?? tree));
      case "sequence":
        return tree.of.reduce((part: Fragment, each) => follow(part, toFragment(each, outermost)), EMPTY);
      case "choice":
        return tree.of.map((each) => toFragment(each, outermost)).reduce(either);
      case "repeat":
        return repeat(tree, outermost ?? tree);
    }
  }

  function position(characters: Characters, span: Span): Fragment {
    if (positions.length === POSITIONS) throw new Unproven("too many ways to match", tree);
    const ways = new Map([[positions.length, 1]]);
    positions.push({ characters, span, next: new Map(), sure: false });
    return { ...IMPOSSIBLE, first: ways, firstAtStart: ways, last: ways, sure: new Set(ways.keys()) };
  }

  function follow(one: Fragment, other: Fragment): Fragment {
    connect(one.last, other.first);
    return one === EMPTY ? other : behind(one, other);
  }

  /** Copies for what must be there, then a loop, or a copy for each that may be. */
  function repeat({ of, min, max }: Tree & { kind: "repeat" }, span: Span): Fragment {
    let part = EMPTY;
    const endless = max === Number.POSITIVE_INFINITY;
    for (let count = 1; count < min; count += 1) part = follow(part, round(of, span));
    if (min > 0) part = follow(part, endless ? delayed(loop(round(of, span))) : round(of, span));
    if (max === 0 || max === min || (endless && min > 0)) return part;
    return follow(part, endless ? skippable(loop(round(of, span))) : optional(of, span, max - min));
  }

  function round(of: Tree, span: Span): Fragment {
    spend(1);
    const part = toFragment(of, span);
    if (part.nothing <= WAYS_TO_NOTHING && part.nothingAtStart <= WAYS_TO_NOTHING) return part;
    throw new Unproven("too many ways to match nothing", of);
  }

  function loop(part: Fragment): Fragment {
    connect(part.last, part.first);
    return part;
  }

  /** @param most rounds, each of which only the one before it makes possible. */
  function optional(of: Tree, span: Span, most: number): Fragment {
    const start = round(of, span);
    const last = new Map(start.last);
    const sure = new Set(start.sure);
    for (let count = 2, before = start; count <= most; count += 1) {
      const next = round(of, span);
      connect(before.last, next.first);
      for (const [position, ways] of next.last) last.set(position, ways);
      for (const position of next.sure) sure.add(position);
      before = next;
    }
    return skippable({ ...start, last, sure });
  }

  const whole = toFragment(tree, undefined);
  const [start, search] = positions;
  if (start === undefined || search === undefined) return positions;
  start.sure = whole.freeAtStart;
  for (const index of whole.sure) {
    const last = positions[index];
    if (last !== undefined) last.sure = true;
  }
  connect(new Map([[START, 1]]), whole.firstAtStart);
  if (!start.sure && whole.first.size > 0) {
    connect(new Map([[SEARCH, 1]]), whole.first);
    start.next.set(SEARCH, 1);
    search.next.set(SEARCH, 1);
  }
  return positions;
}

function repeats(tree: Tree): boolean {
  if (tree.kind === "repeat") return true;
  if (!("of" in tree)) return false;
  return Array.isArray(tree.of) ? tree.of.some(repeats) : repeats(tree.of as Tree);
}
