/** The table of routes in README.md, between our two marks: `framework routes list --markdown` prints such rows. */

import type { Route } from "#runtime/core/routing/route";
import type { Region } from "./edits.ts";

export const README_FILE = "README.md";

const MARKED = /^<!-- routes -->\r?$((?:(?!^<!-- routes -->\r?$)[\s\S])*?)^<!-- end of routes -->\r?$/gm;
/** Begins or ends a block of code. */
const FENCE = /^ {0,3}(?:```|~~~)/gm;
/** Method, pattern and params of a row, as wide as a formatter makes its columns. */
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

export function toRowKey({ method, pattern, segments }: Route): string {
  const params = segments.flatMap((segment) =>
    typeof segment === "string" ? [] : `${segment.name}: ${segment.type}`,
  );
  return [method, pattern.replaceAll("|", "\\|"), params.join(", ")].join(" ").trimEnd();
}
