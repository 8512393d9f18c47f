/** What is known of a part of a pattern, for whoever puts it beside other parts. */

export interface Fragment {
  /** The positions that can take its first character; at the start of the text they are others, because of `^`. */
  readonly first: Ways;
  readonly firstAtStart: Ways;
  /** The positions that can take its last character. */
  readonly last: Ways;
  /** Those of them behind which nothing is asked any more. */
  readonly sure: ReadonlySet<number>;
  /** In how many ways it matches nothing. */
  readonly nothing: number;
  readonly nothingAtStart: number;
  /** It can match nothing without asking what is around it. */
  readonly free: boolean;
  readonly freeAtStart: boolean;
}

export type Ways = ReadonlyMap<number, number>;

const NO_WAYS: Ways = new Map();
const NO_POSITIONS: ReadonlySet<number> = new Set();

export const EMPTY: Fragment = {
  first: NO_WAYS,
  firstAtStart: NO_WAYS,
  last: NO_WAYS,
  sure: NO_POSITIONS,
  nothing: 1,
  nothingAtStart: 1,
  free: true,
  freeAtStart: true,
};
export const AT_START: Fragment = { ...EMPTY, nothing: 0, free: false };
export const IMPOSSIBLE: Fragment = { ...AT_START, nothingAtStart: 0, freeAtStart: false };

/** One part, and then the other. */
export function behind(one: Fragment, other: Fragment): Fragment {
  return {
    first: add(one.first, other.first, one.nothing),
    firstAtStart: add(one.firstAtStart, other.firstAtStart, one.nothingAtStart),
    last: add(other.last, one.last, other.nothing),
    sure: other.free ? both(other.sure, one.sure) : other.sure,
    nothing: limited(one.nothing * other.nothing),
    nothingAtStart: limited(one.nothingAtStart * other.nothingAtStart),
    free: one.free && other.free,
    freeAtStart: one.freeAtStart && other.freeAtStart,
  };
}

/** A loop whose first round may match nothing, so that the second one begins. */
export function delayed(part: Fragment): Fragment {
  const { first, firstAtStart, nothing, nothingAtStart } = part;
  if (nothing === 0 && nothingAtStart === 0) return part;
  return {
    ...part,
    first: add(first, first, nothing),
    firstAtStart: add(firstAtStart, firstAtStart, nothingAtStart),
  };
}

/** What may be left out. An engine refuses an optional round that matches nothing. */
export function skippable(part: Fragment): Fragment {
  return { ...part, nothing: 1, nothingAtStart: 1, free: true, freeAtStart: true };
}

/** An assertion: its positions, for `\b` one that takes no character, are tried beside what follows it. Either way the engine may go on, or go back. */
export function aside(part: Fragment): Fragment {
  const { first, firstAtStart } = part;
  return { ...EMPTY, first, firstAtStart, free: false, freeAtStart: false };
}

export function either(one: Fragment, other: Fragment): Fragment {
  return {
    first: add(one.first, other.first, 1),
    firstAtStart: add(one.firstAtStart, other.firstAtStart, 1),
    last: add(one.last, other.last, 1),
    sure: both(one.sure, other.sure),
    nothing: limited(one.nothing + other.nothing),
    nothingAtStart: limited(one.nothingAtStart + other.nothingAtStart),
    free: one.free || other.free,
    freeAtStart: one.freeAtStart || other.freeAtStart,
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
