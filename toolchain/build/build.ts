/**
 * Makes `dist/server.js`: one file with the project, its dependencies and its route table, that needs nothing else to run. A project with
 * a database gets `dist/migrate.js` in the same way. Files that the project names are copied beside them.
 */

import { cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
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
import { findCopied } from "./copied.ts";
import { createScriptModules } from "./entry.ts";
import { findExternals, formatPackageFile } from "./external.ts";
import { Graph } from "./graph.ts";
import { BUILT_MIGRATE, BUILT_PACKAGE, BUILT_SERVER, filesOfLastBuild, writeBuildRecord } from "./record.ts";
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
  /** How many files were copied. */
  readonly copied: number;
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
  const named = [...(project.build?.external ?? []), ...external.map((value) => ({ value }))];
  const ranges = findExternals(root, named, diagnostics);
  const copied = findCopied(root, project.build?.copy ?? [], diagnostics, project.served?.copy);
  const graph = new Graph(root);
  const entries = await listEntries(root, project);
  const outputs: Output[] = [];
  for (const entry of entries)
    outputs.push(
      ...(await bundle(root, entry, { minify, external: Object.keys(ranges) }, graph, diagnostics)),
    );
  // Warnings are about a file that is then not written.
  if (hasErrors(diagnostics)) throw new ProjectError(root, tidy(diagnostics.filter(isError)));
  const made = writeOutputs(root, outputs, ranges, copied);
  const inputs = [...graph.files].filter(isInput).map((file) => toPath(root, file));
  writeBuildRecord(root, [...inputs, ...project.files, ...copied], made);
  const [server = sizeOf(root, BUILT_SERVER), migrate] = entries.map(({ file }) => sizeOf(root, file));
  const counts = { routes: project.routes.length, copied: copied.length };
  return { server, migrate, external: Object.keys(ranges), warnings: tidy(diagnostics), ...counts };
}

async function listEntries(root: string, project: Project): Promise<readonly Entry[]> {
  const docs = project.settings.docs ? await makeDocs(root) : undefined;
  const server = { file: BUILT_SERVER, modules: createServerModules(root, project, docs) };
  const migrate = join(root, MIGRATE_FILE);
  if (!existsSync(migrate)) return [server];
  return [server, { file: BUILT_MIGRATE, modules: createScriptModules(migrate) }];
}

/** @returns what is in `dist` now, without what the last build made and this one did not. */
function writeOutputs(
  root: string,
  outputs: readonly Output[],
  ranges: Readonly<Record<string, string>>,
  copied: readonly string[],
): readonly string[] {
  const dist = dirname(BUILT_SERVER);
  const texts = new Map(outputs.map(({ fileName, code, source }) => [`${dist}/${fileName}`, code ?? source]));
  if (Object.keys(ranges).length > 0) texts.set(BUILT_PACKAGE, formatPackageFile(ranges));
  for (const [file, text = ""] of texts) replace(root, file, (fresh) => writeFileSync(fresh, text));
  for (const file of copied)
    replace(root, `${dist}/${file}`, (fresh) => cpSync(join(root, file), fresh, { dereference: true }));
  const made = [...texts.keys(), ...copied.map((file) => `${dist}/${file}`)];
  for (const file of filesOfLastBuild(root))
    if (!made.includes(file)) rmSync(join(root, file), { force: true });
  return made;
}

/** The file is whole or not there: a server may be starting from it, or another build be writing it. */
function replace(root: string, file: string, write: (fresh: string) => void): void {
  const path = join(root, file);
  const fresh = `${path}.${process.pid}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    write(fresh);
    renameSync(fresh, path);
  } catch (cause) {
    if (existsSync(fresh)) rmSync(fresh);
    const why = cause instanceof Error ? cause.message : cause;
    throw new Problem(`${file} can't be written: ${why}`, "Fix that, and build again.", { cause });
  }
}

function sizeOf(root: string, file: string): BuiltFile {
  return { file, size: statSync(join(root, file)).size };
}

/** In order, each once: both files may have the module that is reported. A package is refused once: its hint says all. */
function tidy(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const keyOf = (one: Diagnostic): unknown => (one.code === "FW701" ? one.hint : JSON.stringify(one));
  return sortDiagnostics([...new Map(diagnostics.map((one) => [keyOf(one), one])).values()]);
}

function isInput(id: string): boolean {
  return existsSync(id) && !id.includes(`${sep}node_modules${sep}`);
}
