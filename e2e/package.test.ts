/** What npm would publish, and what of it lies in a project: exactly what belongs there, under licences that allow it, fit to be imported. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, posix, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { IS_LONG, sample } from "../runtime/random.fixture.ts";
import { run, runWell } from "./harness/command.ts";
import { isolatedEnvironment, NO_REGISTRY } from "./harness/environment.ts";
import { once } from "./harness/once.ts";
import { packFolder, packOnce, unpackOnce } from "./harness/package.ts";
import { createOnce } from "./harness/project.ts";
import { createFolder, REPOSITORY } from "./harness/workspace.ts";

const PACKAGE_FILES = [
  "LICENSE",
  "README.md",
  "dist/create.LICENSE.txt",
  "dist/create.cjs",
  "dist/template/default/.github/workflows/ci.yml",
  "dist/template/default/AGENTS.md",
  "dist/template/default/Dockerfile",
  "dist/template/default/README.md",
  "dist/template/default/framework.toml",
  "dist/template/default/package.json",
  "dist/template/framework.br",
  "dist/template/project.br",
  "package.json",
];

const KIB = 1024;
const TARBALL_LIMIT = 502_000;
/** Node reads all of it before it does anything. */
const PROGRAM_LIMIT = 128 * KIB;

/** Bundle by bundle, the packages whose code is in it. Whoever adds one sees here that its licence asks for its text only. */
const BUNDLED: Readonly<Record<string, readonly string[]>> = {
  "create.cjs": [
    "create-create-app (MIT)",
    "handlebars (MIT)",
    "is-utf8 (MIT)",
    "kleur (MIT)",
    "leven (MIT)",
    "prompts (MIT)",
    "rolldown (MIT)",
    "sisteransi (MIT)",
  ],
  "tools/libraries.js": [
    "diff (BSD-3-Clause)",
    "eslint-visitor-keys (Apache-2.0)",
    "jsonc-parser (MIT)",
    "kleur (MIT)",
    "leven (MIT)",
    "toml-eslint-parser (MIT)",
  ],
  "runtime/message.js": ["mrmime (MIT)"],
  "tools/parser.js": ["@babel/parser (MIT)"],
  "tools/sucrase.js": [
    "@jridgewell/gen-mapping (MIT)",
    "@jridgewell/sourcemap-codec (MIT)",
    "@jridgewell/trace-mapping (MIT)",
    "lines-and-columns (MIT)",
    "rolldown (MIT)",
    "sucrase (MIT)",
  ],
};

/** What runs in production: one module for each folder of the sources, to be read and changed. */
const RUNTIME: readonly string[] = [
  "runtime/app.js",
  "runtime/built.js",
  "runtime/hooks.js",
  "runtime/log.js",
  "runtime/message.js",
  "runtime/node.js",
  "runtime/routing.js",
  "runtime/wire.js",
];
/** Only in a project with a database. */
const DATABASE: readonly string[] = [
  "database.js",
  "database/engine.js",
  "database/postgres.js",
  "database/sqlite.js",
];
const READABLE: readonly string[] = ["http.js", "index.js", ...RUNTIME];
/** What `framework …` runs, bundled. */
const TOOLS: readonly string[] = [
  "tools/cli.js",
  "tools/commands.js",
  "tools/contract.js",
  "tools/convention.js",
  "tools/database-files.js",
  "tools/dev.js",
  "tools/generate.js",
  "tools/hooks.js",
  "tools/libraries.js",
  "tools/parser.js",
  "tools/dev-worker.js",
  "tools/schemas.js",
  "tools/serve.js",
  "tools/shared.js",
  "tools/sucrase.js",
  "tools/vendored.js",
  "tools/worker.js",
];
const VENDORED: readonly string[] = [
  "LICENSE",
  "README.md",
  "http.d.ts",
  "index.d.ts",
  "manifest.json",
  "package.json",
  "test.js",
  "uvu.js",
  ...READABLE,
  ...TOOLS,
].sort();
const MOST_VENDORED = 35;
const VENDORED_LIMIT = 1_900_000;
/** A project with a database has its files, and their texts in the tools, which are the same in each project. */
const MOST_WITH_DATABASE = 40;
const LIMIT_WITH_DATABASE = 2_010_000;
const RUNTIME_LIMIT = 273_000;

/** What the build makes: a project with a database has all of it. */
const BUILT = join(REPOSITORY, "dist/framework");
const vendored = async (): Promise<string> => join((await createOnce()).folder, "vendor/framework");

/** The vendored framework as a package of its own. */
const packVendored = once("package of the vendored framework", async () =>
  packFolder(BUILT, createFolder("vendored")),
);

/** Both, by what they are called. */
const PACKED = {
  "the published package": packOnce,
  "the vendored package": packVendored,
} as const;

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .sort();
}

test("the package holds these files and no others", async () => {
  assert.equal((await packOnce()).files, PACKAGE_FILES);
});

test("the vendored framework holds these files and no others, and its manifest names those of a database, too", async () => {
  const framework = await vendored();
  assert.equal(listFiles(framework), VENDORED);
  const { files } = JSON.parse(readFileSync(join(framework, "manifest.json"), "utf8"));
  const all = [...VENDORED, ...DATABASE, "database.d.ts"].sort();
  assert.equal([...Object.keys(files), "manifest.json"].sort(), all);
  assert.equal(listFiles(BUILT), all);
});

function sizeOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + statSync(join(BUILT, file)).size, 0);
}

test("the vendored framework stays within 35 files and 1.9 MB, with a database 40 and 2.01, and its runtime within 273 kB", () => {
  assert.ok(VENDORED.length <= MOST_VENDORED, `${VENDORED.length} files`);
  const size = sizeOf(VENDORED);
  assert.ok(size <= VENDORED_LIMIT, `${size} bytes`);
  const all = listFiles(BUILT);
  assert.ok(all.length <= MOST_WITH_DATABASE, `${all.length} files`);
  assert.ok(sizeOf(all) <= LIMIT_WITH_DATABASE, `${sizeOf(all)} bytes`);
  const runtime = sizeOf(RUNTIME);
  assert.ok(runtime <= RUNTIME_LIMIT, `${runtime} bytes of runtime`);
});

/** `import … from "x"`, `export … from "x"` and `import "x"`, with white space or without. */
const IMPORT = /(?:^|[;}\n])(?:import|export)\b[^;"'`]*?(?:from)?\s*"(\.[^"]+\.js)"/g;

/** The texts of modules, with imports in them. */
const TEXTS = "tools/database-files.js";

/** The modules that a module can't be loaded without. */
async function listImports(file: string): Promise<string[]> {
  if (file === TEXTS) return [];
  const text = readFileSync(join(BUILT, file), "utf8");
  return [...text.matchAll(IMPORT)].map(([, specifier = ""]) => posix.join(file, "..", specifier));
}

async function listLoaded(...files: string[]): Promise<string[]> {
  const loaded = new Set(files);
  for (const file of loaded) for (const imported of await listImports(file)) loaded.add(imported);
  return [...loaded].sort();
}

for (const [what, file] of [
  ["the command, before it knows which", "tools/shared.js"],
  ["the thread of Node's hooks", "tools/hooks.js"],
  ["the tests", "test.js"],
  ["the worker of `framework dev`", "tools/worker.js"],
] as const) {
  test(`${what} loads no parser, and nothing that only one command needs`, async () => {
    const loaded = (await listLoaded(file)).filter((name) => name.startsWith("tools/") && name !== file);
    const light = ["tools/libraries.js", "tools/vendored.js"];
    if (file !== "tools/shared.js") light.push("tools/serve.js", "tools/shared.js");
    if (file === "tools/worker.js") light.push("tools/dev.js");
    assert.equal(
      loaded.filter((name) => !light.includes(name)),
      [],
    );
  });
}

test("the runtime loads nothing of the tools, but by one import() that serves a project from its sources", async () => {
  const loaded = await listLoaded("index.js", "runtime/built.js", ...READABLE);
  assert.equal(loaded, READABLE.toSorted());
  assert.equal(await listLoaded(...READABLE, ...DATABASE), [...READABLE, ...DATABASE].sort());
  const framework = await vendored();
  const dynamic = READABLE.flatMap((file) =>
    [...readFileSync(join(framework, file), "utf8").matchAll(/import\("(\.[^"]+)"\)/g)].map(
      ([, specifier]) => `${file}: ${specifier}`,
    ),
  );
  assert.equal(dynamic, ["runtime/app.js: ../tools/serve.js"]);
});

test("the modules have the names and comments of the sources, in the sources' layout", async () => {
  const modules = [...READABLE, ...DATABASE].map((file) => join(BUILT, file));
  for (const file of modules) {
    const text = readFileSync(file, "utf8");
    assert.match(text, /^\/\*\*/m, file);
    assert.equal(text.match(/(?<![\w$"'`])[A-Za-z_]\w*\$\d+\b/g) ?? [], [], file);
  }
  const words = ["format", "--vcs-enabled=false", ...modules];
  const biome = join(REPOSITORY, "node_modules/@biomejs/biome/bin/biome");
  await runWell([process.execPath, biome, ...words], { cwd: REPOSITORY, env: isolatedEnvironment() });
});

test("a stack trace names the vendored module and the line of it", async () => {
  const { HttpError } = await import(pathToFileURL(join(await vendored(), "http.js")).href);
  let stack = "";
  try {
    new HttpError(99, "no status");
  } catch (error) {
    stack = String((error as Error).stack);
  }
  const [, file = "", line = ""] =
    /vendor\/framework\/(.*?):(\d+):\d+/.exec(stack.replaceAll("\\", "/")) ?? [];
  assert.is(file, "runtime/message.js");
  const text = readFileSync(join(await vendored(), file), "utf8").split("\n")[Number(line) - 1] ?? "";
  assert.match(text, "throw");
});

test("the declarations stand by themselves, and each class and function in them says what it is for", async () => {
  const files = ["index.d.ts", "http.d.ts", "database.d.ts"].map((file) => join(BUILT, file));
  const tsc = join(REPOSITORY, "node_modules/typescript/bin/tsc");
  const options = [
    "--ignoreConfig",
    "--noEmit",
    "--strict",
    "--target",
    "es2023",
    "--module",
    "nodenext",
    "--types",
    "node",
  ];
  await runWell([process.execPath, tsc, ...options, ...files], {
    cwd: REPOSITORY,
    env: isolatedEnvironment(),
  });
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    const silent = [...text.matchAll(/(?<!\*\/\n)^export declare (?:class|function) \w+/gm)].map(
      ([start]) => start,
    );
    assert.equal(silent, []);
  }
});

test("the package stays under 502 kB, and its program under 128 KiB", async () => {
  const { size } = await packOnce();
  assert.ok(size < TARBALL_LIMIT, `${size} bytes`);
  const program = statSync(join(await unpackOnce(), "dist/create.cjs")).size;
  assert.ok(program < PROGRAM_LIMIT, `${program} bytes`);
});

test("the package installs nothing and runs nothing when it is installed", async () => {
  const manifest = JSON.parse(readFileSync(join(await unpackOnce(), "package.json"), "utf8"));
  for (const kind of ["dependencies", "peerDependencies", "optionalDependencies", "bundleDependencies"]) {
    assert.is(manifest[kind], undefined, kind);
  }
  for (const script of ["preinstall", "install", "postinstall", "prepare"]) {
    assert.is(manifest.scripts[script], undefined, script);
  }
});

test("every entry of the tarball is a plain file that its owner may write and everyone may read", async () => {
  const { tarball, files } = await packOnce();
  const { stdout } = await runWell(["tar", "-tvzf", tarball], {
    cwd: REPOSITORY,
    env: isolatedEnvironment(),
  });
  const modes = stdout
    .trim()
    .split("\n")
    .map((line) => line.split(" ")[0]);
  assert.equal(
    modes,
    files.map(() => "-rw-r--r--"),
  );
});

test("in a project only the command of the framework is executable", async () => {
  const framework = await vendored();
  const executable = listFiles(framework).filter((file) => statSync(join(framework, file)).mode & 0o111);
  assert.equal(executable, ["tools/cli.js"]);
});

test("no path of this machine, no registry address and no source map is in the package or in a project", async () => {
  const { folder } = await createOnce();
  const places = [REPOSITORY, folder, `${homedir()}${sep}`, "file:///", NO_REGISTRY];
  const foreign = [...places, "\n//# sourceMappingURL="];
  for (const root of [await unpackOnce(), folder]) {
    const found = listFiles(root)
      .filter((file) => !/^(?:\.git|node_modules)\//.test(file))
      .flatMap((file) => {
        const text = readFileSync(join(root, file), "utf8");
        const [registry] = /\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
        const words = foreign.filter((word) => text.includes(word));
        return [...words, ...(registry === undefined ? [] : [registry])].map((word) => `${file}: ${word}`);
      });
    assert.equal(found, []);
  }
});

/** Bundle by bundle, the texts of the licences. */
async function listLicences(): Promise<Map<string, string>> {
  const program = readFileSync(join(await unpackOnce(), "dist/create.LICENSE.txt"), "utf8");
  const [, ...libraries] = readFileSync(join(await vendored(), "LICENSE"), "utf8").split(/^={72}$/m);
  const titled = [program, ...libraries].map((text) => {
    const [, bundle = ""] = /^The packages whose code is in (\S+),/.exec(text.trimStart()) ?? [];
    return [bundle, text] as const;
  });
  return new Map(titled);
}

test("each bundle has its licences, and the vendored framework has our own before them", async () => {
  assert.equal([...(await listLicences()).keys()].sort(), Object.keys(BUNDLED).sort());
  const ours = readFileSync(join(REPOSITORY, "LICENSE"), "utf8");
  assert.ok(readFileSync(join(await vendored(), "LICENSE"), "utf8").startsWith(ours));
});

test("the licences of each bundle are those of the packages whose code is in it", async () => {
  const licences = await listLicences();
  for (const [bundle, packages] of Object.entries(BUNDLED)) {
    const [, ...entries] = licences.get(bundle)?.split(/^-{72}$/m) ?? [];
    const names = entries.map((entry) =>
      entry
        .trim()
        .split("\n", 1)
        .join("")
        .replace(/ [\d.]+ /, " "),
    );
    assert.equal(names, packages, bundle);
    for (const entry of entries) assert.match(entry, /permi(?:t|ssion)|Apache License/i);
  }
});

for (const [what, pack] of sample("packages", Object.entries(PACKED), 1)) {
  test(`publint finds nothing in ${what}`, async () => {
    const { tarball } = await pack();
    const bytes = readFileSync(tarball);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const { messages, pkg } = await publint({ pack: { tarball: file }, strict: true });
    const found = messages.map((message) => stripVTControlCharacters(formatMessage(message, pkg) ?? ""));
    assert.equal(found, []);
  });

  test(`the types of ${what} are right for who imports it as an ES module`, async () => {
    const { tarball } = await pack();
    const attw = join(REPOSITORY, "node_modules/@arethetypeswrong/cli/dist/index.js");
    const words = [attw, tarball, "--profile", "esm-only", "--no-definitely-typed", "--format", "ascii"];
    const { status, stdout, stderr } = await run([process.execPath, ...words], {
      cwd: REPOSITORY,
      env: isolatedEnvironment(),
    });
    assert.is(status, 0, stdout + stderr);
  });
}

if (IS_LONG) {
  test("npm would publish the package without a warning", async () => {
    // npm warns of who has not logged in. That no registry answers does not matter to a dry run.
    const token = { [`npm_config_${NO_REGISTRY.replace(/^http:/, "")}:_authToken`]: "anyone" };
    const env = { ...isolatedEnvironment(), ...token };
    // The build, which npm would run first, stands already.
    const words = ["npm", "publish", "--dry-run", "--ignore-scripts"];
    const { status, stderr } = await run(words, { cwd: REPOSITORY, env });
    assert.is(status, 0, stderr);
    assert.not.match(stderr, /warn|error/i);
  });
}

test.run();
