/**
 * Joins the files of each folder of `runtime/` into one module, as they are written: with their comments, names and lines.
 * That is the code which runs in production, and which a project owns, reads and steps through.
 */

import { createRequire } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type Plugin, rollup } from "@rollup/wasm-node";
import { transform } from "sucrase";
import { listFiles } from "../archive.ts";

const require = createRequire(import.meta.url);

/** What a project imports. */
const ENTRIES: readonly string[] = ["index", "http", "database"];

/** Where the files are that are directly in `runtime/`, if not in the module of the app. */
const MODULES: Readonly<Record<string, string>> = {
  built: "runtime/built",
  "built-script": "runtime/log",
  escape: "runtime/log",
  failure: "runtime/log",
  platform: "runtime/log",
  problem: "runtime/log",
  settings: "runtime/log",
  worker: "runtime/log",
  // Nothing else needs them, and a project without a mark loads nothing else of wire/.
  "wire/marks": "http",
  // Only a database has to know where its project begins.
  "project-root": "database",
};

/** Packages whose code is in a module of the runtime. */
export const BUNDLED: Readonly<Record<string, { readonly file: string; readonly module: string }>> = {
  // The ES module: `require.resolve` would find the other one.
  mrmime: { file: require.resolve("mrmime").replace(/\.js$/, ".mjs"), module: "runtime/message" },
};

/** A module without a file: all that the files of a module export. */
const DOOR = "\0module:";

/** What serves a project from its sources: the one module of `tools/` that the runtime loads. */
const TOOLS = "#toolchain/";
const SERVED_FROM_SOURCE = "tools/serve.js";

/**
 * @param name relative to `runtime/`, without an ending.
 * @returns the vendored module that has the code of this file, without an ending.
 * @example moduleOf("node/server") // "runtime/node"
 */
export function moduleOf(name: string): string {
  const [folder = "", inner] = name.split("/");
  if (ENTRIES.includes(name) || folder === "database")
    return inner === undefined || !name.slice(folder.length + 1).includes("/")
      ? folder
      : `${folder}/${inner}`;
  // A file is a kind of result, and a project with a database has 40 vendored files already.
  if (folder === "files") return "runtime/message";
  return MODULES[name] ?? `runtime/${inner === undefined ? "app" : folder}`;
}

/**
 * @param runtime the folder of the sources
 * @param framework the folder of the modules
 */
export async function joinRuntime(runtime: string, framework: string): Promise<void> {
  const sources = listFiles(runtime).filter((file) => !/\.(?:test|fixture)\.ts$/.test(file));
  const files = sources.map((file) => join(runtime, file));
  const packages = Object.values(BUNDLED);
  const moduleOfFile = (file: string): string =>
    packages.find((one) => one.file === file)?.module ?? moduleOf(toName(runtime, file));
  const modules = [...new Set(files.map(moduleOfFile))];
  const toInput = (name: string): string =>
    ENTRIES.includes(name) ? join(runtime, `${name}.ts`) : DOOR + name;
  const bundle = await rollup({
    input: Object.fromEntries(modules.map((name) => [name, toInput(name)])),
    // Nothing is left out: what only a test asks for is there to be read, too.
    treeshake: false,
    plugins: [
      {
        name: "modules",
        resolveId(specifier, importer) {
          if (BUNDLED[specifier] !== undefined) return BUNDLED[specifier].file;
          if (importer === undefined || importer.startsWith(DOOR)) return specifier;
          if (specifier.startsWith("#runtime/"))
            return join(runtime, `${specifier.slice("#runtime/".length)}.ts`);
          return specifier.startsWith(".") && resolve(dirname(importer), specifier);
        },
        resolveDynamicImport: (specifier) =>
          typeof specifier === "string" && specifier.startsWith(TOOLS)
            ? { id: join(runtime, SERVED_FROM_SOURCE), external: "relative" }
            : undefined,
        load(id) {
          if (!id.startsWith(DOOR)) return undefined;
          const inside = files.filter((file) => moduleOfFile(file) === id.slice(DOOR.length));
          return inside.map((file) => `export * from ${JSON.stringify(file)};`).join("\n");
        },
      },
      eraseTypes(),
    ],
    onLog: (_, { message }) => {
      throw new Error(message);
    },
  });
  await bundle.write({
    dir: framework,
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
    manualChunks: (id) => (id.startsWith(DOOR) ? id.slice(DOOR.length) : moduleOfFile(id)),
    minifyInternalExports: false,
    hoistTransitiveImports: false,
    externalLiveBindings: false,
    generatedCode: "es2015",
  });
  await bundle.close();
}

/** @example toName("/tmp/runtime", "/tmp/runtime/node/server.ts") // "node/server" */
function toName(runtime: string, file: string): string {
  return relative(runtime, file).split(sep).join("/").replace(/\.ts$/, "");
}

/** Takes the types out with their comments, and leaves the other ones and the lines: Biome joins the empty ones that are left. */
function eraseTypes(): Plugin {
  return {
    name: "erase-types",
    transform(code) {
      const [purpose = ""] = /^(?:\/\/.*\n)*\/\*\*[\s\S]*?\*\/\n/.exec(code) ?? [];
      const options = { disableESTransforms: true, keepUnusedImports: true } as const;
      const { code: plain } = transform(code.slice(purpose.length), {
        transforms: ["typescript"],
        ...options,
      });
      return `${purpose}\n${plain.replace(/\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n(?:[ ;]*\n)+/g, "\n")}`;
    },
  };
}
