/** `framework routes list`: every route of the project, read from its source and never by running it. */

import { hasErrors } from "#convention/diagnostics/diagnostic";
import { compareLocations, compareText } from "#convention/diagnostics/order";
import { type Project, readProject } from "#convention/project";
import type { TypedRoute } from "#convention/wire/typed-route";
import { formatJson } from "#runtime/escape";
import { METHODS, type Route, type RouteMethod } from "#runtime/routing/route";
import { type Command, type CommandInput, flag, type Terminal, UsageError, value } from "../command.ts";
import { count } from "../count.ts";
import { requireProjectRoot } from "../project-root.ts";
import { printDiagnostics } from "../report.ts";
import { formatColumns, formatLabels, formatMarkdown, labelsOf } from "../route-formats.ts";
import { suggest } from "../suggest.ts";
import { toRecord } from "./record.ts";

export const routesList: Command = {
  usage: "framework routes list [options]",
  summary: "List every route: method, pattern, params, what it takes, handler and location.",
  details:
    "It reads the source and runs nothing of the project. Routes come in the order in which they match: segment by segment,\n" +
    "static text before int before str; then by method.\n" +
    "In TAKES, a request may leave out what has a ?. A name without a place is in the query. What guards and providers take is there, too.\n" +
    "GUARDS has the folders of the `_hooks.ts` whose guards run, and PROVIDERS the providers, in the order in which they run.\n" +
    "In a narrow terminal, locations lose their folders, and then the columns between the pattern and the handler become shorter or go.\n" +
    "Below the total are the apps whose name in app.toml is not their folder's. Diagnostics go to stderr. With an error, the exit status is 1.",
  options: {
    app: value("<name>", "Only the routes of this app."),
    method: value("<method>", "Only the routes with this method, such as GET."),
    path: value("<text>", "Only the routes whose pattern contains this text."),
    sort: value(
      "<column>",
      "Sort by pattern (the default), method, handler, location, or app (in the order of framework.toml).",
    ),
    json: flag("Print a JSON array, for programs."),
    jsonl: flag("Print one JSON object a line."),
    markdown: flag("Print a Markdown table."),
  },
  examples: [
    "framework routes list",
    "framework routes list --app products --method GET",
    "framework routes list --path /users --sort location",
    "framework routes list --json",
  ],
  async run(input) {
    const { terminal } = input;
    const format = chooseFormat(input);
    const project = readProject(requireProjectRoot(input));
    const routes = selectRoutes(project, input);
    printRoutes(routes, project, format, terminal);
    printDiagnostics(project.root, project.diagnostics, (text) => terminal.printError(`\n${text}`), terminal);
    return hasErrors(project.diagnostics) ? 1 : 0;
  },
};

type Format = "columns" | "json" | "jsonl" | "markdown";

function chooseFormat({ flags }: Pick<CommandInput, "flags">): Format {
  const formats: readonly Format[] = ["json", "jsonl", "markdown"];
  const [chosen, second] = formats.filter((format) => flags[format]);
  if (second !== undefined)
    throw new UsageError(`--${chosen} and --${second} are two formats.`, "Choose one of them.");
  return chosen ?? "columns";
}

/** @throws {UsageError} on an app, a method or a sort order that does not exist. */
function selectRoutes(
  { routes, apps }: Project,
  { values: { app, method, path, sort } }: Pick<CommandInput, "values">,
): readonly TypedRoute[] {
  const appNames = apps.map(({ name }) => name);
  const wantedApp = chooseWord("app", app, appNames);
  const wantedMethod = chooseWord<RouteMethod>("method", method?.toUpperCase(), METHODS);
  const order = chooseWord("sort", sort, Object.keys(ORDERS)) ?? "pattern";
  const selected = routes
    .filter((route) => wantedApp === undefined || route.app === wantedApp)
    .filter((route) => wantedMethod === undefined || route.method === wantedMethod)
    .filter(({ pattern }) => path === undefined || pattern.includes(path));
  // The sort is stable: what is equal here stays in the order of the paths.
  return ORDERS[order]?.(selected, appNames) ?? selected;
}

function chooseWord<Word extends string>(
  option: string,
  given: string | undefined,
  known: readonly Word[],
): Word | undefined {
  if (typeof given !== "string") return undefined;
  const found = known.find((word) => word === given);
  if (found !== undefined) return found;
  throw new UsageError(
    `--${option}: there is no ${WORD_KINDS[option]} ${JSON.stringify(given)}.`,
    suggest(given, known),
  );
}

const WORD_KINDS: Readonly<Record<string, string>> = { app: "app", method: "method", sort: "order" };

type Order = (routes: readonly TypedRoute[], apps: readonly string[]) => readonly TypedRoute[];

const ORDERS: Readonly<Record<string, Order>> = {
  pattern: (routes) => routes,
  method: (routes) => routes.toSorted((one, other) => rankOfMethod(one.method) - rankOfMethod(other.method)),
  handler: (routes) => routes.toSorted((one, other) => compareText(one.handler, other.handler)),
  location: (routes) => routes.toSorted((one, other) => compareLocations(one.location, other.location)),
  app: (routes, apps) => routes.toSorted((one, other) => rankOfApp(one, apps) - rankOfApp(other, apps)),
};

/** Those for every method come last. */
function rankOfMethod(method: RouteMethod): number {
  return method === "ALL" ? METHODS.length : METHODS.indexOf(method);
}

/** Files under `routes/` belong to no app and come last. */
function rankOfApp({ app }: Route, apps: readonly string[]): number {
  return app === null ? apps.length : apps.indexOf(app);
}

function printRoutes(
  routes: readonly TypedRoute[],
  project: Project,
  format: Format,
  terminal: Terminal,
): void {
  const labels = labelsOf(project.apps);
  const toLabelled = (route: TypedRoute): object => toRecord(route, labels, project.definitions);
  if (format === "json") terminal.print(formatJson(routes.map(toLabelled), 2));
  else if (format === "jsonl") for (const route of routes) terminal.print(formatJson(toLabelled(route)));
  else if (format === "markdown") terminal.print(formatMarkdown(routes, labels));
  else {
    const { columns, color, print } = terminal;
    if (routes.length > 0) print(`${formatColumns(routes, columns, color)}\n`);
    print([formatTotal(routes, project), ...formatLabels(routes, labels, columns)].join("\n"));
  }
}

/** @example "10 routes: 7 in 2 apps, 3 under routes/" */
function formatTotal(routes: readonly Route[], project: Project): string {
  if (routes.length !== project.routes.length)
    return `${routes.length} of ${count(project.routes.length, "route")}`;
  if (routes.length === 0) {
    const [app] = project.apps;
    const words = app === undefined ? "route index get" : `handler get_index --app ${app.name}`;
    return `No routes yet. Write one with: npx framework generate ${words}`;
  }
  const inApps = routes.filter(({ app }) => app !== null).length;
  const apps = new Set(routes.map(({ app }) => app).filter((app) => app !== null)).size;
  const parts = [
    inApps > 0 ? `${inApps} in ${count(apps, "app")}` : "",
    inApps < routes.length ? `${routes.length - inApps} under routes/` : "",
  ];
  return `${count(routes.length, "route")}: ${parts.filter((part) => part !== "").join(", ")}`;
}
