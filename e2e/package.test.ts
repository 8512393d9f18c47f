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
import { run, runWell } from "./harness/command.ts";
import { isolatedEnvironment, NO_REGISTRY } from "./harness/environment.ts";
import { once } from "./harness/once.ts";
import { packFolder, packOnce, unpackOnce } from "./harness/package.ts";
import { createOnce } from "./harness/project.ts";
import { registryWithPackage } from "./harness/registry.ts";
import { createFolder, REPOSITORY } from "./harness/workspace.ts";

const PACKAGE_FILES = [
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "dist/create.LICENSE.txt",
  "dist/create.cjs",
  "dist/template/default/.github/workflows/ci.yml",
  "dist/template/default/AGENTS.md",
  "dist/template/default/README.md",
  "dist/template/default/framework.toml",
  "dist/template/default/package.json",
  "dist/template/framework.br",
  "dist/template/framework.objects",
  "dist/template/project.br",
  "package.json",
];

const KIB = 1024;
const TARBALL_LIMIT = 610 * KIB;
/** Node reads all of it before it does anything. */
const PROGRAM_LIMIT = 160 * KIB;

/** Bundle by bundle, the packages whose code is in it. The build has refused every licence that is not permissive. */
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
  "deps/babel-parser.js": ["@babel/parser (MIT)"],
  "deps/diff.js": ["diff (BSD-3-Clause)"],
  "deps/jsonc-parser.js": ["jsonc-parser (MIT)"],
  "deps/kleur.js": ["kleur (MIT)"],
  "deps/leven.js": ["leven (MIT)"],
  "deps/sucrase.js": [
    "@jridgewell/gen-mapping (MIT)",
    "@jridgewell/sourcemap-codec (MIT)",
    "@jridgewell/trace-mapping (MIT)",
    "lines-and-columns (MIT)",
    "rolldown (MIT)",
    "sucrase (MIT)",
  ],
  "deps/toml-eslint-parser.js": ["eslint-visitor-keys (Apache-2.0)", "toml-eslint-parser (MIT)"],
};

/** What a project gets and its owner may read: a module a folder of the sources, and one a library. */
const VENDORED: readonly string[] = [
  "LICENSE",
  "built-script.js",
  "built.js",
  "cli.js",
  "cli/contract.js",
  "cli/dev.js",
  "cli/diff.js",
  "cli/generate.js",
  "cli/main.js",
  "cli/resource.js",
  "cli/routes.js",
  "cli/upgrade.js",
  "convention.js",
  "convention/config.js",
  "convention/contract.js",
  "convention/root.js",
  "convention/rule.js",
  "convention/source.js",
  "convention/wire/code.js",
  "core.js",
  "core/app.js",
  "core/hooks.js",
  "core/message.js",
  "core/node.js",
  "core/routing.js",
  "core/wire.js",
  "database.d.ts",
  "database.js",
  "database/engine.js",
  "database/postgres.js",
  "database/sqlite.js",
  ...Object.keys(BUNDLED).filter((bundle) => bundle.startsWith("deps/")),
  "docs/page.css",
  "docs/page.html",
  "docs/page.js",
  "generators/changes.js",
  "generators/source.js",
  "http.d.ts",
  "http.js",
  "index.d.ts",
  "index.js",
  "manifest.json",
  "package.json",
  "template/AGENTS.section.md",
  "template/README.section.md",
  "template/compose.postgres.yaml",
  "template/compose.sqlite.yaml",
  "template/database/connection.ts",
  "template/database/migrate.ts",
  "template/database/migrations/index.ts",
  "template/database/providers.ts",
  "template/database/seed.ts",
  "template/database/tables.ts",
  "template/routes/readyz.ts",
  "template/tests/_database.ts",
  "template/tests/readyz.test.ts",
  "test.js",
  "toolchain/build.js",
  "toolchain/contract.js",
  "toolchain/contract/client.js",
  "toolchain/contract/docs.js",
  "toolchain/contract/hold.js",
  "toolchain/contract/infer.js",
  "toolchain/contract/schemas/answer.js",
  "toolchain/dev/reader.js",
  "toolchain/dev/worker.js",
  "toolchain/doctor.js",
  "toolchain/hooks.js",
  "toolchain/load.js",
  "toolchain/upgrade.js",
  "toolchain/vendored.js",
  "uvu.js",
];
const MOST_VENDORED = 78;
const VENDORED_LIMIT = 2_580_000;

const vendored = async (): Promise<string> => join((await createOnce()).folder, "vendor/framework");

/** The vendored framework as a package of its own. */
const packVendored = once("package of the vendored framework", async () =>
  packFolder(await vendored(), createFolder("vendored")),
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

test("the vendored framework holds these files and no others, and its manifest names all of it", async () => {
  const framework = await vendored();
  assert.equal(listFiles(framework), VENDORED);
  const { files } = JSON.parse(readFileSync(join(framework, "manifest.json"), "utf8"));
  assert.equal([...Object.keys(files), "manifest.json"].sort(), VENDORED);
});

test("the vendored framework stays within 78 files and 2.58 MB", async () => {
  const framework = await vendored();
  assert.ok(VENDORED.length <= MOST_VENDORED, `${VENDORED.length} files`);
  const size = VENDORED.reduce((sum, file) => sum + statSync(join(framework, file)).size, 0);
  assert.ok(size <= VENDORED_LIMIT, `${size} bytes`);
});

/** Not those of TypeScript, which generators write into a project. */
const IMPORT = /^(?:import|export) (?:[^;]*? from )?"(\.[^"]+\.js)";$/gm;

/** The modules that a module can't be loaded without. */
async function listImports(file: string): Promise<string[]> {
  const text = readFileSync(join(await vendored(), file), "utf8");
  return [...text.matchAll(IMPORT)].map(([, specifier = ""]) => posix.join(file, "..", specifier));
}

async function listLoaded(...files: string[]): Promise<string[]> {
  const loaded = new Set(files);
  for (const file of loaded) for (const imported of await listImports(file)) loaded.add(imported);
  return [...loaded].sort();
}

/** The docs page is a browser's, and shows code with imports. */
const MODULES = VENDORED.filter((file) => file.endsWith(".js") && !file.startsWith("docs/"));

test("no vendored module loads one that loads it", async () => {
  for (const file of MODULES) {
    const imported = await listImports(file);
    assert.not.ok((await listLoaded(...imported)).includes(file), file);
  }
});

for (const [what, file] of [
  ["the command, before it knows which", "cli.js"],
  ["a worker of `framework dev`", "toolchain/dev/worker.js"],
  ["the thread of Node's hooks", "toolchain/hooks.js"],
  ["`framework start`", "toolchain/load.js"],
  ["the tests", "test.js"],
] as const) {
  test(`${what} loads no parser`, async () => {
    const libraries = (await listLoaded(file)).filter((name) => name.startsWith("deps/"));
    const light = ["deps/kleur.js", "deps/leven.js"];
    assert.equal(
      libraries.filter((name) => !light.includes(name)),
      [],
    );
  });
}

test("only the command itself loads modules of the command", async () => {
  const others = MODULES.filter((file) => !/^cli\b/.test(file));
  for (const file of others) assert.not.match((await listLoaded(file)).join("\n"), /^cli\b/m, file);
});

test("what reports a broken module of the framework needs no other one", async () => {
  assert.equal(await listImports("toolchain/vendored.js"), []);
  assert.equal(await listImports("cli/main.js"), []);
});

test("a built server gets nothing of the toolchain", async () => {
  const loaded = await listLoaded("index.js", "built.js");
  assert.equal(
    loaded.filter((file) => !file.startsWith("core")),
    ["built.js", "http.js", "index.js"],
  );
});

test("the modules have the names and comments of the sources, in the sources' layout", async () => {
  const framework = await vendored();
  const ours = VENDORED.filter((file) => file.endsWith(".js") && !file.startsWith("deps/"));
  for (const file of ours) {
    const text = readFileSync(join(framework, file), "utf8");
    assert.match(text, /^\/\*\*/m, file);
    assert.equal(text.match(/(?<![\w$"'`])[A-Za-z_]\w*\$\d+\b/g) ?? [], [], file);
  }
  const words = [
    "format",
    "--vcs-enabled=false",
    ...ours.map((file) => join(REPOSITORY, "dist/framework", file)),
  ];
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
  assert.is(file, "core/message.js");
  const text = readFileSync(join(await vendored(), file), "utf8").split("\n")[Number(line) - 1] ?? "";
  assert.match(text, "throw");
});

test("the declarations stand by themselves, and each class and function in them says what it is for", async () => {
  const files = ["index.d.ts", "http.d.ts", "database.d.ts"].map((file) =>
    join(REPOSITORY, "dist/framework", file),
  );
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

test("the package stays under 610 KiB, and its program under 160", async () => {
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
  assert.equal(executable, ["cli/main.js"]);
});

test("no path of this machine, no registry address and no source map is in the package or in a project", async () => {
  const { url } = await registryWithPackage();
  const { folder } = await createOnce();
  const places = [REPOSITORY, folder, `${homedir()}${sep}`, "file:///", url, NO_REGISTRY];
  const foreign = [...places, "\n//# sourceMappingURL="];
  for (const root of [await unpackOnce(), folder]) {
    const found = listFiles(root)
      .filter((file) => !/^(?:\.git|node_modules)\//.test(file))
      .flatMap((file) => {
        const text = readFileSync(join(root, file), "utf8");
        return foreign.filter((word) => text.includes(word)).map((word) => `${file}: ${word}`);
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

for (const [bundle, packages] of Object.entries(BUNDLED)) {
  test(`the licences of ${bundle} are those of ${packages.join(", ")}`, async () => {
    const [, ...entries] = (await listLicences()).get(bundle)?.split(/^-{72}$/m) ?? [];
    assert.equal(
      entries.map((entry) =>
        entry
          .trim()
          .split("\n", 1)
          .join("")
          .replace(/ [\d.]+ /, " "),
      ),
      packages,
    );
    for (const entry of entries) assert.match(entry, /permi(?:t|ssion)|Apache License/i);
  });
}

for (const [what, pack] of Object.entries(PACKED)) {
  test(`publint finds nothing in ${what}`, async () => {
    const { tarball } = await pack();
    const bytes = readFileSync(tarball);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const { messages, pkg } = await publint({ pack: { tarball: file }, strict: true });
    const found = messages.map((message) => stripVTControlCharacters(formatMessage(message, pkg) ?? ""));
    // The tests that a project gets with a database.
    const ours = found.filter((message) => !message.includes("(/template/tests/"));
    assert.equal(ours, []);
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

test("npm would publish the package without a warning", async () => {
  // npm warns of who has not logged in. That no registry answers does not matter to a dry run.
  const token = { [`npm_config_${NO_REGISTRY.replace(/^http:/, "")}:_authToken`]: "anyone" };
  // The build, which npm would run first, stands already.
  const words = ["npm", "publish", "--dry-run", "--ignore-scripts"];
  const { status, stderr } = await run(words, {
    cwd: REPOSITORY,
    env: { ...isolatedEnvironment(), ...token },
  });
  assert.is(status, 0, stderr);
  assert.not.match(stderr, /warn|error/i);
});

test.run();
