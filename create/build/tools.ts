/**
 * Bundles what `framework …` runs into a few modules: our code with its names, without comments and white space. What it needs of
 * the runtime and of libraries it imports from their modules.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type OutputChunk, type Plugin, rolldown } from "rolldown";
import { parseSync } from "rolldown/utils";
import { listFiles } from "../archive.ts";
import { DATABASE_FILE } from "../framework.ts";
import { libraryOf } from "./libraries.ts";
import { moduleOf } from "./runtime.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const LOADER = "toolchain/load/load.ts";

/** What is started or loaded by its path. */
const ENTRIES: Readonly<Record<string, string>> = {
  "tools/cli": "toolchain/cli/main.ts",
  "tools/hooks": "toolchain/node20/hooks-thread.ts",
  "tools/load": LOADER,
  "tools/schemas": "toolchain/contract/schemas/answer.ts",
  "tools/worker": "toolchain/dev/worker.ts",
  test: "toolchain/test.ts",
  uvu: "toolchain/uvu.ts",
};

const DEV = "toolchain/cli/dev/dev.ts";

/** What each command loads before it knows which one it is, and what `framework dev` starts with. */
const SHARED: readonly string[] = ["toolchain/cli/run.ts", DEV];

/** What serves a project from its sources. These and what they import load no parser, and nothing that only one command needs. */
const SERVING: readonly string[] = [
  "convention/config/config.ts",
  // Nothing is served by it, but what examines and what changes a project both need it.
  "generators/changes/lock.ts",
  LOADER,
  "toolchain/start/start.ts",
  "toolchain/dev/serve.ts",
  ...["tools/hooks", "test", "uvu"].map((name) => ENTRIES[name] ?? ""),
];

/** The module of all other files. The first place that fits holds. */
const MODULES: readonly (readonly [module: string, place: RegExp])[] = [
  // It reports a broken file of the framework, so it needs no other one.
  ["vendored", /^toolchain\/(?:framework-folder|vendored|sha256|load\/broken-file)\.ts$/],
  // A build has the contract's document in it.
  [
    "contract",
    /^(?:convention|toolchain|toolchain\/cli)\/contract\/|^toolchain\/cli\/routes\/diff\.ts$|^toolchain\/build\//,
  ],
  ["convention", /^convention\//],
  // Only `generate database` loads these texts. They are plain: the package's archive compresses them with the files that they repeat, to
  // 1 kB. Compressed texts would save 75 kB in a project and add 25 kB to the package, and nobody could read them.
  ["database-files", /^generators\/database\/files\.ts$/],
  ["generate", /^generators\/|^toolchain\/cli\/(?:generate|resource|upgrade)\//],
  ["commands", /^(?:toolchain|runtime)\//],
];

/** Modules that are other ones in the bundle: what they read from files here is written into it. */
const TEXTS: Readonly<Record<string, (page: Texts, framework: string) => string>> = {
  "generators/database/files.ts": (_, framework) => {
    const read = (folder: string, file: string): string => readFileSync(join(folder, file), "utf8");
    const template = join(root, "template/_database");
    const vendored = listFiles(framework).filter((file) => DATABASE_FILE.test(file));
    const files = [
      ...vendored.map((file) => [`vendor/framework/${file}`, read(framework, file)]),
      ...listFiles(template).map((file) => [file, read(template, file)]),
    ];
    return `export const DATABASE_FILES = new Map(${JSON.stringify(files)});`;
  },
  "generators/code/templates.ts": () => {
    const folder = join(root, "template/_resource");
    const files = listFiles(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")]);
    return `export const TEMPLATES = ${JSON.stringify(Object.fromEntries(files))};`;
  },
  "toolchain/framework-folder.ts": () => {
    const text = readFileSync(join(root, "toolchain/framework-folder.ts"), "utf8");
    return text.replace('"../dist/framework/"', '"../"');
  },
  "toolchain/contract/docs/page-files.ts": (page) => `export const PAGE_FILES = ${JSON.stringify(page)};`,
};

type Texts = Readonly<Record<string, string>>;

/** @param framework the folder of the vendored framework, which has the modules of the runtime and of the libraries. @param page the files of the docs page. */
export async function bundleTools(framework: string, page: Texts): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, join(root, file)])),
    platform: "node",
    preserveEntrySignatures: "allow-extension",
    plugins: [resolveModules(), writeTexts(page, framework)],
    onLog: (level, log, report) => {
      // Modules are put together below, so an import() of one that is there already is no mistake.
      if (log.code === "INEFFECTIVE_DYNAMIC_IMPORT") return;
      if (level === "warn") throw new Error(log.message);
      report(level, log);
    },
  });
  const { output } = await bundle.generate({
    dir: framework,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    comments: { annotation: false },
    minifyInternalExports: false,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: createFinder(), debugName: "modules" }],
    },
  });
  await bundle.close();
  for (const { fileName, code } of finish(output.filter((one) => one.type === "chunk")))
    writeFileSync(join(framework, fileName), `${code}\n`);
}

function toPath(id: string): string {
  return relative(root, id).split(sep).join("/");
}

type Graph = { getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null };

/** @returns what gives the name of the module that has a file. */
function createFinder(): (id: string, graph: Graph) => string | null {
  let [dev, shared, serving]: ReadonlySet<string>[] = [];
  return (id, graph) => {
    dev ??= findImported([DEV], graph);
    shared ??= findImported(SHARED, graph);
    serving ??= findImported(SERVING, graph);
    const path = toPath(id);
    if (Object.values(ENTRIES).includes(path) && path !== LOADER) return null;
    const [module] = MODULES.find(([, place]) => place.test(path)) ?? [];
    if (module === "vendored") return "tools/vendored";
    if (/^toolchain\/(?:cli\/)?dev\/(?!reading\.ts$)/.test(path))
      return dev.has(id) ? "tools/dev" : "tools/dev-worker";
    if (shared.has(id)) return "tools/shared";
    if (serving.has(id)) return "tools/serve";
    if (module === undefined) throw new Error(`${path} belongs to no module of the tools.`);
    return `tools/${module}`;
  };
}

/** @returns the files with all that they can't load without. */
function findImported(files: readonly string[], graph: Graph): ReadonlySet<string> {
  const found = new Set(files.map((file) => join(root, file)));
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

/** Before the path of a vendored file that is not bundled here, until the place of the module that imports it is known. */
const VENDORED = "vendored:";

function toExternal(file: string): { readonly id: string; readonly external: true } {
  return { id: VENDORED + file, external: true };
}

function resolveModules(): Plugin {
  return {
    name: "resolve-modules",
    resolveId(specifier, importer) {
      const [, room, path = ""] = /^#(\w+)\/(.*)$/.exec(specifier) ?? [];
      const isPackage = room === undefined && importer !== undefined && !specifier.startsWith(".");
      if (isPackage) return { id: specifier, external: true };
      if (room === undefined) return undefined;
      const library = room === "convention" ? libraryOf(path) : undefined;
      if (library !== undefined) return toExternal(`tools/${library}.js`);
      const module = room === "runtime" ? moduleOf(path) : undefined;
      // A project without a database has no module of one, but where a project begins is asked everywhere.
      if (module === undefined || path === "project-root") return join(root, room, `${path}.ts`);
      return toExternal(`${module}.js`);
    },
  };
}

function writeTexts(page: Texts, framework: string): Plugin {
  return {
    name: "write-texts",
    load(id) {
      const text = TEXTS[toPath(id)];
      return text && { code: text(page, framework), moduleType: "ts" };
    },
  };
}

/** Of the bundler: nothing here uses one of its helpers. */
const HELPERS = "rolldown-runtime";

/**
 * Puts the right paths into the imports. For an `import()` of one file in a module of several, the bundler writes a module that only
 * exports again: that one is imported instead, so that there is no file of it.
 */
function finish(chunks: readonly OutputChunk[]): readonly Pick<OutputChunk, "fileName" | "code">[] {
  const isFacade = (chunk: OutputChunk): boolean => chunk.moduleIds.length === 0;
  const facades = new Map(chunks.filter(isFacade).map((chunk) => [chunk.fileName, readFacade(chunk)]));
  return chunks
    .filter((chunk) => !isFacade(chunk) && chunk.name !== HELPERS)
    .map(({ fileName, code }) => {
      const toSpecifier = (file: string): string =>
        posix.relative(posix.dirname(fileName), file).replace(/^(?!\.)/, "./");
      const toImport = (path: string): string => {
        const file = posix.join(posix.dirname(fileName), path);
        return `import("${toSpecifier(facades.get(file) ?? file)}")`;
      };
      return {
        fileName,
        code: inLines(code)
          .replaceAll(new RegExp(`import"[./]+${HELPERS}\\.js";`, "g"), "")
          .replaceAll(new RegExp(`(["\`])${VENDORED}([^"\`]+)\\1`, "g"), (_, _quote, file) =>
            JSON.stringify(toSpecifier(file)),
          )
          .replaceAll(/import\(["`](\.[^"`]+)["`]\)/g, (_, path) => toImport(path)),
      };
    });
}

/** A line for each statement of the module: Node prints the line of an error that nobody catches. */
function inLines(code: string): string {
  const [, ...starts] = parseSync("module.js", code).program.body.map(({ start }) => start);
  return [0, ...starts].map((start, index) => code.slice(start, starts[index]).trim()).join("\n");
}

/** @returns the file of the module that it exports from: under the same names, so that it can be imported instead. */
function readFacade({ fileName, code }: OutputChunk): string {
  const [, from] = /^import\{[\w$,]*\}from"([^"]+)";export\{[\w$,]*\};\s*$/.exec(code) ?? [];
  if (from === undefined) throw new Error(`${fileName} does more than to export again: ${code}`);
  return posix.join(posix.dirname(fileName), from);
}
