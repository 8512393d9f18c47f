/** Rows as aligned columns that are never wider than the terminal. Texts in, lines out. */

import { kleur } from "#convention/deps/kleur";
import { columnsOf, padColumns } from "#convention/diagnostics/columns";
import { escapeControl } from "#runtime/escape";
import type { RouteMethod } from "#runtime/routing/route";

/** The texts of a column, one for each row. */
type Texts = readonly string[];

export interface Column {
  readonly heading: string;
  readonly texts: Texts;
  /** Shorter texts that say less, the longest first. */
  readonly shorter: readonly Texts[];
  /** It is left out where there is less room than is of use. */
  readonly mayGo: boolean;
}

/** A text that is cut shorter is of no use. A location is, as in `…/views.ts:12`. */
const LEAST = 8;
const LEAST_LOCATION = 13;
const LOCATION = "LOCATION";

/** How a row's text is made, in whole and shorter. */
export type Formats<Row> = readonly [whole: (row: Row) => string, short?: (row: Row) => string];

export function toColumn<Row>(
  heading: string,
  rows: readonly Row[],
  [whole, short]: Formats<Row>,
  mayGo = false,
): Column {
  const format = (one: (row: Row) => string): Texts => rows.map((row) => escapeControl(one(row)));
  return { heading, texts: format(whole), shorter: short === undefined ? [] : [format(short)], mayGo };
}

export const GAP = "  ";

/** Fills the texts of each column up to one width, but for the last column: there, a colour would keep the spaces. */
export function alignRows(rows: readonly Texts[]): string[][] {
  const columns = (rows[0] ?? []).map((_, position) => rows.map((cells) => cells[position] ?? ""));
  const widths = columns.slice(0, -1).map(widthOf);
  return rows.map((cells) => cells.map((cell, position) => padColumns(cell, widths[position] ?? 0)));
}

/** @param row from 0. */
type Paint = (padded: string, heading: string, row: number) => string;

/** @param paint colours a cell; the method, which comes first, has colours of its own. */
export function formatTable(
  columns: readonly Column[],
  color: boolean,
  paint: Paint = (padded) => padded,
): string {
  kleur.enabled = color;
  const headings = columns.map(({ heading }) => heading);
  const rows = (columns[0]?.texts ?? []).map((_, row) => columns.map(({ texts }) => texts[row] ?? ""));
  const [first = [], ...others] = alignRows([headings, ...rows]);
  const lines = others.map(([method = "", ...cells], row) => {
    const painted = cells.map((cell, position) => paint(cell, headings[position + 1] ?? "", row));
    return [colorMethod(method), ...painted].join(GAP).trimEnd();
  });
  return [kleur.dim(first.join(GAP)), ...lines].join("\n");
}

const METHOD_COLORS: Readonly<Record<RouteMethod, (text: string) => string>> = {
  GET: (text) => kleur.green(text),
  POST: (text) => kleur.yellow(text),
  PUT: (text) => kleur.blue(text),
  PATCH: (text) => kleur.cyan(text),
  DELETE: (text) => kleur.red(text),
  HEAD: (text) => kleur.gray(text),
  OPTIONS: (text) => kleur.gray(text),
  ALL: (text) => kleur.magenta(text),
};

/** @param padded a method, with the spaces that fill its column. */
export function colorMethod(padded: string): string {
  return METHOD_COLORS[padded.trim() as RouteMethod](padded); // the first cell of a route's row is its method
}

/**
 * Makes columns narrower, one after the other, until a row fits. What room is left then goes to the last column.
 *
 * @param order the headings in the order in which they give way: each time a column takes its next shorter texts, and when it has none,
 *   it is cut or left out.
 */
export function fitColumns(
  columns: readonly Column[],
  order: readonly string[],
  room: number,
): readonly Column[] {
  let shown = columns.map((column) => ({ ...column, width: widthOf([column.heading, ...column.texts]) }));
  const left = (): number => shown.reduce((rest, { width }) => rest - width - GAP.length, room + GAP.length);
  for (const heading of order) {
    const lack = -left();
    if (lack <= 0) break;
    shown = shown.flatMap((column) => (column.heading === heading ? giveWay(column, lack) : [column]));
  }
  const spare = Math.max(0, left());
  return shown.map((column, position) => {
    const width = column.width + (position === shown.length - 1 ? spare : 0);
    return { ...column, texts: column.texts.map((text) => cut(text, width, column.heading === LOCATION)) };
  });
}

type Fitted = Column & { readonly width: number };

function giveWay(column: Fitted, lack: number): Fitted[] {
  const {
    heading,
    shorter: [texts, ...shorter],
    mayGo,
  } = column;
  if (texts !== undefined) return [{ ...column, texts, shorter, width: widthOf([heading, ...texts]) }];
  const width = column.width - lack;
  const least = heading === LOCATION ? LEAST_LOCATION : Math.max(LEAST, heading.length);
  if (width < least && mayGo) return [];
  return [{ ...column, width: Math.min(column.width, Math.max(width, least)) }];
}

/** Cut at the end; or at the start, and there at a slash where one is in reach. */
export function cut(text: string, width: number, keepsEnd = false): string {
  if (columnsOf(text) <= width) return text;
  const chars = [...text];
  while (chars.length > 0 && columnsOf(chars.join("")) > width - 1) {
    if (keepsEnd) chars.shift();
    else chars.pop();
  }
  const kept = chars.join("");
  return keepsEnd ? `…${kept.slice(Math.max(0, kept.indexOf("/")))}` : `${kept}…`;
}

function widthOf(texts: Texts): number {
  return texts.reduce((width, text) => Math.max(width, columnsOf(text)), 0);
}
