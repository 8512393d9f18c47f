/** Differences as a person reads them. Those that are one change of the source, which many routes share, are shown once. */

import { kleur } from "#convention/deps/kleur";
import { wrapText } from "#convention/diagnostics/columns";
import { formatFrame, formatLocation, lineOf } from "#convention/diagnostics/format";
import type { Sources } from "#convention/project";
import { escapeControl } from "#runtime/escape";
import { keyOf } from "./note.ts";
import { type Difference, LEVELS, type Level } from "./rules.ts";

/** Where the texts of a side are, and its ref, if it is a commit. */
interface Side {
  readonly ref?: string | undefined;
  readonly sources: Pick<Sources, "files">;
}

const COLORS: Readonly<Record<Level, (text: string) => string>> = {
  breaking: (text) => kleur.red().bold(text),
  risky: (text) => kleur.yellow().bold(text),
  other: (text) => kleur.blue().bold(text),
};

/** The differences of one change of the source. */
export type Group = readonly [first: Difference, ...others: Difference[]];

export function groupDifferences(differences: readonly Difference[]): readonly Group[] {
  const groups = new Map<string, [Difference, ...Difference[]]>();
  for (const difference of differences) {
    const group = groups.get(keyOf(difference));
    if (group) group.push(difference);
    else groups.set(keyOf(difference), [difference]);
  }
  return [...groups.values()];
}

/** @example "2 breaking, 13 other" */
export function countLevels(groups: readonly Group[]): string {
  return LEVELS.flatMap((level) => {
    const count = groups.filter(([first]) => first.level === level).length;
    return count > 0 ? [`${count} ${level}`] : [];
  }).join(", ");
}

/**
 * @example
 * breaking GET /users/by/id/<user_id> response-property-became-optional
 *   `name` in the 200 answer may be missing now.
 *   main:apps/users/views.ts:4:3
 *     4 |   name: string;
 *       |   ^^^^
 *   apps/users/views.ts:4:3
 *     4 |   name?: string;
 *       |   ^^^^
 *   and 3 more routes
 */
export function formatGroup(
  [first, ...others]: Group,
  [before, after]: readonly [Side, Side],
  { columns, color }: { readonly columns: number; readonly color: boolean },
): string {
  kleur.enabled = color;
  const { level, id, method, pattern, message, before: was, after: is } = first;
  const textBefore = was && before.sources.files.read(was.file);
  const textAfter = is && after.sources.files.read(is.file);
  // A line that is as it was is shown once.
  const isSame = was && is && lineOf(was, textBefore) === lineOf(is, textAfter);
  const placeOf = ({ ref }: Side, location: NonNullable<typeof was>): string =>
    `  ${kleur.cyan(escapeControl(ref === undefined ? "" : `${ref}:`) + formatLocation(location))}`;
  return [
    `${COLORS[level](level)} ${kleur.bold(escapeControl(`${method} ${pattern}`))} ${kleur.dim(id)}`,
    ...wrapText(escapeControl(message), Math.max(columns - 2, 20)).map((line) => `  ${line}`),
    ...(was ? [placeOf(before, was), ...(isSame ? [] : formatFrame(was, textBefore))] : []),
    ...(is ? [placeOf(after, is), ...formatFrame(is, textAfter)] : []),
    ...(others.length > 0
      ? [kleur.dim(`  and ${others.length} more ${others.length === 1 ? "route" : "routes"}`)]
      : []),
  ].join("\n");
}
