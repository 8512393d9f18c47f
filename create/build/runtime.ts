/**
 * Joins the compiled files of each folder of `runtime/` into one module, as they are written: with their comments, names and lines.
 * That is the code which runs in production, and which a project owns, reads and steps through.
 */

import { createRequire } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type AstNodeLocation, type Plugin, rollup } from "@rollup/wasm-node";
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
 * @param compiled what tsc has written for `runtime/`
 * @param framework the folder of the modules
 */
export async function joinRuntime(compiled: string, framework: string): Promise<void> {
  const files = listFiles(compiled).flatMap((file) => (file.endsWith(".js") ? [join(compiled, file)] : []));
  const packages = Object.values(BUNDLED);
  const moduleOfFile = (file: string): string =>
    packages.find((one) => one.file === file)?.module ?? moduleOf(toName(compiled, file));
  const modules = [...new Set(files.map(moduleOfFile))];
  const toInput = (name: string): string =>
    ENTRIES.includes(name) ? join(compiled, `${name}.js`) : DOOR + name;
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
            return join(compiled, `${specifier.slice("#runtime/".length)}.js`);
          return specifier.startsWith(".") && resolve(dirname(importer), specifier);
        },
        resolveDynamicImport: (specifier) =>
          typeof specifier === "string" && specifier.startsWith(TOOLS)
            ? { id: join(compiled, SERVED_FROM_SOURCE), external: "relative" }
            : undefined,
        load(id) {
          if (!id.startsWith(DOOR)) return undefined;
          const inside = files.filter((file) => moduleOfFile(file) === id.slice(DOOR.length));
          return inside.map((file) => `export * from ${JSON.stringify(file)};`).join("\n");
        },
      },
      restoreLayout(),
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

/** @example toName("/tmp/runtime", "/tmp/runtime/node/server.js") // "node/server" */
function toName(compiled: string, file: string): string {
  return relative(compiled, file).split(sep).join("/").replace(/\.js$/, "");
}

/** What tsc takes from a file besides its types: the empty lines. What it adds: a call around the name of a module that is imported. */
function restoreLayout(): Plugin {
  return {
    name: "restore-layout",
    transform(code) {
      const plain = code
        .replace(/^var __rewriteRelativeImportExtension = [\s\S]*?^\};\n/m, "")
        .replace(/import\(__rewriteRelativeImportExtension\((.*)\)\)/g, "import($1)")
        .replace("*/\n", "*/\n\n");
      // The types know the nodes without what Rollup adds to each.
      return withEmptyLines(plain, this.parse(plain).body as readonly unknown[] as readonly Statement[]);
    },
  };
}

interface Statement extends AstNodeLocation {
  readonly type: string;
  readonly declaration?: Statement | null;
  /** Of a class. */
  readonly body?: { readonly body?: readonly Statement[] };
}

/** Between two statements of which one has several lines; and so in a class. */
function withEmptyLines(code: string, statements: readonly Statement[]): string {
  const isLong = ({ type, start, end }: Statement): boolean =>
    type !== "ImportDeclaration" && code.slice(start, end).includes("\n");
  const places = [statements, ...statements.map(membersOf)].flatMap((list) =>
    list.flatMap((statement, index) => {
      const before = list[index - 1];
      return before && (isLong(before) || isLong(statement)) ? [code.indexOf("\n", before.end)] : [];
    }),
  );
  const ends = [...places.sort((one, other) => one - other), code.length];
  return ends.map((end, index) => code.slice(ends[index - 1] ?? 0, end)).join("\n");
}

function membersOf(statement: Statement): readonly Statement[] {
  const { type, body } = statement.declaration ?? statement;
  return type === "ClassDeclaration" ? (body?.body ?? []) : [];
}
