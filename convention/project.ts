/** A whole project, read: configuration, routes of both conventions, and everything that is wrong with them. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { sortDiagnostics } from "#convention/diagnostics/order";
import type { CorsSettings, ServerSettings } from "#runtime/settings";
import type { Definitions } from "#runtime/wire/shape";
import {
  type App,
  type BuildSettings,
  type ContractSettings,
  type DevSettings,
  readConfig,
} from "./config/config.ts";
import type { Exposure } from "./config/exposure.ts";
import type { ReadFiles } from "./config/files-settings.ts";
import { diagnose } from "./diagnostics/catalogue.ts";
import { diagnoseBesideGuards } from "./rule/beside-guards.ts";
import { discover } from "./rule/discovery.ts";
import { listGuards, toFolderHooks } from "./rule/hooks.ts";
import { suggestOtherName } from "./rule/param-places.ts";
import { buildTable } from "./rule/table.ts";
import { createFiles, type Files, type Overlay } from "./source/files.ts";
import type { SyntaxProblem } from "./source/module.ts";
import { createModules } from "./source/modules.ts";
import { createShapeReader } from "./wire/shapes.ts";
import type { TypeReader } from "./wire/takes.ts";
import type { FolderHooks, Shared, TypedRoute } from "./wire/typed-route.ts";

export interface Project {
  readonly root: string;
  readonly settings: ServerSettings;
  /** In the order of `framework.toml`. */
  readonly apps: readonly App[];
  /** The table: without conflict, in the order of the paths. Handlers that have errors are missing from it. */
  readonly routes: readonly TypedRoute[];
  /** The guards of the folders. */
  readonly guards: readonly Shared[];
  /** The hooks of the root that also run around what no route serves. */
  readonly unmatched?: FolderHooks;
  readonly cors?: CorsSettings;
  /** Which routes anyone may call; undefined without `[exposure]`. */
  readonly exposure?: Exposure;
  /** What `[contract]` says about the API as a whole. */
  readonly contract?: ContractSettings;
  /** What `[build]` leaves out of a build. */
  readonly build?: BuildSettings;
  /** The folders of files that are served beside the routes. */
  readonly served?: ReadFiles;
  /** Missing only where `framework.toml` can't be read. */
  readonly dev?: DevSettings;
  /** The shapes of the types with names that the routes take. */
  readonly definitions: Definitions;
  /** Everything that is wrong, by place; with an error among them the project is not to be served. */
  readonly diagnostics: readonly Diagnostic[];
  /** Every file read, relative to the root: what the table depends on. */
  readonly files: readonly string[];
}

/**
 * Reads a project without running any of it, and without changing anything. A user's mistake is a diagnostic, never an exception.
 *
 * @param root the folder of `framework.toml`, absolute.
 * @param overlay project-relative files with text that replaces, or adds to, what is on disk; null for one that would be gone.
 *   With it a generator checks the whole table before it writes.
 * @example readProject(root, new Map([["routes/items.ts", "export function get() {}"]])).routes
 */
export function readProject(root: string, overlay?: Overlay): Project {
  return readSources(root, createFiles(root, overlay)).project;
}

/** A project together with what has read it, for those who read more of its sources. */
export interface Sources {
  readonly project: Project;
  readonly files: Files;
  readonly types: TypeReader;
}

/**
 * As {@link readProject}.
 *
 * @param files where the texts come from: the disk, or a commit of git.
 * @param isLeftOut whether the routes of a file are not to be read.
 */
export function readSources(
  root: string,
  files: Files = createFiles(root),
  isLeftOut: (file: string) => boolean = () => false,
): Sources {
  const modules = createModules(files);
  const config = readConfig(files);
  const shapes = createShapeReader(modules);
  const discovery = discover(files, { modules, shapes }, config.apps, isLeftOut);
  const { handlers, hooks } = discovery;
  const table = buildTable(handlers, config.settings.health, hooks, shapes.definitions);
  const unmatched = toFolderHooks(hooks.get(""));
  const guards = listGuards(hooks);
  const { settings, apps, exposure } = config;
  const { routes } = table;
  const definitions = { ...shapes.definitions };
  const diagnostics = [
    ...config.diagnostics,
    ...modules.problems.map(diagnoseProblem),
    ...discovery.diagnostics,
    ...table.diagnostics,
    ...diagnoseBesideGuards({ routes, definitions, guards, apps, exposure, settings, diagnostics: [] }),
    ...files.diagnostics,
  ];
  const project: Project = {
    root,
    settings,
    ...(config.cors && { cors: config.cors }),
    ...(exposure && { exposure }),
    ...(config.contract && { contract: config.contract }),
    ...(config.build && { build: config.build }),
    ...(config.served && { served: config.served }),
    ...(config.dev && { dev: config.dev }),
    apps,
    routes,
    guards,
    ...(unmatched && { unmatched }),
    definitions,
    diagnostics: sortDiagnostics(withoutRepeats(diagnostics)),
    files: files.seen,
  };
  return { project, files, types: { modules, shapes } };
}

function diagnoseProblem({ why, twice, location }: SyntaxProblem): Diagnostic {
  if (twice === undefined) return diagnose("FW301", { why }, location);
  return diagnose("FW319", { name: twice, instead: suggestOtherName(twice, location.file) }, location);
}

/** A file that several others re-export is reported once, not once for each. */
function withoutRepeats(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic])).values()];
}
