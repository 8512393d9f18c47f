/** Finds the handlers of both conventions on disk, by reading source text and never by running it. */

import { sep } from "node:path";
import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { isBadPrefix, parsePrefix } from "#runtime/core/routing/pattern";
import type { Location, Method } from "#runtime/core/routing/route";
import { type App, diagnoseMissing } from "../config/config.ts";
import { diagnose } from "../diagnostics/catalogue.ts";
import { appFiles, MAIN_FILE, ROUTES_FOLDER, toRouteModule, VIEWS_FILE } from "../layout.ts";
import type { Entry, Files } from "../source/files.ts";
import { diagnoseTwins } from "../source/letter-case.ts";
import type { SourceModule } from "../source/module.ts";
import {
  type ExportedName,
  listExports,
  type Modules,
  type Origin,
  resolveExport,
  type Unresolved,
} from "../source/modules.ts";
import {
  type BadName,
  formatMethodExport,
  isBadName,
  isHandlerName,
  type NamedSegment,
  parseHandlerName,
  parseMethodExport,
  parseRouteFile,
} from "./naming.ts";
import { suggestHandlerName, suggestMethodExport } from "./near-miss.ts";
import { readSignature, type SignatureParameter } from "./signature.ts";

/** A handler with its name and signature read, before its path is put together. */
export interface FoundHandler {
  readonly method: Method;
  /** What the prefix and the name, or the file's path, say; params that neither places come after. */
  readonly path: readonly NamedSegment[];
  /** `get_index`, whose path keeps the slash after the prefix. */
  readonly index: boolean;
  readonly parameters: readonly SignatureParameter[];
  readonly handler: string;
  readonly module: string;
  readonly app: string | null;
  readonly convention: "views" | "routes";
  readonly location: Location;
}

export interface Discovery {
  readonly handlers: readonly FoundHandler[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Both conventions: the apps in their order, then the files under `routes/`. */
export function discover(files: Files, modules: Modules, apps: readonly App[]): Discovery {
  const found = [...apps.map((app) => discoverApp(files, modules, app)), discoverRoutes(files, modules)];
  return {
    handlers: found.flatMap(({ handlers }) => handlers),
    diagnostics: found.flatMap(({ diagnostics }) => diagnostics),
  };
}

function discoverApp(files: Files, modules: Modules, app: App): Discovery {
  const { views: file } = appFiles(app.name);
  const module = modules.get(file);
  if (module === undefined) {
    const missing = !files.has(file);
    return {
      handlers: [],
      diagnostics: missing ? [diagnoseMissing(files, app.name, VIEWS_FILE, app.location)] : [],
    };
  }
  const prefix = parsePrefix(app.prefix);
  const base = isBadPrefix(prefix) ? [] : prefix;
  const views = readExports(modules, module, (exported, origin) =>
    readView(modules, exported, origin, { file, app: app.name, base }),
  );
  return {
    handlers: views.handlers,
    diagnostics: [
      ...diagnoseTwins(app.folder, files.list(app.folder)),
      ...views.diagnostics,
      ...findMainImport(modules, module),
      ...findUnexported(module),
      ...findDefault(module, defaultViewName(module)),
    ],
  };
}

/** What an export turns out to be: handlers and diagnostics, at most one of the first. */
type ReadExport = (exported: ExportedName, origin: Origin) => Discovery;

const NOTHING: Discovery = { handlers: [], diagnostics: [] };

function readExports(modules: Modules, module: SourceModule, read: ReadExport): Discovery {
  const diagnostics = module.inerasable.map(({ what, instead, location }) =>
    diagnose("FW318", { what, instead }, location),
  );
  const handlers: FoundHandler[] = [];
  const names = listExports(modules, module, (problem) =>
    diagnostics.push(diagnoseUnresolved("all exports", problem)),
  );
  for (const exported of names) {
    const found = read(exported, resolveExport(modules, exported.module, exported.name, exported.location));
    handlers.push(...found.handlers);
    diagnostics.push(...found.diagnostics);
  }
  return { handlers, diagnostics };
}

/** The main file loads the handlers while it runs, so each would wait for the other. */
function findMainImport(modules: Modules, { file, sources }: SourceModule): Diagnostic[] {
  const found = sources.find(({ text }) => modules.locate(file, text) === MAIN_FILE);
  return found === undefined ? [] : [diagnose("FW320", { file }, found.location)];
}

function diagnoseUnresolved(what: string, { why, nearest, location }: Unresolved): Diagnostic {
  return diagnose("FW313", { what, why, nearest }, location);
}

interface ViewsFile {
  readonly file: string;
  readonly app: string;
  readonly base: readonly string[];
}

function readView(
  modules: Modules,
  exported: ExportedName,
  origin: Origin,
  { file, app, base }: ViewsFile,
): Discovery {
  if (origin.kind === "nothing") return NOTHING;
  const { name, location } = exported;
  if (isHandlerName(name)) {
    return readHandler(modules, exported, origin, (parameters, place) => {
      const params = parameters.flatMap((one) => (one.kind === "param" ? [one.name] : []));
      const parsed = parseHandlerName(name, params);
      if (isBadName(parsed)) return diagnoseHandlerName(parsed, location);
      return {
        method: parsed.method,
        path: [...base, ...parsed.segments],
        index: parsed.segments.length === 0,
        parameters,
        handler: name,
        module: file,
        app,
        convention: "views",
        location: place,
      };
    });
  }
  if (origin.kind === "other") return NOTHING;
  const parsed = parseHandlerName(name);
  if (isBadName(parsed) && parsed.kind === "text")
    return { handlers: [], diagnostics: [diagnoseHandlerName(parsed, location)] };
  const suggestion = origin.kind === "function" ? suggestHandlerName(name) : undefined;
  if (suggestion === undefined) return NOTHING;
  return { handlers: [], diagnostics: [diagnose("FW202", { name, suggestion }, location)] };
}

function diagnoseHandlerName({ kind, why, hint }: BadName, location: Location): Diagnostic {
  return diagnose(kind === "param" ? "FW211" : "FW201", { why, hint }, location);
}

/** An export with a handler's name: the handler, or why it is none. */
function readHandler(
  modules: Modules,
  { name, location, ambiguous }: ExportedName,
  origin: Origin,
  toHandler: (parameters: readonly SignatureParameter[], location: Location) => FoundHandler | Diagnostic,
): Discovery {
  const only = (diagnostic: Diagnostic): Discovery => ({ handlers: [], diagnostics: [diagnostic] });
  if (ambiguous) return only(diagnose("FW314", { name }, location));
  switch (origin.kind) {
    case "unresolved":
      return only(diagnoseUnresolved(`\`${name}\``, origin));
    case "opaque":
      return only(diagnose("FW311", { handler: name, why: origin.why }, origin.location));
    case "other":
      return only(diagnose("FW312", { handler: name, what: origin.what }, origin.location));
    case "nothing":
      return NOTHING;
    case "function": {
      const { parameters, diagnostics } = readSignature(modules, origin.module, origin.value, name);
      if (parameters === null) return { handlers: [], diagnostics };
      const handler = toHandler(parameters, origin.value.location);
      return "code" in handler
        ? { handlers: [], diagnostics: [...diagnostics, handler] }
        : { handlers: [handler], diagnostics };
    }
  }
}

/** Functions with a handler's name that are not exported, under that name or another. */
function findUnexported(module: SourceModule): Diagnostic[] {
  const exported = new Set(
    [...module.exports.values()].filter(({ from }) => from === null).map(({ name }) => name),
  );
  return [...module.values]
    .filter(([name, value]) => value.kind === "function" && value.body && !exported.has(name))
    .filter(([name]) => !module.exports.has(name) && isHandlerName(name))
    .map(([name, { location }]) => diagnose("FW203", { name }, location));
}

function findDefault(module: SourceModule, suggestion: string): Diagnostic[] {
  const found = module.exports.get("default");
  return found && !found.typeOnly ? [diagnose("FW204", { suggestion }, found.location)] : [];
}

function defaultViewName(module: SourceModule): string {
  const name = module.exports.get("default")?.name ?? "";
  return isHandlerName(name) ? name : (suggestHandlerName(name) ?? "get_index");
}

function discoverRoutes(files: Files, modules: Modules): Discovery {
  const diagnostics: Diagnostic[] = [];
  const handlers: FoundHandler[] = [];
  for (const path of listRouteFiles(files, diagnostics)) {
    const found = discoverRouteFile(modules, path);
    handlers.push(...found.handlers);
    diagnostics.push(...found.diagnostics);
  }
  return { handlers, diagnostics };
}

function discoverRouteFile(modules: Modules, path: string): Discovery {
  const file = toRouteModule(path);
  const parsed = parseRouteFile(path);
  if (parsed === undefined) return NOTHING;
  const top: Location = { file, line: 1, column: 1 };
  if (isBadName(parsed))
    return {
      handlers: [],
      diagnostics: [diagnose("FW205", { why: parsed.why, hint: parsed.hint }, top)],
    };
  const module = modules.get(file);
  if (module === undefined) return NOTHING;
  const found = readExports(modules, module, (exported, origin) =>
    readMethodExport(modules, exported, origin, file, parsed.segments),
  );
  const twoDeletes = findTwoDeletes(module);
  const diagnostics = [
    ...found.diagnostics,
    ...findMainImport(modules, module),
    ...twoDeletes,
    ...findDefault(module, "get"),
  ];
  const silent = found.handlers.length === 0 && diagnostics.length === 0 && module.problems.length === 0;
  const example =
    "Export a handler named after its method: export function get() { … }. A name that begins with `_` is no route file.";
  return {
    handlers: twoDeletes.length > 0 ? withoutSecondDelete(found.handlers) : found.handlers,
    diagnostics: silent ? [diagnose("FW207", { file, example }, top)] : diagnostics,
  };
}

function readMethodExport(
  modules: Modules,
  exported: ExportedName,
  origin: Origin,
  file: string,
  path: readonly NamedSegment[],
): Discovery {
  const { name, location } = exported;
  const method = parseMethodExport(name);
  if (method !== undefined) {
    return readHandler(modules, exported, origin, (parameters, place) => ({
      method,
      path,
      index: false,
      parameters,
      handler: name,
      module: file,
      app: null,
      convention: "routes",
      location: place,
    }));
  }
  const meant = origin.kind === "function" ? suggestMethodExport(name) : undefined;
  if (meant === undefined) return NOTHING;
  return {
    handlers: [],
    diagnostics: [diagnose("FW206", { name, suggestion: formatMethodExport(meant) }, location)],
  };
}

function findTwoDeletes({ exports }: SourceModule): Diagnostic[] {
  const [one, other] = [exports.get("delete"), exports.get("del")];
  return one && other && !one.typeOnly && !other.typeOnly
    ? [diagnose("FW209", {}, one.location, other.location)]
    : [];
}

/** That there are two is told already: the table shall not tell it again as a conflict. */
function withoutSecondDelete(handlers: readonly FoundHandler[]): readonly FoundHandler[] {
  const [, second] = handlers.filter(({ method }) => method === "DELETE");
  return handlers.filter((handler) => handler !== second);
}

/** Every file that may be a route file, relative to `routes/`; folders that are none by rule are not entered. */
function listRouteFiles(files: Files, diagnostics: Diagnostic[]): string[] {
  const found: string[] = [];
  enterFolder("", []);
  return found;

  /** @param above the places of the folders on the way here, which a link must not lead back to. */
  function enterFolder(folder: string, above: readonly string[]): void {
    const path = folder === "" ? ROUTES_FOLDER : toRouteModule(folder);
    const places = [...above, path];
    const entries = files.list(path);
    diagnostics.push(...diagnoseTwins(path, entries));
    for (const entry of entries) {
      if (entry.name.startsWith("_") || entry.name.startsWith(".")) continue;
      const inner = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.kind === "folder") {
        if (!leadsBack(entry, inner, places)) enterFolder(inner, places);
      } else if (entry.kind === "file") {
        if (isUnservedSource(entry.name)) warn("FW208", toRouteModule(inner));
        found.push(inner);
      } else if (entry.name.endsWith(".ts")) {
        const file = toRouteModule(inner);
        diagnostics.push(
          diagnose("FW113", { file, why: "it is no file, or a link that leads nowhere" }, top(file)),
        );
      }
    }
  }

  function leadsBack({ link }: Entry, inner: string, places: readonly string[]): boolean {
    if (!link) return false;
    const place = files.place(toRouteModule(inner));
    if (!places.some((above) => `${files.place(above)}${sep}`.startsWith(`${place}${sep}`))) return false;
    warn("FW115", toRouteModule(inner));
    return true;
  }

  function warn(code: "FW115" | "FW208", file: string): void {
    diagnostics.push(diagnose(code, { file }, top(file)));
  }
}

function top(file: string): Location {
  return { file, line: 1, column: 1 };
}

/** Source that someone may take for a route file, and that is not one by its ending. */
function isUnservedSource(name: string): boolean {
  return /\.(?:[cm]?js|[cm]ts|[jt]sx)$/.test(name) && !/\.(?:d|test|spec)\.\w+$/.test(name);
}
