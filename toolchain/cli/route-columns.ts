/** Rows of a list of routes as aligned columns that are never wider than the terminal. Texts in, lines out. */

import { kleur } from "#convention/deps/kleur";
import { columnsOf, padColumns } from "#convention/diagnostics/columns";
import type { Method } from "#runtime/routing/route";

/** The texts of one row; the first row has the headings. */
export type Cells = readonly string[];

/** @param padded with the spaces that fill its column. @param row of the list, from 0. */
type Paint = (padded: string, heading: string, row: number) => string;

const GAP = "  ";

/** @param paint colours a cell; the method has colours of its own. */
export function formatTable(
  rows: readonly Cells[],
  color: boolean,
  paint: Paint = (padded) => padded,
): string {
  kleur.enabled = color;
  const widths = widthsOf(rows);
  const [headings = [], ...others] = rows.map((cells) =>
    cells.map((cell, position) => padColumns(cell, widths[position] ?? 0)),
  );
  const lines = others.map(([method = "", ...rest], row) => {
    // The last cell has no spaces after it that a colour could keep.
    const texts = rest.map((cell, position) => (position === rest.length - 1 ? cell.trimEnd() : cell));
    const painted = texts.map((cell, position) => paint(cell, rows[0]?.[position + 1] ?? "", row));
    return `${colorMethod(method)}${GAP}${painted.join(GAP).trimEnd()}`;
  });
  return [kleur.dim(headings.join(GAP).trimEnd()), ...lines].join("\n");
}

const METHOD_COLORS: Readonly<Record<Method, (text: string) => string>> = {
  GET: (text) => kleur.green(text),
  POST: (text) => kleur.yellow(text),
  PUT: (text) => kleur.blue(text),
  PATCH: (text) => kleur.cyan(text),
  DELETE: (text) => kleur.red(text),
  HEAD: (text) => kleur.gray(text),
  OPTIONS: (text) => kleur.gray(text),
};

/** @param padded a method, with the spaces that fill its column. */
export function colorMethod(padded: string): string {
  return METHOD_COLORS[padded.trim() as Method](padded); // the first cell of a route's row is its method
}

/** How many of the steps must fit with their whole last column. */
const WHOLE_STEPS = 2;

/**
 * The rows of the first step that fits, made narrower still where none does.
 *
 * @param steps the rows from the widest to the narrowest; each is only made when those before it do not fit.
 */
export function fitRows(steps: readonly (() => readonly Cells[])[], columns: number): readonly Cells[] {
  let rows: readonly Cells[] = [];
  for (const [step, make] of steps.entries()) {
    rows = make();
    const least = step < WHOLE_STEPS ? widthOf(rows) : leastWidthOf(rows);
    if (least <= columns) break;
  }
  return narrow(rows, columns);
}

const PATTERN = 1;
const LEAST_PATTERN = 8;
const LOCATION = "LOCATION";
/** A location's file is of use, as in `…/views.ts:12`. */
const LEAST_LOCATION = 13;
/** The columns that may go, and the least width at which each is still of use. */
const LEAST_WIDTHS: ReadonlyMap<string, number> = new Map([
  ["TAKES", 8],
  ["GUARDS", 8],
  ["PROVIDERS", 8],
  ["GUARDED BY", 8],
  ["HANDLER", 8],
  [LOCATION, LEAST_LOCATION],
]);

/** With no more of the location than is of use. */
function leastWidthOf(rows: readonly Cells[]): number {
  return widthOf(rows) - (widthsOf(rows).at(-1) ?? 0) + LEAST_LOCATION;
}

/** The last column is cut, or left out where too little of it would be seen; the pattern is cut when no other is left to go. */
function narrow(rows: readonly Cells[], columns: number): readonly Cells[] {
  const excess = widthOf(rows) - columns;
  if (excess <= 0) return rows;
  const widths = widthsOf(rows);
  const last = widths.length - 1;
  const least = LEAST_WIDTHS.get(rows[0]?.[last] ?? "");
  if (least === undefined)
    return cutColumn(rows, PATTERN, Math.max(LEAST_PATTERN, (widths[PATTERN] ?? 0) - excess));
  const width = (widths[last] ?? 0) - excess;
  if (width >= least) return cutColumn(rows, last, width);
  const fewer = rows.map((cells) => cells.slice(0, -1));
  return narrow(fewer, columns);
}

function cutColumn(rows: readonly Cells[], column: number, width: number): readonly Cells[] {
  const keepsEnd = rows[0]?.[column] === LOCATION;
  return rows.map((cells) => cells.with(column, cut(cells[column] ?? "", width, keepsEnd)));
}

/** Cut at the end; or at the start, and there at a slash where one is in reach. */
export function cut(text: string, width: number, keepEnd: boolean): string {
  if (columnsOf(text) <= width) return text;
  const chars = [...text];
  while (chars.length > 0 && columnsOf(chars.join("")) > width - 1) {
    if (keepEnd) chars.shift();
    else chars.pop();
  }
  const kept = chars.join("");
  if (!keepEnd) return `${kept}…`;
  return `…${kept.slice(Math.max(0, kept.indexOf("/")))}`;
}

function widthsOf(rows: readonly Cells[]): number[] {
  return (rows[0] ?? []).map((_, position) =>
    rows.reduce((width, cells) => Math.max(width, columnsOf(cells[position] ?? "")), 0),
  );
}

function widthOf(rows: readonly Cells[]): number {
  return widthsOf(rows).reduce((sum, width) => sum + width + GAP.length, -GAP.length);
}
