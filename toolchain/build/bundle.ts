/** Bundles one entry, with all that it imports, into one file. */

import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Diagnostic, hasErrors } from "#convention/diagnostics/diagnostic";
import { Problem } from "#runtime/problem";
import { ENTRY, type EntryModules } from "./entry.ts";
import { type BundlerMessage, findMissingExports, toProblem, toWarnings } from "./failure.ts";
import type { Graph } from "./graph.ts";
import { followImports } from "./imports.ts";
import { findOwnPaths } from "./own-paths.ts";

/** What is used of the bundler: it is the project's own, so its types are not at hand. */
interface Bundler {
  rolldown(options: object): Promise<{
    generate(options: object): Promise<{ output: readonly Output[] }>;
    close(): Promise<void>;
  }>;
}

/** The file or its source map. */
export interface Output {
  readonly fileName: string;
  readonly code?: string;
  readonly source?: string;
  /** By their ids, with what is used of their text. */
  readonly modules?: Readonly<Record<string, { readonly code: string | null }>>;
}

export interface BundleOptions {
  readonly minify: boolean;
  /** Names of packages that are left out, and must be installed where the file runs. */
  readonly external: readonly string[];
}

/** What becomes one file. */
export interface Entry {
  /** The file that is made, relative to the root. */
  readonly file: string;
  readonly modules: EntryModules;
}

/** @param diagnostics takes what is found on the way; with an error among them, there is no output to use. */
export async function bundle(
  root: string,
  { file, modules }: Entry,
  { external, minify }: BundleOptions,
  graph: Graph,
  diagnostics: Diagnostic[],
): Promise<readonly Output[]> {
  const { rolldown } = await importBundler(root);
  try {
    const build = await rolldown({
      input: ENTRY,
      cwd: root,
      platform: "node",
      onLog: (_: string, log: BundlerMessage) => diagnostics.push(...toWarnings(root, log)),
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
      plugins: [followImports(root, modules, new Set(external), graph, diagnostics)],
    });
    const { output } = await build.generate({
      entryFileNames: basename(file),
      format: "esm",
      sourcemap: true,
      codeSplitting: false,
      // Code may read a class's name, and of two with one name the bundler renames one.
      keepNames: true,
      minify: minify && { compress: true, mangle: { keepNames: { class: true, function: false } } },
    });
    await build.close();
    for (const { modules: rendered = {} } of output) diagnostics.push(...findOwnPaths(root, rendered, graph));
    return output;
  } catch (error) {
    const found = findMissingExports(root, error);
    if (!hasErrors([...diagnostics, ...found])) throw toProblem(root, error);
    if (!hasErrors(diagnostics)) diagnostics.push(...found);
    return [];
  }
}

async function importBundler(root: string): Promise<Bundler> {
  try {
    const path = createRequire(join(root, "package.json")).resolve("rolldown");
    return await import(pathToFileURL(path).href);
  } catch (cause) {
    throw new Problem("The build needs the project's devDependencies.", "Run `npm install` first.", {
      cause,
    });
  }
}
