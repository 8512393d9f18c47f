/** Puts differences together that are one change of the source: a type or a guard that many routes share. */

import { type Difference, LEVELS, type Level } from "./difference.ts";
import type { Loaded } from "./loaded.ts";

/** Where the texts of both sides are, and the ref of each, if it is a commit. */
export type Sides = readonly [
  before: Pick<Loaded, "ref" | "sources">,
  after: Pick<Loaded, "ref" | "sources">,
];

export interface Group {
  readonly first: Difference;
  /** The routes after the first. */
  readonly more: readonly Difference[];
}

export function groupDifferences(differences: readonly Difference[]): readonly Group[] {
  const groups = new Map<string, Difference[]>();
  for (const difference of differences) {
    const key = keyOf(difference);
    const group = groups.get(key);
    if (group) group.push(difference);
    else groups.set(key, [difference]);
  }
  return [...groups.values()].flatMap(([first, ...more]) => (first ? [{ first, more }] : []));
}

/** @example sayMore(group) // "and 3 more routes" */
export function sayMore({ more }: Group): string {
  return more.length === 0 ? "" : `and ${more.length} more ${more.length === 1 ? "route" : "routes"}`;
}

export function keyOf({ id, type, message, before, after }: Difference): string {
  return JSON.stringify(type ? [id, type] : [id, message, before, after]);
}

/** @example { breaking: 2, risky: 0, other: 13 } */
export function countLevels(groups: readonly Group[]): Readonly<Record<Level, number>> {
  const count = (level: Level): number => groups.filter(({ first }) => first.level === level).length;
  const [breaking = 0, risky = 0, other = 0] = LEVELS.map(count);
  return { breaking, risky, other };
}

/** @example formatLevels({ breaking: 2, risky: 0, other: 13 }) // "2 breaking, 13 other" */
export function formatLevels(counts: Readonly<Record<Level, number>>): string {
  return LEVELS.filter((level) => counts[level] > 0)
    .map((level) => `${counts[level]} ${level}`)
    .join(", ");
}
