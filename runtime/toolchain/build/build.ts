/**
 * Makes `dist/server.js`: one file with the project, its dependencies and its route table, that needs nothing else to run. A project with
 * a database gets `dist/migrate.js` in the same way.
 */

import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { type Diagnostic, hasErrors } from "#runtime/convention/diagnostics/diagnostic";
import { sortDiagnostics } from "#runtime/convention/diagnostics/order";
import { MIGRATE_FILE, PACKAGE_FILE } from "#runtime/convention/layout";
import { type Project, readProject } from "#runtime/convention/project";
import { Problem } from "#runtime/core/problem";
import { makeDocs } from "../contract/docs/built.ts";
import { findBadPackageFile } from "../load/package-file.ts";
import { ProjectError } from "../load/project-error.ts";
import { toPath } from "../load/project-files.ts";
import { type BundleOptions, bundle, type Entry, type Output } from "./bundle.ts";
import { explain } from "./failure.ts";
import { createGraph } from "./graph.ts";
import { BUILT_MIGRATE, BUILT_SERVER, wasBuiltFrom, writeBuildRecord } from "./record.ts";
import { createScriptModules } from "./script-entry.ts";
import { createServerModules } from "./server-entry.ts";

export interface BuiltFile {
  /** Relative to the root. */
  readonly file: string;
  /** Bytes. */
  readonly size: number;
}

export interface BuildResult {
  readonly server: BuiltFile;
  /** Of a project with a database. */
  readonly migrate: BuiltFile | undefined;
  readonly routes: number;
  readonly warnings: readonly Diagnostic[];
}

/** @throws {ProjectError} when the project has errors; {Problem} when the bundler is not installed, or fails. */
export async function buildProject(root: string, options: BundleOptions = {}): Promise<BuildResult> {
  const project = readProject(root);
  const refused = [...findBadPackageFile(root, PACKAGE_FILE), ...project.diagnostics];
  if (hasErrors(refused)) throw new ProjectError(root, refused);
  const diagnostics: Diagnostic[] = [];
  const graph = createGraph(root);
  const entries = await listEntries(root, project);
  const outputs: Output[] = [];
  for (const entry of entries) outputs.push(...(await bundle(root, entry, options, graph, diagnostics)));
  if (hasErrors(diagnostics)) throw new ProjectError(root, sortDiagnostics(diagnostics));
  for (const { fileName, code, source } of outputs)
    replaceFile(root, join(dirname(BUILT_SERVER), fileName), code ?? source ?? "");
  removeOldScript(root);
  const inputs = [...graph.files].filter(isInput).map((file) => toPath(root, file));
  writeBuildRecord(root, [...inputs, ...project.files]);
  const [server = sizeOf(root, BUILT_SERVER), migrate] = entries.map(({ file }) => sizeOf(root, file));
  return {
    server,
    migrate,
    routes: project.routes.length,
    warnings: sortDiagnostics(withoutTwins(diagnostics)),
  };
}

async function listEntries(root: string, project: Project): Promise<readonly Entry[]> {
  const docs = project.settings.docs ? await makeDocs(root) : undefined;
  const server = { file: BUILT_SERVER, modules: createServerModules(root, project, docs) };
  const migrate = join(root, MIGRATE_FILE);
  if (!existsSync(migrate)) return [server];
  return [server, { file: BUILT_MIGRATE, modules: createScriptModules(migrate) }];
}

/** One of a project that had a database at the last build. A file that no build has made stays. */
function removeOldScript(root: string): void {
  if (existsSync(join(root, MIGRATE_FILE)) || !wasBuiltFrom(root, MIGRATE_FILE)) return;
  for (const file of [BUILT_MIGRATE, `${BUILT_MIGRATE}.map`]) rmSync(join(root, file), { force: true });
}

function sizeOf(root: string, file: string): BuiltFile {
  return { file, size: statSync(join(root, file)).size };
}

/** Both files may have the module that is reported. */
function withoutTwins(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(diagnostics.map((one) => [JSON.stringify(one), one])).values()];
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
