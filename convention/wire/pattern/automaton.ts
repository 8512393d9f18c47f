/**
 * Builds the Glushkov automaton of a regular expression, with the number of ways from one position to the next. Its paths are those that
 * a backtracking engine tries: their number is the time of a failing match (Weideman et al. 2016, "Analyzing Matching Time Behavior of
 * Backtracking Regular Expression Matchers by Using Ambiguity of NFA").
 */

import { type Characters, complement, only } from "./characters.ts";
import {
  AT_START,
  alternate,
  assertion,
  concatenate,
  delayed,
  EMPTY,
  type Fragment,
  IMPOSSIBLE,
  skippable,
  type Ways,
} from "./fragment.ts";
import { type Span, type Tree, Unproven } from "./syntax.ts";

/** A state of the automaton: a place in the pattern that matches one character. */
export interface Position {
  /** Empty for an assertion; null for START. */
  readonly characters: Characters | null;
  /** The outermost repetition around it, or the position itself. */
  readonly span: Span;
  /** The positions that can match the next character, each with the number of ways to reach it. */
  readonly next: Map<number, number>;
  /** True if the rest of the pattern matches the empty string, whatever follows: the engine never backtracks over it. */
  accepting: boolean;
}

/** The initial positions: for attempts that begin at the first character, and for those that begin later. */
export const START = 0;
export const SEARCH = 1;

/** The end of the text, as a pseudo-character. */
export const END = -1;
const AT_END: Characters = only(END);

const POSITIONS = 10_000;
/** The limit of connections between positions. */
const STEPS = 200_000;
/** The limit of ways in which a part may match the empty string. */
const WAYS_TO_NOTHING = 10;

/** @throws {Unproven} for a lookbehind that repeats something, and for too many positions. */
export function toAutomaton(tree: Tree): readonly Position[] {
  const positions: Position[] = [
    { characters: null, span: tree, next: new Map(), accepting: false },
    { characters: complement([]), span: tree, next: new Map(), accepting: false },
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
        return assertion(position([], outermost ?? tree));
      case "lookahead":
        return assertion(alternate(toFragment(tree.of, outermost), position([], tree)));
      case "lookbehind":
        if (repeats(tree.of)) throw new Unproven("a lookbehind that repeats something", tree);
        return assertion(position([], outermost ?? tree));
      case "sequence":
        return tree.of.reduce((part: Fragment, each) => follow(part, toFragment(each, outermost)), EMPTY);
      case "choice":
        return tree.of.map((each) => toFragment(each, outermost)).reduce(alternate);
      case "repeat":
        return repeat(tree, outermost ?? tree);
    }
  }

  function position(characters: Characters, span: Span): Fragment {
    if (positions.length === POSITIONS) throw new Unproven("too many ways to match", tree);
    const ways = new Map([[positions.length, 1]]);
    positions.push({ characters, span, next: new Map(), accepting: false });
    return { ...IMPOSSIBLE, first: ways, firstAtStart: ways, last: ways, accepting: new Set(ways.keys()) };
  }

  function follow(one: Fragment, other: Fragment): Fragment {
    connect(one.last, other.first);
    return one === EMPTY ? other : concatenate(one, other);
  }

  /** Copies the part for each required round, then adds a loop, or a copy for each optional round. */
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
    if (part.emptyWays <= WAYS_TO_NOTHING && part.emptyWaysAtStart <= WAYS_TO_NOTHING) return part;
    throw new Unproven("too many ways to match nothing", of);
  }

  function loop(part: Fragment): Fragment {
    connect(part.last, part.first);
    return part;
  }

  /** Nests optional rounds: each is possible only after the one before it. @param most the number of rounds. */
  function optional(of: Tree, span: Span, most: number): Fragment {
    const start = round(of, span);
    const last = new Map(start.last);
    const accepting = new Set(start.accepting);
    for (let count = 2, before = start; count <= most; count += 1) {
      const next = round(of, span);
      connect(before.last, next.first);
      for (const [position, ways] of next.last) last.set(position, ways);
      for (const position of next.accepting) accepting.add(position);
      before = next;
    }
    return skippable({ ...start, last, accepting });
  }

  const whole = toFragment(tree, undefined);
  const [start, search] = positions;
  if (start === undefined || search === undefined) return positions;
  start.accepting = whole.nullableAtStart;
  for (const index of whole.accepting) {
    const last = positions[index];
    if (last !== undefined) last.accepting = true;
  }
  connect(new Map([[START, 1]]), whole.firstAtStart);
  if (!start.accepting && whole.first.size > 0) {
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
