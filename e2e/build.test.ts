/** `framework build`: what the one file holds, that it answers as the source does, what it can't hold, and how it starts. */

import { copyFileSync, cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { build, buildableCopy, builtCopy } from "./harness/build.ts";
import { type Files, HELD, LOADERS, REFUSED } from "./harness/buildable.ts";
import { ask } from "./harness/client.ts";
import { type Outcome, run } from "./harness/command.ts";
import { type Environment, isolatedEnvironment } from "./harness/environment.ts";
import { once } from "./harness/once.ts";
import { holdPort } from "./harness/port.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { checkSamples } from "./harness/samples.ts";
import { START, serve } from "./harness/server.ts";
import { createFolder } from "./harness/workspace.ts";

const BUILT: readonly string[] = [process.execPath, "dist/server.js"];

const FILES: Files = {
  ...Object.assign({}, ...HELD.map(({ files }) => files)),
  "routes/bad.ts": '\n\nexport function get() {\n  throw new Error("here");\n}\n',
  "routes/environment.ts":
    "export const get = () => ({ mode: process.env.NODE_ENV, word: process.env.WORD ?? null });\n",
  ".env": "WORD=from-file\n",
};

async function create(): Promise<Project> {
  const project = await buildableCopy(FILES);
  project.edit("package.json", '"type"', '"sideEffects": false,\n  "type"');
  return project;
}

async function checkHeld(url: string): Promise<void> {
  for (const { what, answers } of HELD) {
    for (const [path, answer] of Object.entries(answers))
      assert.equal((await ask(url, `GET ${path}`)).json, answer, what);
  }
}

const project = once("project to be built", create);

test("from source, everything is served that a build is then made of", async () => {
  const server = await serve((await project()).folder, START);
  await checkHeld(server.url);
  await server.stop();
});

test("a minified build answers alike, without the packages that are named external, which it lists to be installed", async () => {
  const built = await project();
  const toml = built.read("framework.toml");
  built.write("framework.toml", `${toml}[build]\nexternal = ["kept"]\n`);
  const outcome = await build(built, ["--minify", "--external", "@also/kept", "--external", "last,kept"]);
  built.write("framework.toml", toml);
  assert.is(outcome.status, 0, outcome.stderr);
  assert.match(
    outcome.stdout,
    /^dist\/package\.json: @also\/kept, kept, last, to be installed beside the file$/m,
  );
  assert.equal(JSON.parse(built.read("dist/package.json")), {
    private: true,
    type: "module",
    dependencies: { "@also/kept": "npm:other@2.0.0", kept: "1.2.3", last: "3.0.0" },
  });
  const text = built.read("dist/server.js");
  assert.not.match(text, /from (?:far )?outside/);
  assert.not.match(text, "framework.toml in");
  const server = await serve(built.folder, BUILT, { NODE_ENV: "test", WORD: "from-shell" });
  await checkHeld(server.url);
  assert.equal((await ask(server.url, "GET /environment")).json, { mode: "test", word: "from-shell" });
  await server.stop();
});

/** By a process of the vendored framework, as all users build. */
const plainBuild = once("plain build", async () => {
  const built = await project();
  return { built, outcome: await built.spawnFramework(["build"]) };
});

test("a build warns once, with its place, of what may fail when it runs", async () => {
  const { built, outcome } = await plainBuild();
  assert.is(outcome.status, 0, outcome.stderr);
  const warned = [...outcome.stderr.matchAll(/^warning (FW\d+) .*\n {2}(\S+)$/gm)];
  assert.equal(
    warned.map(([, ...words]) => words.join(" ")).sort(),
    HELD.flatMap(({ warnings = [] }) => warnings).sort(),
  );
  assert.match(outcome.stderr, /hint: [^\n]*external = \["views"\]/);
  assert.not(built.has("dist/package.json"), "the last build's list of packages");
});

test("the same sources give the same bytes, in another folder too, and name no folder of the machine", async () => {
  const { built } = await plainBuild();
  const other = await create();
  assert.is((await other.spawnFramework(["build"])).status, 0);
  for (const file of ["dist/server.js", "dist/server.js.map"]) {
    assert.ok(built.read(file) === other.read(file), `${file} is another`);
    assert.not.ok(built.read(file).includes(dirname(built.folder)), `${file} names its folder`);
  }
});

test("the source map leads to files of the project, by relative paths", async () => {
  const { built } = await plainBuild();
  const { sources } = JSON.parse(built.read("dist/server.js.map")) as { sources: string[] };
  assert.ok(sources.includes("../apps/users/views.ts"));
  for (const source of sources) {
    assert.ok(source.startsWith("../"), source);
    assert.ok(built.has(join("dist", source)), source);
  }
});

test("what a package requires of Node is imported, so that an engine without `require` has it too", async () => {
  const text = (await plainBuild()).built.read("dist/server.js");
  assert.match(text, /^import .*"node:path";$/m);
  assert.not.match(text, /createRequire|__require/);
});

test("the file serves alone, takes the environment as it is, and its stack traces have the lines of the sources", async () => {
  const alone = createFolder("alone");
  const { built } = await plainBuild();
  for (const file of ["server.js", "server.js.map"])
    copyFileSync(join(built.folder, "dist", file), join(alone, file));
  const server = await serve(alone, [process.execPath, "--enable-source-maps", "server.js"]);
  await checkSamples(server.url);
  await checkHeld(server.url);
  assert.equal((await ask(server.url, "GET /environment")).json, { mode: "production", word: null });
  await ask(server.url, "GET /bad");
  await server.waitFor(/routes\/bad\.ts:4:9/);
  assert.is((await server.stop()).status, 0);
});

/** Nothing but what is created, and a main file that does not listen. */
const quiet = once("quiet build", () =>
  builtCopy({
    "app.ts":
      'import { createApp } from "framework";\nexport const app = await createApp();\nexport const own = 7;\n',
  }),
);

test("what the framework itself brings needs no module of Node and no second file, and no more than is used", async () => {
  const { read, tree } = await quiet();
  const text = read("dist/server.js");
  assert.not.match(text, /^import |__commonJS|createRequire/m);
  assert.not.match(text, /runtime\/wire|RequestReader|chainHooks|createCors|access-control/i);
  assert.equal(
    Object.keys(tree()).filter((file) => file.startsWith("dist/")),
    ["dist/server.inputs.json", "dist/server.js", "dist/server.js.map"],
  );
  const built = await quiet();
  assert.is((await build(built, ["--minify"])).status, 0);
  assert.ok(read("dist/server.js").length < text.length / 2, "a minified build is less than half as large");
});

test("whoever imports the file gets fetch, and what the main file exports", async () => {
  const { folder, write } = await quiet();
  write(
    "import.mjs",
    `import server, { fetch, own } from "./dist/server.js";
const texts = await Promise.all([fetch, server.fetch].map(async (ask) => (await ask(new Request("http://a.example/items/4"))).text()));
console.log(JSON.stringify([own, ...texts]));
`,
  );
  const { stdout, stderr } = await runNode(folder, ["import.mjs"]);
  const item = '{"id":"4","name":"Item 4"}';
  assert.equal(JSON.parse(stdout), [7, item, item], stderr);
});

test("a server that listens has no default export, which Bun would serve a second time", async () => {
  const { built } = await plainBuild();
  built.write(
    "import.mjs",
    `const { default: served, fetch } = await import("./dist/server.js");
console.log(typeof served, typeof fetch);
process.kill(process.pid, "SIGTERM");
`,
  );
  const { stdout, status } = await runNode(built.folder, ["import.mjs"], { PORT: "0" });
  assert.match(stdout, /^undefined function$/m);
  assert.is(status, 0);
});

test("what one file can't hold is refused, each with its place, and nothing is built", async () => {
  const unbuilt = await buildableCopy(Object.assign({}, ...REFUSED.map(([, files]) => files)));
  const { status, stderr } = await build(unbuilt);
  assert.is(status, 1);
  for (const [place, , says] of REFUSED) {
    assert.ok(stderr.includes(`\n  ${place}\n`), `${place} is missing in:\n${stderr}`);
    assert.match(stderr, says);
  }
  assert.is(stderr.match(/^error /gm)?.length, REFUSED.length, stderr);
  assert.not.match(stderr, /\n\s+at /);
  assert.not.ok(unbuilt.has("dist/server.js"));
});

test("packages that look for a native part when they run are refused, and those that do without it are not", async () => {
  const names = Object.keys(LOADERS).flatMap((file) => /^node_modules\/([^/]+)\/p/.exec(file)?.[1] ?? []);
  const unbuilt = await buildableCopy({
    ...LOADERS,
    "routes/a.ts":
      `// @ts-nocheck\n${names.map((name, at) => `import * as p${at} from "${name}";\n`).join("")}` +
      `export const get = () => [${names.map((_, at) => `typeof p${at}`)}];\n`,
  });
  const { status, stderr } = await build(unbuilt);
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

/** Each keeps the build from coming to its end. */
const UNBUILDABLE: readonly (readonly [what: string, files: Files, says: RegExp])[] = [
  [
    "a type that is imported as if it were there at run time",
    {
      "lib/user.ts": "export type User = { name: string };\nexport const user = 1;\n",
      "routes/a.ts":
        '// ä 😀\nimport { user, User } from "../lib/user.ts";\nexport const get = () => user as unknown as User;\n',
    },
    /FW503 routes\/a\.ts could not be loaded: lib\/user\.ts does not[\s\S]*routes\/a\.ts:2:16[\s\S]*hint: If `User` is a type, write `import type/,
  ],
  [
    "a syntax error that only the bundler sees",
    {
      "node_modules/odd/package.json": '{ "name": "odd", "main": "index.js" }',
      "node_modules/odd/index.js": "this is not JavaScript(\n",
      "routes/a.ts": '// @ts-nocheck\nimport odd from "odd";\nexport const get = () => odd;\n',
    },
    /node_modules\/odd\/index\.js/,
  ],
  ["a file in the place of dist", { dist: "" }, /dist\/server\.js can't be written: EEXIST/],
];

const unbuildable = once("project that can't be built", () => buildableCopy());

for (const [what, files, says] of UNBUILDABLE) {
  test(`${what} ends a build without a stack, and leaves nothing behind`, async () => {
    const unbuilt = await unbuildable();
    for (const [file, text] of Object.entries(files)) unbuilt.write(file, text);
    const { status, stderr } = await build(unbuilt);
    assert.is(status, 1);
    assert.match(stderr, says);
    assert.not.match(stderr, /\n\s+at /);
    assert.not.ok(Object.keys(unbuilt.tree()).some((file) => /\.new$|^dist\/server\.js$/.test(file)));
    for (const file of Object.keys(files)) unbuilt.remove(file);
  });
}

test("a path of tsconfig.json and an import from the web are refused by start and by build", async () => {
  const refused = await buildableCopy({
    "tsconfig.json": '{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"] } } }',
    "lib/word.ts": "export const word = 1;\n",
    "routes/a.ts": '// @ts-nocheck\nimport { word } from "@lib/word.ts";\nexport const get = () => word;\n',
    "routes/b.ts": '// @ts-nocheck\nimport a from "https://a.example/a.js";\nexport const get = () => a;\n',
  });
  for (const { status, stderr } of [await build(refused), await refused.framework(["start"])]) {
    assert.is(status, 1);
    assert.match(stderr, /error FW\d{3} [^\n]*@lib\/word[^\n]*\n {2}routes\/a\.ts:2:/);
    assert.match(stderr, /error FW\d{3} [^\n]*https:[^\n]*\n {2}routes\/b\.ts:2:/);
    assert.not.match(stderr, /\n\s+at /);
  }
});

test("files that the project names are copied beside the server, and go with the next build that does not name them", async () => {
  const copying = await buildableCopy({
    "framework.toml":
      'apps = ["products", "users"]\n[build]\ncopy = ["public", "./templates/*.html", "words.txt"]\n',
    "public/.well-known/security.txt": "Contact: mailto:a@a.example\n",
    "public/deep/er/a.css": "a {}\n",
    "templates/mail.html": "<p>Hello</p>\n",
    "templates/.draft.html": "",
    "templates/mail.txt": "",
    "words.txt": "yes no\n",
    "routes/mail.ts":
      'import { readFileSync } from "node:fs";\nexport const get = () => readFileSync("templates/mail.html", "utf8");\n',
  });
  const made = (): string[] => Object.keys(copying.tree()).filter((file) => /^dist\/(?!server\.)/.test(file));
  const { status, stdout, stderr } = await build(copying);
  assert.is(status, 0, stderr);
  assert.match(stdout, /^dist: 4 files copied$/m);
  assert.equal(made(), [
    "dist/public/.well-known/security.txt",
    "dist/public/deep/er/a.css",
    "dist/templates/mail.html",
    "dist/words.txt",
  ]);
  const alone = createFolder("shipped");
  cpSync(join(copying.folder, "dist"), alone, { recursive: true });
  const server = await serve(alone, [process.execPath, "server.js"]);
  assert.is((await ask(server.url, "GET /mail")).text, "<p>Hello</p>\n");
  await server.stop();
  copying.write("framework.toml", 'apps = ["products", "users"]\n[build]\ncopy = ["words.txt"]\n');
  copying.write("dist/mine.txt", "");
  assert.is((await build(copying)).status, 0);
  assert.equal(made(), ["dist/mine.txt", "dist/words.txt"]);
});

test("what can't be copied is refused, with its place", async () => {
  const refused = await buildableCopy({
    "framework.toml":
      'apps = ["products", "users"]\n[build]\ncopy = ["nothing/*.html", "package.json", "public"]\n',
    "public/a.css": "",
  });
  const { status, stderr } = await build(refused);
  assert.is(status, 1);
  assert.match(stderr, /FW710 `copy` names `nothing\/\*\.html`[^\n]*\n {2}framework\.toml:3:9\n/);
  assert.match(stderr, /FW710 The build makes dist\/package\.json itself\.\n {2}framework\.toml:3:27\n/);
  assert.not.ok(refused.has("dist"));
});

test("without the bundler the build says what to install", async () => {
  const { status, stderr } = await build(await copyProject());
  assert.is(status, 1);
  assert.match(stderr, /npm install/);
});

test("a built server says what to do when its port is taken, and ends with 1", async () => {
  const { built } = await plainBuild();
  const { port, release } = await holdPort(0);
  const words = [...BUILT.slice(1), "--host", "127.0.0.1", `--port=${port}`];
  const { status, stderr } = await runNode(built.folder, words);
  await release();
  assert.is(status, 1);
  assert.match(stderr, new RegExp(`^Port ${port} is in use by another program\\.\\n  hint: .*--port \\d+`));
  assert.not.match(stderr, /\n\s+at /);
});

test("a built server tells of a port that is none, without a stack", async () => {
  const { built } = await plainBuild();
  const words = [...BUILT.slice(1), "--prefix", "port", "--port", "70000"];
  const { status, stderr } = await runNode(built.folder, words, { PORT: "abc" });
  assert.is(status, 1);
  assert.match(stderr, /^--port is "70000"/m);
  assert.not.match(stderr, /\n\s+at /);
});

/** They end a built server with 1, as they do when it is started from source. */
const FAILING: readonly (readonly [what: string, files: Files, says: RegExp])[] = [
  [
    "whose main file throws, though something keeps it alive,",
    { "app.ts": 'setInterval(() => {}, 1000);\nthrow new Error("no such table");\n' },
    /^The server could not start\.\n {2}Error: no such table\n {4}.*dist\/server\.js/,
  ],
  [
    "with a guard that nothing could read",
    {
      "apps/_hooks.ts": 'export * from "./old/hooks.js";\n',
      "apps/old/package.json": '{ "type": "commonjs" }',
      "apps/old/hooks.js": "exports.guard = () => { throw 1; };\n",
    },
    /^apps\/_hooks\.ts exports `guard` when it is loaded, but not in its source\.\n {2}hint: Declare it/,
  ],
];
for (const [what, files, says] of FAILING) {
  test(`a built server ${what} ends with 1`, async () => {
    const failing = await buildableCopy(files);
    assert.is((await build(failing, ["--minify"])).status, 0);
    const { status, stderr } = await runNode(failing.folder, BUILT.slice(1), { PORT: "0" });
    assert.is(status, 1);
    assert.match(stderr, says);
  });
}

function runNode(cwd: string, words: readonly string[], settings: Environment = {}): Promise<Outcome> {
  return run([process.execPath, ...words], { cwd, env: { ...isolatedEnvironment(), ...settings } });
}

test.run();
