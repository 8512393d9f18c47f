/** `framework routes audit`: by what each route is guarded, and which routes anyone may call. */

import { formatEntry, type OpenEntry } from "#convention/config/exposure";
import { kleur } from "#convention/deps/kleur";
import { startOf } from "#convention/diagnostics/catalogue";
import { hasErrors } from "#convention/diagnostics/diagnostic";
import { listed } from "#convention/diagnostics/entry";
import { formatLocation } from "#convention/diagnostics/format";
import { type Project, readProject } from "#convention/project";
import {
  type AuditedRoute,
  auditRoutes,
  checkRoutes,
  type Guarding,
  listOwnPaths,
  type OwnPath,
} from "#convention/rule/audit";
import { escapeControl, formatJson } from "#runtime/escape";
import type { FilesSettings } from "#runtime/settings";
import { type Command, flag, type Terminal } from "../command.ts";
import { count } from "../count.ts";
import { requireProjectRoot } from "../project-root.ts";
import { printDiagnostics } from "../report.ts";
import { formatLine } from "../route-formats.ts";
import { folderOf } from "../route-steps.ts";
import { type Column, fitColumns, formatTable, toColumn } from "../table.ts";
import { toPlace } from "./record.ts";

export const routesAudit: Command = {
  usage: "framework routes audit [options]",
  summary: "Show what guards each route, and which routes anyone may call.",
  details:
    "It reads the source and runs nothing of the project. Open routes come first.\n" +
    "A guard of a `_hooks.ts` guards a route. So does a provider that requires a credential or a cookie, and so does a credential that\n" +
    "the handler requires. A ? marks a provider whose credential the request may leave out: it counts if it has a `throw`.\n" +
    'Below `[exposure]` in framework.toml, list which routes anyone may call: open = ["GET /", "/docs"]. An entry without a method is\n' +
    "for each method of its pattern. Any other open route is then an error. So is an entry that no route has, or whose route is guarded.\n" +
    "Which methods such an entry includes follows the table, and what the framework itself serves to anyone.\n" +
    "With an error, the exit status is 1. `framework routes check` and `framework doctor` report these errors, too.",
  options: {
    json: flag("Print a JSON array, for programs."),
  },
  examples: ["framework routes audit", "framework routes audit --json"],
  async run(input) {
    const { flags, terminal } = input;
    const project = readProject(requireProjectRoot(input));
    const found: Found = {
      routes: auditRoutes(project).routes,
      own: listOwnPaths(project),
      folders: project.served?.folders ?? [],
    };
    if (flags.json) terminal.print(formatJson(toAuditRecords(found), 2));
    else printAudit(found, project, terminal);
    const diagnostics = checkRoutes(project);
    printDiagnostics(project.root, diagnostics, (text) => terminal.printError(`\n${text}`), terminal);
    return hasErrors(diagnostics) ? 1 : 0;
  },
};

interface Found {
  readonly routes: readonly AuditedRoute[];
  readonly own: readonly OwnPath[];
  readonly folders: FilesSettings["folders"];
}

/** Of the routes, and of what the framework itself serves. */
function toAuditRecords({ routes, own, folders }: Found): readonly object[] {
  const ofRoutes = routes.map(({ route, guardedBy, open, entry }) => {
    const { method, pattern, handler } = route;
    const guards = guardedBy.map(({ kind, name, optional, location }) => ({
      kind,
      name,
      optional,
      ...toPlace(location),
    }));
    const openBy = entry === undefined ? null : formatEntry(entry);
    const exposed = { guardedBy: guards, open, listed: entry !== undefined, openBy };
    return { method, pattern, handler, ...toPlace(route.location), ...exposed };
  });
  const served = [
    ...own.map(({ path, setting }) => ({ path, openBy: `[server] ${setting}` })),
    ...folders.map(({ at, folder }) => ({ path: at, openBy: `[files] ${folder}` })),
  ];
  const ofOwn = served.map(({ path, openBy }) => {
    const exposed = { guardedBy: [], open: true, listed: false, openBy };
    const place = startOf("framework.toml");
    return { method: "GET", pattern: path, handler: null, ...place, ...exposed };
  });
  return [...ofRoutes, ...ofOwn];
}

function printAudit(found: Found, project: Project, terminal: Terminal): void {
  const { columns, color, print } = terminal;
  const { routes } = found;
  const sorted = routes.toSorted((one, other) => rankOf(one) - rankOf(other));
  const texts = [formatAccess(found, project), ...(project.exposure ? [] : [formatAdvice(routes)])];
  if (routes.length > 0) print(`${formatAudit(sorted, columns, color)}\n`);
  print(texts.join("\n\n"));
}

/** Open routes first, and of these first those that nothing lists. */
function rankOf({ open, entry }: AuditedRoute): number {
  return !open ? 2 : entry === undefined ? 0 : 1;
}

function formatAudit(routes: readonly AuditedRoute[], room: number, color: boolean): string {
  const columns: readonly Column[] = [
    toColumn("METHOD", routes, [({ route }) => route.method]),
    toColumn("PATTERN", routes, [({ route }) => route.pattern]),
    toColumn(GUARDED_BY, routes, [
      (route) => formatGuards(route, ({ location }) => ` ${formatLine(location)}`),
      (route) => formatGuards(route, (one) => (one.kind === "guard" ? ` ${folderOf(one)}` : "")),
    ]),
    toColumn("HANDLER", routes, [({ route }) => route.handler]),
    toColumn("LOCATION", routes, [
      ({ route }) => formatLocation(route.location),
      ({ route }) => formatLine(route.location),
    ]),
  ];
  const order = ["LOCATION", GUARDED_BY, "LOCATION", "HANDLER", GUARDED_BY, "PATTERN"];
  return formatTable(fitColumns(columns, order, room), color, (padded, heading, row) => {
    const { open = false, entry } = routes[row] ?? {};
    if (heading !== GUARDED_BY || !open) return padded;
    return entry === undefined ? kleur.red(padded) : kleur.yellow(padded);
  });
}

const GUARDED_BY = "GUARDED BY";

function formatGuards(
  { guardedBy, entry, open }: AuditedRoute,
  formatSource: (guarding: Guarding) => string,
): string {
  const listed = open && entry !== undefined ? [`open ${entry.location.file}:${entry.location.line}`] : [];
  const guards = guardedBy.map((guarding) => {
    const source = guarding.kind === "credential" ? "" : formatSource(guarding);
    return `${guarding.name}${guarding.optional ? "?" : ""}${source}`;
  });
  return [...listed, ...guards].join(", ") || "nothing";
}

/** @example "10 routes: 4 guarded, 5 listed as open, 1 open but not listed" */
function formatAccess({ routes, own, folders }: Found, { exposure }: Project): string {
  const open = routes.filter((route) => route.open);
  const openByEntry = open.filter(({ entry }) => entry !== undefined).length;
  const parts = [
    [routes.length - open.length, "guarded"],
    [openByEntry, "listed as open"],
    [open.length - openByEntry, exposure ? "open but not listed" : "open"],
  ] as const;
  const shown = parts.flatMap(([number, what]) => (number === 0 ? [] : [`${number} ${what}`]));
  const total = [count(routes.length, "route"), shown.join(", ")].filter((part) => part !== "").join(": ");
  const entries = formatEntries(open, exposure?.open ?? []);
  return [total, ...entries, ...formatOwn(own), ...folders.map(formatFolder)].join("\n");
}

/** Which methods an entry without one includes, where they are several. */
function formatEntries(open: readonly AuditedRoute[], entries: readonly OpenEntry[]): string[] {
  return entries.flatMap((entry) => {
    const covered = open.filter((route) => route.entry === entry).map(({ route }) => route.method);
    return entry.method === null && covered.length > 1
      ? [`${quoteEntry(entry)} opens ${listed(covered)}.`]
      : [];
  });
}

function quoteEntry(entry: OpenEntry): string {
  return `"${formatEntry(entry)}" in ${entry.location.file}:${entry.location.line}`;
}

/** @example "The framework itself answers GET /healthz, which is always open: `health` in framework.toml." */
function formatOwn(own: readonly OwnPath[]): string[] {
  const settings = new Set(own.map(({ setting }) => setting));
  return [...settings].map((setting) => {
    const paths = own.flatMap((one) => (one.setting === setting ? [`GET ${one.path}`] : []));
    const are = paths.length === 1 ? "is" : "are";
    return `The framework itself answers ${listed(paths)}, which ${are} always open: \`${setting}\` in framework.toml.`;
  });
}

/** @example "Anyone gets the files of public/ at /: no guard holds there. `[files]` in framework.toml." */
function formatFolder({ at, folder }: FilesSettings["folders"][number]): string {
  return `Anyone gets the files of ${escapeControl(folder)}/ at ${at}: no guard holds there. \`[files]\` in framework.toml.`;
}

/** The lines to add to framework.toml, so that the routes that are open now may stay so. */
function formatAdvice(routes: readonly AuditedRoute[]): string {
  const open = routes.filter((route) => route.open).map(({ route }) => formatJson(formatEntry(route)));
  const entries = open.length === 0 ? "" : `\n${open.map((entry) => `  ${entry},`).join("\n")}\n`;
  return `Add this to framework.toml, and \`framework routes check\` reports any other open route as an error.
Leave out the routes that should be guarded:

[exposure]
open = [${entries}]`;
}
