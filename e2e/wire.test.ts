/** Handlers with marks, over a socket: `dev`, `start` and the built server answer alike, and dev names what is not declared. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { builtCopy } from "./harness/build.ts";
import { ask, askUntil } from "./harness/client.ts";
import { once } from "./harness/once.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { DEV, START, serve } from "./harness/server.ts";
import { WIRE_CASES, WIRE_FILES } from "./harness/wire.ts";

const typedProject = once("project with marks", async (): Promise<Project> => {
  const project = await copyProject();
  for (const [file, text] of Object.entries(WIRE_FILES)) project.write(file, text);
  return project;
});

const builtProject = once("built project with marks", () => builtCopy(WIRE_FILES));

const SERVERS: readonly [name: string, words: readonly string[], project: () => Promise<Project>][] = [
  ["framework dev", DEV, typedProject],
  ["framework start", START, typedProject],
  ["dist/server.js", [process.execPath, "dist/server.js"], builtProject],
];

for (const [name, words, project] of SERVERS) {
  test(`${name} answers ${WIRE_CASES.length} requests to handlers with marks`, async () => {
    const server = await serve((await project()).folder, words);
    for (const { line, question, status, answer, headers = {} } of WIRE_CASES) {
      const answered = await ask(server.url, line, question);
      assert.equal([answered.status, answered.json], [status, answer], line);
      for (const [header, value] of Object.entries(headers)) assert.is(answered.headers[header], value, line);
    }
    await server.stop();
  });
}

test("dev names undeclared keys and the nearest declared one, in one line without values", async () => {
  const server = await serve((await typedProject()).folder, DEV);
  const body = JSON.stringify({ nmae: "secret", lines: [{ sku: "a", qty: 1, "a\x1b[2J": "secret" }] });
  const headers = { "content-type": "application/json" };
  await ask(server.url, "POST /orders?pgae=2", { body, headers });
  const [line] = await server.waitFor(/.*nmae.*/);
  assert.is(
    line.trim(),
    'POST /orders: nmae in the body is not declared (did you mean name?), lines[0]["a\\u001b[2J"] in the body is not declared, pgae in the query is not declared (did you mean page?)',
  );
  await server.stop();
  assert.not.match(server.output(), "secret");
});

test("dev serves a change in a file with types", async () => {
  const project = await copyProject();
  for (const [file, text] of Object.entries(WIRE_FILES)) project.write(file, text);
  const server = await serve(project.folder, DEV);
  const question = { body: '{"name":"","lines":[]}', headers: { "content-type": "application/json" } };
  assert.is((await ask(server.url, "POST /orders", question)).status, 422);
  project.edit("lib/orders.ts", "name: string & MinLength<1>", "name: string");
  await askUntil(server.url, "PATCH /orders", ({ status }) => status === 200);
  await server.waitFor(/orders\.ts/);
  assert.is((await ask(server.url, "POST /orders", question)).status, 201);
  await server.stop();
});

test("a value that is not a schema keeps the project from being served", async () => {
  const project = await copyProject();
  project.write(
    "lib/word.ts",
    'const make = (): { word: string } => ({ word: "a" });\nexport const Word = make();\n',
  );
  project.write(
    "routes/word.ts",
    'import type { Body } from "framework";\nimport type { Word } from "../lib/word.ts";\nexport const post = (body: Body<typeof Word>) => body;\n',
  );
  const { status, stderr } = await project.framework(["start"]);
  assert.is(status, 1);
  assert.match(
    stderr,
    "FW504 A handler takes `typeof Word`, but `Word` of lib/word.ts is not a Standard Schema.",
  );
});

test("a built server without marks has nothing of core/wire in it", async () => {
  const text = (await builtCopy()).read("dist/server.js");
  assert.not.match(text, "runtime/wire");
  assert.not.match(text, "RequestWire");
});

test.run();
