/** The route list as text: columns fitted to the terminal, Markdown. Routes in, lines out. */

import type { App } from "#convention/config/config";
import { formatLocation } from "#convention/diagnostics/format";
import { formatTake, formatTakeName } from "#convention/wire/format-take";
import type { TypedRoute } from "#convention/wire/typed-route";
import { escapeControl } from "#runtime/escape";
import type { Param, Route } from "#runtime/routing/route";
import type { DeclaredInput } from "#runtime/wire/inputs";
import { type Cells, cut, fitRows, formatTable } from "./route-columns.ts";
import { folderOf, stepsOf, takesOf } from "./route-steps.ts";

/** What lists call each app, by its folder's name; in the order of `framework.toml`. */
export type Labels = ReadonlyMap<string, string>;

export function labelsOf(apps: readonly App[]): Labels {
  return new Map(apps.map(({ name, label }) => [name, label]));
}

/** The folder and the label of each app that has a label of its own, a line each: the columns show its folder only. */
export function formatLabels(routes: readonly Route[], labels: Labels, columns: number): string[] {
  const own = ownLabels(routes, labels);
  const width = Math.max(0, ...own.map(([name]) => name.length));
  return own.map(([name, label]) => cut(`  ${name.padEnd(width)}  ${escapeControl(label)}`, columns, false));
}

/** Of the routes' apps, those with a label that is not the name of their folder. */
function ownLabels(routes: readonly Route[], labels: Labels): [name: string, label: string][] {
  const shown = new Set(routes.map(({ app }) => app));
  return [...labels].filter(([name, label]) => label !== name && shown.has(name));
}

type Format = (route: TypedRoute) => string;

type Heading = "METHOD" | "PATTERN" | "PARAMS" | "TAKES" | "GUARDS" | "PROVIDERS" | "HANDLER" | "LOCATION";

const FORMATS: Readonly<Record<Heading, Format>> = {
  METHOD: ({ method }) => method,
  PATTERN: ({ pattern }) => escapeControl(pattern),
  PARAMS: ({ segments }) => formatParams(segments, ({ name, type }) => `${escapeControl(name)}: ${type}`),
  TAKES: (route) => formatTakes(route, formatTake),
  GUARDS: formatGuards,
  PROVIDERS: formatProviders,
  HANDLER: ({ handler }) => escapeControl(handler),
  LOCATION: ({ location }) => formatLocation(location),
};

/** The columns that are there only if a route has something in them. */
const OCCASIONAL: readonly string[] = ["TAKES", "GUARDS", "PROVIDERS"];

function toRows(routes: readonly TypedRoute[], changed: Partial<typeof FORMATS> = {}): readonly Cells[] {
  const columns = Object.entries({ ...FORMATS, ...changed })
    .map(([heading, format]): Cells => [heading, ...routes.map(format)])
    .filter(([heading = "", ...cells]) => !OCCASIONAL.includes(heading) || cells.some((cell) => cell !== ""));
  return Array.from({ length: routes.length + 1 }, (_, row) => columns.map((cells) => cells[row] ?? ""));
}

/** With a column for the app where one of them has a label of its own. */
export function formatMarkdown(routes: readonly TypedRoute[], labels: Labels): string {
  const [headings = [], ...rows] = toRows(routes);
  const names = headings.map((heading) => heading.charAt(0) + heading.slice(1).toLowerCase());
  const lines = rows.map(([method = "", ...cells]) => [method, ...cells.map(toCode)]);
  const apps = routes.map(({ app }) => escapeMarkdown(labels.get(app ?? "") ?? ""));
  const hasLabels = ownLabels(routes, labels).length > 0;
  return [names, names.map(() => "---"), ...lines]
    .map((cells, row) => (hasLabels ? [...cells, ["App", "---", ...apps][row]] : cells))
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

function toCode(text: string): string {
  return text === "" ? "" : `\`${text.replaceAll("|", "\\|")}\``;
}

/** Free text, of which nothing is a mark of Markdown or HTML. */
function escapeMarkdown(text: string): string {
  return escapeControl(text).replace(/[\\`*_[\]<>|&~]/g, "\\$&");
}

/**
 * Aligned columns that are never wider than the terminal. What gives way, step by step: the location loses its column, params their
 * names (which are in the pattern), the location its folders, what is taken its types, the providers their place; and then the location
 * likewise, the handler, the guards, what is taken, and at last the pattern its end.
 */
export function formatColumns(routes: readonly TypedRoute[], columns: number, color: boolean): string {
  const line = { LOCATION: ({ location }: Route) => `${escapeControl(location.file)}:${location.line}` };
  const types = { ...line, PARAMS: ({ segments }: Route) => formatParams(segments, ({ type }) => type) };
  const names = { ...types, TAKES: (route: TypedRoute) => formatTakes(route, formatTakeName) };
  const steps = [{}, line, types, names, { ...names, PROVIDERS: () => "" }];
  const rows = fitRows(
    steps.map((changed) => () => toRows(routes, changed)),
    columns,
  );
  return formatTable(rows, color);
}

export function paramsOf(segments: Route["segments"]): Param[] {
  return segments.filter((segment) => typeof segment !== "string");
}

function formatParams(segments: Route["segments"], format: (param: Param) => string): string {
  return paramsOf(segments).map(format).join(", ");
}

function formatTakes(route: TypedRoute, format: (take: DeclaredInput) => string): string {
  return escapeControl(takesOf(route).map(format).join(", "));
}

/** The folders that have them: most are called `guard`. */
function formatGuards(route: TypedRoute): string {
  const guards = stepsOf(route).filter(({ kind }) => kind === "guard");
  return escapeControl(guards.map(folderOf).join(", "));
}

function formatProviders(route: TypedRoute): string {
  const providers = stepsOf(route).filter(({ kind }) => kind === "provider");
  return escapeControl(providers.map(({ name }) => name).join(", "));
}
