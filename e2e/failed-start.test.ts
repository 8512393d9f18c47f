/** Starts that fail, and mistakes in code that only running it shows: what is said of them, and that nothing lives on. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { build, buildableCopy } from "./harness/build.ts";
import { ask } from "./harness/client.ts";
import { type Outcome, run, start } from "./harness/command.ts";
import { type Environment, isolatedEnvironment } from "./harness/environment.ts";
import { once } from "./harness/once.ts";
import { holdPort } from "./harness/port.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { START } from "./harness/server.ts";

type Files = Readonly<Record<string, string>>;

/** Keeps a process alive, as a connection to a database does. */
const HELD = "setInterval(() => {}, 1000);\n";
const CREATE = 'import { createApp } from "framework";\nexport const app = await createApp();\n';

const FAILURES: Files = {
  before: 'throw new Error("no database");',
  after: 'await app.listen();\nthrow new Error("no database");',
  twice: "const { port } = await app.listen();\nawait app.listen({ port });",
  never: "await new Promise(() => {});",
  // A request in flight is answered only once the failure has been told.
  begun: 'await app.listen();\nawait begun;\nthrow new Error("no database");',
};

/** Its main file fails as the environment says. */
const FAILING: Files = {
  "app.ts": `import { begun } from "./routes/_begin.ts";
${CREATE}const how = process.env.FAILS;
if (how !== "never") ${HELD}${Object.entries(FAILURES)
    .map(([name, text]) => `if (how === "${name}") {\n${text}\n}\n`)
    .join("")}await app.listen();
`,
  "routes/_begin.ts": `export let begin = () => {};
export const begun = new Promise<void>((resolve) => {
  begin = resolve;
});
`,
  "routes/wait.ts": `import { begin } from "./_begin.ts";
export async function get() {
  begin();
  while (process.exitCode !== 1) await new Promise((resolve) => setImmediate(resolve));
  return "answered";
}
`,
};

const failing = once("project that fails", () => buildableCopy(FAILING));

function environment(settings: Environment): Environment {
  return { ...isolatedEnvironment(), HOST: "127.0.0.1", PORT: "0", ...settings };
}

const SAID: readonly [how: string, says: RegExp][] = [
  ["before", /Error: no database/],
  ["after", /Error: no database/],
  ["twice", /^error This app listens on port \d+ already\.\n {2}hint: Call `app\.listen\(\)` once\./m],
  [
    "never",
    /^error app\.ts never finishes loading[^\n]*\n {2}hint: An `await` at the top level(?![\s\S]*(?:Warning|\n\s+at ))/m,
  ],
];
for (const [how, says] of SAID) {
  test(`a main file that fails (${how}) ends the start with 1, though something keeps the process alive`, async () => {
    const { status, stderr } = await (await failing()).spawnFramework(["start"], {
      env: environment({ FAILS: how }),
    });
    assert.is(status, 1, stderr);
    assert.match(stderr, says);
  });
}

test("a request in flight is finished when the main file throws after it listens", async () => {
  const { folder: cwd } = await failing();
  const server = start(START, { cwd, env: environment({ FAILS: "begun" }) });
  const [url] = await server.waitFor(/http:\/\/[^\s/]+:\d+/);
  assert.is((await ask(url, "GET /wait")).text, "answered");
  assert.is((await server.ended).status, 1);
});

test("a port in use ends the start with 1, with workers or without, though something keeps the process alive", async () => {
  const { port, release } = await holdPort(0);
  for (const words of [[], ["--workers", "2"]]) {
    const { status, stderr } = await (await failing()).spawnFramework(["start", ...words], {
      env: environment({ PORT: String(port) }),
    });
    assert.is(status, 1, stderr);
    assert.match(stderr, new RegExp(`^error Port ${port} is in use by another program\\.`));
    assert.is(stderr.match(/in use/g)?.length, 1);
  }
  await release();
});

test("a main file that throws after it listens, or listens twice, ends its built server with 1, too", async () => {
  const project = await failing();
  assert.is((await build(project)).status, 0);
  for (const [how, says] of [
    ["after", /no database/],
    ["twice", /^This app listens on port \d+ already\./m],
  ] as const) {
    const words = [process.execPath, "dist/server.js"];
    const { status, stderr } = await run(words, { cwd: project.folder, env: environment({ FAILS: how }) });
    assert.is(status, 1, stderr);
    assert.match(stderr, says);
  }
});

test("a program that starts the app itself ends with the mistake, and little of the framework's code", async () => {
  const project = await copyProject();
  project.write("app.ts", CREATE);
  project.write("routes/broken.ts", "export function get( {\n");
  const words = [process.execPath, "--import", "./vendor/framework/test.js", "app.ts"];
  const { status, stderr } = await run(words, { cwd: project.folder, env: isolatedEnvironment() });
  assert.is(status, 1);
  assert.match(stderr, /ProjectError: error FW301 .*\n {2}routes\/broken\.ts:2:1\n/);
  assert.ok(stderr.length < 2_000, `${stderr.length} characters`);
});

const MISTAKES: readonly [what: string, files: Files, says: RegExp][] = [
  [
    "an import without its ending in the main file",
    { "app.ts": '// the API\nimport "./lib/types";\n', "lib/types.ts": "" },
    /^error FW503 app\.ts could not be loaded: [^\n]*\n {2}app\.ts:2:8\n[\s\S]*\n {2}hint: Name the file with its ending: `types\.ts`\.\n$/,
  ],
  [
    "a package that is not installed, in a file that the main file imports",
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
    "the package.json of a package that ends too early",
    { "node_modules/pg/package.json": "{", "app.ts": 'import "pg";\n' },
    /^error .*Invalid package config [^\n]*node_modules\/pg\/package\.json/,
  ],
  [
    "a body of a type that is not a schema",
    {
      "lib/word.ts": 'const make = (): { word: string } => ({ word: "a" });\nexport const Word = make();\n',
      "routes/word.ts":
        'import type { Body } from "framework";\nimport type { Word } from "../lib/word.ts";\nexport const post = (body: Body<typeof Word>) => body;\n',
    },
    /FW504 A handler takes `typeof Word`, but `Word` of lib\/word\.ts is not a Standard Schema\./,
  ],
  [
    "what a module that a handler imports throws",
    {
      "routes/user.ts": 'import "../lib/user.ts";\nexport const get = () => 1;\n',
      "lib/user.ts": 'throw new Error("no users");\n',
    },
    /^error FW503 lib\/user\.ts could not be loaded: Error: no users\n {2}lib\/user\.ts:1:7\n/,
  ],
  [
    "a CommonJS package that throws, in a file that a handler imports,",
    {
      "routes/user.ts": 'import "../lib/user.ts";\nexport const get = () => 1;\n',
      "lib/user.ts": 'import "broken";\n',
      "node_modules/broken/index.js": 'throw new Error("broken");\n',
    },
    /^error FW503 lib\/user\.ts could not be loaded: Error: broken\n {2}lib\/user\.ts:1:8\n/,
  ],
  [
    "what the main file throws when it runs",
    { "app.ts": 'await import("./lib/nowhere.ts");\n' },
    /^error Error(?: \[ERR_MODULE_NOT_FOUND\])?: Cannot find module [^\n]*\n\s+at /,
  ],
];
for (const [what, files, says] of MISTAKES) {
  test(`${what} ends the start with 1, its place and what to do`, async () => {
    const { status, stderr } = await startWith(files);
    assert.is(status, 1);
    assert.match(stderr, says);
  });
}

async function startWith(files: Files): Promise<Outcome> {
  const project: Project = await copyProject();
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return project.framework(["start", "--host", "127.0.0.1", "--port", "0"]);
}

test.run();
