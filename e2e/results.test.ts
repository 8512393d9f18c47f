/** Results are held to the types that their handlers write, and looked at for promises: in dev the terminal tells, and tests fail. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { ask } from "./harness/client.ts";
import { linkModules } from "./harness/modules.ts";
import { once } from "./harness/once.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { runTests } from "./harness/project-tests.ts";
import { DEV, serve } from "./harness/server.ts";

const USERS = `import { HttpError, type int } from "framework";

interface User {
  id: int;
  name: string;
}

const rows: any = { 7: { id: 7, name: null }, 8: { id: 8, name: "Ada", passwordHash: "x" } };

export async function get(user_id: int): Promise<User> {
  const user = rows[user_id];
  if (!user) throw new HttpError(404, "There is no such user");
  return user;
}

export function post(): [User, 201] {
  return [rows[8], 418 as 201];
}
`;

const DIFFERENCE =
  "FW970 GET /users/<user_id> answered with something that its type does not allow: /name: a string, but got null.";

const REPORTS = `async function load(id: number) {
  if (id === 7) throw new Error("the disk is full");
  return [];
}

export function get(id: number) {
  return { rows: load(id) };
}

export function post() {
  return [load(7), 201];
}
`;

const FORGOTTEN =
  "(routes/reports.ts:6:17): The handler returned a promise at /rows, whose value is not sent. Await it first.";
const REJECTED = "A promise was rejected and nobody handled it: is an await missing?";

const NOTE = { body: '{"id":1,"payload":null}', headers: { "content-type": "application/json" } };

/** Each is correct for TypeScript, and JSON may still surprise. */
const CORRECT = `import type { Body, int } from "framework";

class Money {
  cents = 1;
  toJSON() { return String(this.cents); }
}
class Point {
  x = 1;
  #secret = 2;
  move = () => this.x;
  get sum() { return this.#secret; }
  stop() {}
}
interface Note { id: int; payload: unknown; more?: string | undefined }
const SIZES = { small: 0, large: 7 } as const;
type Id = string & { readonly brand: "id" };
interface Tree { name: string; children: readonly Tree[] }
type Event = { type: "a"; a: int } | { type: "b"; b: string };

export function get_money(): Money[] { return [new Money()]; }
export function get_point(): Point { return new Point(); }
export function get_any(): { e: any; d: unknown; u: undefined | string } { return { e: undefined, d: undefined, u: undefined }; }
export function get_empty(): { a: {}; b: object } { return { a: 1, b: [1] }; }
export function get_note(): Note { return { id: 1, payload: undefined, more: undefined }; }
export function post_note(note: Body<Note>): [Note, 201] { return [{ ...note, payload: () => 1 }, 201]; }
export function get_size(): { size: (typeof SIZES)[keyof typeof SIZES] } { return { size: SIZES.large }; }
export function get_id(): { id: Id; path: \`/\${string}\` } { return { id: "x" as Id, path: "/x" }; }
export function get_tree(): Tree { return { name: "a", children: [{ name: "b", children: [] }] }; }
export function get_tuple(): { pair: [int, ...string[]]; list: (string | undefined)[] } { return { pair: [1, "a"], list: ["a", undefined] }; }
export function get_partial(): Partial<Tree> & Pick<Note, "id"> { return { id: 1 }; }
export function get_record(): Record<string, Date | null> { return { a: new Date(), b: null }; }
export function get_map(): { map: Map<string, int>; bytes: Set<int> } { return { map: new Map([["a", 1]]), bytes: new Set([1]) }; }
export function get_event(): Event { return { type: "b", b: "x" }; }
export function get_generic(): { items: Note[]; next: Note["payload"] } { return { items: [], next: undefined }; }
`;

const sharedProject = once("project", async (): Promise<Project> => {
  const project = await copyProject();
  linkModules(project);
  project.write("routes/users.ts", USERS);
  project.write("routes/reports.ts", REPORTS);
  project.write("apps/products/views.ts", CORRECT);
  return project;
});

/** @param tests the bodies of tests, by the names of their files below `tests/results/`. */
async function runOwnTests(tests: Readonly<Record<string, string>>): ReturnType<typeof runTests> {
  const project = await sharedProject();
  for (const [name, body] of Object.entries(tests)) {
    project.write(
      `tests/results/${name}.test.ts`,
      `import { request } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { app } from "../../app.ts";

test("${name}", async () => {
  ${body}
});

test.run();
`,
    );
  }
  return runTests(
    project,
    Object.keys(tests).map((name) => `results/${name}.test.ts`),
  );
}

test("a test that meets a difference fails, by app.fetch and by HTTP: the answer is a 500 that says where and why", async () => {
  const { status, stdout, stderr } = await runOwnTests({
    fetched: 'assert.is((await app.fetch("/users/7")).status, 200);',
    asked: `const { url } = await app.listen();
  assert.is((await request(url + "/users/7")).statusCode, 200);`,
    posted: `const response = await app.fetch("/users", { method: "POST" });
  console.log(response.status, await response.text());`,
  });
  assert.is(status, 1);
  for (const name of ["fetched", "asked"]) assert.match(stdout, new RegExp(`FAIL +"${name}"`));
  assert.match(stderr, `error ${DIFFERENCE}\n  routes/users.ts:10:23\n`);
  assert.match(
    stdout,
    '500 {"error":"FW970 POST /users answered with something that its type does not allow: ' +
      'the status: exactly 201, but got 418. (routes/users.ts:16:17)"}',
  );
});

test("a difference fails the run, also where the test asserts nothing", async () => {
  const { status, stdout, stderr } = await runOwnTests({ silent: 'await app.fetch("/users/7");' });
  assert.is(status, 1);
  assert.match(stdout, /Passed: +1/);
  assert.match(stderr, `error ${DIFFERENCE}\n`);
});

test("what fits, what is thrown and what only has more than its type fails no test", async () => {
  const { status, stdout, stderr } = await runOwnTests({
    fitting: `for (const id of [8, 9, "x"]) await app.fetch(\`/users/\${id}\`);
  assert.equal(await (await app.fetch("/users/8")).json(), { id: 8, name: "Ada", passwordHash: "x" });`,
  });
  assert.is(status, 0, stdout + stderr);
  assert.is(stderr, "");
});

test("a promise that nobody awaited is a 500 under test, and one that rejects fails the run, which goes on", async () => {
  const { status, stdout, stderr } = await runOwnTests({
    promised: `for (const [method, path] of [["POST", "/reports"], ["GET", "/reports/7"], ["GET", "/reports/8"]]) {
    const response = await app.fetch(path, { method });
    console.log(response.status, await response.text());
    await new Promise((resolve) => setImmediate(resolve));
  }`,
  });
  assert.is(status, 1);
  assert.match(stdout, `500 {"error":"GET /reports/8 → get ${FORGOTTEN}"}`);
  assert.match(stdout, /Passed: +1/);
  assert.match(
    stderr,
    /TypeError: The handler returned a promise, whose value is not sent\. Await it first\./,
    stderr,
  );
  assert.is(stderr.split(`${REJECTED}\n  Error: the disk is full`).length - 1, 2, stderr);
});

test("dev tells once what does not fit, at the handler, changes no answer, and what TypeScript allows is no difference", async () => {
  const server = await serve((await sharedProject()).folder, DEV);
  const names = [...CORRECT.matchAll(/function get_(\w+)/g)].map(([, name]) => name);
  const requests = [...names.map((name) => `GET /products/${name}`), "POST /products/note"];
  for (const line of requests) {
    const { status, text } = await ask(server.url, line, line.startsWith("POST") ? NOTE : {});
    assert.ok(status < 300, `${line}: ${text}`);
  }
  for (const id of [7, 7, 8, 7, 8]) {
    const { status, json } = await ask(server.url, `GET /users/${id}`);
    const shown = id === 7 ? { id, name: null } : { id, name: "Ada", passwordHash: "x" };
    assert.equal([status, json], [200, shown]);
  }
  await server.waitFor(/FW971/);
  const forgotten = await ask(server.url, "GET /reports/8");
  assert.equal([forgotten.status, forgotten.json], [500, { error: `GET /reports/8 → get ${FORGOTTEN}` }]);
  const { stderr } = await server.stop();
  assert.is(stderr.match(/FW97\d/g)?.length, 2, stderr);
  assert.match(stderr, `error ${DIFFERENCE}\n  routes/users.ts:10:23\n`);
  assert.match(
    stderr,
    "warning FW971 GET /users/<user_id> sends what its type does not have: /passwordHash.",
  );
});

test("a server that is started holds nothing to its type, and logs a promise that it sends once a route", async () => {
  const server = await serve((await sharedProject()).folder);
  const answer = await ask(server.url, "GET /users/7");
  assert.equal([answer.status, JSON.parse(answer.text)], [200, { id: 7, name: null }]);
  for (const id of [8, 7, 9]) {
    const { status, text } = await ask(server.url, `GET /reports/${id}`);
    assert.equal([status, text], [200, '{"rows":{}}']);
  }
  const { stdout, stderr } = await server.stop();
  assert.is(stderr, "");
  assert.is(stdout.match(/returned a promise at/g)?.length, 1, stdout);
  assert.match(stdout, /"path":"\/reports\/8","route":"\/reports\/<id>".*returned a promise at \/rows/);
  assert.match(stdout, REJECTED);
});

test.run();
