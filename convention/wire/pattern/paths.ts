/**
 * Searches for a text that keeps many paths of an automaton alive at once: a backtracking engine takes about so many steps for one more
 * character. A state counts the paths at each position. A state that another one covers can't grow further than that one and is dropped
 * (antichains: De Wulf et al. 2006), so the search ends if the paths of all texts are bounded.
 */

import { END, type Position, SEARCH } from "./automaton.ts";
import { divide } from "./characters.ts";

type Counts = ReadonlyMap<number, number>;

/** The paths after a text. */
export interface State {
  /** The number of paths at each position. */
  readonly counts: Counts;
  /** The sum of the counts. */
  readonly paths: number;
  /** True if the text matches, unless an assertion prevents it. */
  readonly matched: boolean;
  /** The length of the text. */
  readonly length: number;
  /** The last character, and the state before it. */
  readonly character: number;
  readonly before: State | undefined;
}

export type Outcome =
  | { readonly kind: "bounded" }
  /** Found a text that keeps too many paths alive. */
  | { readonly kind: "exceeded"; readonly state: State }
  /** Gave up after {@link EFFORT} steps. @property length the text length of the next state. */
  | { readonly kind: "aborted"; readonly length: number };

/** The search order: states with the most paths first, or the shortest texts first. */
export type Order = "widest" | "shortest";

const EFFORT = 3_000_000;

/** Restricts the texts. */
interface Only {
  /** The maximum length. */
  readonly longest?: number;
  /** Skips texts that certainly match. */
  readonly failing?: boolean;
}

/** @param limit the number of paths that is still fine. */
export function followPaths(
  positions: readonly Position[],
  limit: number,
  order: Order,
  { longest = Number.POSITIVE_INFINITY, failing = false }: Only = {},
): Outcome {
  const step = createStep(positions);
  const known: State[][] = positions.map(() => []);
  const waiting = createQueue(order, limit);
  waiting.add({
    counts: new Map([[0, 1]]),
    paths: 1,
    matched: false,
    length: 0,
    character: END,
    before: undefined,
  });
  let effort = 0;
  for (let state = waiting.take(); state !== undefined; state = waiting.take()) {
    if (effort > EFFORT) return { kind: "aborted", length: state.length };
    const { reached, states } = step(state);
    effort += reached.size + 1;
    for (const count of reached.values()) if (count > limit) return { kind: "exceeded", state };
    for (const next of states) {
      effort += next.counts.size;
      if (next.length > longest || (failing && next.matched)) continue;
      if (next.paths > limit) return { kind: "exceeded", state: next };
      const rivals = rarest(next, known);
      effort += rivals.length;
      if (rivals.some((other) => covers(other.counts, next.counts))) continue;
      for (const position of next.counts.keys()) known[position]?.push(next);
      waiting.add(next);
    }
  }
  return { kind: "bounded" };
}

/** The known states that share a position with this one, for the position with the fewest: only those can cover it. */
function rarest({ counts }: State, known: readonly State[][]): readonly State[] {
  let fewest: readonly State[] | undefined;
  for (const position of counts.keys()) {
    const states = known[position] ?? [];
    if (fewest === undefined || states.length < fewest.length) fewest = states;
  }
  return fewest ?? [];
}

function covers(one: Counts, other: Counts): boolean {
  if (one.size < other.size) return false;
  for (const [position, count] of other) if ((one.get(position) ?? 0) < count) return false;
  return true;
}

interface Queue {
  add(state: State): void;
  take(): State | undefined;
}

function createQueue(order: Order, limit: number): Queue {
  const buckets: State[][] = [];
  let lowest = 0;
  return {
    add(state) {
      const place = order === "widest" ? limit - state.paths : state.length;
      buckets[place] ??= [];
      buckets[place].push(state);
      lowest = Math.min(lowest, place);
    },
    take() {
      while (lowest < buckets.length && !buckets[lowest]?.length) lowest += 1;
      return buckets[lowest]?.pop();
    },
  };
}

interface Steps {
  /** The number of attempts at each position for the next character. */
  readonly reached: Counts;
  /** The states after the next character, one for each atom. */
  readonly states: readonly State[];
}

function createStep(positions: readonly Position[]): (state: State) => Steps {
  const { atomsOf, examples } = toAtoms(positions);
  // An assertion may prevent that a position is reached.
  const certain = !positions.some(({ characters }) => characters?.length === 0);
  return (state) => {
    const reached = new Map<number, number>();
    for (const [position, count] of state.counts) {
      for (const [next, ways] of positions[position]?.next ?? []) {
        reached.set(next, (reached.get(next) ?? 0) + count * ways);
      }
    }
    const byAtom = new Map<number, Map<number, number>>();
    for (const [position, count] of reached) {
      // The engine reaches an accepting position once, because it never backtracks over it.
      const paths = positions[position]?.accepting ? 1 : count;
      for (const atom of atomsOf[position] ?? []) countsAt(byAtom, atom).set(position, paths);
    }
    const states = Array.from(byAtom, ([atom, counts]): State => {
      const character = examples[atom] ?? END;
      const matched = [...counts.keys()].some((position) => positions[position]?.accepting);
      // After a certain match the engine starts no later attempt.
      if (certain && matched) counts.delete(SEARCH);
      const paths = [...counts.values()].reduce((sum, count) => sum + count, 0);
      const length = state.length + (character === END ? 0 : 1);
      return { counts, paths, matched, length, character, before: state };
    });
    return { reached, states };
  };
}

/** @returns the atoms that each position matches, and an example of each atom. */
function toAtoms(positions: readonly Position[]): {
  atomsOf: readonly number[][];
  examples: readonly number[];
} {
  const sets = new Map(positions.map(({ characters }) => [String(characters ?? ""), characters ?? []]));
  const atoms = divide([...sets.values()]);
  const atomsOfSet = new Map(
    [...sets.keys()].map((key, set) => [
      key,
      atoms.flatMap((atom, index) => (atom.sets.includes(set) ? [index] : [])),
    ]),
  );
  return {
    atomsOf: positions.map(({ characters }) => atomsOfSet.get(String(characters ?? "")) ?? []),
    examples: atoms.map(({ example }) => example),
  };
}

function countsAt(byAtom: Map<number, Map<number, number>>, atom: number): Map<number, number> {
  const counts = byAtom.get(atom) ?? new Map<number, number>();
  byAtom.set(atom, counts);
  return counts;
}
