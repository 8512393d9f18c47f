/** Composes the automaton of a pattern from fragments, one for each part: sequences, alternatives, loops and assertions. */

export interface Fragment {
  /** The positions that can match its first character. At the start of the text they differ, because of `^`. */
  readonly first: Ways;
  readonly firstAtStart: Ways;
  /** The positions that can match its last character. */
  readonly last: Ways;
  /** The last positions after which the rest of the fragment matches unconditionally. */
  readonly accepting: ReadonlySet<number>;
  /** The number of ways in which it matches the empty string. */
  readonly emptyWays: number;
  readonly emptyWaysAtStart: number;
  /** True if it matches the empty string unconditionally, without an assertion. */
  readonly nullable: boolean;
  readonly nullableAtStart: boolean;
}

/** The number of ways to reach each position. */
export type Ways = ReadonlyMap<number, number>;

const NO_WAYS: Ways = new Map();
const NO_POSITIONS: ReadonlySet<number> = new Set();

/** The empty pattern. */
export const EMPTY: Fragment = {
  first: NO_WAYS,
  firstAtStart: NO_WAYS,
  last: NO_WAYS,
  accepting: NO_POSITIONS,
  emptyWays: 1,
  emptyWaysAtStart: 1,
  nullable: true,
  nullableAtStart: true,
};
/** `^` */
export const AT_START: Fragment = { ...EMPTY, emptyWays: 0, nullable: false };
/** A pattern that never matches. */
export const IMPOSSIBLE: Fragment = { ...AT_START, emptyWaysAtStart: 0, nullableAtStart: false };

export function concatenate(one: Fragment, other: Fragment): Fragment {
  return {
    first: add(one.first, other.first, one.emptyWays),
    firstAtStart: add(one.firstAtStart, other.firstAtStart, one.emptyWaysAtStart),
    last: add(other.last, one.last, other.emptyWays),
    accepting: other.nullable ? both(other.accepting, one.accepting) : other.accepting,
    emptyWays: limited(one.emptyWays * other.emptyWays),
    emptyWaysAtStart: limited(one.emptyWaysAtStart * other.emptyWaysAtStart),
    nullable: one.nullable && other.nullable,
    nullableAtStart: one.nullableAtStart && other.nullableAtStart,
  };
}

/** A loop whose first round may match the empty string, so that the second one begins. */
export function delayed(part: Fragment): Fragment {
  const { first, firstAtStart, emptyWays, emptyWaysAtStart } = part;
  if (emptyWays === 0 && emptyWaysAtStart === 0) return part;
  return {
    ...part,
    first: add(first, first, emptyWays),
    firstAtStart: add(firstAtStart, firstAtStart, emptyWaysAtStart),
  };
}

/** An optional part. An engine refuses an optional round that matches the empty string, so there is one way to skip it. */
export function skippable(part: Fragment): Fragment {
  return { ...part, emptyWays: 1, emptyWaysAtStart: 1, nullable: true, nullableAtStart: true };
}

/** An assertion: its positions (for `\b` one without characters) are tried beside the next part. It may fail, so the engine may backtrack. */
export function assertion(part: Fragment): Fragment {
  const { first, firstAtStart } = part;
  return { ...EMPTY, first, firstAtStart, nullable: false, nullableAtStart: false };
}

export function alternate(one: Fragment, other: Fragment): Fragment {
  return {
    first: add(one.first, other.first, 1),
    firstAtStart: add(one.firstAtStart, other.firstAtStart, 1),
    last: add(one.last, other.last, 1),
    accepting: both(one.accepting, other.accepting),
    emptyWays: limited(one.emptyWays + other.emptyWays),
    emptyWaysAtStart: limited(one.emptyWaysAtStart + other.emptyWaysAtStart),
    nullable: one.nullable || other.nullable,
    nullableAtStart: one.nullableAtStart || other.nullableAtStart,
  };
}

function add(ways: Ways, more: Ways, times: number): Ways {
  if (times === 0 || more.size === 0) return ways;
  if (ways.size === 0 && times === 1) return more;
  const sum = new Map(ways);
  for (const [position, count] of more) sum.set(position, limited((sum.get(position) ?? 0) + count * times));
  return sum;
}

function both(one: ReadonlySet<number>, other: ReadonlySet<number>): ReadonlySet<number> {
  return other.size === 0 ? one : new Set([...one, ...other]);
}

function limited(ways: number): number {
  return Math.min(ways, Number.MAX_SAFE_INTEGER);
}
