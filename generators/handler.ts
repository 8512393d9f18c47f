/** Plans a handler in an app's `views.ts`, from its name or from the route it shall serve. */

import { closest } from "#runtime/convention/closest";
import type { App } from "#runtime/convention/config";
import type { Diagnostic } from "#runtime/convention/diagnostics";
import {
  formatHandlerName,
  formatPattern,
  type HandlerName,
  isRefusal,
  type NameRefusal,
  parseHandlerName,
  parsePrefix,
} from "#runtime/convention/naming";
import type { Project } from "#runtime/convention/project";
import type { Method, Segment } from "#runtime/core/route";
import type { HandlerBlueprint } from "./blueprints.ts";
import { refuse } from "./diagnostics.ts";
import {
  checkPlan,
  findServed,
  isDiagnostic,
  isRefused,
  optionsNotes,
  type Plan,
  prefixErrors,
  type Refusal,
  readText,
  referenceStyle,
  refusal,
  toMade,
} from "./plan.ts";
import { formatSignature, formatWanted, hasSignature } from "./signature.ts";
import { createSource, extendSource } from "./source.ts";
import { planTests, toTest } from "./tests.ts";
import {
  mergeParams,
  type PathPart,
  parsePath,
  toParameters,
  toParamType,
  type WantedParam,
  type WantedParameter,
} from "./words.ts";

export interface HandlerInput {
  /** The handler's name, or the method and path that it shall serve. */
  readonly target: { readonly name: string } | { readonly method: Method; readonly path: string };
  readonly params: readonly WantedParameter[];
  /** Undefined where the path tells it, or the project has only one app. */
  readonly app: string | undefined;
}

/** What shall be made, with every question about it answered. */
interface Wanted {
  readonly app: App;
  readonly module: string;
  readonly name: string;
  readonly method: Method;
  readonly parameters: readonly WantedParameter[];
  readonly segments: readonly Segment[];
  readonly pattern: string;
}

/**
 * @returns the plan, one without changes where the handler is there already, or why it can't be made.
 * @example planHandler(project, { target: { name: "post_index" }, params: [], app: "products" })
 */
export function planHandler(project: Project, input: HandlerInput): Plan | Refusal {
  const wanted = toWanted(project, input);
  if (isRefused(wanted)) return wanted;
  return findPresent(project, wanted) ?? planNew(project, wanted);
}

function toWanted(project: Project, input: HandlerInput): Wanted | Refusal {
  return "name" in input.target
    ? fromName(project, input, input.target.name)
    : fromPath(project, input, input.target);
}

function fromName(project: Project, input: HandlerInput, name: string): Wanted | Refusal {
  const found = input.app === undefined ? findOnlyApp(project, name) : findApp(project, input.app);
  const app = refuseBroken(project, found);
  if (isRefused(app)) return app;
  const parsed = parseHandlerName(name);
  if (isRefusal(parsed)) return refuseName(parsed);
  return complete(app, parsed, input.params);
}

function fromPath(
  project: Project,
  input: HandlerInput,
  { method, path }: { method: Method; path: string },
): Wanted | Refusal {
  const parts = parsePath(path);
  if (isDiagnostic(parts)) return refusal(parts);
  const found =
    input.app === undefined ? findAppOf(project, path, parts, method) : findApp(project, input.app);
  const app = refuseBroken(project, found);
  if (isRefused(app)) return app;
  const prefix = prefixSegments(app);
  if (!startsWith(parts, prefix))
    return refusal(refuse("FW605", { path, app: app.name, prefix: app.prefix }));
  const endpoint = parts.slice(prefix.length);
  const firstParam = endpoint.findIndex((part) => typeof part !== "string");
  const staticEnd = firstParam < 0 ? endpoint.length : firstParam;
  const params = endpoint.slice(staticEnd).filter((part): part is WantedParam => typeof part !== "string");
  const file = routeWords(parts, method);
  if (params.length !== endpoint.length - staticEnd) return refusal(refuse("FW606", { path, file }));
  const segments = endpoint.slice(0, staticEnd).filter((part) => typeof part === "string");
  const name = formatHandlerName({ method, segments });
  if (typeof name !== "string")
    return refuseName({ ...name, hint: `Serve it from a file: framework generate route ${file}` });
  return complete(app, { method, segments }, mergeParams(params, input.params));
}

function complete(app: App, name: HandlerName, parameters: readonly WantedParameter[]): Wanted | Refusal {
  const { method, segments } = name;
  const formatted = formatHandlerName(name);
  if (typeof formatted !== "string") return refuseName(formatted);
  const params = parameters.flatMap((one) =>
    one === "request" ? [] : [{ name: one.name, type: toParamType(one.type ?? "string") }],
  );
  const all: readonly Segment[] = [...prefixSegments(app), ...segments, ...params];
  const pattern = formatPattern(all, segments.length === 0 && params.length === 0);
  return {
    app,
    module: `${app.folder}/views.ts`,
    name: formatted,
    method,
    parameters,
    segments: all,
    pattern,
  };
}

function findApp(project: Project, name: string): App | Refusal {
  const app = project.apps.find((one) => one.name === name);
  if (app !== undefined) return app;
  const apps = project.apps.map((one) => one.name);
  const unknown = refuse("FW602", { app: name, nearest: closest(name, apps), apps });
  return refusal(unknown, ...(apps.length === 0 ? configErrors(project) : []));
}

function findOnlyApp(project: Project, handler: string): App | Refusal {
  const [app, ...others] = project.apps;
  if (app !== undefined && others.length === 0) return app;
  const apps = project.apps.map((one) => one.name);
  return refusal(
    refuse("FW615", { name: handler, apps }),
    ...(apps.length === 0 ? configErrors(project) : []),
  );
}

/** An app whose prefix can't be read would serve the handler nowhere that could be told. */
function refuseBroken(project: Project, app: App | Refusal): App | Refusal {
  if (isRefused(app)) return app;
  const errors = prefixErrors(project, app);
  return errors.length === 0 ? app : refusal(...errors);
}

/** Where no app could be read, the reason is in the configuration. */
function configErrors(project: Project): readonly Diagnostic[] {
  return project.diagnostics.filter(({ code, severity }) => severity === "error" && code.startsWith("FW1"));
}

/** The app with the longest prefix that the path begins with. */
function findAppOf(
  project: Project,
  path: string,
  parts: readonly PathPart[],
  method: Method,
): App | Refusal {
  const over = project.apps.filter((app) => startsWith(parts, prefixSegments(app)));
  const longest = Math.max(...over.map((app) => prefixSegments(app).length));
  const [app, ...others] = over.filter((one) => prefixSegments(one).length === longest);
  if (app === undefined) return refusal(refuse("FW603", { path, file: routeWords(parts, method) }));
  if (others.length > 0)
    return refusal(refuse("FW604", { path, apps: [app, ...others].map(({ name }) => name) }));
  return app;
}

function prefixSegments(app: App): readonly string[] {
  const segments = parsePrefix(app.prefix);
  return isRefusal(segments) ? [] : segments;
}

function startsWith(parts: readonly PathPart[], prefix: readonly string[]): boolean {
  return prefix.every((segment, index) => parts[index] === segment);
}

/** The words that make the same route from a file, as they are typed in a shell. */
function routeWords(parts: readonly PathPart[], method: Method): string {
  const path = parts.map((part) => (typeof part === "string" ? part : `[${part.name}]`)).join("/");
  const types = parts.flatMap((part) =>
    typeof part === "string" || part.type === undefined ? [] : [`${part.name}:${part.type}`],
  );
  const shown = path === "" ? "/" : path.includes("[") ? `"${path}"` : path;
  return [shown, method.toLowerCase(), ...types].join(" ");
}

function refuseName({ refusal: why, hint }: NameRefusal): Refusal {
  return refusal(refuse("FW601", { refusal: why, hint }));
}

/** A plan without changes for a handler that is there; a refusal for one that is in the way. */
function findPresent(project: Project, wanted: Wanted): Plan | Refusal | undefined {
  const { name, module, parameters } = wanted;
  const same = project.routes.find((route) => route.module === module && route.handler === name);
  if (same !== undefined) {
    if (hasSignature(same, parameters)) return { changes: [], made: [], present: [toMade(same)], notes: [] };
    const details = {
      name,
      signature: formatSignature(same),
      wanted: formatWanted(parameters),
      instead: suggestInstead(project, wanted),
    };
    return refusal(refuse("FW609", details, same.location));
  }
  const served = findServed(project, wanted);
  if (served === undefined) return undefined;
  const route = `${wanted.method} ${wanted.pattern}`;
  return refusal(refuse("FW610", { route, handler: served.handler, file: served.module }, served.location));
}

/** A name stands for one handler in an app, but its path with other params may be free for a file. */
function suggestInstead(project: Project, wanted: Wanted): string {
  if (findServed(project, wanted) !== undefined) return "choose another name.";
  const parts = wanted.segments.map((segment): PathPart => {
    return typeof segment === "string"
      ? segment
      : { name: segment.name, type: segment.type === "int" ? "int" : undefined };
  });
  return `serve the path from a file: framework generate route ${routeWords(parts, wanted.method)}`;
}

function planNew(project: Project, wanted: Wanted): Plan | Refusal {
  const { module, method, name, pattern, segments } = wanted;
  const style = referenceStyle(project);
  const before = readText(project.root, module);
  if (isDiagnostic(before)) return refusal(before);
  const handler: HandlerBlueprint = {
    method,
    name,
    comment: `${method} ${pattern}`,
    parameters: toParameters(wanted.parameters),
  };
  const after =
    before === null ? createSource([handler], style) : extendSource(module, before, [handler], style);
  if (isDiagnostic(after)) return refusal(after);
  const tests = planTests(project, wanted.app.name, [toTest(method, segments, pattern)], style);
  const changes = [{ file: module, before, after }, ...tests.changes];
  const checked = checkPlan(project, changes, {
    what: `\`${name}\``,
    routes: [{ method, segments, module }],
  });
  if (isRefused(checked)) return checked;
  return { changes, made: checked.made, present: [], notes: [...optionsNotes([method]), ...tests.notes] };
}
