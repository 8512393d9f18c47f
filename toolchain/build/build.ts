/**
 * Makes `dist/server.js`: one file with the project, its dependencies and its route table, that needs nothing else to run. A project with
 * a database gets `dist/migrate.js` in the same way.
 */

import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { type Diagnostic, hasErrors, isError } from "#convention/diagnostics/diagnostic";
import { sortDiagnostics } from "#convention/diagnostics/order";
import { MIGRATE_FILE, PACKAGE_FILE } from "#convention/layout";
import { type Project, readProject } from "#convention/project";
import { Problem } from "#runtime/problem";
import { makeDocs } from "../contract/docs/built.ts";
import { findBadPackageFile } from "../load/package-file.ts";
import { ProjectError } from "../load/project-error.ts";
import { toPath } from "../load/project-files.ts";
import { bundle, type Entry, type Output } from "./bundle.ts";
import { findExternals, formatPackageFile } from "./external.ts";
import { explain } from "./failure.ts";
import { createGraph } from "./graph.ts";
import { BUILT_MIGRATE, BUILT_PACKAGE, BUILT_SERVER, wasBuiltFrom, writeBuildRecord } from "./record.ts";
import { createScriptModules } from "./script-entry.ts";
import { createServerModules } from "./server-entry.ts";

export interface BuiltFile {
  /** Relative to the root. */
  readonly file: string;
  /** Bytes. */
  readonly size: number;
}

export interface BuildOptions {
  readonly minify?: boolean;
  /** Names of packages, besides those below `[build]`. */
  readonly external?: readonly string[];
}

export interface BuildResult {
  readonly server: BuiltFile;
  /** Of a project with a database. */
  readonly migrate: BuiltFile | undefined;
  readonly routes: number;
  /** Names of packages that have to be installed beside the file. */
  readonly external: readonly string[];
  readonly warnings: readonly Diagnostic[];
}

/** @throws {ProjectError} when the project has errors; {Problem} when the bundler is not installed, or fails. */
export async function buildProject(
  root: string,
  { external = [], minify = false }: BuildOptions = {},
): Promise<BuildResult> {
  const project = readProject(root);
  const refused = [...findBadPackageFile(root, PACKAGE_FILE), ...project.diagnostics];
  if (hasErrors(refused)) throw new ProjectError(root, refused);
  const diagnostics: Diagnostic[] = [];
  const named = [...(project.build?.external ?? []), ...external.map((name) => ({ name }))];
  const ranges = findExternals(root, named, diagnostics);
  const options = { minify, external: Object.keys(ranges) };
  const graph = createGraph(root);
  const entries = await listEntries(root, project);
  const outputs: Output[] = [];
  for (const entry of entries) outputs.push(...(await bundle(root, entry, options, graph, diagnostics)));
  // Warnings are about a file that is then not written.
  if (hasErrors(diagnostics)) throw new ProjectError(root, tidy(diagnostics.filter(isError)));
  for (const { fileName, code, source } of outputs)
    replaceFile(root, join(dirname(BUILT_SERVER), fileName), code ?? source ?? "");
  const toInstall = options.external.length > 0 ? [BUILT_PACKAGE] : [];
  for (const file of toInstall) replaceFile(root, file, formatPackageFile(ranges));
  if (toInstall.length === 0) removeOld(root, BUILT_PACKAGE, [BUILT_PACKAGE]);
  if (!existsSync(join(root, MIGRATE_FILE)))
    removeOld(root, MIGRATE_FILE, [BUILT_MIGRATE, `${BUILT_MIGRATE}.map`]);
  const inputs = [...graph.files].filter(isInput).map((file) => toPath(root, file));
  writeBuildRecord(root, [...inputs, ...project.files, ...toInstall]);
  const [server = sizeOf(root, BUILT_SERVER), migrate] = entries.map(({ file }) => sizeOf(root, file));
  return {
    server,
    migrate,
    routes: project.routes.length,
    external: options.external,
    warnings: tidy(diagnostics),
  };
}

async function listEntries(root: string, project: Project): Promise<readonly Entry[]> {
  const docs = project.settings.docs ? await makeDocs(root) : undefined;
  const server = { file: BUILT_SERVER, modules: createServerModules(root, project, docs) };
  const migrate = join(root, MIGRATE_FILE);
  if (!existsSync(migrate)) return [server];
  return [server, { file: BUILT_MIGRATE, modules: createScriptModules(migrate) }];
}

/** What the last build has made of a file that is no longer there. What no build has made stays. */
function removeOld(root: string, file: string, made: readonly string[]): void {
  if (!wasBuiltFrom(root, file)) return;
  for (const old of made) rmSync(join(root, old), { force: true });
}

function sizeOf(root: string, file: string): BuiltFile {
  return { file, size: statSync(join(root, file)).size };
}

/** In order, each once: both files may have the module that is reported. A package is refused once: its hint says all. */
function tidy(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const keyOf = (one: Diagnostic): unknown => (one.code === "FW701" ? one.hint : JSON.stringify(one));
  return sortDiagnostics([...new Map(diagnostics.map((one) => [keyOf(one), one])).values()]);
}

/** Whole or not at all: a server may be starting from the file, and another build be writing it. */
function replaceFile(root: string, file: string, text: string): void {
  const path = join(root, file);
  const fresh = `${path}.${process.pid}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(fresh, text);
    renameSync(fresh, path);
  } catch (cause) {
    if (existsSync(fresh)) rmSync(fresh);
    throw new Problem(`${file} can't be written: ${explain(cause)}`, "Fix that, and build again.", {
      cause,
    });
  }
}

function isInput(id: string): boolean {
  return existsSync(id) && !id.includes(`${sep}node_modules${sep}`);
}
