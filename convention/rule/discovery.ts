/** Finds the handlers of both conventions on disk, by reading source text and never by running it. */

import type { Location, Method } from "#runtime/routing/route";
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
import { discoverHooks, type Hooks } from "./hooks.ts";
import { diagnoseInerasable, diagnoseMainImport, diagnoseUnresolved } from "./loaded-file.ts";
import {
  type BadName,
  formatMethodExport,
  isBadName,
  isHandlerName,
  methodOf,
  type NamedSegment,
  paramsIn,
  parseHandlerName,
  parseMethodExport,
  parseRouteFile,
  type RouteFile,
} from "./naming.ts";
import { findInHandlers, type NearHook } from "./near-hooks.ts";
import { suggestHandlerName, suggestMethodExport } from "./near-miss.ts";
import { type CallReader, readFunction } from "./providers.ts";
import { listRouteFiles } from "./route-files.ts";
import type { SignatureParameter } from "./signature.ts";
import { type ParamParameter, spliceParams } from "./splice.ts";

/** A handler with its name and signature read, before its path is put together. */
export interface FoundHandler {
  readonly method: Method;
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

export interface Discovery {
  /** Of one file. */
  readonly handlers: readonly FoundHandler[];
  readonly diagnostics: readonly Diagnostic[];
  /** The hooks among its exports, which nothing calls there. */
  readonly strays?: readonly NearHook[];
}

/** What is found in a whole project. */
export interface ProjectDiscovery extends Pick<Discovery, "diagnostics"> {
  /** Of each file that has some. */
  readonly handlers: readonly (readonly FoundHandler[])[];
  readonly hooks: Hooks;
}

function joinFound(found: readonly Discovery[]): Discovery {
  return {
    handlers: found.flatMap(({ handlers }) => handlers),
    diagnostics: found.flatMap(({ diagnostics }) => diagnostics),
  };
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
): ProjectDiscovery {
  const types: CallReader = { modules, shapes, providers: new Map() };
  const routes = listRouteFiles(files);
  const found = [
    ...apps.map((app) => discoverApp(files, types, app)),
    report(...routes.diagnostics),
    ...routes.paths.map((path) => discoverRouteFile(types, path)),
  ];
  const strays = found.flatMap((one) => one.strays ?? []);
  const { hooks, diagnostics } = discoverHooks(files, types, apps, routes.folders, strays);
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
  /** What a handler is called, and the name that was probably meant. */
  readonly rule: string;
  readonly suggest: (name: string) => string | undefined;
}

type NamedHandler = Pick<FoundHandler, "method" | "path" | "index">;

function discoverApp(files: Files, types: CallReader, app: App): Discovery {
  const { views: file } = appFiles(app.name);
  const module = types.modules.get(file);
  if (module === undefined)
    return files.has(file) ? report() : report(diagnoseMissing(files, app.name, VIEWS_FILE, app.location));
  const views = readViews(types, app, module);
  const twins = diagnoseTwins(app.folder, files.list(app.folder));
  return twins.length === 0 ? views : { ...views, diagnostics: [...twins, ...views.diagnostics] };
}

function readViews(types: CallReader, app: App, module: SourceModule): Discovery {
  const { modules } = types;
  const { file } = module;
  const prefix = parsePrefix(app.prefix);
  const views = readExports(types, module, {
    module: file,
    app: app.name,
    convention: "views",
    parse: (name, params) => parseView(name, params, isRefusal(prefix) ? [] : prefix),
    rule: "a handler's name is a lowercase method, an underscore and the endpoint",
    suggest: suggestHandlerName,
  });
  const others = report(
    ...diagnoseMainImport(modules, module),
    ...diagnoseUnexported(module),
    ...diagnoseDefault(module, defaultViewName(module)),
  );
  return { ...joinFound([views, others]), strays: findInHandlers(modules, module) };
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
  if (isBadName(parsed))
    return report(diagnose("FW201", { why: parsed.why, hint: parsed.hint }, startOf(file)));
  const module = types.modules.get(file);
  return module === undefined ? report() : readRouteFile(types, parsed, module);
}

function readRouteFile(types: CallReader, parsed: RouteFile, module: SourceModule): Discovery {
  const { modules } = types;
  const { file } = module;
  const found = readExports(types, module, {
    module: file,
    app: null,
    convention: "routes",
    parse: (name) => parseMethod(name, parsed.segments),
    rule: "in a route file a handler is named after its method alone",
    suggest: suggestExport,
  });
  const twoDeletes = diagnoseTwoDeletes(module);
  const diagnostics = [
    ...found.diagnostics,
    ...diagnoseMainImport(modules, module),
    ...twoDeletes,
    ...diagnoseDefault(module, "get"),
  ];
  const strays = findInHandlers(modules, module);
  const silent =
    found.handlers.length === 0 &&
    diagnostics.length === 0 &&
    strays.length === 0 &&
    module.problems.length === 0 &&
    !hasMethodExport(modules, module);
  return {
    handlers: twoDeletes.length > 0 ? withoutSecondDelete(found.handlers) : found.handlers,
    diagnostics: silent ? [diagnose("FW207", { file }, startOf(file))] : diagnostics,
    strays,
  };
}

function parseMethod(name: string, path: readonly NamedSegment[]): NamedHandler | undefined {
  const method = parseMethodExport(name);
  return method && { method, path, index: false };
}

/** What is wrong with a provider is reported with the first handler that needs it, so the others have no diagnostic. */
function hasMethodExport(modules: Modules, module: SourceModule): boolean {
  return listExports(modules, module, () => {}).some(({ name }) => parseMethodExport(name) !== undefined);
}

function suggestExport(name: string): string | undefined {
  const meant = suggestMethodExport(name);
  return meant && formatMethodExport(meant);
}

function readExports(types: CallReader, module: SourceModule, reading: Reading): Discovery {
  const { modules } = types;
  const diagnostics = diagnoseInerasable(module);
  const names = listExports(modules, module, (problem) =>
    diagnostics.push(diagnoseUnresolved("export *", problem)),
  );
  const found = names.map((exported) => {
    const origin = resolveExport(modules, exported.module, exported.name, exported.location);
    return readExport(types, exported, origin, reading);
  });
  return joinFound([report(...diagnostics), ...found]);
}

function readExport(types: CallReader, exported: ExportedName, origin: Origin, reading: Reading): Discovery {
  const { name, location } = exported;
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
  { name, location, ambiguous }: ExportedName,
  origin: Origin,
  { parse, module, app, convention }: Reading,
): Discovery {
  if (ambiguous) return report(diagnose("FW319", { name }, location));
  switch (origin.kind) {
    case "unresolved":
      return report(diagnoseUnresolved(name, origin));
    case "opaque":
      return report(diagnose("FW311", { handler: name, why: origin.why }, origin.location));
    case "other":
      return report(diagnose("FW312", { name, what: origin.what }, origin.location));
    case "type":
    case "nothing":
      return report();
    case "function": {
      const { module: declaring, value } = origin;
      const verb = methodOf(name) ?? "GET";
      const read = readFunction(types, { handler: name, method: verb, module: declaring, value });
      const { parameters, diagnostics } = read;
      if (parameters === null) return { handlers: [], diagnostics };
      const params = spliceParams(parameters);
      const names = params.map((param) => param.name);
      const named = parse(name, names);
      if (named === undefined) return { handlers: [], diagnostics };
      if (isBadName(named)) {
        const all = [...names, ...parameters.map((parameter) => parameter.name)];
        const taken = findPlacedTake(parse(name, all), parameters);
        return report(...diagnostics, taken ?? diagnoseName(named, location));
      }
      const { method, path, index } = named;
      const { location: place } = origin.value;
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
        location: place,
      };
      return { handlers: [handler], diagnostics };
    }
  }
}

/** The `$name` of a handler's name that is a parameter with a mark. */
function findPlacedTake(
  named: NamedHandler | BadName | undefined,
  parameters: readonly SignatureParameter[],
): Diagnostic | undefined {
  if (named === undefined || isBadName(named)) return undefined;
  const placed = paramsIn(named.path);
  const isTaken = ({ kind, name }: SignatureParameter): boolean =>
    (kind === "take" || kind === "provided") && placed.includes(name);
  const taken = parameters.find(isTaken);
  return taken && diagnose("FW351", { param: `$${taken.name}`, name: taken.name }, taken.location);
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

function diagnoseDefault(module: SourceModule, suggestion: string): Diagnostic[] {
  const found = module.exports.get("default");
  if (!found || found.typeOnly) return [];
  const hint = `Export it by name: export function ${suggestion}(…) { … }`;
  return [diagnose("FW203", { what: "A default export has no handler's name", hint }, found.location)];
}

function defaultViewName(module: SourceModule): string {
  const name = module.exports.get("default")?.name ?? "";
  return isHandlerName(name) ? name : (suggestHandlerName(name) ?? "get_index");
}

function diagnoseTwoDeletes({ exports }: SourceModule): Diagnostic[] {
  const [one, other] = [exports.get("delete"), exports.get("del")];
  return one && other && !one.typeOnly && !other.typeOnly
    ? [diagnose("FW319", { name: "delete" }, one.location, other.location)]
    : [];
}

/** A diagnostic already reports that there are two, so the table should not report a conflict as well. */
function withoutSecondDelete(handlers: readonly FoundHandler[]): readonly FoundHandler[] {
  const [, second] = handlers.filter(({ method }) => method === "DELETE");
  return handlers.filter((handler) => handler !== second);
}
