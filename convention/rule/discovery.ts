/** Finds the handlers of both conventions on disk, by reading source text and never by running it. */

import type { Location, RouteMethod } from "#runtime/routing/route";
import { type App, diagnoseMissing } from "../config/config.ts";
import { diagnose, startOf } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { appFiles, toRouteModule, VIEWS_FILE } from "../layout.ts";
import { parsePrefix } from "../pattern.ts";
import { isRefusal } from "../refusal.ts";
import {
  type ExportedName,
  listExports,
  listUnexported,
  type Origin,
  resolveExport,
} from "../source/exports.ts";
import type { Files } from "../source/files.ts";
import { diagnoseTwins } from "../source/letter-case.ts";
import type { SourceModule } from "../source/module.ts";
import type { Modules } from "../source/modules.ts";
import type { TypeReader } from "../wire/takes.ts";
import { parseRouteFile } from "./file-naming.ts";
import { discoverHooks, type Hooks } from "./hooks.ts";
import { diagnoseExport, diagnoseInerasable, diagnoseMainImport, diagnoseUnresolved } from "./loaded-file.ts";
import {
  formatMethodExport,
  isHandlerName,
  methodOf,
  parseHandlerName,
  parseMethodExport,
  wholePathOf,
} from "./naming.ts";
import { findElsewhere, type NearHook } from "./near-hooks.ts";
import { suggestHandlerName, suggestMethodExport } from "./near-miss.ts";
import { type CallReader, readFunction } from "./providers.ts";
import { listRouteFiles } from "./route-files.ts";
import { type BadName, isBadName, type NamedSegment, paramsIn, wholeOf } from "./segments.ts";
import { diagnoseWhole, type SignatureParameter } from "./signature.ts";
import { type ParamParameter, spliceParams } from "./splice.ts";

/** A handler with its name and signature read, before its path is put together. */
export interface FoundHandler {
  readonly method: RouteMethod;
  /** What the prefix and the name, or the file's path, say; params that neither places follow at the end. */
  readonly path: readonly NamedSegment[];
  /** `get_index`, whose path keeps the slash after the prefix. */
  readonly index: boolean;
  readonly parameters: readonly SignatureParameter[];
  /** The params among them, and those of the providers that it names, which count as if it had declared them. */
  readonly params: readonly ParamParameter[];
  readonly handler: string;
  readonly module: string;
  readonly app: string | null;
  readonly convention: "views" | "routes";
  readonly location: Location;
}

/** What is found in one file, or about it. */
export interface Discovery {
  readonly handlers: readonly FoundHandler[];
  readonly diagnostics: readonly Diagnostic[];
  /** Functions that may be meant as hooks. */
  readonly near?: readonly NearHook[];
}

/** What is found in a whole project. */
export interface ProjectDiscovery extends Pick<Discovery, "diagnostics"> {
  /** Of each file that has some. */
  readonly handlers: readonly (readonly FoundHandler[])[];
  readonly hooks: Hooks;
}

/** What is not a handler, and why. */
function report(...diagnostics: readonly Diagnostic[]): Discovery {
  return { handlers: [], diagnostics };
}

/** Both conventions: the apps in their order, then the files under `routes/`. */
export function discover(
  files: Files,
  { modules, shapes }: TypeReader,
  apps: readonly App[],
  isLeftOut: (file: string) => boolean,
): ProjectDiscovery {
  const types: CallReader = { modules, shapes, providers: new Map() };
  const routes = listRouteFiles(files);
  const found = [
    ...apps
      .filter(({ name }) => !isLeftOut(appFiles(name).views))
      .map((app) => discoverApp(files, types, app)),
    report(...routes.diagnostics),
    ...routes.paths
      .filter((path) => !isLeftOut(toRouteModule(path)))
      .map((path) => discoverRouteFile(types, path)),
  ];
  const near = found.flatMap((one) => one.near ?? []);
  const { hooks, diagnostics } = discoverHooks(files, types, apps, routes.folders, near);
  return {
    handlers: found.flatMap(({ handlers }) => (handlers.length > 0 ? [handlers] : [])),
    diagnostics: [...diagnostics, ...found.flatMap((one) => one.diagnostics)],
    hooks,
  };
}

/** How a convention reads the exports of a module. */
interface Reading extends Pick<FoundHandler, "module" | "app" | "convention"> {
  /** @returns what the name of an export says; undefined where no handler has such a name. */
  readonly parse: (name: string, params: readonly string[]) => NamedHandler | BadName | undefined;
  /** The param of the whole path that a handler of this name serves. */
  readonly whole: (name: string) => string | undefined;
  /** What a handler is called. */
  readonly rule: string;
  /** The name that was probably meant. */
  readonly suggest: (name: string) => string | undefined;
}

type NamedHandler = Pick<FoundHandler, "method" | "path" | "index">;

function discoverApp(files: Files, types: CallReader, app: App): Discovery {
  const { views: file } = appFiles(app.name);
  const module = types.modules.get(file);
  if (module === undefined)
    return files.has(file) ? report() : report(diagnoseMissing(files, app.name, VIEWS_FILE, app.location));
  const prefix = parsePrefix(app.prefix);
  const found = readFile(types, module, {
    module: file,
    app: app.name,
    convention: "views",
    parse: (name, params) => parseView(name, params, isRefusal(prefix) ? [] : prefix),
    whole: wholePathOf,
    rule: "a handler's name is a lowercase method, an underscore and the endpoint",
    suggest: (name) => (isHandlerName(name) ? name : suggestHandlerName(name)),
  });
  const twins = diagnoseTwins(app.folder, files.list(app.folder));
  return { ...found, diagnostics: [...twins, ...found.diagnostics, ...diagnoseUnexported(module)] };
}

function parseView(
  name: string,
  params: readonly string[],
  prefix: readonly string[],
): NamedHandler | BadName | undefined {
  const parsed = parseHandlerName(name, params);
  if (isBadName(parsed)) return parsed.kind === "method" ? undefined : parsed;
  const { method, segments } = parsed;
  return { method, path: [...prefix, ...segments], index: segments.length === 0 };
}

function discoverRouteFile(types: CallReader, path: string): Discovery {
  const file = toRouteModule(path);
  const parsed = parseRouteFile(path);
  if (parsed === undefined) return report();
  if (isBadName(parsed)) return report(diagnoseName(parsed, startOf(file)));
  const module = types.modules.get(file);
  if (module === undefined) return report();
  const found = readFile(types, module, {
    module: file,
    app: null,
    convention: "routes",
    parse(name) {
      const method = parseMethodExport(name);
      return method && { method, path: parsed.segments, index: false };
    },
    whole: () => wholeOf(parsed.segments),
    rule: "in a route file a handler is named after its method alone",
    suggest(name) {
      const meant = suggestMethodExport(name);
      return meant && formatMethodExport(meant);
    },
  });
  const isSilent = [found.handlers, found.diagnostics, found.near ?? [], module.problems].every(
    (part) => part.length === 0,
  );
  return isSilent && !hasMethodExport(types.modules, module)
    ? report(diagnose("FW207", { file }, startOf(file)))
    : found;
}

/** What is wrong with a provider is reported with the first handler that needs it, so the others have no diagnostic. */
function hasMethodExport(modules: Modules, module: SourceModule): boolean {
  return listExports(modules, module, () => {}).some(({ name }) => parseMethodExport(name) !== undefined);
}

function readFile(types: CallReader, module: SourceModule, reading: Reading): Discovery {
  const { modules } = types;
  const diagnostics = [
    ...diagnoseInerasable(module),
    ...diagnoseMainImport(modules, module),
    ...diagnoseDefault(module, reading),
  ];
  const names = listExports(modules, module, (problem) =>
    diagnostics.push(diagnoseUnresolved("export *", problem)),
  );
  const [one, other] = ["del", "delete"].map((name) => names.find((exported) => exported.name === name));
  const isTwice = reading.convention === "routes" && one !== undefined && other !== undefined;
  if (isTwice)
    diagnostics.push(diagnose("FW319", { name: "delete", other: "del" }, other.location, one.location));
  const found = names
    .filter((exported) => !isTwice || exported !== other)
    .map((exported) => readExport(types, exported, reading));
  return {
    handlers: found.flatMap(({ handlers }) => handlers),
    diagnostics: [...diagnostics, ...found.flatMap((read) => read.diagnostics)],
    near: findElsewhere(modules, module),
  };
}

function readExport(types: CallReader, exported: ExportedName, reading: Reading): Discovery {
  const { name, module, location } = exported;
  const origin = resolveExport(types.modules, module, name, location);
  if (origin.kind === "type" || origin.kind === "nothing") return report();
  const named = reading.parse(name, []);
  if (named && !(isBadName(named) && named.kind === "text"))
    return readHandler(types, exported, origin, reading);
  if (named) return origin.kind === "other" ? report() : report(diagnoseName(named, location));
  const suggestion = origin.kind === "function" ? reading.suggest(name) : undefined;
  return suggestion === undefined
    ? report()
    : report(diagnose("FW202", { name, rule: reading.rule, suggestion }, location));
}

/** An export with a handler's name: the handler, or why it is not one. */
function readHandler(
  types: CallReader,
  exported: ExportedName,
  origin: Origin,
  { parse, whole, module, app, convention }: Reading,
): Discovery {
  const { name, location } = exported;
  const bad = diagnoseExport(exported, origin);
  if (bad) return report(bad);
  if (origin.kind !== "function") return report();
  const { value } = origin;
  const verb = methodOf(name) ?? "GET";
  const read = readFunction(types, {
    handler: name,
    method: verb,
    whole: whole(name),
    module: origin.module,
    value,
  });
  const { parameters, diagnostics } = read;
  if (parameters === null) return { handlers: [], diagnostics };
  const params = spliceParams(parameters);
  const names = params.map((param) => param.name);
  const named = parse(name, names);
  if (named === undefined) return { handlers: [], diagnostics };
  if (isBadName(named)) {
    const marked = parameters.find((one) => one.kind !== "request" && one.name === named.missing);
    const placed =
      marked && diagnose("FW351", { param: `$${marked.name}`, name: marked.name }, marked.location);
    return report(...diagnostics, placed ?? diagnoseName(named, location));
  }
  const { method, path, index } = named;
  const misplaced = diagnoseBesideWhole(path, params);
  if (misplaced.length > 0) return report(...diagnostics, ...misplaced);
  // Written out, because two spreads took a tenth of the time of `routes list`.
  const handler = {
    method,
    path,
    index,
    parameters,
    params,
    handler: name,
    module,
    app,
    convention,
    location: value.location,
  };
  return { handlers: [handler], diagnostics };
}

/** A param that would follow the whole path, or that a provider takes as one segment of it. */
function diagnoseBesideWhole(path: readonly NamedSegment[], params: readonly ParamParameter[]): Diagnostic[] {
  const whole = wholeOf(path);
  if (whole === undefined) return [];
  const placed = paramsIn(path);
  return params.flatMap(({ name, type, location }) => {
    if (name === whole) return type === "str[]" ? [] : [diagnoseWhole(name, location)];
    if (placed.includes(name)) return [];
    const why = `\`${name}\` would follow the whole path \`${whole}\`, which leaves nothing`;
    const hint = `Place it before, as with \`$${name}\` or a folder \`[${name}]\`, or take it from the query: \`${name}: Query<…>\`.`;
    return [diagnose("FW364", { why, hint }, location)];
  });
}

function diagnoseName({ why, hint }: BadName, location: Location): Diagnostic {
  return diagnose("FW201", { why, hint }, location);
}

/** Functions with a handler's name that are not exported, and whose name no other export has. */
function diagnoseUnexported(module: SourceModule): Diagnostic[] {
  return [...listUnexported(module)]
    .filter(([name]) => !module.exports.has(name) && isHandlerName(name))
    .map(([name, location]) => {
      const hint = `Write \`export\` before it, or rename \`${name}\`.`;
      return diagnose("FW203", { what: `\`${name}\` is not exported`, hint }, location);
    });
}

function diagnoseDefault({ exports }: SourceModule, { convention, suggest }: Reading): Diagnostic[] {
  const found = exports.get("default");
  if (!found || found.typeOnly) return [];
  const name = suggest(found.name) ?? (convention === "views" ? "get_index" : "get");
  const hint = `Export it by name: export function ${name}(…) { … }`;
  return [diagnose("FW203", { what: "A default export has no handler's name", hint }, found.location)];
}
