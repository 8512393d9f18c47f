/** The route list as text: columns fitted to the terminal, Markdown. Routes in, lines out. */

import type { App } from "#runtime/convention/config/config";
import { columnsOf, padColumns } from "#runtime/convention/diagnostics/columns";
import { formatLocation } from "#runtime/convention/diagnostics/format";
import { formatTake, formatTakeName } from "#runtime/convention/wire/format-take";
import { escapeControl } from "#runtime/core/escape";
import type { Method, Param, Route } from "#runtime/core/routing/route";
import type { TypedRoute } from "#runtime/core/wire/take";
import { kleur } from "#runtime/deps/kleur";

/** What lists call each app, by its folder's name; in the order of `framework.toml`. */
export type Labels = ReadonlyMap<string, string>;

export function labelsOf(apps: readonly App[]): Labels {
  return new Map(apps.map(({ name, label }) => [name, label]));
}

/** The folder and the label of each app that has a label of its own, a line each: the columns show its folder only. */
export function formatLabels(routes: readonly Route[], labels: Labels, columns: number): string[] {
  const own = ownLabels(routes, labels);
  const width = Math.max(0, ...own.map(([name]) => name.length));
  return own.map(([name, label]) =>
    cut(`${GAP}${name.padEnd(width)}${GAP}${escapeControl(label)}`, columns, false),
  );
}

/** Of the routes' apps, those with a label that is not the name of their folder. */
function ownLabels(routes: readonly Route[], labels: Labels): [name: string, label: string][] {
  const shown = new Set(routes.map(({ app }) => app));
  return [...labels].filter(([name, label]) => label !== name && shown.has(name));
}

/** One of the columns is there only if a route takes something. */
function headingsOf(routes: readonly TypedRoute[]): Cells {
  const takes = routes.some((route) => route.takes.length > 0) ? ["TAKES"] : [];
  return ["METHOD", "PATTERN", "PARAMS", ...takes, "HANDLER", "LOCATION"];
}

/** With a column for the app where one of them has a label of its own. */
export function formatMarkdown(routes: readonly TypedRoute[], labels: Labels): string {
  const hasLabels = ownLabels(routes, labels).length > 0;
  const code = (text: string): string =>
    text === "" ? "" : `\`${escapeControl(text).replaceAll("|", "\\|")}\``;
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const headings = headingsOf(routes).map((heading) => heading.charAt(0) + heading.slice(1).toLowerCase());
  const hasTakes = headings.includes("Takes");
  const names = hasLabels ? [...headings, "App"] : headings;
  return [
    row(names),
    row(names.map(() => "---")),
    ...routes.map((route) => {
      const { method, pattern, handler, app, location } = route;
      const takes = hasTakes ? [formatTakes(route)] : [];
      const cells = [pattern, formatParams(route), ...takes, handler, formatLocation(location)].map(code);
      const label = escapeMarkdown(labels.get(app ?? "") ?? "");
      return row([method, ...cells, ...(hasLabels ? [label] : [])]);
    }),
  ].join("\n");
}

/** Free text, of which nothing is a mark of Markdown or HTML. */
function escapeMarkdown(text: string): string {
  return escapeControl(text).replace(/[\\`*_[\]<>|&~]/g, "\\$&");
}

const GAP = "  ";

/** Aligned columns that are never wider than the terminal: see {@link fit} for what gives way. */
export function formatColumns(routes: readonly TypedRoute[], columns: number, color: boolean): string {
  kleur.enabled = color;
  const rows = fit(routes, columns);
  const widths = widthsOf(rows);
  return rows.map((cells, position) => formatRow(cells, widths, position === 0)).join("\n");
}

type Cells = readonly string[];

function formatRow(cells: Cells, widths: readonly number[], heading: boolean): string {
  const padded = cells.map((cell, position) => padColumns(cell, widths[position] ?? 0));
  if (heading) return kleur.dim(padded.join(GAP).trimEnd());
  const [method = "", ...rest] = padded;
  return `${colorMethod(method)}${GAP}${rest.join(GAP).trimEnd()}`;
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

/**
 * The cells, made narrower step by step until they fit: the location loses its column, params their names (which are in
 * the pattern), the location its folders, what is taken its types, and then the location its place, the handler likewise, and
 * at last the pattern its end.
 */
function fit(routes: readonly TypedRoute[], columns: number): readonly Cells[] {
  const whole = toRows(routes, formatParams, formatTakes, (route) => formatLocation(route.location));
  if (widthOf(whole) <= columns) return whole;
  const line = ({ location }: Route): string => `${escapeControl(location.file)}:${location.line}`;
  const withoutColumn = toRows(routes, formatParams, formatTakes, line);
  if (widthOf(withoutColumn) <= columns) return withoutColumn;
  const types = toRows(routes, formatTypes, formatTakes, line);
  if (widthOf(types) - (widthsOf(types).at(-1) ?? 0) + LEAST_LOCATION <= columns)
    return narrow(types, columns);
  return narrow(toRows(routes, formatTypes, formatTakeNames, line), columns);
}

type Format = (route: TypedRoute) => string;

function toRows(
  routes: readonly TypedRoute[],
  params: Format,
  takes: Format,
  location: Format,
): readonly Cells[] {
  const headings = headingsOf(routes);
  const hasTakes = headings.includes("TAKES");
  const rows = routes.map((route): Cells => {
    const [pattern = "", handler = ""] = [route.pattern, route.handler].map(escapeControl);
    const taken = hasTakes ? [takes(route)] : [];
    return [route.method, pattern, params(route), ...taken, handler, location(route)];
  });
  return [headings, ...rows];
}

const PATTERN = 1;
const LEAST_PATTERN = 8;
const LOCATION = "LOCATION";
/** A location's file is of use, as in `…/views.ts:12`. */
const LEAST_LOCATION = 13;
/** The columns that may go, and the least width at which each is still of use. */
const LEAST_WIDTHS: ReadonlyMap<string, number> = new Map([
  ["TAKES", 8],
  ["HANDLER", 8],
  [LOCATION, LEAST_LOCATION],
]);

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
function cut(text: string, width: number, keepEnd: boolean): string {
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

export function paramsOf(segments: Route["segments"]): Param[] {
  return segments.filter((segment) => typeof segment !== "string");
}

function formatParams({ segments }: Route): string {
  return paramsOf(segments)
    .map(({ name, type }) => `${escapeControl(name)}: ${type}`)
    .join(", ");
}

function formatTypes({ segments }: Route): string {
  const types = paramsOf(segments).map(({ type }) => type);
  return types.join(", ");
}

function formatTakes({ takes }: TypedRoute): string {
  return escapeControl(takes.map(formatTake).join(", "));
}

function formatTakeNames({ takes }: TypedRoute): string {
  return escapeControl(takes.map(formatTakeName).join(", "));
}
