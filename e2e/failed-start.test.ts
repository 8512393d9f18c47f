/** Starts that fail, and mistakes in code that only running it shows: what is said of them, and that nothing lives on. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { buildableCopy } from "./harness/build.ts";
import { ask } from "./harness/client.ts";
import { type Outcome, run, start } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { holdPort } from "./harness/port.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { START } from "./harness/server.ts";

type Files = Readonly<Record<string, string>>;

/** Keeps a process alive, as a connection to a database does. */
const HELD = "setInterval(() => {}, 1000);\n";
const CREATE = 'import { createApp } from "framework";\nexport const app = await createApp();\n';

async function projectWith(files: Files): Promise<Project> {
  const project = await copyProject();
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return project;
}

async function startWith(files: Files, words: readonly string[] = []): Promise<Outcome> {
  return (await projectWith(files)).framework(["start", "--host", "127.0.0.1", "--port", "0", ...words]);
}

const FAILING: readonly [what: string, mainFile: string, says: RegExp][] = [
  ["throws before it listens", `${HELD}${CREATE}throw new Error("no database");\n`, /Error: no database/],
  [
    "throws after it listens",
    `${HELD}${CREATE}await app.listen();\nthrow new Error("no database");\n`,
    /Error: no database/,
  ],
  [
    "listens twice",
    `${HELD}${CREATE}const { port } = await app.listen();\nawait app.listen({ port });\n`,
    /^error This app listens on port \d+ already\.\n {2}hint: Call `app\.listen\(\)` once\./m,
  ],
];
for (const [what, mainFile, says] of FAILING) {
  test(`a main file that ${what} ends the start with 1, though something keeps the process alive`, async () => {
    const { status, stderr } = await startWith({ "app.ts": mainFile });
    assert.is(status, 1, stderr);
    assert.match(stderr, says);
  });

  test(`a main file that ${what} ends its built server with 1, too`, async () => {
    const project = await buildableCopy({ "app.ts": mainFile });
    assert.is((await project.framework(["build"])).status, 0);
    const env = { ...isolatedEnvironment(), HOST: "127.0.0.1", PORT: "0" };
    const { status, stderr } = await run([process.execPath, "dist/server.js"], { cwd: project.folder, env });
    assert.is(status, 1, stderr);
    assert.match(stderr, /no database|^This app listens on port \d+ already\./m);
  });
}

test("a program that starts the app itself ends with the mistake, and little of the framework's code", async () => {
  const project = await projectWith({ "app.ts": CREATE, "routes/broken.ts": "export function get( {\n" });
  const words = [process.execPath, "--import", "./vendor/framework/test.js", "app.ts"];
  const { status, stderr } = await run(words, { cwd: project.folder, env: isolatedEnvironment() });
  assert.is(status, 1);
  assert.match(stderr, /ProjectError: error FW301 .*\n {2}routes\/broken\.ts:2:1\n/);
  assert.ok(stderr.length < 2_000, `${stderr.length} characters`);
});

test("a port in use ends the start with 1, with workers or without, though something keeps the process alive", async () => {
  const { port, release } = await holdPort(0);
  for (const words of [[], ["--workers", "2"]]) {
    const address = ["--port", String(port), ...words];
    const { status, stderr } = await startWith(
      { "app.ts": `${HELD}${CREATE}await app.listen();\n` },
      address,
    );
    assert.is(status, 1, stderr);
    assert.match(stderr, new RegExp(`^error Port ${port} is in use by another program\\.`));
  }
  await release();
});

test("a request in flight is finished when the main file throws after it listens", async () => {
  const project = await projectWith({
    // It is answered only once the failure has been told.
    "routes/wait.ts": `import { begin } from "./_begin.ts";
export async function get() {
  begin();
  while (process.exitCode !== 1) await new Promise((resolve) => setImmediate(resolve));
  return "answered";
}
`,
    "routes/_begin.ts": `export let begin = () => {};
export const begun = new Promise<void>((resolve) => {
  begin = resolve;
});
`,
    "app.ts": `import { begun } from "./routes/_begin.ts";
${HELD}${CREATE}await app.listen();
await begun;
throw new Error("no database");
`,
  });
  const server = start(START, { cwd: project.folder, env: { ...isolatedEnvironment(), PORT: "0" } });
  const [url] = await server.waitFor(/http:\/\/[^\s/]+:\d+/);
  assert.is((await ask(url, "GET /wait")).text, "answered");
  assert.is((await server.ended).status, 1);
});

const ENDLESS: readonly [where: string, files: Files][] = [
  ["the main file", { "app.ts": `${CREATE}await new Promise(() => {});\nawait app.listen();\n` }],
  ["a handler's file", { "routes/a.ts": "await new Promise(() => {});\nexport const get = () => 1;\n" }],
];
for (const [where, files] of ENDLESS) {
  test(`an await in ${where} that never ends is told, and the status is 1`, async () => {
    const { status, stderr } = await startWith(files);
    assert.is(status, 1, stderr);
    assert.match(
      stderr,
      /^error app\.ts never finishes loading[^\n]*\n {2}hint: An `await` at the top level/m,
    );
    assert.not.match(stderr, /Warning|\n\s+at /);
  });
}

const MISTAKES: readonly [what: string, files: Files, says: RegExp][] = [
  [
    "an import without its ending",
    { "app.ts": '// the API\nimport "./lib/types";\n', "lib/types.ts": "" },
    /^error FW503 app\.ts could not be loaded: [^\n]*\n {2}app\.ts:2:8\n[\s\S]*\n {2}hint: Name the file with its ending: `types\.ts`\.\n$/,
  ],
  [
    "a package that is not installed, in a file that it imports",
    {
      "app.ts": `import "./lib/database.ts";\n${CREATE}await app.listen();\n`,
      "lib/database.ts":
        'import type { Pool } from "pg";\nimport pg from "pg";\nexport const pool: Pool = pg;\n',
    },
    /^error FW503 lib\/database\.ts could not be loaded: [^\n]*\n {2}lib\/database\.ts:2:16\n[\s\S]*\n {2}hint: Install it: `npm install pg`\. [^\n]*\n$/,
  ],
  [
    "an import of framework/database in a project without its files",
    {
      "app.ts": 'import "./lib/database.ts";\n',
      "lib/database.ts":
        'import { openDatabase } from "framework/database";\nopenDatabase({ url: "sqlite::memory:" });\n',
    },
    /^error FW503 lib\/database\.ts could not be loaded: [^\n]*\n {2}lib\/database\.ts:1:30\n[\s\S]*\n {2}hint: Add the files of a database: npx framework generate database sqlite, or postgres[^\n]*\n$/,
  ],
  [
    "an enum in a file that it imports",
    { "app.ts": 'import "./lib/size.ts";\n', "lib/size.ts": "enum Size { Small }\n" },
    /^error FW318 This is an enum: [^\n]*\n {2}lib\/size\.ts:1:1\n[\s\S]*\n {2}hint: Write an object with `as const` in its place\.\n$/,
  ],
  [
    "a package.json that ends too early",
    { "package.json": '{ "name": "shop",\n', "app.ts": 'import "pg";\n' },
    /^error FW827 package\.json is not JSON: [^\n]*\n {2}package\.json:\d+:1\n[\s\S]*hint: [^\n]*\n$/,
  ],
  [
    "a package.json with a comment",
    { "package.json": '{\n  // ours\n  "name": "shop"\n}\n', "app.ts": 'import "pg";\n' },
    /^error FW827 package\.json is not JSON: it has a comment[^\n]*\n {2}package\.json:2:3\n[\s\S]*hint: [^\n]*\n$/,
  ],
  [
    "the package.json of a package that ends too early",
    { "node_modules/pg/package.json": "{", "app.ts": 'import "pg";\n' },
    /^error FW827 node_modules\/pg\/package\.json is not JSON: [^\n]*\n {2}node_modules\/pg\/package\.json:1:2\n/,
  ],
];
for (const [what, files, says] of MISTAKES) {
  test(`${what}: in the main file, too, it is told with its place and what to do`, async () => {
    const { status, stderr } = await startWith(files);
    assert.is(status, 1);
    assert.match(stderr, says);
  });
}

test("a build with a malformed package.json is told its place", async () => {
  const project = await buildableCopy({ "package.json": '{ "name": "shop",\n' });
  const { status, stderr } = await project.framework(["build"]);
  assert.is(status, 1);
  assert.match(stderr, /^error FW827 package\.json is not JSON: [^\n]*\n {2}package\.json:\d+:1\n/);
});

test("what the main file throws when it runs is told with its stack", async () => {
  const { status, stderr } = await startWith({ "app.ts": 'await import("./lib/nowhere.ts");\n' });
  assert.is(status, 1);
  assert.match(stderr, /^error Error(?: \[ERR_MODULE_NOT_FOUND\])?: Cannot find module [^\n]*\n\s+at /);
});

test.run();
