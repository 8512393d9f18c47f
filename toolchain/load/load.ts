/**
 * From a project's folder to routes that can be called: reads the route table, loads the modules it names, and compares
 * their real exports with what was read. A difference is fatal, so that the route list can't lie.
 */

import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { startOf } from "#convention/diagnostics/catalogue";
import { type Diagnostic, hasErrors } from "#convention/diagnostics/diagnostic";
import { sortDiagnostics } from "#convention/diagnostics/order";
import type { Project, Sources } from "#convention/project";
import type { FolderHooks } from "#convention/wire/typed-route";
import type { BoundRoute, Handler } from "#runtime/app";
import type { Docs } from "#runtime/docs";
import { escapeControl } from "#runtime/escape";
import type { Files } from "#runtime/files/folders";
import type { Cors } from "#runtime/hooks/cors";
import type { BoundHooks, HookChain, HookFunction } from "#runtime/hooks/hooks";
import type { LoadedProject } from "#runtime/launch";
import { Problem } from "#runtime/problem";
import { findProjectRoot } from "#runtime/project-root";
import { frameworkPath } from "../framework-folder.ts";
import { compareExports, compareHooks, findExport, type LoadedModule } from "./compare.ts";
import { importFile } from "./import-file.ts";
import { toLoadFailure } from "./load-failure.ts";
import { diagnoseOther } from "./other-framework.ts";
import { ProjectError } from "./project-error.ts";
import { toPath } from "./project-files.ts";
import { type Export, type ProjectModule, projectModules, toRoute } from "./project-functions.ts";
import { readPlaces } from "./stack.ts";
import { type AdaptInputs, diagnoseSchemas, loadWire } from "./wire.ts";

/**
 * @param stack of the call of `createApp`.
 * @throws {ProjectError} when reading or loading the project finds an error.
 */
export async function loadProject(stack: string): Promise<LoadedProject> {
  const { project } = await readCurrentProject(stack);
  return loadWhole(project);
}

/**
 * @param stack of the call of `createApp`.
 * @throws {ProjectError} when reading the project finds an error.
 */
export async function readCurrentProject(stack: string): Promise<Sources> {
  const root = currentProjectRoot(stack);
  // Not needed by who has the project read already: the parser is half of what there is to load.
  const { readSources } = await import("#convention/project");
  const sources = readSources(root);
  const { diagnostics } = sources.project;
  if (hasErrors(diagnostics)) throw new ProjectError(root, diagnostics);
  return sources;
}

/**
 * The project of the module that calls `createApp`. If that one is in no project, the project that this copy of the framework is
 * vendored in; outside of one, the project around the current folder.
 *
 * @throws {ProjectError} when the module has got the framework of another project; {Problem} when there is no project.
 */
function currentProjectRoot(stack: string): string {
  const main = process.argv[1];
  // The stack may be cut, or replaced by the project.
  const places = [...readPlaces(stack), ...(main === undefined ? [] : [startOf(main)])];
  for (const { file, ...place } of places) {
    const root = file.startsWith(frameworkPath()) ? undefined : findProjectRoot(dirname(file));
    if (root === undefined) continue;
    const other = diagnoseOther(root, frameworkPath(), { file: toPath(root, file), ...place });
    if (other !== undefined) throw new ProjectError(root, [other]);
    return root;
  }
  const root = findProjectRoot(frameworkPath()) ?? findProjectRoot(process.cwd());
  if (root !== undefined) return root;
  throw new Problem(
    `There is no framework.toml in ${process.cwd()} or a folder above.`,
    "Run this in a project.",
  );
}

/**
 * Loads a project in which no error was found.
 *
 * @throws {ProjectError} when a module can't be loaded, or exports other functions than were read.
 */
export async function loadWhole(project: Project): Promise<LoadedProject> {
  const { settings } = project;
  const { routes, unmatched } = await bindRoutes(project);
  const [cors, docs, files] = [await loadCors(project), await loadDocs(project), await loadFiles(project)];
  return { routes, settings, unmatched, cors, docs, files };
}

export type BoundRoutes = Pick<LoadedProject, "routes" | "unmatched">;

/**
 * Loads the modules of a project in which no error was found, or of a part of it.
 *
 * @param onSlow gets a message with the module that is being loaded after 5 seconds.
 * @param adapt may put something around what takes values off the wire.
 * @throws {ProjectError} when a module can't be loaded, or exports other functions than were read.
 */
export async function bindRoutes(
  project: Project,
  onSlow: (what: string) => void = console.error,
  adapt?: AdaptInputs,
): Promise<BoundRoutes> {
  const { root, unmatched } = project;
  const { loaded, failures } = await loadAll(root, projectModules(project), onSlow);
  const modules = new Map(loaded.map(({ file, exports }) => [file, exports]));
  const diagnostics = [
    ...failures,
    ...(await diagnoseSchemas(project)),
    ...loaded.flatMap(compareExports),
    ...compareHooks(project, modules),
  ];
  if (diagnostics.length > 0) throw toProjectError(root, diagnostics);
  // compareExports has found a function there.
  const find = (one: Export): Handler => findExport(modules, one) as Handler;
  const findWired = await loadWire(project, find, adapt);
  const findHooks = await loadHooks(project, find);
  const routes = project.routes.map((typed): BoundRoute => {
    const chain = findHooks(typed.hooks);
    const handler = find({ module: typed.module, exported: typed.handler });
    const { limits } = typed;
    return {
      route: toRoute(typed),
      handler,
      ...findWired(typed),
      ...(chain && { hooks: chain }),
      ...(limits && { limits }),
    };
  });
  return { routes, unmatched: unmatched && findHooks([unmatched]) };
}

/** Loads nothing where no folder has hooks. @returns what gives one function for all routes in the same folders; undefined for no folder. */
async function loadHooks(
  { routes, unmatched }: Project,
  find: (one: Export) => HookFunction,
): Promise<(hooks: readonly FolderHooks[]) => HookChain | undefined> {
  if (unmatched === undefined && routes.every(({ hooks }) => hooks.length === 0)) return () => undefined;
  const { chainHooks } = await import("#runtime/hooks/hooks");
  const made = new Map<string, HookChain>();
  return (hooks) => {
    if (hooks.length === 0) return undefined;
    const folders = hooks.map(({ folder }) => folder).join("\n");
    const bind = ({ folder, middleware, error }: FolderHooks): BoundHooks => ({
      folder,
      ...(middleware && { middleware: find(middleware) }),
      ...(error && { error: find(error) }),
    });
    const chain = made.get(folders) ?? chainHooks(hooks.map(bind));
    made.set(folders, chain);
    return chain;
  };
}

/** What {@link toLoadFailure} finds. */
const LOAD_FAILURES: ReadonlySet<string> = new Set(["FW318", "FW503"]);

/** A mistake in what several modules import keeps each of them from being loaded: it is reported once. */
export function toProjectError(root: string, diagnostics: readonly Diagnostic[]): ProjectError {
  const keyOf = ({ code, locations, message }: Diagnostic): string =>
    JSON.stringify(LOAD_FAILURES.has(code) ? locations : [locations, code, message]);
  const once = new Map(diagnostics.toReversed().map((diagnostic) => [keyOf(diagnostic), diagnostic]));
  return new ProjectError(root, sortDiagnostics([...once.values()]));
}

async function loadDocs(project: Project): Promise<Docs | undefined> {
  if (!project.settings.docs) return undefined;
  const { createLiveDocs } = await import("../contract/docs/live.ts");
  return createLiveDocs(project, { dev: false });
}

export async function loadCors({ cors }: Project): Promise<Cors | undefined> {
  if (cors === undefined) return undefined;
  const { createCors } = await import("#runtime/hooks/cors");
  return createCors(cors);
}

/** @param isLive as in `createFiles`. */
export async function loadFiles({ root, served }: Project, isLive = false): Promise<Files | undefined> {
  if (served === undefined) return undefined;
  const { createFiles } = await import("#runtime/files/folders");
  return createFiles(served, pathToFileURL(join(root, "framework.toml")).href, isLive);
}

/** The message about a module that takes long to load. */
function formatSlow(file: string): string {
  return `Still being loaded after 5 seconds: ${escapeControl(file)}. Is there an \`await\` at its top level that never ends?`;
}

/** After so many milliseconds a message names the module that is still being loaded. */
const SLOW_MS = 5_000;

/**
 * One after the other, as in a built server: a module with a top-level `await` is ready before the next one runs.
 * The timer keeps the process alive as long: an `await` that never settles would otherwise end it without a word.
 */
async function loadAll(
  root: string,
  modules: readonly ProjectModule[],
  onSlow: (what: string) => void,
): Promise<{ loaded: LoadedModule[]; failures: Diagnostic[] }> {
  const [loaded, failures]: [LoadedModule[], Diagnostic[]] = [[], []];
  let current = "";
  const timer = setTimeout(() => onSlow(formatSlow(current)), SLOW_MS);
  for (const module of modules) {
    current = module.file;
    try {
      loaded.push({ ...module, exports: await importFile(join(root, current)) });
    } catch (error) {
      failures.push(await toLoadFailure(root, current, error));
    }
  }
  clearTimeout(timer);
  return { loaded, failures };
}
