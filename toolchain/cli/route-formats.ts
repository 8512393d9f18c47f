/** The route list as text: columns fitted to the terminal, Markdown. Routes in, lines out. */

import type { App } from "#convention/config/config";
import { formatLocation } from "#convention/diagnostics/format";
import { formatLimits, formatShape } from "#convention/wire/format-shape";
import { formatTake, formatTakeName } from "#convention/wire/format-take";
import { paramsOf, type TypedParam, type TypedRoute } from "#convention/wire/typed-route";
import { escapeControl } from "#runtime/escape";
import type { Location, Route } from "#runtime/routing/route";
import type { DeclaredInput } from "#runtime/wire/inputs";
import { folderOf, stepsOf, takesOf } from "./route-steps.ts";
import { type Column, cut, type Formats, fitColumns, formatTable, toColumn } from "./table.ts";

/** What lists call each app, by its folder's name; in the order of `framework.toml`. */
export type Labels = ReadonlyMap<string, string>;

export function labelsOf(apps: readonly App[]): Labels {
  return new Map(apps.map(({ name, label }) => [name, label]));
}

/** The folder and the label of each app that has a label of its own, a line each: the columns show its folder only. */
export function formatLabels(routes: readonly Route[], labels: Labels, columns: number): string[] {
  const own = ownLabels(routes, labels);
  const width = Math.max(0, ...own.map(([name]) => name.length));
  return own.map(([name, label]) => cut(`  ${name.padEnd(width)}  ${escapeControl(label)}`, columns));
}

/** Of the routes' apps, those with a label that is not the name of their folder. */
function ownLabels(routes: readonly Route[], labels: Labels): [name: string, label: string][] {
  const shown = new Set(routes.map(({ app }) => app));
  return [...labels].filter(([name, label]) => label !== name && shown.has(name));
}

const COLUMNS: Readonly<Record<string, Formats<TypedRoute>>> = {
  METHOD: [({ method }) => method],
  PATTERN: [({ pattern }) => pattern],
  PARAMS: [
    ({ segments }) => formatParams(segments, (param) => `${param.name}: ${formatParamType(param)}`),
    ({ segments }) => formatParams(segments, ({ type, shape }) => (shape ? formatShape(shape) : type)),
  ],
  TAKES: [(route) => formatTakes(route, formatTake), (route) => formatTakes(route, formatTakeName)],
  GUARDS: [formatGuards],
  PROVIDERS: [formatProviders],
  HANDLER: [({ handler }) => handler],
  LOCATION: [({ location }) => formatLocation(location), ({ location }) => formatLine(location)],
};

/** They stay in a terminal of any width. */
const KEPT: readonly string[] = ["METHOD", "PATTERN", "HANDLER", "LOCATION"];

/** The columns that are there only if a route has something in them. */
const OCCASIONAL: readonly string[] = ["TAKES", "GUARDS", "PROVIDERS"];

function toColumns(routes: readonly TypedRoute[]): Column[] {
  return Object.entries(COLUMNS)
    .map(([heading, formats]) => toColumn(heading, routes, formats, !KEPT.includes(heading)))
    .filter(({ heading, texts }) => !OCCASIONAL.includes(heading) || texts.some((text) => text !== ""));
}

/** With a column for the app where one of them has a label of its own. */
export function formatMarkdown(routes: readonly TypedRoute[], labels: Labels): string {
  const [methods, ...others] = toColumns(routes);
  const apps = routes.map(({ app }) => escapeMarkdown(labels.get(app ?? "") ?? ""));
  const columns = [
    { heading: "METHOD", texts: methods?.texts ?? [] },
    ...others.map(({ heading, texts }) => ({ heading, texts: texts.map(toCode) })),
    ...(ownLabels(routes, labels).length > 0 ? [{ heading: "APP", texts: apps }] : []),
  ];
  const headings = columns.map(({ heading }) => heading.charAt(0) + heading.slice(1).toLowerCase());
  const rows = routes.map((_, row) => columns.map(({ texts }) => texts[row]));
  return [headings, headings.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function toCode(text: string): string {
  return text === "" ? "" : `\`${text.replaceAll("|", "\\|")}\``;
}

/** Free text, of which nothing is a mark of Markdown or HTML. */
function escapeMarkdown(text: string): string {
  return escapeControl(text).replace(/[\\`*_[\]<>|&~]/g, "\\$&");
}

/**
 * Aligned columns that are never wider than the terminal. The location loses its column, params their names (which are in the pattern), the
 * location its folders, what is taken its types; then whole columns go, and at last handlers and patterns lose their ends.
 */
export function formatColumns(routes: readonly TypedRoute[], columns: number, color: boolean): string {
  const order = "LOCATION PARAMS LOCATION TAKES PROVIDERS GUARDS TAKES PARAMS HANDLER PATTERN".split(" ");
  return formatTable(fitColumns(toColumns(routes), order, columns), color);
}

/** Without the column. */
export function formatLine({ file, line }: Location): string {
  return `${file}:${line}`;
}

export function formatParamType({ type, shape }: TypedParam): string {
  return shape ? formatLimits(shape) : type;
}

function formatParams(segments: TypedRoute["segments"], format: (param: TypedParam) => string): string {
  return paramsOf(segments).map(format).join(", ");
}

function formatTakes(route: TypedRoute, format: (take: DeclaredInput) => string): string {
  return takesOf(route).map(format).join(", ");
}

/** The folders that have them: most are called `guard`. */
function formatGuards(route: TypedRoute): string {
  const guards = stepsOf(route).filter(({ kind }) => kind === "guard");
  return guards.map(folderOf).join(", ");
}

function formatProviders(route: TypedRoute): string {
  const providers = stepsOf(route).filter(({ kind }) => kind === "provider");
  return providers.map(({ name }) => name).join(", ");
}
