/** Makes `dist/server.js`: one file with the project, its dependencies and its route table, that needs nothing else to run. */

import { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { type Diagnostic, hasErrors, sortDiagnostics } from "../../convention/diagnostics.ts";
import { readProject } from "../../convention/project.ts";
import { Problem } from "../../core/problem.ts";
import { ProjectError } from "../project-error.ts";
import { createEntryModules, ENTRY, type EntryModules } from "./entry.ts";
import { followImports, isOwnFile, toPath } from "./imports.ts";
import { watchPlaces } from "./places.ts";
import { BUILT_SERVER, writeBuildRecord } from "./record.ts";

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
  readonly moduleIds?: readonly string[];
}

export interface BuildOptions {
  readonly minify?: boolean;
  /** Names of packages that are left out, and have to be installed where the file runs. */
  readonly external?: readonly string[];
}

export interface BuildResult {
  readonly file: string;
  readonly routes: number;
  /** Bytes. */
  readonly size: number;
  readonly warnings: readonly Diagnostic[];
}

/** @throws {ProjectError} when the project has errors; {Problem} when the bundler is not installed, or fails. */
export async function buildProject(root: string, options: BuildOptions = {}): Promise<BuildResult> {
  const project = readProject(root);
  if (hasErrors(project.diagnostics)) throw new ProjectError(root, project.diagnostics);
  const findings: Diagnostic[] = [];
  const output = await bundle(root, createEntryModules(root, project), options, findings);
  if (hasErrors(findings)) throw new ProjectError(root, sortDiagnostics(findings));
  for (const { fileName, code, source } of output)
    replaceFile(join(root, dirname(BUILT_SERVER), fileName), code ?? source ?? "");
  const inputs = output.flatMap(({ moduleIds = [] }) => moduleIds).filter(isInput);
  writeBuildRecord(root, [...inputs.map((id) => toPath(root, id)), ...project.files]);
  return {
    file: BUILT_SERVER,
    routes: project.routes.length,
    size: statSync(join(root, BUILT_SERVER)).size,
    warnings: sortDiagnostics(findings),
  };
}

/** @param findings takes what is found on the way. */
async function bundle(
  root: string,
  { aliases, sources }: EntryModules,
  { external = [], minify = false }: BuildOptions,
  findings: Diagnostic[],
): Promise<readonly Output[]> {
  const { rolldown } = await importBundler(root);
  const entryModules = {
    name: "framework-entry",
    resolveId: (id: string) => aliases[id] ?? (Object.hasOwn(sources, id) ? id : undefined),
    load: (id: string) => sources[id],
  };
  try {
    const build = await rolldown({
      input: ENTRY,
      cwd: root,
      platform: "node",
      logLevel: "silent",
      // What CommonJS calls so is not there in an ES module.
      transform: { define: { __dirname: "import.meta.dirname", __filename: "import.meta.filename" } },
      plugins: [
        entryModules,
        followImports(root, new Set(external), findings),
        watchPlaces((id) => (isOwnFile(root, id) ? toPath(root, id) : undefined), findings),
      ],
    });
    const { output } = await build.generate({
      entryFileNames: "server.js",
      format: "esm",
      sourcemap: true,
      codeSplitting: false,
      minify,
    });
    await build.close();
    return output;
  } catch (error) {
    throw new Problem(`The bundler failed: ${error instanceof Error ? error.message : error}`);
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

/** Whole or not at all: a server may be starting from the file. */
function replaceFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

function isInput(id: string): boolean {
  return existsSync(id) && !id.includes(`${sep}node_modules${sep}`);
}
