/**
 * Makes `dist/server.js`: one file with the project, its dependencies and its route table, that needs nothing else to run. A project with
 * a database gets `dist/migrate.js` in the same way.
 */

import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { type Diagnostic, hasErrors } from "#runtime/convention/diagnostics/diagnostic";
import { sortDiagnostics } from "#runtime/convention/diagnostics/order";
import { PACKAGE_FILE } from "#runtime/convention/layout";
import { readProject } from "#runtime/convention/project";
import { Problem } from "#runtime/core/problem";
import { makeDocs } from "../contract/docs/built.ts";
import { findBadPackageFile } from "../load/package-file.ts";
import { ProjectError } from "../load/project-error.ts";
import { isOwnFile, toPath } from "../load/project-files.ts";
import { createEntryModules, ENTRY, type EntryModules } from "./entry.ts";
import { explain, findMissingExports, toProblem } from "./failure.ts";
import { createGraph, type Graph } from "./graph.ts";
import { followImports } from "./imports.ts";
import { watchPlaces } from "./places.ts";
import { BUILT_MIGRATE, BUILT_SERVER, MIGRATE_FILE, writeBuildRecord } from "./record.ts";
import { diagnoseUnlikeNode } from "./unlike-node.ts";

/** What of the bundler is used here: it is the project's own, so its types are not at hand. */
interface Bundler {
  rolldown(options: object): Promise<{
    generate(options: object): Promise<{ output: readonly Output[] }>;
    close(): Promise<void>;
  }>;
}

/** The server or its source map. */
interface Output {
  readonly fileName: string;
  readonly code?: string;
  readonly source?: string;
  /** By their ids, with what is used of their text. */
  readonly modules?: Readonly<Record<string, { readonly code: string | null }>>;
}

export interface BuildOptions {
  readonly minify?: boolean;
  /** Names of packages that are left out, and must be installed where the file runs. */
  readonly external?: readonly string[];
}

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
export async function buildProject(root: string, options: BuildOptions = {}): Promise<BuildResult> {
  const project = readProject(root);
  const refused = [...findBadPackageFile(root, PACKAGE_FILE), ...project.diagnostics];
  if (hasErrors(refused)) throw new ProjectError(root, refused);
  const diagnostics: Diagnostic[] = [];
  const graph = createGraph(root);
  const docs = project.settings.docs ? await makeDocs(root) : undefined;
  const modules = createEntryModules(root, project, docs);
  const entries = listEntries(root);
  const outputs: Output[] = [];
  for (const entry of entries)
    outputs.push(...(await bundle(root, entry, modules, options, graph, diagnostics)));
  if (hasErrors(diagnostics)) throw new ProjectError(root, sortDiagnostics(diagnostics));
  for (const { fileName, code, source } of outputs)
    replaceFile(root, join(dirname(BUILT_SERVER), fileName), code ?? source ?? "");
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

/** A file that a build makes. */
interface Entry {
  readonly file: string;
  /** Its first module: a path, or the name of a module without a file. */
  readonly input: string;
}

function listEntries(root: string): readonly Entry[] {
  const migrate = join(root, MIGRATE_FILE);
  const server = { file: BUILT_SERVER, input: ENTRY };
  return existsSync(migrate) ? [server, { file: BUILT_MIGRATE, input: migrate }] : [server];
}

function sizeOf(root: string, file: string): BuiltFile {
  return { file, size: statSync(join(root, file)).size };
}

/** Both files may have the module that is reported. */
function withoutTwins(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(diagnostics.map((one) => [JSON.stringify(one), one])).values()];
}

/** @param diagnostics takes what is found on the way; with an error among them, there is no output to use. */
async function bundle(
  root: string,
  entry: Entry,
  { resolve, sources }: EntryModules,
  { external = [], minify = false }: BuildOptions,
  graph: Graph,
  diagnostics: Diagnostic[],
): Promise<readonly Output[]> {
  const { rolldown } = await importBundler(root);
  const toOwnFile = (id: string): string | undefined => {
    const file = toFile(id);
    return isOwnFile(root, file) ? toPath(root, file) : undefined;
  };
  const places = watchPlaces(root, toOwnFile);
  try {
    const build = await rolldown({
      input: entry.input,
      cwd: root,
      platform: "node",
      logLevel: "silent",
      // As Node resolves and erases: it reads no tsconfig.json, and none of the fields and conditions that bundlers have added.
      tsconfig: false,
      resolve: {
        conditionNames: ["node", "module-sync", "default"],
        mainFields: ["main"],
        extensions: [".js", ".json", ".node"],
      },
      transform: {
        typescript: { onlyRemoveTypeImports: true },
        // An ES module does not have CommonJS's names for these.
        define: { __dirname: "import.meta.dirname", __filename: "import.meta.filename" },
      },
      plugins: [
        { name: "framework-entry", resolveId: resolve, load: (id: string) => sources[id] },
        followImports(root, new Set(external), graph, diagnostics),
        places.plugin,
        diagnoseUnlikeNode(toOwnFile, diagnostics),
      ],
    });
    const { output } = await build.generate({
      entryFileNames: basename(entry.file),
      format: "esm",
      sourcemap: true,
      codeSplitting: false,
      // Code may read a class's name, and of two with one name the bundler renames one.
      keepNames: true,
      minify: minify && { compress: true, mangle: { keepNames: { class: true, function: false } } },
    });
    await build.close();
    const modules = output.flatMap((one) => Object.entries(one.modules ?? {}));
    const rendered = new Map(modules.map(([id, { code }]) => [id, code ?? ""]));
    diagnostics.push(...places.diagnostics((id) => rendered.get(id) ?? "", graph.placeOfFile));
    return output;
  } catch (error) {
    if (hasErrors(diagnostics)) return [];
    const missing = findMissingExports(root, error);
    if (missing.length === 0) throw toProblem(root, error);
    diagnostics.push(...missing);
    return [];
  }
}

async function importBundler(root: string): Promise<Bundler> {
  try {
    const path = createRequire(join(root, "package.json")).resolve("rolldown");
    return await import(pathToFileURL(path).href);
  } catch (error) {
    throw new Problem("The build needs the project's devDependencies.", "Run `npm install` first.", {
      cause: error,
    });
  }
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

/** The id of a module that was imported with a query ends with it. */
function toFile(id: string): string {
  return isAbsolute(id) && !existsSync(id) ? id.replace(/[?#].*$/s, "") : id;
}

function isInput(id: string): boolean {
  return existsSync(id) && !id.includes(`${sep}node_modules${sep}`);
}
