/** In which order a project's modules run: the same in each way of running it. */

import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { builtCopy } from "./harness/build.ts";
import { ask, askUntil } from "./harness/client.ts";
import { run } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { DEV, START, serve } from "./harness/server.ts";

/** Each module notes its name when it runs. That of `routes/z.ts` imports most, and so is loaded last. */
const FILES: Readonly<Record<string, string>> = {
  "app.ts": `// @ts-nocheck
import "./lib/setup.ts";
import { createApp } from "framework";
note("app.ts");
process.env.SET_BY = "app.ts";
export const app = await createApp();
note("created");
await app.listen();
`,
  "lib/setup.ts": `// @ts-nocheck
globalThis.order = [];
globalThis.note = (name) => order.push(name);
note("setup");
`,
  "lib/shared.ts": '// @ts-nocheck\nnote("shared");\nexport const setBy = process.env.SET_BY;\n',
  "apps/users/views.ts": `// @ts-nocheck
note("users");
await new Promise((resolve) => setTimeout(resolve, 50));
note("users, after its await");
export const helper = 1;
`,
  "routes/a.ts": `// @ts-nocheck
import { HttpError } from "framework";
import { setBy } from "../lib/shared.ts";
note("a");
export const get = () => { if (!setBy) throw new HttpError(500); return { order, setBy }; };
`,
  "routes/b.ts":
    '// @ts-nocheck\nnote("b");\nexport const get = async () => (await import("../lib/shared.ts")).setBy;\n',
};

const EXPECTED = {
  order: ["setup", "app.ts", "users", "users, after its await", "shared", "a", "b", "created"],
  setBy: "app.ts",
};

async function askServer({ folder }: Project, words: readonly string[]): Promise<unknown> {
  const server = await serve(folder, words);
  // `framework dev` has its address before it has loaded anything.
  await askUntil(server.url, "GET /a", ({ status }) => status === 200);
  const { json } = await ask(server.url, "GET /a");
  assert.is((await server.stop()).status, 0);
  return json;
}

async function askInTest({ folder, write }: Project): Promise<unknown> {
  write(
    "tests/order.js",
    `import { app } from "../app.ts";
console.log(await (await app.fetch(new Request("http://a.example/a"))).text());
process.exit();
`,
  );
  const words = [process.execPath, "--import", "./vendor/framework/test.js", join("tests", "order.js")];
  const { stdout } = await run(words, { cwd: folder, env: isolatedEnvironment() });
  return JSON.parse(stdout.split("\n").find((line) => line.startsWith("{")) ?? stdout);
}

type Way = (project: Project) => Promise<unknown>;
const serving =
  (words: readonly string[]): Way =>
  (project) =>
    askServer(project, words);

const WAYS: readonly [name: string, copy: typeof copyWith, ask: Way][] = [
  ["framework dev", copyWith, serving(DEV)],
  ["framework start, from source", copyWith, serving(START)],
  ["framework start, of a built server", builtCopy, serving(START)],
  ["node dist/server.js", builtCopy, serving([process.execPath, "dist/server.js"])],
  ["a test", copyWith, askInTest],
];
for (const [name, copy, askIt] of WAYS) {
  test(`${name}: app.ts and what it imports run first, and the handlers when it calls createApp()`, async () => {
    assert.equal(await askIt(await copy(FILES)), EXPECTED);
  });
}

async function copyWith(files: Readonly<Record<string, string>>): Promise<Project> {
  const project = await copyProject();
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return project;
}

test.run();
