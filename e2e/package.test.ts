/** What npm would publish, and what of it lies in a project: exactly what belongs there, under licences that allow it, fit to be imported. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative, sep } from "node:path";
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
  "dist/template/base.br",
  "dist/template/default/.github/workflows/ci.yml",
  "dist/template/default/AGENTS.md",
  "dist/template/default/README.md",
  "dist/template/default/framework.toml",
  "dist/template/default/package.json",
  "dist/template/framework.br",
  "dist/template/project.br",
  "package.json",
];

const KIB = 1024;
const TARBALL_LIMIT = 400 * KIB;
/** Node reads all of it before it does anything. */
const PROGRAM_LIMIT = 160 * KIB;

/** File by file, the packages whose code is in it. The build has refused every licence that is not permissive. */
const BUNDLED: Readonly<Record<string, readonly string[]>> = {
  "create.LICENSE.txt": [
    "create-create-app (MIT)",
    "handlebars (MIT)",
    "is-utf8 (MIT)",
    "kleur (MIT)",
    "leven (MIT)",
    "prompts (MIT)",
    "rolldown (MIT)",
    "sisteransi (MIT)",
  ],
  "deps/babel-parser.LICENSE.txt": ["@babel/parser (MIT)"],
  "deps/diff.LICENSE.txt": ["diff (BSD-3-Clause)"],
  "deps/jsonc-parser.LICENSE.txt": ["jsonc-parser (MIT)"],
  "deps/kleur.LICENSE.txt": ["kleur (MIT)"],
  "deps/leven.LICENSE.txt": ["leven (MIT)"],
  "deps/node-diff3.LICENSE.txt": ["node-diff3 (MIT)"],
  "deps/sucrase.LICENSE.txt": [
    "@jridgewell/gen-mapping (MIT)",
    "@jridgewell/sourcemap-codec (MIT)",
    "@jridgewell/trace-mapping (MIT)",
    "lines-and-columns (MIT)",
    "rolldown (MIT)",
    "sucrase (MIT)",
    "ts-interface-checker (Apache-2.0)",
  ],
  "deps/toml-eslint-parser.LICENSE.txt": ["eslint-visitor-keys (Apache-2.0)", "toml-eslint-parser (MIT)"],
};

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

/** What the types of the public entries are made of. */
const DECLARATIONS: readonly string[] = [
  "convention/diagnostics",
  "core/app",
  "core/errors",
  "core/exchange",
  "core/listen",
  "core/log/log",
  "core/log/logger",
  "core/node",
  "core/param",
  "core/process",
  "core/request",
  "core/result",
  "core/route",
  "core/settings",
  "core/stream",
  "http",
  "index",
  "test",
  "toolchain/project-error",
].map((name) => `${name}.d.ts`);

/** The vendored files as the sources have them: each module, each library and its licence. */
function expectVendored(): string[] {
  const modules = ["runtime", "generators"].flatMap((room) =>
    listFiles(join(REPOSITORY, room)).map((file) => (room === "runtime" ? file : `${room}/${file}`)),
  );
  const sources = modules.filter((file) => /(?<!\.(?:test|fixture))\.ts$/.test(file));
  const built = sources.flatMap((file) => {
    const name = file.slice(0, -".ts".length);
    return name.startsWith("deps/") ? [`${name}.js`, `${name}.LICENSE.txt`] : [`${name}.js`];
  });
  return [...built, ...DECLARATIONS, "LICENSE", "base.br", "manifest.json", "package.json"].sort();
}

test("the package holds these files and no others", async () => {
  assert.equal((await packOnce()).files, PACKAGE_FILES);
});

test("the vendored framework holds what the sources have, and its manifest names all of it", async () => {
  const framework = await vendored();
  assert.equal(listFiles(framework), expectVendored());
  const { files } = JSON.parse(readFileSync(join(framework, "manifest.json"), "utf8"));
  assert.equal([...Object.keys(files), "manifest.json"].sort(), expectVendored());
});

test("the declarations name no file that is not there", async () => {
  const framework = await vendored();
  const named = DECLARATIONS.flatMap((file) => {
    const text = readFileSync(join(framework, file), "utf8");
    return [...text.matchAll(/"(\.\.?\/[^"]+)\.[jt]s"/g)].map(([, path = ""]) =>
      join(file, "..", `${path}.d.ts`),
    );
  });
  assert.ok(named.length > 0);
  assert.equal(
    named.filter((file) => !DECLARATIONS.includes(file.replaceAll("\\", "/"))),
    [],
  );
});

test("the package stays under 400 KiB, and its program under 160", async () => {
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

for (const [file, packages] of Object.entries(BUNDLED)) {
  test(`${file} has the licences of ${packages.join(", ")}`, async () => {
    const folder = file.startsWith("deps/") ? await vendored() : join(await unpackOnce(), "dist");
    const [, ...entries] = readFileSync(join(folder, file), "utf8").split(/^-{72}$/m);
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

test("each bundled library is in the table of licences above", async () => {
  const libraries = listFiles(await vendored()).filter((file) => /^deps\/.*\.js$/.test(file));
  assert.equal(
    libraries.map((file) => file.replace(/\.js$/, ".LICENSE.txt")),
    Object.keys(BUNDLED).filter((file) => file.startsWith("deps/")),
  );
});

for (const [what, pack] of Object.entries(PACKED)) {
  test(`publint finds nothing in ${what}`, async () => {
    const { tarball } = await pack();
    const bytes = readFileSync(tarball);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const { messages, pkg } = await publint({ pack: { tarball: file }, strict: true });
    assert.equal(
      messages.map((message) => formatMessage(message, pkg)),
      [],
    );
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
