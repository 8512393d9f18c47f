/** What a person saves while `framework dev` runs is served, and no request fails for it. */

import { appendFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { sample } from "#runtime/random.fixture";
import { ask, askUntil } from "./harness/client.ts";
import { devOnce, doAtOnce } from "./harness/dev.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { checkSamples } from "./harness/samples.ts";
import { DEV, serve } from "./harness/server.ts";
import { createFolder } from "./harness/workspace.ts";
import { writeWhole } from "./harness/write.ts";

const dev = devOnce();

const at = (project: Project, file: string): string => join(project.folder, file);
const handler = (number: number): string => `export const get = () => ${number};\n`;
const value = (number: number): string => `export const number: number = ${number};\n`;
const importing = (from: string): string =>
  `import { number } from ${JSON.stringify(from)};\nexport const get = () => number;\n`;

test("app.ts runs before the modules of handlers, and a folder's hooks before what is below them", async () => {
  const { project, server, until } = await dev();
  const push = (what: string): string => `((globalThis as { ran?: string[] }).ran ??= []).push("${what}");\n`;
  project.write("app.ts", `${push("app")}${project.read("app.ts")}`);
  project.write("routes/ran/_hooks.ts", `${push("hooks")}export const guard = () => {};\n`);
  project.write(
    "routes/ran/index.ts",
    `${push("handler")}export const get = () => (globalThis as { ran?: string[] }).ran;\n`,
  );
  await until("GET /ran", '["app","hooks","handler"]');
  // Modules are loaded while idle, too: what no request has asked for is reported.
  project.write("lib/named.ts", "export const named = 1;\n");
  project.write(
    "routes/unasked.ts",
    'import { named } from "../lib/named.ts";\nexport const get = () => named;\n',
  );
  await until("GET /unasked", "1");
  project.write("lib/named.ts", "export const other = 1;\n");
  await server.waitFor(/routes\/unasked\.ts could not be loaded/);
  await until("GET /ran", 500);
  project.remove("routes/unasked.ts");
  await until("GET /ran", 200);
});

test("it serves the samples, and each request is a line in the terminal", async () => {
  const { server } = await dev();
  await checkSamples(server.url);
  await ask(server.url, "GET /users/by/username/seen-in-the-log");
  await server.waitFor(/GET.*\/users\/by\/username\/seen-in-the-log.*200|200.*seen-in-the-log/);
});

test("a change in a file that a handler imports is served", async () => {
  const { project, until } = await dev();
  project.write("apps/users/names.ts", 'export const name: string = "first";\n');
  project.write(
    "routes/name.ts",
    'import { name } from "../apps/users/names.ts";\nexport const get = () => ({ name });\n',
  );
  await until("GET /name", '{"name":"first"}');
  project.write("apps/users/names.ts", 'export const name: string = "second";\n');
  await until("GET /name", '{"name":"second"}');
});

test("a new route file and a new app are served without a restart, and a removed handler no more", async () => {
  const { project, server, until } = await dev();
  assert.is((await ask(server.url, "GET /fresh")).status, 404);
  project.write("routes/fresh.ts", "export const get = () => ({ fresh: true });\n");
  await until("GET /fresh", 200);
  assert.is((await project.framework(["generate", "app", "orders"])).status, 0);
  await until("GET /orders/", 200);
  project.write("routes/fresh.ts", "export const post = () => ({});\n");
  await until("GET /fresh", 405);
});

const SAVES: readonly [how: string, save: (path: string, text: string) => void][] = [
  ["written over", writeFileSync],
  [
    "cut off and written in pieces",
    (path, text) => {
      truncateSync(path);
      for (const piece of text.match(/[\s\S]{1,9}/g) ?? []) appendFileSync(path, piece);
    },
  ],
  [
    "written beside and renamed over",
    (path, text) => {
      writeFileSync(`${path}~`, text);
      renameSync(`${path}~`, path);
    },
  ],
  [
    "renamed away and written again",
    (path, text) => {
      renameSync(path, `${path}~`);
      writeFileSync(path, text);
      rmSync(`${path}~`);
    },
  ],
  [
    "deleted and created",
    (path, text) => {
      rmSync(path);
      writeFileSync(path, text);
    },
  ],
];

test("however an editor saves a file, it is served, until then the old one is, and no request fails", async () => {
  const { project, until } = await dev();
  project.write("routes/saved.ts", handler(0));
  await until("GET /saved", "0");
  for (const [index, [how, save]] of sample("ways to save", SAVES, 2).entries()) {
    const isAtOnce = doAtOnce(() => save(at(project, "routes/saved.ts"), handler(index + 1)));
    const answers = await until("GET /saved", String(index + 1));
    if (isAtOnce) assert.equal([...new Set(answers.map(({ status }) => status))], [200], how);
  }
});

const NO_SOURCES: readonly string[] = [
  "node_modules/x/y.js",
  "dist/z.js",
  ".cache/z.ts",
  "routes/.#pid.ts",
  "routes/pid.ts~",
  "tests/pid.test.ts",
  "db.json",
  "data/app.db",
  "notes.toml",
];

test("what is no source does not reload: dependencies, builds, hidden folders, backups of editors, tests, data", async () => {
  const { project, server, until, listen } = await dev();
  project.write("routes/pid.ts", "export const get = () => ({ pid: process.pid });\n");
  await until("GET /pid", 200);
  const said = listen();
  const { text } = await ask(server.url, "GET /pid");
  for (const file of NO_SOURCES) project.write(file, "whatever\n");
  // A change that counts, to know that those before it have been seen.
  project.write("lib/counts.ts", "export {};\n");
  await server.waitFor(/lib\/counts\.ts: /);
  const after = (await ask(server.url, "GET /pid")).text;
  assert.is.not(after, text);
  assert.match(said(), /^(?:.* )?lib\/counts\.ts: /m);
  for (const file of NO_SOURCES) assert.not.ok(said().includes(file), said());
  assert.not.match(server.output(), /\bdata\b.*: \d+ routes/);
  for (const file of NO_SOURCES) rmSync(at(project, file));
});

const FOLLOWED: readonly [what: string, follow: () => Promise<void>][] = [
  [
    "renamed, edited and deleted folders, settings and data are followed",
    async () => {
      const { project, server, until } = await dev();
      project.write("routes/deep/er/leaf.ts", handler(1));
      project.write("lib/words/word.json", '{ "word": "one" }\n');
      project.write("lib/words.ts", 'export { default } from "./words/word.json" with { type: "json" };\n');
      project.write(
        "routes/words.ts",
        'import word from "../lib/words.ts";\nexport const get = () => word;\n',
      );
      project.write("routes/env.ts", "export const get = () => ({ word: process.env.WORD });\n");
      await until("GET /words", '{"word":"one"}');
      renameSync(at(project, "routes/deep"), at(project, "routes/renamed"));
      await until("GET /renamed/er/leaf", 200);
      assert.is((await ask(server.url, "GET /deep/er/leaf")).status, 404);
      project.write("routes/renamed/er/leaf.ts", handler(2));
      await until("GET /renamed/er/leaf", "2");
      rmSync(at(project, "routes/renamed"), { recursive: true });
      await until("GET /renamed/er/leaf", 404);
      project.write("lib/words/word.json", '{ "word": "two" }\n');
      await until("GET /words", '{"word":"two"}');
      project.edit("apps/users/app.toml", "/users", "/people");
      await until("GET /people/by/id/7", 200);
      project.edit("apps/users/app.toml", "/people", "/users");
      project.write(".env", "WORD=one\n");
      await until("GET /env", '{"word":"one"}');
      rmSync(at(project, ".env"));
      await until("GET /env", "{}");
    },
  ],
  [
    "data that a handler writes does not reload; what a module imports does, also where it was missing or malformed",
    async () => {
      const { project, server, until } = await dev();
      project.write(
        "routes/visits.ts",
        'import { writeFileSync } from "node:fs";\n\nlet visits = 0;\n\nexport function get() {\n' +
          '  writeFileSync("visits.json", String(++visits));\n  return { visits };\n}\n',
      );
      await until("GET /visits", 200);
      for (const visits of [2, 3]) assert.equal((await ask(server.url, "GET /visits")).json, { visits });
      const imports =
        'import words from "../lib/word.json" with { type: "json" };\nexport const get = () => words;\n';
      project.write("routes/data.ts", imports);
      await server.waitFor(/routes\/data\.ts could not be loaded/);
      project.write("lib/word.json", "{");
      await server.waitFor(/could not be loaded: SyntaxError: .*lib\/word\.json/);
      project.write("lib/word.json", '{ "word": "one" }\n');
      await until("GET /data", '{"word":"one"}');
      const requires = imports.replace(
        /.*\n/,
        'import { createRequire } from "node:module";\nconst words = createRequire(import.meta.url)("../lib/word.json");\n',
      );
      project.write("routes/data.ts", requires);
      await server.waitFor(/routes\/data\.ts: /);
      project.write("lib/word.json", '{ "word": "two" }\n');
      await until("GET /data", '{"word":"two"}');
      project.write("routes/data.ts", imports.replace("../lib/word.json", "#lib/aliased.json"));
      await server.waitFor(/Cannot find module '[^']*aliased\.json'/);
      project.write("lib/aliased.json", '{ "word": "three" }\n');
      await until("GET /data", '{"word":"three"}');
    },
  ],
  [
    "a linked folder is followed when what it leads to is swapped, removed and made again",
    async () => {
      const { project, until } = await dev();
      const outside = createFolder("outside");
      const name = (folder: string): string => join(outside, folder);
      writeWhole(name("one/outside.ts"), handler(1));
      writeWhole(name("two/outside.ts"), handler(2));
      symlinkSync(name("one"), at(project, "routes/linked"));
      await until("GET /linked/outside", "1");
      renameSync(name("one"), name("away"));
      renameSync(name("two"), name("one"));
      await until("GET /linked/outside", "2");
      rmSync(name("one"), { recursive: true });
      writeWhole(name("one/outside.ts"), handler(3));
      await until("GET /linked/outside", "3");
      writeWhole(name("one/outside.ts"), handler(4));
      await until("GET /linked/outside", "4");
      rmSync(at(project, "routes/linked"));
    },
  ],
  [
    "a linked file is followed, and a link back to the project harms nothing",
    async () => {
      const { project, until } = await dev();
      const file = join(createFolder("outside"), "file.ts");
      writeFileSync(file, handler(1));
      symlinkSync(file, at(project, "routes/link.ts"));
      await until("GET /link", "1");
      symlinkSync(project.folder, at(project, "lib/again"));
      writeFileSync(file, handler(2));
      await until("GET /link", "2");
      rmSync(at(project, "lib/again"));
      rmSync(at(project, "routes/link.ts"));
    },
  ],
  [
    "a file outside of the project that a module imports is followed, when it was missing and when its folder is swapped, too",
    async () => {
      const { project, until } = await dev();
      const shared = join(project.folder, "../shared");
      project.write("routes/outside.ts", importing("../../shared/number.ts"));
      writeWhole(join(shared, "number.ts"), value(1));
      await until("GET /outside", "1");
      rmSync(join(shared, "number.ts"));
      writeWhole(join(shared, "number.ts"), value(2));
      await until("GET /outside", "2");
      renameSync(shared, `${shared}-away`);
      writeWhole(join(`${shared}-new`, "number.ts"), value(3));
      renameSync(`${shared}-new`, shared);
      await until("GET /outside", "3");
      writeWhole(join(shared, "number.ts"), value(4));
      await until("GET /outside", "4");
    },
  ],
  [
    "a linked package of a workspace is followed, and what it imports and requires",
    async () => {
      const { project, until } = await dev();
      const workspace = createFolder("workspace");
      const file = (name: string): string => join(workspace, "numbers", name);
      writeWhole(
        file("package.json"),
        '{ "name": "numbers", "type": "module", "exports": "./src/index.ts" }\n',
      );
      writeWhole(file("src/index.ts"), 'export { number } from "./number.ts";\n');
      writeWhole(file("src/number.ts"), 'import number from "./old.cjs";\nexport { number };\n');
      writeWhole(file("src/old.cjs"), 'module.exports = require("./number.json");\n');
      writeWhole(file("src/number.json"), "1");
      project.write("node_modules/.keep", "");
      symlinkSync(join(workspace, "numbers"), at(project, "node_modules/numbers"));
      project.write("routes/numbers.ts", importing("numbers"));
      await until("GET /numbers", "1");
      writeWhole(file("src/number.json"), "2");
      await until("GET /numbers", "2");
      writeWhole(file("src/old.cjs"), "module.exports = 3;\n");
      await until("GET /numbers", "3");
      writeWhole(file("src/number.ts"), value(4));
      await until("GET /numbers", "4");
    },
  ],
  [
    "a source in a folder that is not watched is followed once a module imports it",
    async () => {
      const { project, until } = await dev();
      project.write(".generated/number.ts", value(1));
      project.write("routes/generated.ts", importing("../.generated/number.ts"));
      await until("GET /generated", "1");
      project.write(".generated/number.ts", value(2));
      await until("GET /generated", "2");
    },
  ],
];
for (const [what, follow] of sample("what is followed", FOLLOWED, 2)) test(what, follow);

const POLLING: readonly [
  how: string,
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
][] = [
  ["--poll", ["--poll"], {}],
  ["FRAMEWORK_POLL", [], { FRAMEWORK_POLL: "1" }],
];
for (const [how, words, settings] of sample("ways to poll", POLLING, 1)) {
  test(`with ${how} changes are found without events; [dev] watch names a file that a handler reads, and public/ does not reload`, async () => {
    const project = await copyProject();
    project.write("framework.toml", `${project.read("framework.toml")}\n[dev]\nwatch = ["web/*.html"]\n`);
    project.write("web/page.html", "one");
    project.write("public/page.ts", "one");
    project.write(
      "routes/page.ts",
      'import { readFileSync } from "node:fs";\nconst page = readFileSync("web/page.html", "utf8");\nexport const get = () => page;\n',
    );
    const server = await serve(project.folder, [...DEV, ...words], settings);
    assert.is((await ask(server.url, "GET /page")).text, "one");
    project.write("public/page.ts", "two");
    project.write("web/page.html", "two");
    await askUntil(server.url, "GET /page", ({ text }) => text === "two");
    project.write("public/page.ts", "three");
    project.write("routes/after.ts", handler(1));
    await askUntil(server.url, "GET /after", ({ status }) => status === 200);
    assert.not.match(server.output(), /public/);
    assert.is((await server.stop()).status, 0);
  });
}

test("it ends with status 0", async () => {
  const { server } = await dev();
  assert.is((await server.stop()).status, 0);
});

test.run();
