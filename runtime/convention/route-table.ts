/** The table of routes in README.md, between our two marks: `framework routes list --markdown` prints such rows. */

import type { Route } from "../core/route.ts";

export const README_FILE = "README.md";

const MARKED = /^<!-- routes -->\r?$([\s\S]*?)^<!-- end of routes -->\r?$/m;
/** Method, pattern and params of a row, as wide as a formatter makes its columns. */
const ROW = /^\|[ \t]*([A-Z]+)[ \t]*\|[ \t]*`([^`]+)`[ \t]*\|[ \t]*(?:`([^`]*)`)?[ \t]*\|.*(?:\r?\n)?/gm;

export interface RouteTable {
  /** In which line it begins. */
  readonly line: number;
  readonly rows: readonly RouteRow[];
}

/** Offsets in the text, the end of the line included. */
export interface RouteRow {
  readonly start: number;
  readonly end: number;
  /** What tells one route from another, as {@link toRowKey} makes it. */
  readonly key: string;
}

/** @returns undefined where the text has no such table. */
export function findRouteTable(text: string): RouteTable | undefined {
  const marked = MARKED.exec(text);
  if (marked === null) return undefined;
  const [all, inner = ""] = marked;
  const offset = marked.index + all.indexOf(inner);
  const rows = [...inner.matchAll(ROW)].map((match): RouteRow => {
    const [row, ...cells] = match;
    const start = offset + match.index;
    return { start, end: start + row.length, key: cells.join(" ").trimEnd() };
  });
  return { line: text.slice(0, marked.index).split("\n").length, rows };
}

export function toRowKey({ method, pattern, segments }: Route): string {
  const params = segments.flatMap((segment) =>
    typeof segment === "string" ? [] : `${segment.name}: ${segment.type}`,
  );
  return [method, pattern.replaceAll("|", "\\|"), params.join(", ")].join(" ").trimEnd();
}
