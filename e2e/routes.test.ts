/** What a created project answers over HTTP, with nothing installed: DESIGN sections 4, 5 and 8, case by case. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Answer, ask, sendRaw } from "./harness/client.ts";
import { once } from "./harness/once.ts";
import { copyProject } from "./harness/project.ts";
import { checkSample, SAMPLES } from "./harness/samples.ts";
import { type RunningServer, serve } from "./harness/server.ts";

const LONG = "x".repeat(1024 * 1024 + 1);
const JSON_TYPE = "application/json; charset=utf-8";

/** Added to the created project: one file for each kind of result, signature and import that the design names. */
const PROBES: Readonly<Record<string, string>> = {
  "routes/results/text.ts": 'export const get = () => "plain words";\n',
  "routes/results/array.ts": "export const get = () => [1, 2, 3];\n",
  "routes/results/pair.ts": "export const get = () => [{ a: 1 }, 202];\n",
  "routes/results/numbers.ts": "export const get = () => [1, 2];\n",
  "routes/results/nothing.ts": "export function get() {}\n",
  "routes/results/no-content.ts": "export const get = () => [{ a: 1 }, 204];\n",
  "routes/results/status-99.ts": "export const get = () => [{ a: 1 }, 99];\n",
  "routes/results/status-600.ts": "export const get = () => [{ a: 1 }, 600];\n",
  "routes/results/response.ts":
    'export const get = () => new Response("made", { status: 203, headers: { "x-made": "yes", "content-type": "text/html" } });\n',
  "routes/results/stream.ts":
    'export const get = () => new ReadableStream({ start(c) { c.enqueue(new TextEncoder().encode("a-b")); c.close(); } });\n',
  "routes/results/parts.ts": 'export async function* get() { yield "one,"; yield "two"; }\n',
  "routes/errors/thrown.ts": 'export function get() { throw new Error("secret-thrown"); }\n',
  "routes/errors/rejected.ts": 'export async function get() { throw new Error("secret-rejected"); }\n',
  "routes/errors/word.ts": 'export function get() { throw "secret-word"; }\n',
  "routes/errors/nothing.ts": "export function get() { throw undefined; }\n",
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

function allowed({ headers }: Answer): string[] {
  return String(headers.allow ?? "")
    .split(/,\s*/)
    .sort();
}

function isError(answer: Answer): boolean {
  const json = answer.json as Record<string, unknown>;
  return typeof json.error === "string" && Object.keys(json).length === 1;
}

for (const sample of SAMPLES) {
  const body = sample.body === undefined ? "" : ` with ${JSON.stringify(sample.body)}`;
  test(`${sample.line}${body} answers ${sample.status}`, async () => {
    await checkSample((await server()).url, sample);
  });
}

const OTHER_SPELLINGS: readonly [line: string, sameAs: string][] = [
  ["GET /products", "GET /products/"],
  ["GET /products/all/", "GET /products/all"],
  ["GET /products/featured/items/", "GET /products/featured/items"],
  ["DELETE /products/item/", "DELETE /products/item"],
  ["GET /items/42/", "GET /items/42"],
  ["GET /users/by/id/7/", "GET /users/by/id/7"],
  ["GET /users/by/username/grace/", "GET /users/by/username/grace"],
  ["GET /products/all?page=2", "GET /products/all"],
  ["GET /?", "GET /"],
  ["GET /%70roducts/all", "GET /products/all"],
];
for (const [line, sameAs] of OTHER_SPELLINGS) {
  test(`${line} answers as ${sameAs}, without a redirect`, async () => {
    const [answer, same] = [await request(line), await request(sameAs)];
    assert.is(answer.status, 200);
    assert.is(answer.text, same.text);
  });
}

test("POST /items/ answers as POST /items", async () => {
  const answer = await request("POST /items/", '{"name":"lamp"}');
  assert.equal([answer.status, answer.json], [201, { message: "Item lamp created" }]);
});

const INTEGERS: readonly [segment: string, id: number | undefined][] = [
  ["7", 7],
  ["007", 7],
  ["0", 0],
  ["%37", 7],
  ["9007199254740991", 2 ** 53 - 1],
  ["0009007199254740991", 2 ** 53 - 1],
  ["9007199254740992", undefined],
  ["9007199254740993", undefined],
  ["9".repeat(400), undefined],
  ["12abc", undefined],
  ["abc", undefined],
  ["-1", undefined],
  ["+1", undefined],
  ["1.0", undefined],
  ["1e3", undefined],
  ["0x10", undefined],
  ["1_000", undefined],
  ["Infinity", undefined],
  ["%207", undefined],
  ["7%0A", undefined],
  ["%D9%A7", undefined],
  ["%EF%BC%97", undefined],
];
for (const [segment, id] of INTEGERS) {
  const shown = segment.length > 30 ? `${segment.length} digits` : segment;
  test(`an int param ${id === undefined ? `refuses ${shown} with a 404` : `reads ${shown} as ${id}`}`, async () => {
    const answer = await request(`GET /users/by/id/${segment}`);
    assert.is(answer.status, id === undefined ? 404 : 200, answer.text);
    if (id === undefined) assert.ok(isError(answer), answer.text);
    else assert.equal(answer.json, { user: { id, name: "Ada" } });
  });
}

const STRINGS: readonly [segment: string, value: string][] = [
  ["a%20b", "a b"],
  ["a%2Fb", "a/b"],
  ["caf%C3%A9", "café"],
  ["%F0%9F%8C%B1", "🌱"],
  ["a+b", "a+b"],
  ["100%25", "100%"],
  ["%2525", "%25"],
  ["a%3Fb%23c", "a?b#c"],
  ["__proto__", "__proto__"],
  ["constructor", "constructor"],
  ["...", "..."],
  ["a;b=c", "a;b=c"],
];
for (const [segment, value] of STRINGS) {
  test(`a str param reads ${segment} as ${value}`, async () => {
    assert.equal((await request(`GET /users/by/username/${segment}`)).json, { user: { username: value } });
  });
}

const MISSING = [
  "GET /nowhere",
  "GET /nowhere/at/all",
  "GET //",
  "GET //products/all",
  "GET /products//all",
  "GET /products/all//",
  "GET /users/by/id//",
  "GET /users/by/id",
  "GET /users/by/id/",
  "GET /users/by/username/",
  "GET /Products/all",
  "GET /products/all/more",
  "GET /items/1/2",
  "GET /_ignored",
  "GET /views",
  "GET /framework.toml",
  "GET /vendor/framework/index.js",
  "GET /apps/users/views.ts",
  "GET /__proto__",
  "GET /constructor",
  "GET /toString",
  "POST /nowhere",
  "OPTIONS /nowhere",
];
for (const line of MISSING) {
  test(`${line} is a 404 that says so as JSON`, async () => {
    const answer = await request(line);
    assert.is(answer.status, 404, answer.text);
    assert.is(answer.headers["content-type"], JSON_TYPE);
    assert.ok(isError(answer), answer.text);
    assert.is(answer.headers.allow, undefined);
  });
}

test("HEAD of a path that is not there is a 404 without a body", async () => {
  const answer = await request("HEAD /nowhere");
  assert.equal([answer.status, answer.text], [404, ""]);
});

const WRONG_METHODS: readonly [line: string, allow: readonly string[]][] = [
  ["PUT /", ["GET", "HEAD", "OPTIONS"]],
  ["GET /items", ["OPTIONS", "POST"]],
  ["HEAD /items", ["OPTIONS", "POST"]],
  ["DELETE /items", ["OPTIONS", "POST"]],
  ["POST /items/42", ["GET", "HEAD", "OPTIONS"]],
  ["DELETE /products/", ["GET", "HEAD", "OPTIONS", "POST"]],
  ["PATCH /products", ["GET", "HEAD", "OPTIONS", "POST"]],
  ["POST /products/all", ["GET", "HEAD", "OPTIONS"]],
  ["GET /products/item", ["DELETE", "OPTIONS"]],
  ["PUT /users/by/id/7", ["GET", "HEAD", "OPTIONS"]],
  ["POST /order/5", ["GET", "HEAD", "OPTIONS"]],
];
for (const [line, allow] of WRONG_METHODS) {
  test(`${line} is a 405 that allows ${allow.join(", ")}`, async () => {
    const answer = await request(line);
    assert.is(answer.status, 405, answer.text);
    assert.equal(allowed(answer), [...allow]);
    if (!line.startsWith("HEAD")) assert.ok(isError(answer), answer.text);
  });
}

test("a param that does not match makes a 404, not a 405", async () => {
  assert.is((await request("PUT /users/by/id/abc")).status, 404);
});

test("a method that HTTP does not know, or that no handler can have, is refused", async () => {
  const { url } = await server();
  for (const method of ["FETCH", "TRACE", "get"]) {
    const received = await sendRaw(
      url,
      `${method} / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    assert.match(received, /^HTTP\/1\.1 (400|405|501) /, `${method}: ${received}`);
  }
});

for (const line of [
  "HEAD /",
  "HEAD /products/all",
  "HEAD /users/by/id/7",
  "HEAD /products",
  "HEAD /results/pair",
]) {
  test(`${line} has the status and headers of GET and no body`, async () => {
    const [head, get] = [await request(line), await request(line.replace("HEAD", "GET"))];
    assert.is(head.status, get.status);
    assert.is(head.text, "");
    assert.is(head.headers["content-type"], get.headers["content-type"]);
    assert.is(head.headers["content-length"], get.headers["content-length"]);
  });
}

const OPTIONS: readonly [path: string, allow: readonly string[]][] = [
  ["/", ["GET", "HEAD", "OPTIONS"]],
  ["/items", ["OPTIONS", "POST"]],
  ["/products/", ["GET", "HEAD", "OPTIONS", "POST"]],
  ["/products/item", ["DELETE", "OPTIONS"]],
];
for (const [path, allow] of OPTIONS) {
  test(`OPTIONS ${path} is a 204 that allows ${allow.join(", ")}`, async () => {
    const answer = await request(`OPTIONS ${path}`);
    assert.equal([answer.status, answer.text, allowed(answer)], [204, "", [...allow]]);
  });
}

test("OPTIONS * is answered for the server as a whole", async () => {
  const received = await sendRaw(
    (await server()).url,
    "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
  );
  assert.match(received, /^HTTP\/1\.1 204 /);
  assert.match(received, /\r\nallow: .*GET/i);
});

test("a handler for HEAD or OPTIONS outranks the answer that is made without one", async () => {
  assert.is((await request("HEAD /own")).headers["x-own"], "head");
  assert.equal((await request("OPTIONS /own")).json, { own: true });
});

const BAD_JSON = [
  ["an empty body", ""],
  ["half an object", '{"name":'],
  ["a trailing comma", '{"name":"a",}'],
  ["words", "name=lamp"],
  ["a __proto__ key", '{"name":"a","__proto__":{"admin":true}}'],
  ["a nested __proto__ key", '{"name":"a","deep":[{"\\u005f_proto__":{}}]}'],
  ["a constructor.prototype key", '{"name":"a","constructor":{"prototype":{}}}'],
  ["100,000 brackets", "[".repeat(100_000)],
] as const;
for (const [what, body] of BAD_JSON) {
  test(`POST /items with ${what} is a 400 that says so as JSON`, async () => {
    const answer = await request("POST /items", body);
    assert.is(answer.status, 400, answer.text);
    assert.is(answer.headers["content-type"], JSON_TYPE);
    assert.ok(isError(answer), answer.text);
    assert.not.match(answer.text, /vendor|\.ts|\.js/);
  });
}

test("a handler that catches bad JSON answers itself", async () => {
  assert.equal((await request("POST /request/caught", "{")).json, { caught: true });
});

for (const body of ["null", "7", '"word"', "[1,2]"]) {
  test(`POST /items with the JSON ${body}, which has no name, is the client's mistake`, async () => {
    const answer = await request("POST /items", body);
    assert.is(answer.status, 400);
    assert.ok(isError(answer), answer.text);
  });
}

test("deep but sound JSON is read", async () => {
  const deep = `{"a":${"[".repeat(500)}1${"]".repeat(500)}}`;
  assert.is((await request("POST /request/json", deep)).status, 200);
});

test("a body over the limit is a 413", async () => {
  const answer = await request("POST /request/all", LONG);
  assert.is(answer.status, 413);
  assert.ok(isError(answer), answer.text);
});

test("a chunked body over the limit is a 413", async () => {
  const { url } = await server();
  const chunk = `${LONG.length.toString(16)}\r\n${LONG}\r\n0\r\n\r\n`;
  const head =
    "POST /request/all HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
  assert.match(await sendRaw(url, head + chunk), /^HTTP\/1\.1 413 /);
});

const BAD_PATHS = [
  "/%",
  "/%zz",
  "/items/%ff",
  "/items/%C0%AF",
  "/items/%ED%A0%80",
  "/..",
  "/products/../users/by/id/7",
  "/products/./all",
  "/items/%2e%2e",
  "/items/%2E",
  "/items/.%2e",
  "/items/a\\b",
];
for (const path of BAD_PATHS) {
  test(`GET ${path} is a 400: router and URL could disagree on it`, async () => {
    const received = await sendRaw(
      (await server()).url,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    assert.match(received, /^HTTP\/1\.1 400 /);
  });
}

for (const control of ["\u0000", "\u0001", "\t", "\u007f"]) {
  test(`a path with the control character ${JSON.stringify(control)} is a 400`, async () => {
    const received = await sendRaw(
      (await server()).url,
      `GET /items/a${control}b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    assert.match(received, /^HTTP\/1\.1 400 /);
  });
}

const RESULTS: readonly [path: string, status: number, type: RegExp | undefined, text: string][] = [
  ["/results/text", 200, /^text\/plain; ?charset=utf-8$/i, "plain words"],
  ["/results/array", 200, /^application\/json; charset=utf-8$/, "[1,2,3]"],
  ["/results/pair", 202, /^application\/json; charset=utf-8$/, '{"a":1}'],
  ["/results/numbers", 200, /^application\/json; charset=utf-8$/, "[1,2]"],
  ["/results/nothing", 204, undefined, ""],
  ["/results/no-content", 204, undefined, ""],
  ["/results/response", 203, /^text\/html$/, "made"],
];
for (const [path, status, type, text] of RESULTS) {
  test(`GET ${path} answers ${status} ${JSON.stringify(text)}`, async () => {
    const answer = await request(`GET ${path}`);
    assert.equal([answer.status, answer.text], [status, text]);
    if (type === undefined) assert.is(answer.headers["content-type"], undefined);
    else assert.match(String(answer.headers["content-type"]), type);
  });
}

test("a Response is passed on with its own headers", async () => {
  assert.is((await request("GET /results/response")).headers["x-made"], "yes");
});

test("streams are passed on, of the web and of an async generator", async () => {
  assert.is((await request("GET /results/stream")).text, "a-b");
  assert.is((await request("GET /results/parts")).text, "one,two");
});

for (const path of ["/results/status-99", "/results/status-600"]) {
  test(`GET ${path} is a 500, and the log names the handler's place`, async () => {
    const answer = await request(`GET ${path}`);
    assert.is(answer.status, 500);
    await logged(new RegExp(`routes${path}\\.ts:1`));
  });
}

for (const name of ["thrown", "rejected", "word", "nothing", "circle"]) {
  test(`a handler that fails (${name}) answers 500 and leaks nothing`, async () => {
    const answer = await request(`GET /errors/${name}`);
    assert.equal([answer.status, answer.text], [500, '{"error":"Internal Server Error"}']);
    assert.is(answer.headers["content-type"], JSON_TYPE);
    await logged(new RegExp(`errors/${name}`));
  });
}

for (const secret of ["secret-thrown", "secret-rejected", "secret-word"]) {
  test(`the log has what the client was not told: ${secret}`, () => logged(new RegExp(secret)));
}

test("an HttpError answers with its status and message", async () => {
  const answer = await request("GET /errors/http");
  assert.equal([answer.status, answer.text], [418, '{"error":"a teapot"}']);
});

test("a rejection that nobody awaits does not stop the server", async () => {
  await request("GET /errors/unheeded");
  await logged(/nobody waits/);
  assert.is((await request("GET /")).status, 200);
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

test("Request is a class at run time, also where the import lacks the word type", async () => {
  assert.equal((await request("GET /request/is")).json, { is: true });
});

test("the request is known by the global type and by its name alone", async () => {
  assert.equal((await request("GET /request/global")).json, { url: "string" });
  assert.equal((await request("GET /request/untyped")).json, { method: "GET" });
});

const ANSWERS: readonly [line: string, json: unknown][] = [
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
];
for (const [line, json] of ANSWERS) {
  test(`${line} answers ${JSON.stringify(json)}`, async () => {
    const answer = await request(line);
    assert.is(answer.status, 200, answer.text);
    assert.equal(answer.json, json);
  });
}

test("a server that is told to stop ends with status 0", async () => {
  const outcome = await (await server()).stop();
  assert.equal([outcome.status, outcome.signal], [0, null]);
});

/** The log comes on its own way, not always before the answer. */
async function logged(pattern: RegExp): Promise<void> {
  const running = await server();
  if (!pattern.test(running.output())) await running.waitFor(pattern);
}

test.run();
