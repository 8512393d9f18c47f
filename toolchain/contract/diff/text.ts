/** Differences as a person reads them in a terminal. */

import { kleur } from "#convention/deps/kleur";
import { wrapText } from "#convention/diagnostics/columns";
import { formatFrame, formatLocation, lineOf } from "#convention/diagnostics/format";
import { escapeControl } from "#runtime/escape";
import type { Location } from "#runtime/routing/route";
import type { Difference, Level } from "./difference.ts";
import { type Group, type Sides, sayMore } from "./groups.ts";

export interface Screen {
  readonly columns: number;
  readonly color: boolean;
}

const COLORS: Readonly<Record<Level, (text: string) => string>> = {
  breaking: (text) => kleur.red().bold(text),
  risky: (text) => kleur.yellow().bold(text),
  other: (text) => kleur.blue().bold(text),
};

/**
 * @example
 * breaking response-property-became-optional GET /users/by/id/<user_id>
 *   `name` in the 200 answer may be missing now.
 *   main:apps/users/views.ts:4:3
 *     4 |   name: string;
 *       |   ^^^^
 *   apps/users/views.ts:4:3
 *     4 |   name?: string;
 *       |   ^^^^
 *   and 3 more routes
 */
export function formatGroup(group: Group, sides: Sides, { columns, color }: Screen): string {
  kleur.enabled = color;
  const { level, id, method, pattern, message } = group.first;
  const head = `${COLORS[level](level)} ${kleur.bold(escapeControl(`${method} ${pattern}`))} ${kleur.dim(id)}`;
  const lines = wrapText(escapeControl(message), Math.max(columns - 2, 20)).map((line) => `  ${line}`);
  const more = sayMore(group);
  const rest = more === "" ? [] : [kleur.dim(`  ${more}`)];
  return [head, ...lines, ...formatPlaces(group.first, sides), ...rest].join("\n");
}

/** A line that is as it was is shown once. */
function formatPlaces({ before: was, after: is }: Difference, [before, after]: Sides): readonly string[] {
  const textBefore = was && before.sources.files.read(was.file);
  const textAfter = is && after.sources.files.read(is.file);
  const isSame = was && is && lineOf(was, textBefore) === lineOf(is, textAfter);
  return [
    // As git writes a file of a commit.
    ...(was ? [formatPlace(`${before.ref}:`, was), ...(isSame ? [] : formatFrame(was, textBefore))] : []),
    ...(is
      ? [formatPlace(after.ref === undefined ? "" : `${after.ref}:`, is), ...formatFrame(is, textAfter)]
      : []),
  ];
}

function formatPlace(start: string, location: Location): string {
  return `  ${kleur.cyan(escapeControl(start) + formatLocation(location))}`;
}
