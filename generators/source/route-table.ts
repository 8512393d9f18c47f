/** The table of routes in README.md, between our two marks: `framework routes list --markdown` prints such rows. */

import type { Route } from "#runtime/routing/route";
import type { Region } from "./edits.ts";

export const README_FILE = "README.md";

const MARKED = /^<!-- routes -->\r?$((?:(?!^<!-- routes -->\r?$)[\s\S])*?)^<!-- end of routes -->\r?$/gm;
/** Begins or ends a block of code. */
const FENCE = /^ {0,3}(?:```|~~~)/gm;
/** RouteMethod, pattern and params of a row, as wide as a formatter makes its columns. */
const ROW = /^\|[ \t]*([A-Z]+)[ \t]*\|[ \t]*`([^`]+)`[ \t]*\|[ \t]*(?:`([^`]*)`)?[ \t]*\|.*(?:\r?\n|\r)?/gm;

/** A row with the end of its line. */
export interface RouteRow extends Region {
  /** Identifies the route, as {@link toRowKey} does. */
  readonly key: string;
}

/** @returns none where the text has no such table, or only one that is an example in a block of code. */
export function findRouteRows(text: string): readonly RouteRow[] {
  const marked = [...text.matchAll(MARKED)].find(({ index }) => !isInCode(text, index));
  if (marked === undefined) return [];
  const [all, inner = ""] = marked;
  const offset = marked.index + all.indexOf(inner);
  return [...inner.matchAll(ROW)].map((match): RouteRow => {
    const [row, ...cells] = match;
    const start = offset + match.index;
    return { start, end: start + row.length, key: cells.join(" ").trimEnd() };
  });
}

function isInCode(text: string, offset: number): boolean {
  return [...text.slice(0, offset).matchAll(FENCE)].length % 2 === 1;
}

/** Whether the table has just the columns that {@link formatRow} fills. */
export function hasUsualColumns(text: string): boolean {
  return /^\|[ \t]*RouteMethod[ \t]*\|[ \t]*Pattern[ \t]*\|[ \t]*Params[ \t]*\|[ \t]*Handler[ \t]*\|[ \t]*\r?$/m.test(
    text,
  );
}

/** The inverse of {@link findRouteRows}, without the end of the line. @example "| GET | `/items` |  | `get` |" */
export function formatRow(route: Route): string {
  const { method, pattern, handler } = route;
  const params = formatParams(route);
  const cells = [pattern.replaceAll("|", "\\|"), params, handler].map((cell) =>
    cell === "" ? "" : `\`${cell}\``,
  );
  return `| ${[method, ...cells].join(" | ")} |`;
}

export function toRowKey(route: Route): string {
  const { method, pattern } = route;
  return [method, pattern.replaceAll("|", "\\|"), formatParams(route)].join(" ").trimEnd();
}

function formatParams({ segments }: Route): string {
  return segments
    .flatMap((segment) => (typeof segment === "string" ? [] : `${segment.name}: ${segment.type}`))
    .join(", ");
}
