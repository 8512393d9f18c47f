/**
 * Joins the compiled files of each folder into one module, as they are written: with their comments, names and lines. That is the code
 * which a project owns, reads and steps through.
 */

import { dirname, join, relative, resolve, sep } from "node:path";
import { type AstNodeLocation, type Plugin, rollup } from "@rollup/wasm-node";
import { listFiles } from "../archive.ts";

/** What is started or imported by its path keeps it. */
const ENTRIES: readonly string[] = [
  "index",
  "http",
  "database",
  "test",
  "uvu",
  "built",
  "built-script",
  "cli/main",
  "docs/page",
  "toolchain/contract/schemas/answer",
  "toolchain/dev/reader",
  "toolchain/dev/worker",
];

/**
 * What goes into a module besides the files of its own folder: folders that are small or that nobody loads without it, and single
 * files. A file that more needs than its folder is in the module below, and one that needs more is in the module above.
 */
const JOINED: Readonly<Record<string, readonly string[]>> = {
  index: ["toolchain/load/source"],
  core: ["core/log", "launch"],
  "docs/page": ["docs"],
  "core/hooks": ["core/docs"],
  "core/app": [
    "core/access",
    "core/app",
    "core/fetch",
    "core/inside",
    "core/replace",
    "core/result-check",
    "core/running",
  ],
  "core/node": ["toolchain/listen-error"],
  // A project without a mark loads nothing else of core/wire.
  "core/routing": ["core/wire/header-name", "core/wire/marks"],
  convention: [
    "convention/diagnostics",
    "convention/diagnostics/catalogue",
    "convention/source/files",
    "convention/source/letter-case",
    "convention/source/parse-once",
    "convention/wire/format-shape",
    "convention/wire/format-take",
    "convention/wire/inner-shapes",
    "toolchain/dev/hosts",
    "toolchain/dev/project-change",
    "toolchain/dev/report",
    "toolchain/environment",
    "toolchain/load/project-error",
  ],
  // The thread of Node's hooks needs nothing else of the convention. Nor does a built server with a database.
  "convention/root": [
    "convention/config/root",
    "convention/diagnostics/order",
    "convention/layout",
    "convention/source/aliases",
    "convention/source/erasure",
    "convention/source/record",
    "convention/source/tree",
  ],
  // It needs the configuration, which nobody else needs who loads the rule.
  "convention/config": ["convention/rule/audit"],
  "convention/contract": [
    "convention/contract/refusals",
    "convention/contract/results",
    "convention/contract/values",
    "convention/source/passed-on",
    "convention/source/throws",
    "convention/source/written",
    "convention/source/written-module",
  ],
  "convention/rule": ["convention/explain", "toolchain/load/project-functions"],
  "convention/source": [
    "convention/project",
    "convention/rule/beside-guards",
    "convention/rule/discovery",
    "convention/rule/from",
    "convention/rule/hooks",
    "convention/rule/loaded-file",
    "convention/rule/param-types",
    "convention/rule/providers",
    "convention/rule/refusals",
    "convention/rule/route-files",
    "convention/rule/route-order",
    "convention/rule/signature",
    "convention/rule/stray-hooks",
    "convention/rule/table",
    "convention/wire",
    "convention/wire/pattern",
  ],
  "cli/dev": ["toolchain/dev"],
  "cli/generate": [
    "generators",
    "generators/app",
    "generators/handler",
    "generators/hooks",
    "generators/provider",
    "generators/route",
  ],
  "cli/resource": ["generators/database", "generators/migration", "generators/resource"],
  // They need the parser, which a worker of `framework dev` does without.
  "toolchain/contract": [
    "toolchain/contract/docs/built",
    "toolchain/contract/hold/under-test",
    "toolchain/contract/openapi",
    "toolchain/contract/schemas",
  ],
  "toolchain/dev/worker": [
    "toolchain/dev/advice",
    "toolchain/dev/drain",
    "toolchain/dev/front",
    "toolchain/dev/rehearsal",
    "toolchain/dev/parts",
    "toolchain/dev/request-log",
    "toolchain/dev/results",
    "toolchain/dev/undeclared",
  ],
  "toolchain/dev/reader": ["toolchain/dev/first"],
  // Who lists routes does not load it.
  "cli/diff": ["cli/routes/diff", "toolchain/contract/diff"],
  "toolchain/doctor": ["toolchain/load/json", "toolchain/load/package-file"],
  "toolchain/hooks": [
    "toolchain/dev/cache",
    "toolchain/load/aliases",
    "toolchain/load/hooks",
    "toolchain/load/modules",
    "toolchain/load/sources",
    "toolchain/node20",
  ],
  "toolchain/load": [
    "toolchain/build/record",
    "toolchain/chosen-tests",
    "toolchain/lockfile",
    "toolchain/start",
  ],
  // It finds what is broken of the others, and needs none of them.
  "toolchain/vendored": ["toolchain", "toolchain/load/broken-file"],
};

/** Modules that are loaded by their path: by a build, to finish an upgrade, by a project's wire module, in the thread of Node's hooks. */
const NAMED: readonly string[] = ["core/hooks", "core/wire", "generators/changes", "toolchain/hooks"];

/** A module without a file: all that the files of a room export. An `import()` of one of them loads it. */
const DOOR = "\0room:";

/**
 * @param compiled the folder to which tsc has written `runtime/` and `generators/`
 * @param framework the folder of the modules
 */
export async function joinRooms(compiled: string, framework: string): Promise<void> {
  const files = listFiles(compiled).flatMap((file) => (file.endsWith(".js") ? [join(compiled, file)] : []));
  requireParts(files.map((file) => toName(compiled, file)));
  const bundle = await rollup({
    input: Object.fromEntries([
      ...ENTRIES.map((name) => [name, files.find((file) => toName(compiled, file) === name) ?? name]),
      ...NAMED.map((room) => [room, DOOR + room]),
    ]),
    // Nothing is left out: what only a test asks for is there to be read, too.
    treeshake: false,
    plugins: [resolveRooms(compiled, files), restoreLayout()],
    onLog: (_, { message }) => {
      throw new Error(message);
    },
  });
  await bundle.write({
    dir: framework,
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
    manualChunks: (id) => (id.startsWith(DOOR) ? id.slice(DOOR.length) : toModule(toName(compiled, id))),
    minifyInternalExports: false,
    hoistTransitiveImports: false,
    externalLiveBindings: false,
    generatedCode: "es2015",
  });
  await bundle.close();
}

/** @throws for a part that was moved or removed: its code would be in another module, and nobody would notice */
function requireParts(names: readonly string[]): void {
  const there = new Set(names.flatMap((name) => [name, dirname(name)]));
  const missing = [...MODULES.keys()].filter((part) => !there.has(part));
  if (missing.length > 0)
    throw new Error(`No file or folder of the runtime is called ${missing.join(" or ")}.`);
}

/** Where the parts of the sources are in the vendored folder. The first that fits holds. */
const VENDORED: readonly (readonly [source: string, vendored: string])[] = [
  ["runtime/project-root", "convention/config/root"],
  ["runtime/node/listen-error", "toolchain/listen-error"],
  ["runtime/source", "toolchain/load/source"],
  ...["built", "built-script", "database", "http", "index", "launch"].map(
    (name) => [`runtime/${name}.js`, `${name}.js`] as const,
  ),
  ["runtime/database/", "database/"],
  ["runtime/", "core/"],
  ["toolchain/test.js", "test.js"],
  ["toolchain/uvu.js", "uvu.js"],
  ["toolchain/cli/", "cli/"],
  ["toolchain/docs-page/", "docs/"],
  ["convention/deps/", "deps/"],
];

/** @example toName("/tmp/compiled", "/tmp/compiled/runtime/app.js") // "core/app" */
function toName(compiled: string, file: string): string {
  const path = relative(compiled, file).split(sep).join("/");
  const [source = "", vendored = ""] = VENDORED.find(([place]) => path.startsWith(place)) ?? [];
  return (vendored + path.slice(source.length)).replace(/\.js$/, "");
}

const MODULES: ReadonlyMap<string, string> = new Map(
  Object.entries(JOINED).flatMap(([module, parts]) => parts.map((part) => [part, module] as const)),
);

/** @returns what the module is called that has the code of this file. */
function toModule(name: string): string {
  const folder = dirname(name);
  const isAlone = ENTRIES.includes(name) || folder === ".";
  return MODULES.get(name) ?? (isAlone ? name : (MODULES.get(folder) ?? folder));
}

function resolveRooms(compiled: string, files: readonly string[]): Plugin {
  const find = (specifier: string, importer: string): string => {
    const [, house, path] = /^#(runtime|convention|toolchain|generators)\/(.*)$/.exec(specifier) ?? [];
    return house === undefined ? resolve(dirname(importer), specifier) : join(compiled, house, `${path}.js`);
  };
  const roomOf = (file: string): string => toModule(toName(compiled, file));
  return {
    name: "resolve-rooms",
    resolveId(specifier, importer) {
      if (importer === undefined || specifier.startsWith(DOOR)) return specifier;
      if (!/^[#./]/.test(specifier)) return false;
      const id = find(specifier, importer);
      if (roomOf(id) !== "deps") return { id };
      return { id: join(compiled, `${toName(compiled, id)}.js`), external: "relative" };
    },
    resolveDynamicImport(specifier, importer) {
      if (typeof specifier !== "string" || !/^[#.]/.test(specifier)) return undefined;
      const room = roomOf(find(specifier, importer));
      if (room === roomOf(importer))
        throw new Error(`${importer} has ${specifier} in its own module already.`);
      return room === "deps" || ENTRIES.includes(room) ? undefined : DOOR + room;
    },
    load(id) {
      if (!id.startsWith(DOOR)) return undefined;
      const inside = files.filter((file) => roomOf(file) === id.slice(DOOR.length));
      return inside.map((file) => `export * from ${JSON.stringify(file)};`).join("\n");
    },
  };
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
