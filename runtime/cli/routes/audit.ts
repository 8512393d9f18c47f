/** `framework routes audit`: by what each route is guarded, and which routes anyone may call. */

import { formatEntry } from "#runtime/convention/config/exposure";
import { hasErrors } from "#runtime/convention/diagnostics/diagnostic";
import { formatCounts, formatLocation } from "#runtime/convention/diagnostics/format";
import { type Project, readProject } from "#runtime/convention/project";
import { type AuditedRoute, auditRoutes, checkRoutes, type Guarding } from "#runtime/convention/rule/audit";
import { escapeControl, formatJson } from "#runtime/core/escape";
import type { Location } from "#runtime/core/routing/route";
import { kleur } from "#runtime/deps/kleur";
import { ProjectError } from "#runtime/toolchain/load/project-error";
import type { Command, Terminal } from "../command.ts";
import { count } from "../count.ts";
import { requireProjectRoot } from "../project-root.ts";
import { type Cells, fitRows, formatTable } from "../route-columns.ts";
import { folderOf } from "../route-steps.ts";
import { toPlace } from "./record.ts";

export const routesAudit: Command = {
  usage: "framework routes audit [options]",
  summary: "Show what guards each route, and which routes anyone may call.",
  details:
    "It reads the source and runs nothing of the project. Open routes come first.\n" +
    "A guard of a `_hooks.ts` guards a route. So does a provider that takes a credential or a cookie and can refuse the request, and so\n" +
    "does a credential that the handler requires. A ? marks a provider whose credential the request may leave out.\n" +
    'Below `[exposure]` in framework.toml, list which routes anyone may call: open = ["GET /", "/docs"]. An entry without a method is\n' +
    "for each method of its pattern. Any other open route is then an error. So is an entry that no route has, or whose route is guarded.\n" +
    "With an error, the exit status is 1. `framework routes check` and `framework doctor` report these errors, too.",
  options: {
    json: { type: "boolean", description: "Print a JSON array, for programs." },
  },
  examples: ["framework routes audit", "framework routes audit --json"],
  async run(input) {
    const { options, terminal } = input;
    const project = readProject(requireProjectRoot(input));
    const { routes } = auditRoutes(project);
    if (options.json === true) terminal.print(formatJson(routes.map(toAuditRecord), 2));
    else printAudit(routes, project, terminal);
    const diagnostics = checkRoutes(project);
    if (diagnostics.length > 0) {
      terminal.printError(`\n${new ProjectError(project.root, diagnostics).format(terminal.color)}`);
      terminal.printError(`\n${formatCounts(diagnostics)}`);
    }
    return hasErrors(diagnostics) ? 1 : 0;
  },
};

function toAuditRecord({ route, guardedBy, open, entry }: AuditedRoute): object {
  const { method, pattern, handler } = route;
  const guards = guardedBy.map(({ kind, name, optional, location }) => ({
    kind,
    name,
    optional,
    ...toPlace(location),
  }));
  const listed = entry !== undefined;
  return { method, pattern, handler, ...toPlace(route.location), guardedBy: guards, open, listed };
}

function printAudit(routes: readonly AuditedRoute[], project: Project, terminal: Terminal): void {
  const { columns, color, print } = terminal;
  const sorted = routes.toSorted((one, other) => rankOf(one) - rankOf(other));
  const texts = [formatAccess(routes, project), ...(project.exposure ? [] : [formatAdvice(routes)])];
  if (routes.length > 0) print(`${formatAudit(sorted, columns, color)}\n`);
  print(texts.join("\n\n"));
}

/** Open routes first, and of these first those that nothing lists. */
function rankOf({ open, entry }: AuditedRoute): number {
  return !open ? 2 : entry === undefined ? 0 : 1;
}

function formatAudit(routes: readonly AuditedRoute[], columns: number, color: boolean): string {
  const formatLine = ({ file, line }: Location): string => `${escapeControl(file)}:${line}`;
  const long: Format<Guarding> = ({ location }) => ` ${formatLine(location)}`;
  const short: Format<Guarding> = (guarding) => (guarding.kind === "guard" ? ` ${folderOf(guarding)}` : "");
  const rows = fitRows(
    [
      () => toRows(routes, long, formatLocation),
      () => toRows(routes, long, formatLine),
      () => toRows(routes, short, formatLine),
    ],
    columns,
  );
  return formatTable(rows, color, (padded, heading, row) => {
    const { open = false, entry } = routes[row] ?? {};
    if (heading !== GUARDED_BY || !open) return padded;
    return entry === undefined ? kleur.red(padded) : kleur.yellow(padded);
  });
}

type Format<Part> = (part: Part) => string;

const GUARDED_BY = "GUARDED BY";

function toRows(
  routes: readonly AuditedRoute[],
  formatSource: Format<Guarding>,
  formatPlace: Format<Location>,
): readonly Cells[] {
  const rows = routes.map(({ route, guardedBy, entry, open }): Cells => {
    const listed = open && entry !== undefined ? [`open ${entry.location.file}:${entry.location.line}`] : [];
    const guards = guardedBy.map((guarding) => {
      const source = guarding.kind === "credential" ? "" : formatSource(guarding);
      return `${guarding.name}${guarding.optional ? "?" : ""}${source}`;
    });
    const texts = [...listed, ...guards].join(", ") || "nothing";
    const [pattern = "", guarded = "", handler = ""] = [route.pattern, texts, route.handler].map(
      escapeControl,
    );
    return [route.method, pattern, guarded, handler, formatPlace(route.location)];
  });
  return [["METHOD", "PATTERN", GUARDED_BY, "HANDLER", "LOCATION"], ...rows];
}

/** @example "10 routes: 4 guarded, 5 listed as open, 1 open but not listed" */
function formatAccess(routes: readonly AuditedRoute[], { exposure, settings }: Project): string {
  const open = routes.filter((route) => route.open);
  const listed = open.filter(({ entry }) => entry !== undefined).length;
  const parts = [
    [routes.length - open.length, "guarded"],
    [listed, "listed as open"],
    [open.length - listed, exposure ? "open but not listed" : "open"],
  ] as const;
  const shown = parts.flatMap(([number, what]) => (number === 0 ? [] : [`${number} ${what}`]));
  const total = [count(routes.length, "route"), shown.join(", ")].filter((part) => part !== "").join(": ");
  if (settings.health === "") return total;
  return `${total}\nThe framework itself answers GET ${settings.health}, which is always open: \`health\` in framework.toml.`;
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
