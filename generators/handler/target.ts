/** Which handler of an app is meant: by its name, or by the route that it serves. */

import type { App } from "#runtime/convention/config/config";
import { diagnose } from "#runtime/convention/diagnostics/catalogue";
import { closest } from "#runtime/convention/diagnostics/closest";
import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { isDiagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { appFiles } from "#runtime/convention/layout";
import type { Project } from "#runtime/convention/project";
import {
  type BadName,
  formatHandlerName,
  formatRouteFile,
  type HandlerName,
  isBadName,
  type NamedSegment,
  parseHandlerName,
} from "#runtime/convention/rule/naming";
import { suggestPlaced } from "#runtime/convention/rule/param-places";
import { bindParams } from "#runtime/convention/rule/table";
import { formatPattern } from "#runtime/core/routing/pattern";
import type { Method, Route, Segment } from "#runtime/core/routing/route";
import { isNoPlan, type NoPlan, noPlan } from "../no-plan.ts";
import { LONGEST_NAME, shorten, toPlainName } from "../plain-name.ts";
import { prefixErrors, prefixSegments } from "../prefix.ts";
import { declaredParameters } from "../signature.ts";
import { mergeParams, type PathPart, parsePath, toParamType, type WantedParameter } from "../words.ts";

export interface HandlerInput {
  /** The handler's name, or the method and path that it shall serve. */
  readonly target: { readonly name: string } | { readonly method: Method; readonly path: string };
  readonly params: readonly WantedParameter[];
  /** Undefined where the path tells it, or the project has only one app. */
  readonly app: string | undefined;
}

/** The handler that is meant, with every question about it answered. */
export interface WantedHandler {
  readonly app: App;
  readonly module: string;
  readonly name: string;
  readonly method: Method;
  readonly parameters: readonly WantedParameter[];
  readonly segments: readonly Segment[];
  readonly pattern: string;
}

/**
 * @returns the handler, whether it is there or not, or why there can be none.
 * @example toWantedHandler(project, { target: { name: "post_index" }, params: [], app: "products" })
 */
export function toWantedHandler(project: Project, input: HandlerInput): WantedHandler | NoPlan {
  return "name" in input.target
    ? fromName(project, input, input.target.name)
    : fromPath(project, input, input.target);
}

function fromName(project: Project, input: HandlerInput, name: string): WantedHandler | NoPlan {
  const found = input.app === undefined ? findOnlyApp(project, name) : findApp(project, input.app);
  const app = diagnoseBroken(project, found);
  if (isNoPlan(app)) return app;
  const parsed = parseHandlerName(name, paramNames(input.params));
  if (!isBadName(parsed)) return complete(app, parsed, input.params);
  const present =
    input.params.length === 0 ? findHandler(project, { module: appFiles(app.name).views, name }) : undefined;
  return present === undefined
    ? diagnoseName({ ...parsed, hint: suggestName(parsed, name) })
    : fromPresent(app, present);
}

/** A handler that is there needs no words for its params. */
function fromPresent(app: App, route: Route): WantedHandler | NoPlan {
  const parameters = declaredParameters(route);
  const parsed = parseHandlerName(route.handler, paramNames(parameters));
  return isBadName(parsed) ? diagnoseName(parsed) : complete(app, parsed, parameters);
}

/** The route of the handler that is there under this name. */
export function findHandler(
  project: Project,
  { module, name }: Pick<WantedHandler, "module" | "name">,
): Route | undefined {
  return project.routes.find((route) => route.module === module && route.handler === name);
}

function fromPath(
  project: Project,
  input: HandlerInput,
  { method, path }: { method: Method; path: string },
): WantedHandler | NoPlan {
  const parts = parsePath(path);
  if (isDiagnostic(parts)) return noPlan(parts);
  const unservable = diagnosePath(parts);
  if (unservable !== undefined) return unservable;
  const found =
    input.app === undefined ? findAppOf(project, path, parts, method) : findApp(project, input.app);
  const app = diagnoseBroken(project, found);
  if (isNoPlan(app)) return app;
  const prefix = prefixSegments(app.prefix);
  if (!startsWith(parts, prefix))
    return noPlan(diagnose("FW605", { path, app: app.name, prefix: app.prefix }));
  const elsewhere = isFileName(parts)
    ? `Serve it from a file: npx framework generate route ${routeWords(parts, method)}`
    : undefined;
  const parameters = mergeParams(
    parts.filter((part) => typeof part !== "string"),
    input.params,
  );
  const segments = nameSegments(parts.slice(prefix.length), parameters);
  const placed = complete(app, { method, segments }, parameters, elsewhere);
  const text = textBeforeParams(segments);
  if (text === undefined) return placed;
  const short = complete(app, { method, segments: text }, parameters, elsewhere);
  return isBetter(project, placed, short) ? placed : short;
}

/** The endpoint's path with the params that it does not have at its end. */
function nameSegments(
  endpoint: readonly PathPart[],
  parameters: readonly WantedParameter[],
): readonly NamedSegment[] {
  const inPath = endpoint.map((part) => (typeof part === "string" ? part : { param: part.name }));
  const placed = new Set(paramNames(endpoint.filter((part) => typeof part !== "string")));
  const further = paramNames(parameters).filter((name) => !placed.has(name));
  return [...inPath, ...further.map((param) => ({ param }))];
}

/** What a name has to spell of a path whose params all stand at its end: they are appended to it. */
function textBeforeParams(segments: readonly NamedSegment[]): readonly string[] | undefined {
  const text = segments.filter((segment) => typeof segment === "string");
  const isAtEnd = text.every((word, index) => segments[index] === word);
  return isAtEnd && (text.length > 0 || segments.length === 0) ? text : undefined;
}

/** Whether the name that places the params is the right one: it is there, or the short one has another path or could be misread. */
function isBetter(project: Project, placed: WantedHandler | NoPlan, short: WantedHandler | NoPlan): boolean {
  if (isNoPlan(placed) || isNoPlan(short)) return false;
  const [own, other] = [findHandler(project, placed), findHandler(project, short)];
  if (own?.pattern === placed.pattern) return true;
  if (other !== undefined) return !isSamePath(other, short);
  return suggestPlaced(short.name, paramNames(short.parameters)) !== undefined;
}

/** But for the names and the types of the params. */
function isSamePath(one: Pick<Route, "segments">, other: Pick<Route, "segments">): boolean {
  const [texts, others] = [one, other].map(({ segments }) =>
    segments.map((segment) => (typeof segment === "string" ? segment : "<>")).join("/"),
  );
  return texts === others;
}

/** @param elsewhere what to do where no function can have the name. */
function complete(
  app: App,
  name: HandlerName,
  parameters: readonly WantedParameter[],
  elsewhere?: string,
): WantedHandler | NoPlan {
  const { method, segments } = name;
  const formatted = formatHandlerName(name, paramNames(parameters));
  if (typeof formatted !== "string") return diagnoseName({ ...formatted, hint: elsewhere ?? formatted.hint });
  if (formatted.length > LONGEST_NAME) {
    const why = `\`${shorten(formatted)}\` is longer than ${LONGEST_NAME} characters`;
    return noPlan(diagnose("FW601", { why, hint: "Choose a shorter name." }));
  }
  const params = parameters.flatMap((one) =>
    one === "request" ? [] : [{ name: one.name, type: toParamType(one.type ?? "string") }],
  );
  const path = bindParams([...prefixSegments(app.prefix), ...segments], params);
  return {
    app,
    module: appFiles(app.name).views,
    name: formatted,
    method,
    parameters,
    segments: path,
    pattern: formatPattern(path, segments.length === 0 && params.length === 0),
  };
}

function paramNames(parameters: readonly WantedParameter[]): string[] {
  return parameters.flatMap((one) => (one === "request" ? [] : [one.name]));
}

function findApp(project: Project, name: string): App | NoPlan {
  const app = project.apps.find((one) => one.name === name);
  if (app !== undefined) return app;
  const apps = project.apps.map((one) => one.name);
  const unknown = diagnose("FW602", { app: name, nearest: closest(name, apps), apps });
  return noPlan(unknown, ...(apps.length === 0 ? configErrors(project) : []));
}

function findOnlyApp(project: Project, handler: string): App | NoPlan {
  const [app, ...others] = project.apps;
  if (app !== undefined && others.length === 0) return app;
  const apps = project.apps.map((one) => one.name);
  return noPlan(
    diagnose("FW615", { name: handler, apps }),
    ...(apps.length === 0 ? configErrors(project) : []),
  );
}

/** An app whose prefix can't be read would serve the handler nowhere that could be told. */
function diagnoseBroken(project: Project, app: App | NoPlan): App | NoPlan {
  if (isNoPlan(app)) return app;
  const errors = prefixErrors(project, app);
  return errors.length === 0 ? app : noPlan(...errors);
}

/** Where no app could be read, the reason is in the configuration. */
function configErrors(project: Project): readonly Diagnostic[] {
  return project.diagnostics.filter(({ code, severity }) => severity === "error" && code.startsWith("FW1"));
}

/** The app with the longest prefix that the path begins with. */
function findAppOf(project: Project, path: string, parts: readonly PathPart[], method: Method): App | NoPlan {
  const over = project.apps.filter((app) => startsWith(parts, prefixSegments(app.prefix)));
  const longest = Math.max(...over.map((app) => prefixSegments(app.prefix).length));
  const [app, ...others] = over.filter((one) => prefixSegments(one.prefix).length === longest);
  if (app === undefined) return noPlan(diagnose("FW603", { path, file: routeWords(parts, method) }));
  if (others.length > 0)
    return noPlan(diagnose("FW604", { path, apps: [app, ...others].map(({ name }) => name) }));
  return app;
}

function startsWith(parts: readonly PathPart[], prefix: readonly string[]): boolean {
  return prefix.every((segment, index) => parts[index] === segment);
}

/** No generator writes a file whose name a shell reads otherwise. */
function isFileName(parts: readonly PathPart[]): boolean {
  return parts.every((part) => typeof part !== "string" || !part.includes("$"));
}

/** The words that make the same route from a file, as they are typed in a shell. An `index` at the end alone would be the file's. */
export function routeWords(parts: readonly PathPart[], method: Method): string {
  const written = parts.at(-1) === "index" ? [...parts, "index"] : parts;
  const path = written.map((part) => (typeof part === "string" ? part : `[${part.name}]`)).join("/");
  const types = parts.flatMap((part) =>
    typeof part === "string" || part.type === undefined ? [] : [`${part.name}:${part.type}`],
  );
  const shown = path === "" ? "/" : path.includes("[") ? `"${path}"` : path;
  return [shown, method.toLowerCase(), ...types].join(" ");
}

/** What neither a handler nor a file can serve, such as a dot segment. A path that only files can't serve passes. */
function diagnosePath(parts: readonly PathPart[]): NoPlan | undefined {
  const segments = parts.map((part) => (typeof part === "string" ? part : { param: part.name }));
  const asFile = formatRouteFile({ segments });
  const names = parts.filter((part) => typeof part === "string");
  const asName = formatHandlerName({ method: "GET", segments: names });
  return typeof asFile === "string" || typeof asName === "string" ? undefined : diagnoseName(asFile);
}

/** With the name that may be meant, where no other way is shown. */
function suggestName({ hint, missing }: BadName, name: string): string {
  if (missing !== undefined) return `Add the param to the command: ${missing}:string`;
  if (name.endsWith("_")) return `${hint} In a shell, put a name with a \`$\` in single quotes.`;
  const better = toPlainName(name, "_");
  const isShown = /Did you mean|Serve it/.test(hint);
  if (isShown || better === undefined || isBadName(parseHandlerName(better))) return hint;
  return `${hint} Did you mean \`${better}\`?`;
}

function diagnoseName({ why, hint }: BadName): NoPlan {
  return noPlan(diagnose("FW601", { why, hint }));
}
