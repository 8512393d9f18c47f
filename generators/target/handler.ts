/** Finds the handler of an app that a command names, by its name or by the route that it serves. */

import type { App } from "#convention/config/config";
import { diagnose } from "#convention/diagnostics/catalogue";
import { listed } from "#convention/diagnostics/entry";
import { appFiles } from "#convention/layout";
import { formatPattern } from "#convention/pattern";
import type { Project } from "#convention/project";
import { formatRouteFile, toFileName } from "#convention/rule/file-naming";
import { formatHandlerName, type HandlerName, parseHandlerName } from "#convention/rule/naming";
import { suggestPlaced } from "#convention/rule/param-places";
import { type BadName, isBadName, type NamedSegment, wholeOf } from "#convention/rule/segments";
import { bindParams } from "#convention/rule/table";
import type { TypedRoute } from "#convention/wire/typed-route";
import type { Route, RouteMethod } from "#runtime/routing/route";
import { type HandlerParameter, NOTHING_TAKEN, type Taken } from "../code/handlers.ts";
import { orRefused, Refused, refuse, refuseWord } from "../refused.ts";
import { configErrors, findApp, prefixSegments, requirePrefix } from "./app.ts";
import { LONGEST_NAME, shorten } from "./names.ts";
import { declaredParameters, presentRoutes, type Wanted } from "./wanted.ts";
import { mergeParams, type PathPart, parsePath, toNamed, toParams } from "./words.ts";

export interface HandlerInput {
  /** The handler's name, or the method and path that it serves. */
  readonly target: { readonly name: string } | { readonly method: RouteMethod; readonly path: string };
  readonly params: readonly HandlerParameter[];
  /** Of handlers that are made. */
  readonly taken?: Taken;
  /** Undefined where the path decides it, or the project has only one app. */
  readonly app: string | undefined;
}

/** A handler of an app, with the name and method that it has alone. */
export interface WantedAppHandler extends Wanted {
  readonly app: App;
  readonly name: string;
  readonly method: RouteMethod;
}

/**
 * @returns the handler, whether it is there or not.
 * @throws {Refused} if there can be none.
 * @example toWantedHandler(project, { target: { name: "post_index" }, params: [], app: "products" })
 */
export function toWantedHandler(project: Project, input: HandlerInput): WantedAppHandler {
  const wanted =
    "name" in input.target
      ? fromName(project, input, input.target.name)
      : fromPath(project, input, input.target);
  return { ...wanted, taken: input.taken ?? NOTHING_TAKEN };
}

function fromName(project: Project, input: HandlerInput, name: string): WantedAppHandler {
  const app = input.app === undefined ? findOnlyApp(project, name) : findApp(project, input.app);
  requirePrefix(project, app);
  // The command needn't name the params of a handler that is there.
  const isIncomplete = input.params.length === 0 && isBadName(parseHandlerName(name));
  const present = isIncomplete ? findHandler(project, appFiles(app.name).views, name) : undefined;
  const parameters = present === undefined ? input.params : declaredParameters(present);
  const parsed = parseHandlerName(name, paramNames(parameters));
  if (isBadName(parsed)) return refuseWord(parsed.why, suggestName(parsed, name));
  return complete(project, app, parsed, parameters);
}

function findHandler(project: Project, module: string, name: string): TypedRoute | undefined {
  return project.routes.find((route) => route.module === module && route.handler === name);
}

function fromPath(
  project: Project,
  input: HandlerInput,
  { method, path }: { method: RouteMethod; path: string },
): WantedAppHandler {
  const parts = parsePath(path);
  refuseUnservable(parts);
  const app = input.app === undefined ? findAppOf(project, path, parts, method) : findApp(project, input.app);
  requirePrefix(project, app);
  const prefix = prefixSegments(app.prefix);
  if (!startsWith(parts, prefix)) {
    const owner = `\`${app.prefix}\`, the prefix of the app \`${app.name}\``;
    refuse("FW603", { path, prefix: owner, hint: `Give a path below ${app.prefix}/, or another app.` });
  }
  // Generators write no file with a `$` in its name, because shells expand it.
  const isFileName = !parts.some((part) => typeof part === "string" && part.includes("$"));
  const elsewhere = isFileName
    ? `Serve it from a file: npx framework generate route ${routeWords(parts, method)}`
    : undefined;
  const parameters = mergeParams(
    parts.filter((part) => typeof part !== "string"),
    input.params,
  );
  const segments = nameSegments(parts.slice(prefix.length), parameters);
  const name = (named: readonly NamedSegment[]): WantedAppHandler =>
    complete(project, app, { method, segments: named }, parameters, elsewhere);
  const text = textBeforeParams(segments);
  if (text === undefined) return name(segments);
  const placed = orRefused(() => name(segments));
  const short = name(text);
  return placed instanceof Refused || !isBetter(placed, short) ? short : placed;
}

/** The endpoint's path, followed by the params that it does not have. */
function nameSegments(
  endpoint: readonly PathPart[],
  parameters: readonly HandlerParameter[],
): readonly NamedSegment[] {
  const placed = new Set(paramNames(endpoint.filter((part) => typeof part !== "string")));
  const further = paramNames(parameters).filter((name) => !placed.has(name));
  return [...endpoint.map(toNamed), ...further.map((param) => ({ param }))];
}

/** The words of a name whose params all follow it, as they are appended anyway. A whole path has to be in the name. */
function textBeforeParams(segments: readonly NamedSegment[]): readonly string[] | undefined {
  const text = segments.filter((segment) => typeof segment === "string");
  const isAtEnd = wholeOf(segments) === undefined && text.every((word, index) => segments[index] === word);
  return isAtEnd && (text.length > 0 || segments.length === 0) ? text : undefined;
}

/** Whether to prefer the name that places its params: its handler is there, or the short name has another path or misleads. */
function isBetter(placed: WantedAppHandler, short: WantedAppHandler): boolean {
  const [[own], [other]] = [presentRoutes(placed), presentRoutes(short)];
  if (own?.pattern === placed.pattern) return true;
  if (other !== undefined) return !isSamePath(other, short);
  return suggestPlaced(short.name, paramNames(short.parameters)) !== undefined;
}

/** Ignores the names and types of params. */
function isSamePath(one: Pick<Route, "segments">, other: Pick<Route, "segments">): boolean {
  const [texts, others] = [one, other].map(({ segments }) =>
    segments.map((segment) => (typeof segment === "string" ? segment : "<>")).join("/"),
  );
  return texts === others;
}

/** @param elsewhere the hint where no function can have the name. */
function complete(
  project: Project,
  app: App,
  name: HandlerName,
  parameters: readonly HandlerParameter[],
  elsewhere?: string,
): WantedAppHandler {
  const { method, segments } = name;
  const formatted = formatHandlerName(name, paramNames(parameters));
  if (typeof formatted !== "string") return refuseWord(formatted.why, elsewhere ?? formatted.hint);
  if (formatted.length > LONGEST_NAME)
    refuseWord(
      `\`${shorten(formatted)}\` is longer than ${LONGEST_NAME} characters`,
      "Choose a shorter name.",
    );
  const params = toParams(parameters);
  const path = bindParams([...prefixSegments(app.prefix), ...segments], params);
  const module = appFiles(app.name).views;
  return {
    what: `\`${formatted}\``,
    app,
    module,
    name: formatted,
    method,
    handlers: [{ method, name: formatted, route: findHandler(project, module, formatted) }],
    parameters,
    taken: NOTHING_TAKEN,
    segments: path,
    pattern: formatPattern(path, segments.length === 0 && params.length === 0),
    testName: app.name,
    notes: [],
  };
}

function paramNames(parameters: readonly HandlerParameter[]): string[] {
  return parameters.flatMap((one) => (one === "request" ? [] : [one.name]));
}

function findOnlyApp(project: Project, handler: string): App {
  const [app, ...others] = project.apps;
  if (app !== undefined && others.length === 0) return app;
  const apps = project.apps.map((one) => one.name);
  const [what, hint] =
    app === undefined
      ? [`The project has no app for \`${handler}\``, "Make one: npx framework generate app products"]
      : [`\`${handler}\` can be in several apps`, `Name one with --app: ${apps.join(", ")}.`];
  throw new Refused(diagnose("FW604", { what, hint }), ...configErrors(project));
}

/** The app with the longest prefix that the path begins with. */
function findAppOf(project: Project, path: string, parts: readonly PathPart[], method: RouteMethod): App {
  const over = project.apps.filter((app) => startsWith(parts, prefixSegments(app.prefix)));
  const longest = Math.max(...over.map((app) => prefixSegments(app.prefix).length));
  const [app, ...others] = over.filter((one) => prefixSegments(one.prefix).length === longest);
  if (app === undefined) {
    const file = `npx framework generate route ${routeWords(parts, method)}`;
    const hint = `Name an app with --app, make an app with a fitting prefix, or serve it from a file: ${file}`;
    return refuse("FW603", { path, prefix: "any app's prefix", hint });
  }
  if (others.length === 0) return app;
  const apps = listed([app, ...others].map(({ name }) => name));
  const what = `\`${path}\` begins with the prefix of several apps: ${apps}`;
  return refuse("FW604", { what, hint: `Choose one: --app ${app.name}` });
}

function startsWith(parts: readonly PathPart[], prefix: readonly string[]): boolean {
  return prefix.every((segment, index) => parts[index] === segment);
}

/** The words after `generate route` that serve the path from a file. A last segment `index` is doubled: once it names the file. */
function routeWords(parts: readonly PathPart[], method: RouteMethod): string {
  const written = parts.at(-1) === "index" ? [...parts, "index"] : parts;
  const path = written.map((part) => toFileName(toNamed(part))).join("/");
  const types = parts.flatMap((part) =>
    typeof part === "string" || part.type === undefined || part.type.endsWith("[]")
      ? []
      : [`${part.name}:${part.type}`],
  );
  const shown = path === "" ? "/" : path.includes("[") ? `"${path}"` : path;
  return [shown, method.toLowerCase(), ...types].join(" ");
}

/** Refuses a path that neither a handler nor a file can serve, such as one with a dot segment. */
function refuseUnservable(parts: readonly PathPart[]): void {
  const asFile = formatRouteFile({ segments: parts.map(toNamed) });
  const names = parts.filter((part) => typeof part === "string");
  const asName = formatHandlerName({ method: "GET", segments: names });
  if (typeof asFile !== "string" && typeof asName !== "string") refuseWord(asFile.why, asFile.hint);
}

function suggestName({ hint, missing }: BadName, name: string): string {
  if (missing !== undefined) return `Add the param to the command: ${missing}:string`;
  return name.endsWith("_") ? `${hint} In a shell, put a name with a \`$\` in single quotes.` : hint;
}
