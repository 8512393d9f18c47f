/** What a created project answers over HTTP, with nothing installed: DESIGN sections 4, 5 and 8. Each kind once: runtime/ has the cases. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Answer, ask, sendRaw } from "./harness/client.ts";
import { once } from "./harness/once.ts";
import { copyProject } from "./harness/project.ts";
import { checkSample, SAMPLES } from "./harness/samples.ts";
import { type RunningServer, serve } from "./harness/server.ts";

const JSON_TYPE = "application/json; charset=utf-8";

/** Added to the created project: one file for each kind of result, signature and import that the design names. */
const PROBES: Readonly<Record<string, string>> = {
  "routes/results/array.ts": "export const get = () => [1, 2];\n",
  "routes/results/pair.ts": "export const get = () => [{ a: 1 }, 202];\n",
  "routes/results/nothing.ts": "export function get() {}\n",
  "routes/results/status-99.ts": "export const get = () => [{ a: 1 }, 99];\n",
  "routes/results/response.ts":
    'export const get = () => new Response("made", { status: 203, headers: { "x-made": "yes", "content-type": "text/html" } });\n',
  "routes/results/stream.ts":
    'export const get = () => new ReadableStream({ start(c) { c.enqueue(new TextEncoder().encode("a-b")); c.close(); } });\n',
  "routes/results/parts.ts": 'export async function* get() { yield "one,"; yield "two"; }\n',
  "routes/errors/thrown.ts": 'export function get() { throw new Error("secret-thrown"); }\n',
  "routes/errors/word.ts": 'export function get() { throw "secret-word"; }\n',
  "routes/errors/http.ts":
    'import { HttpError } from "framework/http";\nexport function get() { throw new HttpError(418, "a teapot"); }\n',
  "routes/errors/unheeded.ts":
    'export function get() { void Promise.reject(new Error("nobody waits")); return { fine: true }; }\n',
  "routes/errors/circle.ts":
    "export function get() { const a: Record<string, unknown> = {}; a.a = a; return a; }\n",
  "routes/request/all.ts": `import { type Request as Asked } from "framework";
export async function post(asked: Asked) {
  const { method, path, params, cookies } = asked;
  return { method, path, params, word: asked.query.get("word"), cookie: cookies.flavour, text: await asked.text(), header: asked.headers.get("x-a") };
}
`,
  "routes/request/is.ts": `import { Request } from "framework";
export const get = (request: Request) => ({ is: request instanceof Request });
`,
  "routes/request/global.ts": "export const get = (asked: Request) => ({ url: typeof asked.url });\n",
  "routes/request/untyped.ts": "export const get = (request) => ({ method: request.method });\n",
  "routes/request/caught.ts": `import type { Request } from "framework/http";
export async function post(request: Request) {
  try { return await request.json(); } catch { return [{ caught: true }, 200]; }
}
`,
  "routes/request/json.ts":
    'import type { Request } from "framework/http";\nexport const post = (request: Request) => request.json();\n',
  "routes/params/[first]/[second].ts": `import { type int, type str } from "framework";
export const get = (third: number, second: str, first: int) => ({ first, second, third });
`,
  "routes/params/last.ts":
    'import { Request, int } from "framework";\nexport const get = (id: int, request: Request) => ({ id, path: request.path });\n',
  "routes/params/a_b-c.ts": "export const get = () => ({ literal: true });\n",
  "routes/order/[id].ts":
    'import type { int } from "framework";\nexport const get = (id: int) => ({ by: "int", id });\n',
  "routes/order/[name]/index.ts": 'export const get = (name: string) => ({ by: "str", name });\n',
  "routes/order/me.ts": 'export const get = () => ({ by: "static" });\n',
  "routes/order/[name]/deep.ts": 'export const get = (name: string) => ({ by: "deep", name });\n',
  "routes/order/[name]/[id].ts": "export const put = (name: string, id: number) => ({ put: [name, id] });\n",
  "routes/deleted/renamed.ts": "function remove() { return { gone: 1 }; }\nexport { remove as delete };\n",
  "routes/deleted/short.ts": "export const del = async () => ({ gone: 2 });\n",
  "routes/_ignored.ts": "export const get = () => 1;\n",
  "routes/own.ts":
    'export const head = () => new Response(null, { headers: { "x-own": "head" } });\nexport const get = () => ({ a: 1 });\nexport const options = () => [{ own: true }, 200];\n',
  "apps/shop/app.toml": '[app]\nprefix = "/api/v1/products"\n',
  "apps/shop/views.ts": `import type { Request, int } from "framework";
export function get_index(request: Request, id: int) { return { id }; }
export async function get_all() { return { all: [] }; }
export function get_by_id(request: Request, user_id: int) { return { user_id }; }
export function get_by_username(request: Request, username: string) { return { username }; }
export const get_index_foo = () => ({ foo: true });
export const patch_CamelCase = () => ({ kept: true });
export const put_a_b_c = (one: string, two: int) => ({ one, two });
export const get_$slug_comments_$id = (id: int, request: Request, slug: string) => ({ id, slug, params: request.params });
export const get_$user_id_posts = (user_id: int) => ({ user_id });
`,
};

const server = once("server", async (): Promise<RunningServer> => {
  const project = await copyProject();
  for (const [file, text] of Object.entries(PROBES)) project.write(file, text);
  project.edit("framework.toml", '"users"]', '"users", "shop"]');
  return serve(project.folder);
});

async function request(line: string, body?: string): Promise<Answer> {
  return ask((await server()).url, line, body === undefined ? {} : { body });
}

/** A request without a body, as it is written. */
async function requestRaw(line: string): Promise<string> {
  return sendRaw((await server()).url, `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
}

function allowed({ headers }: Answer): string[] {
  return String(headers.allow ?? "")
    .split(/,\s*/)
    .sort();
}

/** As JSON that says why, and nothing else. */
function checkError(answer: Answer, status: number, line: string): void {
  assert.is(answer.status, status, `${line}: ${answer.text}`);
  assert.is(answer.headers["content-type"], JSON_TYPE, line);
  assert.equal(Object.keys(answer.json as object), ["error"], answer.text);
}

test("the sample apps answer as their files say", async () => {
  const { url } = await server();
  for (const sample of SAMPLES) await checkSample(url, sample);
});

const OTHER_SPELLINGS: readonly [line: string, sameAs: string][] = [
  ["GET /products", "GET /products/"],
  ["GET /products/featured/items/", "GET /products/featured/items"],
  ["DELETE /products/item/", "DELETE /products/item"],
  ["GET /items/42/", "GET /items/42"],
  ["GET /users/by/id/007/", "GET /users/by/id/7"],
  ["GET /products/all?page=2", "GET /products/all"],
  ["GET /?", "GET /"],
  ["GET /%70roducts/all", "GET /products/all"],
];

test("a slash at the end, a query and escaped letters lead to the same route, without a redirect", async () => {
  for (const [line, sameAs] of OTHER_SPELLINGS) {
    const [answer, same] = [await request(line), await request(sameAs)];
    assert.equal([answer.status, answer.text], [200, same.text], line);
  }
});

const ANSWERS: readonly [line: string, json: unknown][] = [
  ["GET /users/by/id/9007199254740991", { user: { id: 2 ** 53 - 1, name: "Ada" } }],
  ["GET /users/by/username/a%2Fb", { user: { username: "a/b" } }],
  ["GET /users/by/username/%F0%9F%8C%B1", { user: { username: "🌱" } }],
  ["GET /users/by/username/a+b", { user: { username: "a+b" } }],
  ["GET /users/by/username/%2525", { user: { username: "%25" } }],
  ["GET /users/by/username/__proto__", { user: { username: "__proto__" } }],
  ["GET /params/1/two/3", { first: 1, second: "two", third: 3 }],
  ["GET /params/last/5", { id: 5, path: "/params/last/5" }],
  ["GET /params/a_b-c", { literal: true }],
  ["GET /order/me", { by: "static" }],
  ["GET /order/5", { by: "int", id: 5 }],
  ["GET /order/five", { by: "str", name: "five" }],
  ["GET /order/me/deep", { by: "deep", name: "me" }],
  ["GET /order/5/deep", { by: "deep", name: "5" }],
  ["PUT /order/me/5", { put: ["me", 5] }],
  ["DELETE /deleted/renamed", { gone: 1 }],
  ["DELETE /deleted/short", { gone: 2 }],
  ["GET /api/v1/products/all", { all: [] }],
  ["GET /api/v1/products/12", { id: 12 }],
  ["GET /api/v1/products/by/id/7", { user_id: 7 }],
  ["GET /api/v1/products/by/username/ada", { username: "ada" }],
  ["GET /api/v1/products/index/foo", { foo: true }],
  ["PATCH /api/v1/products/CamelCase", { kept: true }],
  ["PUT /api/v1/products/a/b/c/x/2", { one: "x", two: 2 }],
  ["GET /api/v1/products/a%2Fb/comments/7", { id: 7, slug: "a/b", params: { slug: "a/b", id: 7 } }],
  ["GET /api/v1/products/12/posts", { user_id: 12 }],
  ["OPTIONS /own", { own: true }],
  ["GET /request/is", { is: true }],
  ["GET /request/global", { url: "string" }],
  ["GET /request/untyped", { method: "GET" }],
  ["GET /results/array", [1, 2]],
];

test("params are read by their types and places, the most specific route answers, whichever way it is written", async () => {
  for (const [line, json] of ANSWERS) {
    const answer = await request(line);
    assert.equal([answer.status, answer.json], [200, json], line);
  }
  assert.is((await request("HEAD /own")).headers["x-own"], "head");
});

const MISSING = [
  "GET /nowhere",
  "OPTIONS /nowhere",
  "GET //products/all",
  "GET /products//all",
  "GET /users/by/id",
  "GET /users/by/id/abc",
  "GET /users/by/id/9007199254740992",
  "PUT /users/by/id/abc",
  "GET /users/by/username/",
  "GET /Products/all",
  "GET /products/all/more",
  "GET /_ignored",
  "GET /framework.toml",
  "GET /apps/users/views.ts",
  "GET /constructor",
];

test("what no route serves is a 404 that says so as JSON", async () => {
  for (const line of MISSING) {
    const answer = await request(line);
    checkError(answer, 404, line);
    assert.is(answer.headers.allow, undefined, line);
  }
  const head = await request("HEAD /nowhere");
  assert.equal([head.status, head.text], [404, ""]);
});

const METHODS: readonly [line: string, status: number, allow: readonly string[]][] = [
  ["PUT /", 405, ["GET", "HEAD", "OPTIONS"]],
  ["DELETE /items", 405, ["OPTIONS", "POST"]],
  ["HEAD /items", 405, ["OPTIONS", "POST"]],
  ["PATCH /products", 405, ["GET", "HEAD", "OPTIONS", "POST"]],
  ["GET /products/item", 405, ["DELETE", "OPTIONS"]],
  ["PUT /users/by/id/7", 405, ["GET", "HEAD", "OPTIONS"]],
  ["OPTIONS /products/", 204, ["GET", "HEAD", "OPTIONS", "POST"]],
  ["OPTIONS /products/item", 204, ["DELETE", "OPTIONS"]],
];

test("another method is a 405 with what is allowed, which OPTIONS tells, too", async () => {
  for (const [line, status, allow] of METHODS) {
    const answer = await request(line);
    assert.equal([answer.status, allowed(answer)], [status, [...allow]], line);
    if (answer.text !== "") checkError(answer, 405, line);
  }
  const whole = await requestRaw("OPTIONS *");
  assert.match(whole, /^HTTP\/1\.1 204 /);
  assert.match(whole, /\r\nallow: .*GET/i);
  for (const method of ["FETCH", "TRACE", "get"])
    assert.match(await requestRaw(`${method} /`), /^HTTP\/1\.1 (400|405|501) /, method);
});

test("HEAD has the status and headers of GET, and no body", async () => {
  for (const path of ["/", "/users/by/id/7", "/results/pair"]) {
    const [head, get] = [await request(`HEAD ${path}`), await request(`GET ${path}`)];
    assert.equal([head.status, head.text], [get.status, ""]);
    for (const name of ["content-type", "content-length"])
      assert.is(head.headers[name], get.headers[name], path);
  }
});

const BAD_BODIES: readonly [what: string, body: string][] = [
  ["an empty body", ""],
  ["half an object", '{"name":'],
  ["a nested __proto__ key", '{"name":"a","deep":[{"\\u005f_proto__":{}}]}'],
  ["100,000 brackets", "[".repeat(100_000)],
  ["no object", "null"],
];

test("a body that is not the JSON that was asked for is a 400, one over the limit a 413, unless the handler decides", async () => {
  for (const [what, body] of BAD_BODIES) {
    const answer = await request("POST /items", body);
    checkError(answer, 400, what);
    assert.not.match(answer.text, /vendor|\.ts|\.js/);
  }
  assert.equal((await request("POST /request/caught", "{")).json, { caught: true });
  const deep = `{"a":${"[".repeat(500)}1${"]".repeat(500)}}`;
  assert.is((await request("POST /request/json", deep)).status, 200);
  checkError(await request("POST /request/all", "x".repeat(1024 * 1024 + 1)), 413, "a long body");
});

test("a path that router and URL could disagree on is a 400", async () => {
  for (const path of ["/%", "/items/%ff", "/products/../users", "/items/.%2e", "/items/a\\b", "/items/a\tb"])
    assert.match(await requestRaw(`GET ${path}`), /^HTTP\/1\.1 400 /, path);
});

test("a request has its method, path, query, params, cookies, headers and body", async () => {
  const { url } = await server();
  const headers = { cookie: "flavour=oat; other=1", "x-a": "b" };
  const answer = await ask(url, "POST /request/all?word=a%20b", { body: "hello", headers });
  assert.equal(answer.json, {
    method: "POST",
    path: "/request/all",
    params: {},
    word: "a b",
    cookie: "oat",
    text: "hello",
    header: "b",
  });
});

test("results are sent as they are: with a status, as nothing, as a Response, and as streams", async () => {
  const pair = await request("GET /results/pair");
  assert.equal([pair.status, pair.text, pair.headers["content-type"]], [202, '{"a":1}', JSON_TYPE]);
  const nothing = await request("GET /results/nothing");
  assert.equal([nothing.status, nothing.text, nothing.headers["content-type"]], [204, "", undefined]);
  const made = await request("GET /results/response");
  assert.equal([made.status, made.text, made.headers["content-type"]], [203, "made", "text/html"]);
  assert.is(made.headers["x-made"], "yes");
  assert.is((await request("GET /results/stream")).text, "a-b");
  assert.is((await request("GET /results/parts")).text, "one,two");
});

const FAILURES: readonly [path: string, logged: RegExp][] = [
  ["/errors/thrown", /secret-thrown/],
  ["/errors/word", /secret-word/],
  ["/errors/circle", /errors\/circle/],
  ["/results/status-99", /routes\/results\/status-99\.ts:1/],
];

test("a handler that fails answers 500 and leaks nothing: the log has why, and where", async () => {
  const running = await server();
  // The log comes on its own way, not always before the answer.
  const logged = async (pattern: RegExp): Promise<void> => {
    if (!pattern.test(running.output())) await running.waitFor(pattern);
  };
  for (const [path, pattern] of FAILURES) {
    const answer = await request(`GET ${path}`);
    assert.equal([answer.status, answer.text], [500, '{"error":"Internal Server Error"}']);
    await logged(pattern);
  }
  await request("GET /errors/unheeded");
  await logged(/nobody waits/);
  const teapot = await request("GET /errors/http");
  assert.equal([teapot.status, teapot.text], [418, '{"error":"a teapot"}']);
});

test("a server that is told to stop ends with status 0", async () => {
  const outcome = await (await server()).stop();
  assert.equal([outcome.status, outcome.signal], [0, null]);
});

test.run();
