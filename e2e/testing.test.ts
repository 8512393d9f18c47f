/** How a created project's tests are run: which files, in what colours, and what is printed where one can't be loaded. */

import { execFile } from "node:child_process";
import { once as onceEmitted } from "node:events";
import { rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { sample } from "#runtime/random.fixture";
import { run } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { linkModules } from "./harness/modules.ts";
import { once } from "./harness/once.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { RUNNER, runTests } from "./harness/project-tests.ts";

/** Each test takes away what it has added to it. */
const sharedProject = once("project with packages", async (): Promise<Project> => {
  const project = await copyProject();
  linkModules(project);
  return project;
});

/** As it is printed: the harness takes colours out. */
async function runInColour(words: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const { folder: cwd } = await sharedProject();
  return promisify(execFile)(process.execPath, [...RUNNER, ...words], { cwd, env: isolatedEnvironment() });
}

test("all tests run, but what begins with `_` is a helper; a file gets no colour, no request is logged, and Node warns of nothing", async () => {
  const project = await sharedProject();
  project.edit("framework.toml", "[server]", "[server]\naccess_log = true");
  const helpers = ["tests/_server.ts", "tests/_data/users.ts"];
  for (const file of helpers) project.write(file, 'throw new Error("run");\n');
  const { stdout, stderr } = await runInColour([]);
  for (const file of helpers) project.remove(file);
  project.edit("framework.toml", "[server]\naccess_log = true", "[server]");
  assert.is(stderr, "");
  assert.not.match(stdout, "\u001b");
  assert.not.match(stdout, /GET \//);
  assert.match(stdout, /Passed: +20\n/);
});

test("words choose files, options of uvu are taken, and colour comes where it is asked for", async () => {
  const { stdout } = await runInColour([
    "users",
    "./tests/items.test.ts",
    "-b",
    "--ignore",
    "app|index",
    "--color",
  ]);
  assert.equal(stdout.match(/(?:app|index|items|products|users)\.test\.ts/g), [
    "items.test.ts",
    "users.test.ts",
  ]);
  assert.match(stdout, "\u001b");
});

const LISTEN = `import { createApp } from "../vendor/framework/index.js";
const server = await (await createApp()).listen();
console.log(server.url);
if (process.env.PORT) await server.close();
`;

test("under a test runner that does not preload test.js, an app takes a free port, unless PORT says which, and keeps no process alive", async () => {
  const project = await copyProject();
  // So that nothing has to erase types, which Node 20 can't.
  rmSync(join(project.folder, "routes"), { recursive: true });
  project.write("tests/_listen.mjs", LISTEN);
  const taken = createServer().listen(0, "127.0.0.1");
  await onceEmitted(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const listen = (env: Record<string, string>) =>
    run([process.execPath, "tests/_listen.mjs"], {
      cwd: project.folder,
      env: { ...isolatedEnvironment(), ...env },
    });
  project.write("framework.toml", `apps = []\n\n[server]\nport = ${port}\n`);
  for (const name of sample("test runners", ["VITEST", "JEST_WORKER_ID", "NODE_TEST_CONTEXT"], 1)) {
    const { stdout, stderr, status } = await listen({ [name]: "1" });
    assert.is(status, 0, stderr);
    assert.match(stdout, /^http:\/\/127\.0\.0\.1:\d+$/m);
  }
  assert.match((await listen({ VITEST: "1", PORT: String(port) })).stderr, "EADDRINUSE");
  assert.match((await listen({})).stderr, "EADDRINUSE");
  taken.close();
});

const MISTYPED: readonly (readonly [words: readonly string[], error: string])[] = [
  [["--colour"], "error Unknown option '--colour'"],
  [["items", "nosuch"], "error No test file has `nosuch` in its path.\n  hint: It is a part of a path"],
];

test("an unknown option and a word that chooses no file are refused, and nothing runs", async () => {
  for (const [words, error] of MISTYPED) {
    const { status, stdout, stderr } = await runTests(await sharedProject(), words);
    assert.equal([status, stdout], [1, ""]);
    assert.ok(stderr.startsWith(error), stderr);
  }
});

test("a failing test ends with 1", async () => {
  const project = await sharedProject();
  project.edit("routes/index.ts", "message", "text");
  const { status, stdout } = await runTests(project, ["index"]);
  project.edit("routes/index.ts", "text", "message");
  assert.is(status, 1);
  assert.match(stdout, /FAIL +"GET \/ answers with a message"/);
});

const ROUTE = 'import "#lib/db.ts";\nexport const get = () => 1;\n';

const UNLOADABLE: readonly {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  readonly says: RegExp;
}[] = [
  {
    what: "an import in what three routes import is reported once, with its line and what to do",
    files: {
      "lib/db.ts": '// of no version\nimport "node:nope";\n',
      "routes/a.ts": ROUTE,
      "routes/b.ts": ROUTE,
      "routes/c.ts": ROUTE,
    },
    says: /^error FW503 [^\n]+\n {2}lib\/db\.ts:2:8\n {4}\d \| import [^\n]+\n {6}\| +\^+\n {2}hint: [^\n]+\n$/,
  },
  {
    what: "a syntax error in a test is reported at its place",
    files: { "tests/a.test.ts": 'import { test } from "uvu";\n\ntest("one", () => {\n  const y = ;\n});\n' },
    says: /^error FW503 tests\/a\.test\.ts could not be loaded: SyntaxError: Unexpected token\n {2}tests\/a\.test\.ts:4:13\n/,
  },
  {
    what: "what a test throws when it is loaded is shown with its stack",
    files: { "tests/a.test.ts": '\nthrow new TypeError("too early");\n' },
    says: /^error TypeError: too early\n\s+at [^\n]*tests\/a\.test\.ts:2:7/,
  },
];
for (const { what, files, says } of sample("tests that can't be loaded", UNLOADABLE, 1)) {
  test(what, async () => {
    const project = await sharedProject();
    for (const [file, text] of Object.entries(files)) project.write(file, text);
    const { status, stderr } = await runTests(project);
    for (const file of Object.keys(files)) project.remove(file);
    assert.is(status, 1);
    assert.match(stderr, says);
  });
}

test("before `npm install` it says what is missing, and a project without tests passes", async () => {
  const project = await copyProject();
  const { status, stderr } = await runTests(project);
  assert.is(status, 1);
  assert.is(
    stderr,
    "error The tests need the project's devDependencies.\n  hint: Run `npm install` first.\n",
  );
  rmSync(join(project.folder, "tests"), { recursive: true });
  linkModules(project);
  const untested = await runTests(project);
  assert.is(untested.status, 0);
  assert.match(untested.stdout, /Total: +0\n/);
});

test.run();
