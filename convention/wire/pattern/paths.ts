/**
 * How many paths of an automaton a text can keep alive at once, which is the number of steps that a backtracking engine takes for one
 * more character. All texts are tried together: a state says how many paths are at each position, and one that another state covers
 * can't grow further than that one (antichains: De Wulf et al. 2006). So the search ends if the paths of all texts are limited.
 */

import { END, type Position, SEARCH } from "./automaton.ts";
import { divide } from "./characters.ts";

type Counts = ReadonlyMap<number, number>;

/** The paths after some text. */
export interface State {
  readonly counts: Counts;
  readonly paths: number;
  /** A match has been found, unless an assertion prevents it. */
  readonly sure: boolean;
  /** The characters of the text. */
  readonly length: number;
  /** The last of them, and the state before it. */
  readonly character: number;
  readonly before: State | undefined;
}

export type Outcome =
  | { readonly kind: "limited" }
  /** The text of this state keeps too many paths alive. */
  | { readonly kind: "beyond"; readonly state: State }
  /** The search was given up; shorter texts have been tried. */
  | { readonly kind: "tired"; readonly length: number };

/** The most promising state first, or the shortest text first. */
export type Order = "widest" | "shortest";

const EFFORT = 3_000_000;

/** What the texts have to be like; any will do without it. */
interface Only {
  /** Of at most so many characters. */
  readonly longest?: number;
  /** No match has surely been found in them. */
  readonly failing?: boolean;
}

/** @param limit of the paths. */
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
    sure: false,
    length: 0,
    character: END,
    before: undefined,
  });
  let effort = 0;
  for (let state = waiting.take(); state !== undefined; state = waiting.take()) {
    if (effort > EFFORT) return { kind: "tired", length: state.length };
    const { reached, states } = step(state);
    effort += reached.size + 1;
    for (const count of reached.values()) if (count > limit) return { kind: "beyond", state };
    for (const next of states) {
      effort += next.counts.size;
      if (next.length > longest || (failing && next.sure)) continue;
      if (next.paths > limit) return { kind: "beyond", state: next };
      const rivals = rarest(next, known);
      effort += rivals.length;
      if (rivals.some((other) => covers(other.counts, next.counts))) continue;
      for (const position of next.counts.keys()) known[position]?.push(next);
      waiting.add(next);
    }
  }
  return { kind: "limited" };
}

/** Those known states that have a position of this one, for the position that the fewest have. */
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
  /** In how many ways each position is tried for the next character. */
  readonly reached: Counts;
  /** What is left of them, one state for each character that makes a difference. */
  readonly states: readonly State[];
}

function createStep(positions: readonly Position[]): (state: State) => Steps {
  const { atomsOf, examples } = toAtoms(positions);
  // Behind an assertion, a position is not certain to be reached.
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
      // The engine comes to a sure position once.
      const paths = positions[position]?.sure ? 1 : count;
      for (const atom of atomsOf[position] ?? []) countsAt(byAtom, atom).set(position, paths);
    }
    const states = Array.from(byAtom, ([atom, counts]): State => {
      const character = examples[atom] ?? END;
      const sure = [...counts.keys()].some((position) => positions[position]?.sure);
      // The engine begins no later match than one that can't fail.
      if (certain && sure) counts.delete(SEARCH);
      const paths = [...counts.values()].reduce((sum, count) => sum + count, 0);
      const length = state.length + (character === END ? 0 : 1);
      return { counts, paths, sure, length, character, before: state };
    });
    return { reached, states };
  };
}

/** @returns the atoms that each position takes, and an example of each atom. */
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
