/** `framework build`: what the one file holds, what it can't hold, and how it starts. */

import { copyFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { buildableCopy, builtCopy } from "./harness/build.ts";
import { ask } from "./harness/client.ts";
import { type Outcome, run } from "./harness/command.ts";
import { type Environment, isolatedEnvironment } from "./harness/environment.ts";
import { once } from "./harness/once.ts";
import { holdPort } from "./harness/port.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { checkSamples } from "./harness/samples.ts";
import { serve } from "./harness/server.ts";
import { createFolder } from "./harness/workspace.ts";

const BUILT: readonly string[] = [process.execPath, "dist/server.js"];

/** Packages as npm leaves them, and a route that is served by each. */
const DEPENDENCIES: Readonly<Record<string, string>> = {
  "node_modules/common/package.json": '{ "name": "common", "main": "main.js" }',
  "node_modules/common/main.js":
    'const { join } = require("path");\nexports.place = join("x", { __dirname: "y" }.__dirname, typeof __filename);\ntry { require("not-there"); } catch { exports.isAlone = true; }\n',
  "node_modules/modern/package.json": '{ "name": "modern", "type": "module", "exports": "./index.js" }',
  "node_modules/modern/index.js": 'export { place, isAlone } from "common";\n',
  "routes/dependency.ts":
    '// @ts-nocheck\nimport { isAlone, place } from "modern";\nexport const get = () => ({ isAlone, place: typeof place });\n',
  "data/words.json": '{ "word": "from JSON" }',
  "routes/json.ts":
    'import words from "#data/words.json" with { type: "json" };\nexport const get = () => words;\n',
  "routes/_late.ts": 'export const word = "late";\n',
  "routes/lazy.ts": 'export const get = async () => ({ word: (await import("./_late.ts")).word });\n',
  "apps/users/views.ts":
    'import type { int } from "framework";\nexport const get_$id_$$name = (id: int, $name: string) => ({ id, $name });\n' +
    "export function get_by_id(user_id: int) { return { user: { id: user_id, name: 'Ada' } }; }\n" +
    "export function get_by_username(username: string) { return { user: { username } }; }\n",
  "routes/environment.ts":
    "export const get = () => ({ mode: process.env.NODE_ENV, word: process.env.WORD ?? null });\n",
};

const project = once("built project", (): Promise<Project> => builtCopy(DEPENDENCIES));

test("the same sources give the same bytes, in another folder too, and name no folder of the machine", async () => {
  const [one, other] = [await project(), await builtCopy(DEPENDENCIES)];
  assert.is.not(one.folder, other.folder);
  for (const file of ["dist/server.js", "dist/server.js.map"]) {
    assert.ok(one.read(file) === other.read(file), `${file} is another`);
    assert.not.ok(one.read(file).includes(dirname(one.folder)), `${file} names its folder`);
  }
});

test("the source map leads to files of the project, by relative paths", async () => {
  const { folder, has, read } = await project();
  const { sources } = JSON.parse(read("dist/server.js.map")) as { sources: string[] };
  assert.ok(sources.includes("../apps/users/views.ts"));
  for (const source of sources) {
    assert.ok(source.startsWith("../"), source);
    assert.ok(has(join("dist", source)), `${source} in ${folder}`);
  }
});

test("a stack trace has the lines of the sources, for whoever turns source maps on", async () => {
  const built = await builtCopy({
    "routes/bad.ts": '\n\nexport function get() {\n  throw new Error("here");\n}\n',
  });
  const server = await serve(built.folder, [process.execPath, "--enable-source-maps", "dist/server.js"]);
  await ask(server.url, "GET /bad");
  await server.waitFor(/routes\/bad\.ts:4:9/);
  await server.stop();
});

test("the file serves alone: packages, JSON and modules that are loaded late are in it", async () => {
  const alone = createFolder("alone");
  copyFileSync(join((await project()).folder, "dist/server.js"), join(alone, "server.js"));
  const server = await serve(alone, [process.execPath, "server.js"]);
  await checkSamples(server.url);
  assert.equal((await ask(server.url, "GET /dependency")).json, { isAlone: true, place: "string" });
  assert.equal((await ask(server.url, "GET /json")).json, { word: "from JSON" });
  assert.equal((await ask(server.url, "GET /lazy")).json, { word: "late" });
  assert.is((await server.stop()).status, 0);
});

test("what a package requires of Node is imported, so that an engine without `require` has it too", async () => {
  const text = (await project()).read("dist/server.js");
  assert.match(text, /^import .*"node:path";$/m);
  assert.not.match(text, /createRequire|__require/);
});

test("what the framework itself brings needs no module of Node, no CommonJS and no second file", async () => {
  const built = await builtCopy();
  assert.not.match(built.read("dist/server.js"), /^import |__commonJS|createRequire/m);
  assert.equal(
    Object.keys(built.tree()).filter((file) => file.startsWith("dist/")),
    ["dist/server.inputs.json", "dist/server.js", "dist/server.js.map"],
  );
});

test("a build leaves out what serves from source, and a file of the project is not taken for ours", async () => {
  const built = await buildableCopy({
    "framework.toml": 'apps = ["products", "users"]\n[server]\nhealth = "/healthz"\n',
    "routes/own.ts": 'export { get } from "../toolchain/load.js";\n',
    "toolchain/load.js": 'export const get = () => "its own";\n',
  });
  assert.is((await built.framework(["build", "--minify"])).status, 0);
  assert.not.match(built.read("dist/server.js"), "framework.toml in");
  const server = await serve(built.folder, BUILT);
  assert.is((await ask(server.url, "GET /own")).text, "its own");
  assert.equal((await ask(server.url, "GET /healthz")).json, { status: "ok" });
  await server.stop();
});

test("a minified build answers alike and is less than half as large", async () => {
  const built = await builtCopy();
  const long = built.read("dist/server.js").length;
  assert.is((await built.framework(["build", "--minify"])).status, 0);
  assert.ok(built.read("dist/server.js").length < long / 2);
  const server = await serve(built.folder, BUILT);
  await checkSamples(server.url);
  await server.stop();
});

test("whoever imports the file gets fetch, and what the main file exports", async () => {
  const quiet = await builtCopy({
    "app.ts":
      'import { createApp } from "framework";\nexport const app = await createApp();\nexport const own = 7;\n',
  });
  quiet.write(
    "import.mjs",
    `import server, { fetch, own } from "./dist/server.js";
const texts = await Promise.all([fetch, server.fetch].map(async (ask) => (await ask(new Request("http://a.example/items/4"))).text()));
console.log(JSON.stringify([own, ...texts]));
`,
  );
  const { stdout, stderr } = await run([process.execPath, "import.mjs"], {
    cwd: quiet.folder,
    env: isolatedEnvironment(),
  });
  const item = '{"id":"4","name":"Item 4"}';
  assert.equal(JSON.parse(stdout), [7, item, item], stderr);
});

test("a server that listens has no default export, which Bun would serve a second time", async () => {
  const { folder, write } = await project();
  write(
    "import.mjs",
    `const { default: served, fetch } = await import("./dist/server.js");
console.log(typeof served, typeof fetch);
process.kill(process.pid, "SIGTERM");
`,
  );
  const { stdout, status } = await run([process.execPath, "import.mjs"], {
    cwd: folder,
    env: { ...isolatedEnvironment(), PORT: "0" },
  });
  assert.match(stdout, /^undefined function$/m);
  assert.is(status, 0);
});

const NATIVE = {
  "node_modules/fast/package.json": '{ "name": "fast", "main": "index.js" }',
  "node_modules/fast/index.js": 'module.exports = require("./build/fast.node");\n',
  "node_modules/fast/build/fast.node": "",
};

/** What one file can't hold, and the line of the project that has to be told. */
const REFUSED: readonly {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  readonly place: string;
  readonly says: RegExp;
}[] = [
  {
    what: "a package with a native part",
    files: { ...NATIVE, "routes/a.ts": '\nimport fast from "fast";\nexport const get = () => fast;\n' },
    place: "routes/a.ts:2:18",
    says: /FW701 `fast` has a native part \(node_modules\/fast\/build\/fast\.node\)[\s\S]*external = \["fast"\]/,
  },
  {
    what: "a package that brings one with a native part",
    files: {
      ...NATIVE,
      "node_modules/@scope/db/package.json": '{ "name": "@scope/db", "main": "index.js" }',
      "node_modules/@scope/db/index.js": 'module.exports = require("fast");\n',
      "apps/users/store.ts": 'import db from "@scope/db";\nexport const store = db;\n',
      "routes/a.ts": 'import { store } from "../apps/users/store.ts";\nexport const get = () => store;\n',
    },
    place: "apps/users/store.ts:1:16",
    says: /FW701 `fast`/,
  },
  {
    what: "a package that looks for its native part when it is loaded",
    files: {
      "node_modules/bindings/package.json": '{ "name": "bindings", "main": "bindings.js" }',
      "node_modules/bindings/bindings.js": "module.exports = (name) => require(name);\n",
      "node_modules/sqlite/package.json": '{ "name": "sqlite", "main": "index.js" }',
      "node_modules/sqlite/index.js": 'module.exports = require("bindings")("sqlite.node");\n',
      "routes/a.ts": 'import sqlite from "sqlite";\nexport const get = () => sqlite;\n',
    },
    place: "routes/a.ts:1:20",
    says: /FW701 `sqlite` has a native part \(by bindings\)/,
  },
  {
    what: "a file that is no module",
    files: {
      "routes/_a.sql": "select 1",
      "routes/a.ts": 'import text from "./_a.sql";\nexport const get = () => text;\n',
    },
    place: "routes/a.ts:1:18",
    says: /FW702 routes\/_a\.sql/,
  },
  {
    what: "a package that is not installed",
    files: { "routes/a.ts": 'import pg from "pg";\nexport const get = () => pg;\n' },
    place: "routes/a.ts:1:16",
    says: /FW703 `pg` can't be found[\s\S]*npm install/,
  },
  {
    what: "a type that is imported as if it were there at run time",
    files: {
      "lib/user.ts": "export type User = { name: string };\nexport const user = 1;\n",
      "routes/a.ts":
        '// ä 😀\nimport { user, User } from "../lib/user.ts";\nexport const get = () => user as unknown as User;\n',
    },
    place: "routes/a.ts:2:16",
    says: /FW503 routes\/a\.ts could not be loaded: lib\/user\.ts does not[\s\S]*hint: If `User` is a type, write `import type/,
  },
  {
    what: "an import without its ending, in a file without handlers,",
    files: {
      "lib/sizes.ts": "export const sizes = [1];\n",
      "lib/all.ts": 'export * from "./sizes";\n',
      "routes/a.ts": 'import { sizes } from "../lib/all.ts";\nexport const get = () => sizes;\n',
    },
    place: "lib/all.ts:1:15",
    says: /FW703 `\.\/sizes` can't be found\.[\s\S]*hint: Correct the path\. It has to name a file with its ending/,
  },
  {
    what: "an alias of a file that is not there",
    files: { "routes/a.ts": 'import { sizes } from "#lib/sizes.ts";\nexport const get = () => sizes;\n' },
    place: "routes/a.ts:1:23",
    says: /FW703 `#lib\/sizes\.ts` can't be found\.[\s\S]*hint: Correct the path/,
  },
  {
    what: "a module that this version of Node has not, in a file that two import,",
    files: {
      "lib/db.ts": 'import nope from "node:nope";\nexport const db = nope;\n',
      "routes/a.ts": 'import { db } from "#lib/db.ts";\nexport const get = () => db;\n',
      "routes/b.ts": 'import { db } from "#lib/db.ts";\nexport const get = () => db;\n',
    },
    place: "lib/db.ts:1:18",
    says: /^error FW703 `node:nope` can't be found\.\n(?:(?!FW703)[\s\S])*$/,
  },
  {
    what: "an external package that is not installed",
    files: {
      "framework.toml": 'apps = ["products", "users"]\n[build]\nexternal = ["rolldwon"]\n',
      "routes/a.ts": "export const get = () => 1;\n",
    },
    place: "framework.toml:3:13",
    says: /FW703 `rolldwon` can't be found[\s\S]*Did you mean `rolldown`\?/,
  },
  {
    what: "syntax that the bundler knows and Node does not",
    files: {
      "node_modules/new/package.json": '{ "name": "new", "type": "module", "exports": "./index.js" }',
      "node_modules/new/index.js": "const once = (it) => it;\nexport @once class New {}\n",
      "routes/a.ts":
        '// @ts-nocheck\nimport { New } from "new";\nexport const get = () => typeof new New();\n',
    },
    place: "node_modules/new/index.js:2:8",
    says: /FW708 Node can't parse what was built: Invalid or unexpected token\./,
  },
  {
    what: "a decorator in a file without handlers",
    files: {
      "lib/size.ts": "const once = (it: unknown): unknown => it;\n@once\nexport class Size {}\n",
      "routes/a.ts": 'import { Size } from "../lib/size.ts";\nexport const get = () => typeof Size;\n',
    },
    place: "lib/size.ts:2:1",
    says: /FW318 This is a decorator/,
  },
  {
    what: "an enum in a file without handlers",
    files: {
      "lib/size.ts": "\nexport enum Size { Small }\n",
      "routes/a.ts": 'import { Size } from "../lib/size.ts";\nexport const get = () => Size.Small;\n',
    },
    place: "lib/size.ts:2:8",
    says: /FW318 This is an enum[\s\S]*hint: Write an object with `as const`/,
  },
];
for (const { what, files, place, says } of REFUSED) {
  test(`${what} is refused with its place, and nothing is built`, async () => {
    const unbuilt = await buildableCopy(files);
    const { status, stderr } = await unbuilt.framework(["build"]);
    assert.is(status, 1);
    assert.match(stderr, says);
    assert.ok(stderr.includes(place), `${place} is missing in:\n${stderr}`);
    assert.not.match(stderr, /\n\s+at /);
    assert.not.ok(unbuilt.has("dist/server.js"));
  });
}

/** Packages that npm publishes, in short: each finds its native part only when it runs. And two that need none. */
const LOADERS: Readonly<Record<string, string>> = {
  // better-sqlite3 13
  "node_modules/by-path/package.json": '{ "name": "by-path", "main": "index.js" }',
  "node_modules/by-path/index.js":
    'const file = require("path").join(__dirname, "prebuilds", process.platform + ".node");\nmodule.exports = () => require(file);\n',
  // sharp 0.35, and what napi-rs makes
  "node_modules/by-trying/package.json": '{ "name": "by-trying", "type": "module", "exports": "./index.js" }',
  "node_modules/by-trying/index.js":
    'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);\nlet part;\ntry {\n  part = require("./part.node");\n} catch {}\n' +
    'if (!part) throw new Error("No part for this machine");\nexport default part;\n',
  // libsql, esbuild
  "node_modules/by-package/package.json":
    '{ "name": "by-package", "main": "index.js", "optionalDependencies": { "@by/linux-x64-gnu": "1.0.0" } }',
  "node_modules/by-package/index.js":
    'module.exports = require("@by/" + process.platform + "-" + process.arch + "-gnu");\n',
  // canvas, before its install script has run
  "node_modules/not-compiled/package.json": '{ "name": "not-compiled", "main": "index.js" }',
  "node_modules/not-compiled/index.js": 'module.exports = require("./build/Release/part.node");\n',
  // bufferutil
  "node_modules/does-without/package.json": '{ "name": "does-without", "main": "index.js" }',
  "node_modules/does-without/index.js":
    'exports.place = __dirname;\ntry { exports.part = require("./build/Release/part.node"); } catch {}\n',
  "node_modules/knows-endings/package.json": '{ "name": "knows-endings", "main": "index.js" }',
  "node_modules/knows-endings/index.js":
    'exports.endings = [".js", ".json", ".node"];\nexports.load = (name) => require(name);\n',
};

test("packages that look for a native part when they run are refused, and those that do without it are not", async () => {
  const names = Object.keys(LOADERS).flatMap((file) => /^node_modules\/([^/]+)\/p/.exec(file)?.[1] ?? []);
  const unbuilt = await buildableCopy({
    ...LOADERS,
    "routes/a.ts":
      `// @ts-nocheck\n${names.map((name, at) => `import * as p${at} from "${name}";\n`).join("")}` +
      `export const get = () => [${names.map((_, at) => `typeof p${at}`)}];\n`,
  });
  const { status, stderr } = await unbuilt.framework(["build"]);
  assert.is(status, 1);
  const told = [...stderr.matchAll(/^error (FW\d+) `([\w-]+)`.*\n {2}routes\/a\.ts:(\d+):/gm)];
  assert.equal(
    told.map(([, ...words]) => words.join(" ")),
    ["FW701 by-path 2", "FW701 by-trying 3", "FW701 by-package 4", "FW701 not-compiled 5"],
    stderr,
  );
  assert.is(stderr.match(/FW70/g)?.length, 4, stderr);
  assert.match(stderr, 'hint: To leave it out of the file, write `external = ["by-path"]` below `[build]`');
});

test("packages that are named external are left out, found where they are installed, and listed to be installed", async () => {
  const built = await buildableCopy({
    "node_modules/kept/package.json": '{ "name": "kept", "version": "1.2.3", "main": "index.js" }',
    "node_modules/kept/index.js": 'exports.word = "from outside";\n',
    "node_modules/@also/kept/package.json": '{ "name": "other", "version": "2.0.0", "main": "index.js" }',
    "node_modules/@also/kept/index.js": 'exports.word = "from far outside";\n',
    "node_modules/last/package.json": '{ "name": "last", "version": "3.0.0", "main": "index.js" }',
    "node_modules/last/index.js": "",
    "framework.toml": 'apps = ["products", "users"]\n[build]\nexternal = ["kept"]\n',
    "routes/kept.ts":
      '// @ts-nocheck\nimport { word } from "kept";\nimport * as also from "@also/kept";\nexport const get = () => [word, also.word];\n',
  });
  const words = ["build", "--external", "@also/kept", "--external", "last,kept"];
  const { status, stdout, stderr } = await built.framework(words);
  assert.is(status, 0, stderr);
  assert.match(stdout, /^dist\/package\.json: @also\/kept, kept, last, to be installed beside the file$/m);
  assert.not.match(built.read("dist/server.js"), /from (?:far )?outside/);
  assert.equal(JSON.parse(built.read("dist/package.json")), {
    private: true,
    type: "module",
    dependencies: { "@also/kept": "npm:other@2.0.0", kept: "1.2.3", last: "3.0.0" },
  });
  const server = await serve(built.folder, BUILT);
  assert.equal((await ask(server.url, "GET /kept")).json, ["from outside", "from far outside"]);
  await server.stop();
  built.write("framework.toml", 'apps = ["products", "users"]\n');
  assert.is((await built.framework(["build"])).status, 0);
  assert.not(built.has("dist/package.json"));
});

test("a module that asks for its own place is warned about, and built", async () => {
  const built = await buildableCopy({
    "routes/place.ts": 'export const get = () => ({ url: import.meta.url, note: "import.meta.url" });\n',
    "lib/old.cts": "module.exports = { place: __dirname };\n",
    "routes/old.ts":
      '// @ts-nocheck\nimport old from "../lib/old.cts";\nexport const get = () => typeof old.place;\n',
  });
  const { status, stderr } = await built.framework(["build"]);
  assert.is(status, 0);
  assert.match(stderr, /warning FW704[^\n]*\n\s+routes\/place\.ts:1:34/);
  assert.match(stderr, /warning FW704[^\n]*\n\s+lib\/old\.cts:1:27/);
  assert.is(stderr.match(/FW70/g)?.length, 2, stderr);
});

test("a package that reads files beside itself is warned about once, at the line that imports the package", async () => {
  const built = await buildableCopy({
    "node_modules/views/package.json": '{ "name": "views", "main": "index.js" }',
    "node_modules/views/index.js": `const { readFileSync } = require("fs");
exports.read = (name) => readFileSync(__dirname + "/" + name);
exports.again = (name) => readFileSync(__filename + name);
`,
    "node_modules/modern/package.json": '{ "name": "modern", "type": "module", "exports": "./index.js" }',
    "node_modules/modern/index.js":
      'import views from "views";\nexport const place = () => views && import.meta.url;\n',
    "node_modules/unused/package.json": '{ "name": "unused", "type": "module", "exports": "./index.js" }',
    "node_modules/unused/index.js": "export const place = () => import.meta.url;\nexport const word = 1;\n",
    "routes/a.ts":
      '// @ts-nocheck\nimport * as modern from "modern";\nimport { word } from "unused";\nexport const get = () => [typeof modern.place, word];\n',
  });
  const { status, stderr } = await built.framework(["build"]);
  assert.is(status, 0, stderr);
  const told = [...stderr.matchAll(/^warning (FW\d+) `(\w+)` .*?\((.*?)\).*\n {2}(\S+)/gm)];
  assert.equal(
    told.map(([, ...words]) => words.join(" ")).sort(),
    [
      "FW704 modern node_modules/modern/index.js:2 routes/a.ts:2:25",
      "FW704 views node_modules/views/index.js:2 routes/a.ts:2:25",
    ],
    stderr,
  );
  assert.is(stderr.match(/^warning/gm)?.length, 2, stderr);
  assert.match(stderr, /hint: [^\n]*external = \["views"\]/);
});

test("a syntax error that only the bundler sees is told without a stack", async () => {
  const built = await buildableCopy({
    "node_modules/odd/package.json": '{ "name": "odd", "main": "index.js" }',
    "node_modules/odd/index.js": "this is not JavaScript(\n",
    "routes/odd.ts": '// @ts-nocheck\nimport odd from "odd";\nexport const get = () => odd;\n',
  });
  const { status, stderr } = await built.framework(["build"]);
  assert.is(status, 1);
  assert.match(stderr, /node_modules\/odd\/index\.js/);
  assert.not.match(stderr, /\n\s+at /);
});

const UNBUILDABLE: readonly [what: string, files: Readonly<Record<string, string>>, says: RegExp][] = [
  [
    "data that ends too early",
    {
      "data.json": "{",
      "routes/data.ts":
        'import data from "../data.json" with { type: "json" };\nexport const get = () => data;\n',
    },
    /The bundler failed in data\.json/,
  ],
  ["a file in the place of dist", { dist: "" }, /dist\/server\.js can't be written: EEXIST/],
  ["a folder in the place of the server", { "dist/server.js/x": "" }, /dist\/server\.js can't be written: /],
];
for (const [what, files, says] of UNBUILDABLE) {
  test(`${what} is told without a stack, and leaves nothing behind`, async () => {
    const built = await buildableCopy(files);
    const { status, stderr } = await built.framework(["build"]);
    assert.is(status, 1);
    assert.match(stderr, says);
    assert.not.match(stderr, /\n\s+at /);
    assert.not.ok(Object.keys(built.tree()).some((file) => file.endsWith(".new")));
  });
}

test("without the bundler the build says what to install", async () => {
  const { status, stderr } = await (await copyProject()).framework(["build"]);
  assert.is(status, 1);
  assert.match(stderr, /npm install/);
});

test("a built server takes the environment as it is: production, and no .env", async () => {
  const { folder, write } = await project();
  write(".env", "WORD=from-file\n");
  const server = await serve(folder, BUILT);
  assert.equal((await ask(server.url, "GET /environment")).json, { mode: "production", word: null });
  await server.stop();
  const told = await serve(folder, [process.execPath, "--env-file=.env", "dist/server.js"], {
    NODE_ENV: "test",
  });
  assert.equal((await ask(told.url, "GET /environment")).json, { mode: "test", word: "from-file" });
  await told.stop();
});

test("a built server says what to do when its port is taken, and ends with 1", async () => {
  const { port, release } = await holdPort(0);
  const { status, stderr } = await start(["--host", "127.0.0.1", `--port=${port}`]);
  await release();
  assert.is(status, 1);
  assert.match(stderr, new RegExp(`^Port ${port} is in use by another program\\.\\n  hint: .*--port \\d+`));
  assert.not.match(stderr, /\n\s+at /);
});

for (const [what, words, settings, says] of [
  ["a PORT that is no number", [], { PORT: "abc" }, /^PORT is "abc": a port is a whole number/],
  ["a --port that is none", ["--port", "70000"], {}, /^--port is "70000"/],
  ["a --port without its number", ["--port"], {}, /^--port is ""/],
  [
    "a HOST that is another machine's",
    [],
    { PORT: "0", HOST: "192.0.2.1" },
    /^192\.0\.2\.1 is not an address/,
  ],
] as const) {
  test(`a built server with ${what} ends with 1 and says so, without a stack`, async () => {
    const { status, stderr } = await start(words, settings);
    assert.is(status, 1);
    assert.match(stderr, says);
    assert.not.match(stderr, /\n\s+at /);
  });
}

test("a built server tells of an option that is nearly --port or --host, and of no other word", async () => {
  const { stderr } = await start(["--prot", "1", "-host=::", "--ports", "--prefix", "port", "--port", "no"]);
  const told = [...stderr.matchAll(/^The server has no option (\S+)\. Did you mean (\S+)\?$/gm)];
  assert.equal(
    told.map(([, option, meant]) => [option, meant]),
    [
      ["--prot", "--port"],
      ["-host", "--host"],
      ["--ports", "--port"],
    ],
  );
});

for (const flags of [[], ["--minify"]]) {
  const name = ["a built server", ...flags].join(", ");
  test(`${name}, whose main file throws ends with 1 and shows where, though something keeps it alive`, async () => {
    const built = await buildableCopy({
      "app.ts": 'setInterval(() => {}, 1000);\nthrow new Error("no such table");\n',
    });
    assert.is((await built.framework(["build", ...flags])).status, 0);
    const { status, stderr } = await run([...BUILT], {
      cwd: built.folder,
      env: isolatedEnvironment(),
    });
    assert.is(status, 1);
    assert.match(stderr, /^The server could not start\.\n {2}Error: no such table\n {4}.*dist\/server\.js/);
  });
}

for (const [what, files, says] of [
  [
    "a guard that nothing could read",
    {
      "apps/_hooks.ts": 'export * from "./old/hooks.js";\n',
      "apps/old/package.json": '{ "type": "commonjs" }',
      "apps/old/hooks.js": "exports.guard = () => { throw 1; };\n",
    },
    /^The loaded module apps\/_hooks\.ts exports `guard`, but its source does not show it\.\n {2}hint: Export it/,
  ],
  [
    "a middleware that is given another value afterwards",
    { "_hooks.ts": "export let middleware: unknown = () => 1;\nmiddleware = undefined;\n" },
    /^The source of _hooks\.ts exports the middleware `middleware`, but the loaded module does not\.\n {2}hint: /,
  ],
] as const) {
  test(`a built server with ${what} ends with 1, as it does not start from source`, async () => {
    const built = await builtCopy(files);
    const { status, stderr } = await run([...BUILT, "--port", "0"], {
      cwd: built.folder,
      env: isolatedEnvironment(),
    });
    assert.is(status, 1);
    assert.match(stderr, says);
  });
}

test("a guard that two folders export is taken for what it is in a built server", async () => {
  const guard = 'export { guard } from "#lib/guard.ts";\n';
  const built = await builtCopy({
    "lib/guard.ts": 'import type { Bearer } from "framework";\nexport function guard(_token: Bearer) {}\n',
    "routes/_hooks.ts": guard,
    "routes/admin/_hooks.ts": `${guard}export const limit = 5;\n`,
    "routes/admin/x.ts": "export const get = () => 1;\n",
  });
  const server = await serve(built.folder, BUILT);
  assert.is((await ask(server.url, "GET /admin/x")).status, 401);
  await server.stop();
});

async function start(words: readonly string[], settings: Environment = {}): Promise<Outcome> {
  const { folder } = await project();
  const env = { ...isolatedEnvironment(), ...settings };
  return run([...BUILT, ...words], { cwd: folder, env });
}

test.run();
