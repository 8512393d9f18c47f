/** `framework generate handler | app | route`: reads the words, plans, shows or applies the plan, and tells what now exists. */

import { planApp } from "#generators/app";
import { applyChanges, type Change, formatDiff } from "#generators/changes";
import { refuse } from "#generators/diagnostics";
import { type HandlerInput, planHandler } from "#generators/handler";
import { isDiagnostic, isRefused, type Made, type Plan, type Refusal, refusal } from "#generators/plan";
import { planRoute, type RouteInput } from "#generators/route";
import { parseParams, toMethod } from "#generators/words";
import { closest } from "../convention/closest.ts";
import {
  type Diagnostic,
  escapeControl,
  formatDiagnostics,
  formatLocation,
} from "../convention/diagnostics.ts";
import { createFiles } from "../convention/files.ts";
import { parseMethodExport } from "../convention/naming.ts";
import { type Project, readProject } from "../convention/project.ts";
import { METHODS, type Method } from "../core/route.ts";
import type { ServerSettings } from "../core/settings.ts";
import { kleur } from "../deps/kleur.ts";
import { type Command, type CommandInput, type CommandOption, UsageError } from "./command.ts";
import { requireProjectRoot } from "./options.ts";
import { suggest } from "./suggest.ts";

const COMMON_OPTIONS: Readonly<Record<"dry-run" | "json", CommandOption>> = {
  "dry-run": { type: "boolean", description: "Print the changes as a unified diff, and write nothing." },
  json: { type: "boolean", description: "Print what was made as JSON." },
};

/** What names an app or a method that there is not: wrong usage, as it is to every command. */
const MISUSES: readonly string[] = ["FW602", "FW614"];

const METHOD_WORDS: readonly string[] = METHODS.map((method) => method.toLowerCase());

/** Methods of HTTP that no route can have; so spelt they are not meant for a param. */
const OTHER_METHODS: readonly string[] = ["CONNECT", "TRACE"];

export const generateHandler: Command = {
  usage: "framework generate handler <name> [param:type …] [options]",
  summary: "Add a handler to an app.",
  details:
    "Instead of the name, the method and path that it shall serve may be given; the app is then the one whose prefix fits.\n" +
    "A param is written order_id:int; its type is int, number, str or string, which it is without one.\n" +
    "The word request among the params gives the handler the request there.",
  takesWords: true,
  options: {
    app: { type: "string", value: "<name>", description: "The app that gets the handler." },
    ...COMMON_OPTIONS,
  },
  examples: [
    "framework generate handler post_index --app products",
    "framework generate handler get_by_id order_id:int --app orders",
    "framework generate handler GET /products/featured/items",
  ],
  run: (input) => generate(input, (project) => planHandlerWords(project, input)),
};

export const generateApp: Command = {
  usage: "framework generate app <name> [options]",
  summary: "Add an app: a folder with app.toml and views.ts, listed in framework.toml.",
  takesWords: true,
  options: {
    prefix: {
      type: "string",
      value: "<path>",
      description: "The path before its routes; /<name> without it.",
    },
    ...COMMON_OPTIONS,
  },
  examples: ["framework generate app orders", "framework generate app orders --prefix /api/v1/orders"],
  run: (input) => generate(input, (project) => planAppWords(project, input)),
};

export const generateRoute: Command = {
  usage: "framework generate route <path> <method …> [param:type …] [options]",
  summary: "Add handlers to a file under routes/.",
  details:
    "The path is the URL's, which is the file's too; a param in it is written [item_id], in quotes for the shell.\n" +
    "A param that the path does not have becomes a further segment after it.",
  takesWords: true,
  options: COMMON_OPTIONS,
  examples: [
    "framework generate route reviews get post",
    "framework generate route reviews get review_id:int",
    'framework generate route "users/[user_id]/posts" get user_id:int',
  ],
  run: (input) => generate(input, (project) => planRouteWords(project, input)),
};

async function generate(input: CommandInput, plan: (project: Project) => Plan | Refusal): Promise<number> {
  const root = requireProjectRoot(input);
  const project = readProject(root);
  const planned = plan(project);
  if (isRefused(planned)) return fail(input, root, planned.diagnostics);
  const isDryRun = input.options["dry-run"] === true;
  const problem = isDryRun ? undefined : applyChanges(root, planned.changes);
  if (problem !== undefined) return fail(input, root, [problem]);
  tell(input, project.settings, planned, isDryRun);
  return 0;
}

function planHandlerWords(project: Project, { words, options }: CommandInput): Plan | Refusal {
  const { target, rest } = readTarget(words);
  const app = typeof options.app === "string" ? options.app : undefined;
  if (app === undefined && "name" in target && project.apps.length > 1) {
    const names = project.apps.map(({ name }) => name).join(", ");
    throw new UsageError(
      `Which app gets the handler \`${escapeControl(target.name)}\` is not said.`,
      `Add --app with one of ${names}.`,
    );
  }
  const params = parseParams(rest);
  return isDiagnostic(params) ? refusal(params) : planHandler(project, { target, params, app });
}

function readTarget(words: readonly string[]): { target: HandlerInput["target"]; rest: readonly string[] } {
  const [first, second, ...others] = words;
  if (!first?.trim()) {
    throw new UsageError("The handler's name is missing.", `As in: ${generateHandler.examples[0]}`);
  }
  if (first.startsWith("/")) {
    throw new UsageError(
      "A path needs its method before it.",
      `As in: framework generate handler GET ${escapeControl(first)}`,
    );
  }
  if (second?.startsWith("/") && /^[a-z]+$/i.test(first))
    return { target: { method: readMethod(first), path: second }, rest: others };
  const method = toMethod(first);
  if (method === undefined) return { target: { name: first }, rest: words.slice(1) };
  const name = second === undefined ? "all" : escapeControl(second);
  throw new UsageError(
    `\`${first}\` is a method, and a path has to follow it.`,
    `Give a handler's name, as in ${first.toLowerCase()}_${name}, or a path, as in ${method} /products/${name}`,
  );
}

/** @throws {UsageError} on a word before a path that is no method. */
function readMethod(word: string): Method {
  const method = toRouteMethod(word);
  if (method !== undefined) return method;
  throw new UsageError(`There is no method ${JSON.stringify(word)}.`, suggest(word, METHODS));
}

/** With `del`, which is what a route file calls DELETE. */
function toRouteMethod(word: string): Method | undefined {
  return parseMethodExport(word.toLowerCase());
}

function planAppWords(project: Project, { words, options }: CommandInput): Plan | Refusal {
  const [name, extra] = words;
  if (!name?.trim()) throw new UsageError("The app's name is missing.", `As in: ${generateApp.examples[0]}`);
  if (extra !== undefined) {
    throw new UsageError(
      `\`${escapeControl(extra)}\` is one word too many: an app has one name.`,
      `As in: ${generateApp.examples[1]}`,
    );
  }
  return planApp(project, { name, prefix: typeof options.prefix === "string" ? options.prefix : undefined });
}

function planRouteWords(project: Project, { words }: CommandInput): Plan | Refusal {
  const input = readRouteInput(project, words);
  return isRefused(input) ? input : planRoute(project, input);
}

/** `reviews get post review_id:int`, and also `GET /reviews`. */
function readRouteInput(project: Project, words: readonly string[]): RouteInput | Refusal {
  const [first = "", second = "", ...others] = words;
  const isTurned = /^[A-Z]+$/.test(first) && second.startsWith("/");
  const [path, ...rest] = isTurned ? [second, readMethod(first), ...others] : words;
  if (!path?.trim())
    throw new UsageError("The route's path is missing.", `As in: ${generateRoute.examples[0]}`);
  const methods = rest.map(toRouteMethod).filter((method) => method !== undefined);
  const further = rest.filter((word) => toRouteMethod(word) === undefined);
  const untyped = further.filter((word) => !word.includes(":"));
  const misspelt = untyped.find(
    (word) => closest(word, METHOD_WORDS) !== undefined || OTHER_METHODS.includes(word),
  );
  if (misspelt !== undefined) {
    return refusal(
      refuse("FW614", { word: misspelt, nearest: closest(misspelt, METHOD_WORDS), methods: METHOD_WORDS }),
    );
  }
  if (methods.length === 0) {
    const nothing = planRoute(project, { path, methods, params: [] });
    if (isRefused(nothing)) return nothing;
    const [other] = untyped;
    const known = other === undefined ? "" : `They are ${METHOD_WORDS.join(", ")}. `;
    throw new UsageError(
      `The methods that the route shall serve are missing${other === undefined ? "" : `: \`${escapeControl(other)}\` is none`}.`,
      `${known}As in: framework generate route ${escapeControl(path)} get`,
    );
  }
  const params = parseParams(further);
  return isDiagnostic(params) ? refusal(params) : { path, methods, params };
}

function fail({ options, terminal }: CommandInput, root: string, diagnostics: readonly Diagnostic[]): number {
  const files = createFiles(root);
  if (options.json === true) terminal.print(JSON.stringify({ diagnostics }, null, 2));
  else terminal.printError(formatDiagnostics(diagnostics, (file) => files.read(file), terminal.color));
  return diagnostics.every(({ code }) => MISUSES.includes(code)) ? 2 : 1;
}

function tell(
  { options, terminal }: CommandInput,
  settings: ServerSettings,
  plan: Plan,
  isDryRun: boolean,
): void {
  if (options.json === true) terminal.print(JSON.stringify(toJson(settings, plan, isDryRun), null, 2));
  else
    terminal.print(
      isDryRun && plan.changes.length > 0
        ? showDiff(plan.changes, terminal.color)
        : formatPlan(settings, plan, terminal.color),
    );
}

function toJson(settings: ServerSettings, plan: Plan, isDryRun: boolean): object {
  const show = ({ route, location }: Made): object => ({ route, url: urlOf(settings, route), ...location });
  return {
    made: plan.made.map(show),
    present: plan.present.map(show),
    files: plan.changes.map((change) => ({ file: change.file, change: changeWord(change) })),
    notes: plan.notes,
    ...(isDryRun && { diff: formatDiff(plan.changes) }),
  };
}

function formatPlan(settings: ServerSettings, plan: Plan, color: boolean): string {
  kleur.enabled = color;
  const files = plan.changes.map(
    (change) => `${kleur.green(changeWord(change))}  ${escapeControl(change.file)}`,
  );
  const made = alignRoutes(
    plan.made.map(({ route, location }) => [
      methodOf(route),
      urlOf(settings, route),
      formatLocation(location),
    ]),
  );
  const present = plan.present.map(
    ({ route, location }) => `${escapeControl(route)} is there already: ${formatLocation(location)}`,
  );
  const blocks = [files, made, present, plan.notes.map(escapeControl)].filter((lines) => lines.length > 0);
  return blocks.map((lines) => lines.join("\n")).join("\n\n");
}

function alignRoutes(rows: readonly (readonly [string, string, string])[]): string[] {
  const methods = Math.max(0, ...rows.map(([method]) => method.length));
  const urls = Math.max(0, ...rows.map(([, url]) => url.length));
  return rows.map(
    ([method, url, location]) =>
      `${kleur.bold(method.padEnd(methods))} ${kleur.cyan(url.padEnd(urls))}  ${location}`,
  );
}

function changeWord({ before }: Change): string {
  return before === null ? "created" : "changed";
}

function methodOf(route: string): string {
  return route.slice(0, route.indexOf(" "));
}

/** Where the project listens unless it is told otherwise when it starts; an address for all is reached as localhost. */
function urlOf({ host, port }: ServerSettings, route: string): string {
  const isAll = host === "0.0.0.0" || host === "::";
  const name = isAll ? "localhost" : host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return escapeControl(`http://${name}:${port}${route.slice(route.indexOf(" ") + 1)}`);
}

/** The texts in a diff are the user's: nothing in them may move the cursor, but tabs and line ends stay what they are. */
function showDiff(changes: readonly Change[], color: boolean): string {
  kleur.enabled = color;
  const lines = formatDiff(changes).replace(/\n$/, "").split("\n");
  return lines.map((line) => colorOf(line)(line.split("\t").map(escapeLine).join("\t"))).join("\n");
}

function escapeLine(text: string): string {
  return text.endsWith("\r") ? `${escapeControl(text.slice(0, -1))}\r` : escapeControl(text);
}

function colorOf(line: string): (text: string) => string {
  if (line.startsWith("+")) return (text) => kleur.green(text);
  if (line.startsWith("-")) return (text) => kleur.red(text);
  return line.startsWith("@@") ? (text) => kleur.cyan(text) : (text) => text;
}
