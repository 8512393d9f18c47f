/**
 * From a project's folder to routes that can be called: reads the route table, loads the modules it names, and compares
 * their real exports with what was read. A difference is fatal, so that the route list can't lie.
 */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findProjectRoot } from "#runtime/convention/config/root";
import { diagnose } from "#runtime/convention/diagnostics/catalogue";
import { type Diagnostic, hasErrors } from "#runtime/convention/diagnostics/diagnostic";
import { sortDiagnostics } from "#runtime/convention/diagnostics/order";
import { appFiles, toRoutePath } from "#runtime/convention/layout";
import type { Project } from "#runtime/convention/project";
import { isBadName, isHandlerName, parseMethodExport, parseRouteFile } from "#runtime/convention/rule/naming";
import type { BoundRoute, Handler } from "#runtime/core/app";
import { escapeControl } from "#runtime/core/escape";
import { Problem } from "#runtime/core/problem";
import type { Route } from "#runtime/core/routing/route";
import type { LoadedProject } from "#runtime/launch";
import { frameworkPath } from "../framework-folder.ts";
import { toLoadFailure } from "./load-failure.ts";
import { ProjectError } from "./project-error.ts";
import { type AdaptTaker, diagnoseSchemas, loadWire } from "./wire.ts";

/** @throws {ProjectError} when reading or loading the project finds an error. */
export async function loadProject(): Promise<LoadedProject> {
  const root = currentProjectRoot();
  // Not needed by who has the project read already: the parser is half of what there is to load.
  const { readProject } = await import("#runtime/convention/project");
  const project = readProject(root);
  if (hasErrors(project.diagnostics)) throw new ProjectError(root, project.diagnostics);
  return loadRoutes(project);
}

/**
 * The project that this copy of the framework is vendored in; outside of one, the project around the current folder.
 *
 * @throws {Problem} when there is neither.
 */
function currentProjectRoot(): string {
  const root = findProjectRoot(frameworkPath()) ?? findProjectRoot(process.cwd());
  if (root !== undefined) return root;
  throw new Problem(
    `There is no framework.toml in ${process.cwd()} or a folder above.`,
    "Run this in a project.",
  );
}

/**
 * Loads the modules of a project in which no error was found.
 *
 * @param onSlow gets a message with the module that is being loaded after 5 seconds.
 * @param adapt may put something around what takes values off the wire.
 * @throws {ProjectError} when a module can't be loaded, or exports other handlers than were read.
 */
export async function loadRoutes(
  project: Project,
  onSlow: (what: string) => void = console.error,
  adapt?: AdaptTaker,
): Promise<LoadedProject> {
  const { root, settings } = project;
  const results = await loadAll(root, handlerModules(project), onSlow);
  const loaded = results.filter(isLoaded);
  const failures = results.flatMap((result) => (isLoaded(result) ? [] : [result]));
  const diagnostics = [
    ...oncePerPlace([...failures, ...(await diagnoseSchemas(project))]),
    ...loaded.flatMap(compareExports),
  ];
  if (diagnostics.length > 0) throw new ProjectError(root, sortDiagnostics(diagnostics));
  const modules = new Map(loaded.map(({ file, exports }) => [file, exports]));
  const findServe = await loadWire(project, adapt);
  const routes = project.routes.map(({ takes: _, ...route }): BoundRoute => {
    const exported = modules.get(route.module)?.[route.handler];
    const serve = findServe(route);
    return { route, handler: exported as Handler, ...(serve && { serve }) }; // compareExports has found a function there
  });
  return { routes, settings };
}

/** The message about a module that takes long to load. */
export function formatSlow(file: string): string {
  return `Still being loaded after 5 seconds: ${escapeControl(file)}. Is there an \`await\` at its top level that never ends?`;
}

/** A file that may serve routes, with those that were read in it. */
export interface HandlerModule {
  readonly file: string;
  readonly routes: readonly Route[];
  isHandlerName(name: string): boolean;
}

interface LoadedModule extends HandlerModule {
  readonly exports: Readonly<Record<string, unknown>>;
}

/**
 * In the order in which they run. Files in which no route was read are among them: their exports must show that none was missed.
 */
export function handlerModules({ apps, files, routes }: Project): HandlerModule[] {
  const views = new Set(apps.map((app) => appFiles(app.name).views));
  const byFile = new Map<string, Route[]>();
  for (const route of routes) {
    const before = byFile.get(route.module);
    if (before) before.push(route);
    else byFile.set(route.module, [route]);
  }
  return files
    .filter((file) => views.has(file) || isRouteFile(file))
    .map((file) => ({
      file,
      routes: byFile.get(file) ?? [],
      isHandlerName: views.has(file) ? isHandlerName : (name) => parseMethodExport(name) !== undefined,
    }));
}

function isRouteFile(file: string): boolean {
  const path = toRoutePath(file);
  const parsed = path === undefined ? undefined : parseRouteFile(path);
  return parsed !== undefined && !isBadName(parsed);
}

function isLoaded(result: LoadedModule | Diagnostic): result is LoadedModule {
  return "exports" in result;
}

async function loadModule(root: string, module: HandlerModule): Promise<LoadedModule | Diagnostic> {
  try {
    return { ...module, exports: await import(pathToFileURL(join(root, module.file)).href) };
  } catch (error) {
    return toLoadFailure(root, module.file, error);
  }
}

/** After so many milliseconds a message names the module that is still being loaded. */
export const SLOW_MS = 5_000;

/**
 * One after the other, as in a built server: a module with a top-level `await` is ready before the next one runs.
 * The timer keeps the process alive as long: an `await` that never settles would otherwise end it without a word.
 */
async function loadAll(
  root: string,
  modules: readonly HandlerModule[],
  onSlow: (what: string) => void,
): Promise<(LoadedModule | Diagnostic)[]> {
  const results: (LoadedModule | Diagnostic)[] = [];
  let current = "";
  const timer = setTimeout(() => onSlow(formatSlow(current)), SLOW_MS);
  try {
    for (const module of modules) {
      current = module.file;
      results.push(await loadModule(root, module));
    }
    return results;
  } finally {
    clearTimeout(timer);
  }
}

/** A mistake in what several modules import keeps each of them from being loaded. */
function oncePerPlace(failures: readonly Diagnostic[]): Diagnostic[] {
  const byPlace = new Map(
    failures.toReversed().map((failure) => [JSON.stringify(failure.locations), failure]),
  );
  return [...byPlace.values()];
}

/** What was read and what is there must be the same handlers. */
function compareExports({ file, routes, exports, isHandlerName }: LoadedModule): Diagnostic[] {
  const missing = routes
    .filter((route) => typeof exports[route.handler] !== "function")
    .map((route) => diagnose("FW501", { handler: route.handler, module: file }, route.location));
  const unexpected = Object.keys(exports)
    .filter((name) => typeof exports[name] === "function" && isHandlerName(name))
    .filter((name) => !routes.some((route) => route.handler === name))
    .map((name) => diagnose("FW502", { handler: name, module: file }, { file, line: 1, column: 1 }));
  return [...missing, ...unexpected];
}
