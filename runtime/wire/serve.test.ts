import { test } from "uvu";
import * as assert from "uvu/assert";
import type { App } from "../app.ts";
import { chainHooks } from "../hooks/hooks.ts";
import type { HttpError } from "../message/errors.ts";
import type { Request } from "../message/request.ts";
import { processorTime } from "../processor-time.fixture.ts";
import { createServed, type Served, TEXT, take } from "../served.fixture.ts";
import type { BoundInput, DeclaredInput, FunctionInputs } from "./inputs.ts";
import type { Raw } from "./request-reader.ts";
import type { Shape } from "./shape.ts";

const NAMED: Shape = { kind: "object", properties: [{ name: "name", shape: TEXT, optional: false }] };

type Read = FunctionInputs["read"];

/** An app with one route, whose handler returns what it is given. */
function createApp(takes: readonly BoundInput[], read: Read, more: Partial<Served> = {}): App {
  const served = { calls: [], takes, read, ...more };
  return createServed(served, { bodyLimit: 500 }).app;
}

async function ask(
  takes: readonly BoundInput[],
  read: Read,
  init: RequestInit = {},
  { path = "/", ...more }: { path?: string } & Partial<Served> = {},
): Promise<Response> {
  return createApp(takes, read, more).fetch(path, { method: "POST", ...init });
}

const JSON_TYPE = { "content-type": "application/json" };
const URLENCODED = { "content-type": "application/x-www-form-urlencoded" };
const body = [take("body", { shape: NAMED })];
const form = [take("form", { shape: NAMED })];
const readBody: Read = ({ body: value }) => [value];
const readName: Read = (reader) => [reader.raw("form", "name")];

test("a handler is given the values in declared order, and its result is the answer", async () => {
  const read: Read = (reader) => [reader.raw("query", "page"), reader.body, reader.raw("header", "x-a")];
  const takes = [take("query", { key: "page" }), ...body, take("header", { key: "x-a" })];
  const init = { body: '{"name":"é"}', headers: { ...JSON_TYPE, "x-a": "1" } };
  const response = await ask(takes, read, init, { path: "/?page=2" });
  assert.equal(await response.json(), { args: ["2", { name: "é" }, "1"] });
});

test("what does not fit is a 422 with the first issue as a sentence and all of them as data, and no handler is called", async () => {
  const handler = (): void => assert.unreachable();
  const init = { body: '{"name":""}', headers: JSON_TYPE };
  const response = await ask(body, () => undefined, init, { handler });
  assert.is(response.status, 422);
  assert.equal(await response.json(), {
    error: "name: at least 1 character",
    issues: [{ in: "body", pointer: "/name", code: "min_length", message: "at least 1 character" }],
  });
});

const JSON_TYPES: readonly [type: string | undefined, status: number][] = [
  ["application/json", 200],
  ["application/json; charset=utf-8", 200],
  ["Application/JSON;charset=UTF-8", 200],
  ['application/json; a=b; charset="utf8"', 200],
  ["application/merge-patch+json", 200],
  ["application/vnd.a+b+json ; v=1", 200],
  ["application/json; charset=latin1", 415],
  ["application/jsonp", 415],
  ["application/+json", 415],
  ["text/json", 415],
  ["text/plain", 415],
  ["application/x-www-form-urlencoded", 415],
  ["", 415],
];

for (const [type, status] of JSON_TYPES) {
  test(`JSON with the content type ${JSON.stringify(type)} is answered with ${status}`, async () => {
    const init = {
      body: new TextEncoder().encode('{"name":"a"}'),
      headers: type ? { "content-type": type } : {},
    };
    const response = await ask(body, readBody, init);
    assert.is(response.status, status);
    assert.is(response.headers.get("accept"), status === 415 ? "application/json" : null);
  });
}

const NONE = "The request body is empty where JSON was expected.";
const GZIP = { ...JSON_TYPE, "content-encoding": "gzip" };
type Sent = string | Uint8Array<ArrayBuffer> | null;
type Headers = Readonly<Record<string, string>>;
const BODIES: readonly [what: string, sent: Sent, status: number, error: string, headers?: Headers][] = [
  ["no body", null, 400, NONE, {}],
  ["an empty body", "", 400, NONE],
  ["bytes that are not UTF-8", new Uint8Array([34, 255, 34]), 400, "The request body is not valid UTF-8."],
  ["a body above the limit", `"${"a".repeat(500)}"`, 413, "The request body is larger than 500 bytes."],
  ["a compressed body", "{}", 415, "The request body must not be compressed.", GZIP],
];

for (const [what, sent, status, error, headers = JSON_TYPE] of BODIES) {
  test(`${what} is refused with ${status}`, async () => {
    const response = await ask(body, readBody, { body: sent, headers });
    assert.is(response.headers.get("accept-encoding"), headers === GZIP ? "identity" : null);
    assert.is(response.status, status);
    assert.equal(await response.json(), { error });
  });
}

test("an optional body that is missing or empty is undefined", async () => {
  const optional = [take("body", { optional: true })];
  const read: Read = ({ body: value }) => [value === undefined];
  const length = { "content-length": "0" };
  for (const init of [{}, { body: "", headers: JSON_TYPE }, { body: "", headers: length }])
    assert.equal(await (await ask(optional, read, init)).json(), { args: [true] });
});

const FORMS: readonly [what: string, init: RequestInit, args: unknown][] = [
  ["an urlencoded form", { body: "name=a+%C3%A9", headers: URLENCODED }, ["a é"]],
  ["a form as browsers' scripts send it", { body: new URLSearchParams({ name: "&" }) }, ["&"]],
  ["a name that repeats", { body: "name=a&x=1&name=b", headers: URLENCODED }, [["a", "b"]]],
  ["a form without a field", { headers: URLENCODED }, [null]],
  ["a form whose first name begins with a question mark", { body: "?name=a", headers: URLENCODED }, [null]],
];

for (const [what, init, args] of FORMS) {
  test(`${what} is taken`, async () => {
    assert.equal(await (await ask(form, readName, init)).json(), { args });
  });
}

test("all fields of a query are given by name, where every name is one like any other", async () => {
  const read: Read = (reader) => [Object.entries(reader.all("query")), reader.raw("query", "toString")];
  const path = "/?tag=a&page=2&tag=b&tag=c&__proto__=x";
  const fields = [
    ["tag", ["a", "b", "c"]],
    ["page", "2"],
    ["__proto__", "x"],
  ];
  const response = await ask([take("query")], read, {}, { path });
  assert.equal(await response.json(), { args: [fields, null] });
});

test("reading a megabyte of fields takes a time in proportion to its length", async () => {
  for (const text of ["a&", "a=&", "%25", "+", "=", "&"]) {
    const path = `/?${text.repeat(1_000_000 / text.length)}`;
    const read: Read = (reader) => [typeof reader.raw("query", "a"), typeof reader.all("query")];
    const time = await processorTime(() => ask([take("query")], read, {}, { path }));
    assert.ok(time < 2000, `${text}: ${time} ms`);
  }
});

test("a multipart form has texts and files", async () => {
  const sent = new FormData();
  sent.append("name", "a");
  sent.append("f", new File(["x"], "f.txt", { type: "text/plain" }));
  const read: Read = (reader) => [reader.all("form")];
  const handler = ({ name, f }: { name: Raw; f: File }): object => [name, f.name, f.type, f.size];
  const answered = await ask(form, read, { body: sent }, { handler });
  assert.equal(await answered.json(), ["a", "f.txt", "text/plain", 1]);
});

test("a file has its name and type however they are written", async () => {
  const files: [headers: string, name: string, type: string][] = [
    ['name="f"; filename="a b.txt"\r\nContent-Type: image/png', "a b.txt", "image/png"],
    ["filename=; name=f", "", "text/plain"],
    ["name=f; filename=a.txt; filename*=UTF-8''%e2%82%ac.txt", "€.txt", "text/plain"],
    [
      'filename="é%22.txt"; name="f"\r\ncontent-type:text/csv; charset=utf-8',
      'é".txt',
      "text/csv; charset=utf-8",
    ],
  ];
  const bytes = "\r\n\n\0--x\r\n--x\uFFFD";
  for (const [headers, name, type] of files) {
    const init = {
      body: `--x\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${bytes}\r\n--x--`,
      headers: { "content-type": "multipart/form-data; boundary=x" },
    };
    const handler = async (f: File): Promise<object> => [f.name, f.type, await f.text()];
    const answered = await ask(form, (reader) => [reader.raw("form", "f")], init, { handler });
    assert.equal(await answered.json(), [name, type, bytes]);
  }
});

test("a query that is not UTF-8 is a 400, as a path; a % that encodes nothing is a character", async () => {
  const read: Read = (reader) => [reader.raw("query", "s")];
  const answers = ["%E9", "%C3", "%C3%A9", "100%", "%zz", "%EF%BF%BD", "a%C3%28", ""].map(async (text) => {
    const answered = await ask([take("query")], read, {}, { path: `/?s=${text}`, handler: (s: Raw) => [s] });
    return answered.status === 200 ? ((await answered.json()) as string[])[0] : answered.status;
  });
  assert.equal(await Promise.all(answers), [400, 400, "é", "100%", "%zz", "\uFFFD", 400, ""]);
});

test("a file input in which nothing was chosen is absent, beside one in which something was", async () => {
  const files = [
    ["none", ""],
    ["some", ""],
    ["some", "empty.txt"],
  ] as const;
  const parts = files.map(
    ([name, file]) => `--x\r\nContent-Disposition: form-data; name="${name}"; filename="${file}"\r\n\r\n\r\n`,
  );
  const init = {
    body: `${parts.join("")}--x--`,
    headers: { "content-type": "multipart/form-data; boundary=x" },
  };
  const read: Read = (reader) => [reader.raw("form", "none"), reader.raw("form", "some")];
  const handler = (none: Raw, some: File): object => [none === undefined, some.name];
  assert.equal(await (await ask(form, read, init, { handler })).json(), [true, "empty.txt"]);
});

test("a form that is something else, or can't be read, is refused", async () => {
  const json = await ask(form, readName, { body: "{}", headers: JSON_TYPE });
  assert.is(json.status, 415);
  assert.is(json.headers.get("accept"), "application/x-www-form-urlencoded, multipart/form-data");
  const broken = { body: "--x", headers: { "content-type": "multipart/form-data; boundary=b" } };
  assert.is((await ask(form, readName, broken)).status, 400);
  const latin = {
    body: "name=a",
    headers: { "content-type": `${URLENCODED["content-type"]}; charset=latin1` },
  };
  assert.is((await ask(form, readName, latin)).status, 415);
  const none = await ask(form, readName);
  assert.equal(
    [none.status, await none.json()],
    [400, { error: "The request body is empty where a form was expected." }],
  );
});

test("a handler that takes nothing from the body can read it from the request", async () => {
  const handler = (request: Request): Promise<string> => request.text();
  const response = await ask([take("query")], (reader) => [reader.request], { body: "all" }, { handler });
  assert.is(await response.text(), "all");
});

const BASIC = 'Basic realm="api", charset="UTF-8"';
type Refusal = readonly [error: string, credential: HttpError["credential"], challenge: string];
const NO_TOKEN: Refusal = ["A bearer token is missing.", "missing", 'Bearer realm="api"'];
const OTHER_TOKEN: Refusal = ["A bearer token is missing.", "wrong_scheme", 'Bearer realm="api"'];
const BAD_TOKEN: Refusal = [
  "The bearer token is malformed.",
  "malformed",
  'Bearer realm="api", error="invalid_token"',
];
const BAD_USER: Refusal = ["The username and the password are malformed.", "malformed", BASIC];
const NO_KEY: Refusal = ["The header x-key is missing.", "missing", 'ApiKey realm="api", header="x-key"'];
const NO_SESSION: Refusal = [
  "The cookie session is missing.",
  "missing",
  'ApiKey realm="api", cookie="session"',
];
const QUERY_KEY = 'ApiKey realm="api", query="k"';
const OWN = 'Token realm="api"';
const NO_OWN = "A credential of the scheme Token is missing.";

/** Of each input what a request sends, in its header or its query, and what the handler is given, or the answer. */
const CREDENTIALS: readonly [input: DeclaredInput, sent: string | undefined, given: unknown][] = [
  [take("bearer"), "Bearer abc.DEF-1_~+/==", { given: "abc.DEF-1_~+/==" }],
  [take("bearer"), "bearer  a", { given: "a" }],
  [take("bearer"), undefined, NO_TOKEN],
  [take("bearer"), "Basic YTpi", OTHER_TOKEN],
  [take("bearer"), "Bearers abc", OTHER_TOKEN],
  [take("bearer"), "Bearer", BAD_TOKEN],
  [take("bearer"), "Bearer a b", BAD_TOKEN],
  [take("basic"), `Basic ${btoa("ada:a:b")}`, { given: { username: "ada", password: "a:b" } }],
  [
    take("basic"),
    `basic ${Buffer.from("é:ü").toString("base64")}`,
    { given: { username: "é", password: "ü" } },
  ],
  [take("basic"), `Basic ${btoa(":")}`, { given: { username: "", password: "" } }],
  [take("basic"), undefined, ["A username and a password are missing.", "missing", BASIC]],
  [take("basic"), "Basic !", BAD_USER],
  [take("basic"), `Basic ${btoa("no colon")}`, BAD_USER],
  [take("basic"), `Basic ${btoa("\xff:")}`, BAD_USER],
  [take("basic"), `Basic ${btoa("a:\n")}`, BAD_USER],
  [take("credential", { key: "Token" }), "Token a b, c=1", { given: "a b, c=1" }],
  [take("credential", { key: "Token" }), "tOKEN  a", { given: "a" }],
  [take("credential", { key: "Token" }), undefined, [NO_OWN, "missing", OWN]],
  [take("credential", { key: "Token" }), "Bearer a", [NO_OWN, "wrong_scheme", OWN]],
  [take("credential", { key: "Token" }), "Tokens a", [NO_OWN, "wrong_scheme", OWN]],
  [
    take("credential", { key: "Token" }),
    "Token",
    ["The credential of the scheme Token is malformed.", "malformed", OWN],
  ],
  [take("api-key", { key: "x-key" }), "k", { given: "k" }],
  [take("api-key", { key: "x-key" }), undefined, NO_KEY],
  [take("api-key", { key: "x-key" }), "", NO_KEY],
  [take("api-key", { key: "session", from: "cookie" }), "a=1; session=k%20k", { given: "k k" }],
  [take("api-key", { key: "session", from: "cookie" }), undefined, NO_SESSION],
  [take("api-key", { key: "session", from: "cookie" }), "Session=1; session=", NO_SESSION],
  [take("api-key", { key: "k", from: "query" }), "?k=a%20b", { given: "a b" }],
  [
    take("api-key", { key: "k", from: "query" }),
    "?K=a",
    ["The query parameter k is missing.", "missing", QUERY_KEY],
  ],
  [
    take("api-key", { key: "k", from: "query" }),
    "?k=a&k=b",
    ["The query parameter k is there more than once.", "malformed", QUERY_KEY],
  ],
];

for (const [input, sent, given] of CREDENTIALS) {
  const { in: place, key, from } = input;
  const header = from === "cookie" ? "cookie" : place === "api-key" ? String(key) : "authorization";
  const init = sent === undefined || from === "query" ? {} : { headers: { [header]: sent } };
  const where = { path: `/${from === "query" ? sent : ""}` };
  const read: Read = (reader) => [reader.credential(place, key, from)];
  const what = `${place} ${key ?? ""} with ${JSON.stringify(sent)}`;

  if (!Array.isArray(given))
    test(`${what} is given to the handler`, async () => {
      const response = await ask([input], read, init, where);
      assert.equal(await response.json(), { args: [(given as { readonly given: unknown }).given] });
    });
  else
    test(`${what} is a 401 that says what is asked for, and undefined where it is optional`, async () => {
      const told: unknown[] = [];
      const hooks = chainHooks([
        { folder: "", error: (failure: HttpError) => void told.push(failure.credential) },
      ]);
      const [error, credential, challenge] = given;
      const response = await ask([input], read, init, { ...where, hooks });
      assert.equal(told, [credential]);
      assert.is(response.headers.get("www-authenticate"), challenge);
      assert.is(response.status, 401);
      assert.equal(await response.json(), { error });
      const optional = await ask([{ ...input, optional: true }], read, init, where);
      assert.equal(await optional.json(), { args: [null] });
    });
}

test("credentials come before the body, and the body before everything else", async () => {
  const takes = [take("query"), ...body, take("bearer")];
  const init = { body: "{", headers: { "content-type": "text/plain" } };
  assert.is((await ask(takes, () => undefined, init)).status, 401);
  const known = { ...init, headers: { ...init.headers, authorization: "Bearer a" } };
  assert.is((await ask(takes, () => undefined, known)).status, 415);
});

test("cookies and headers are given as the request itself gives them", async () => {
  const read: Read = (reader) => [
    reader.raw("cookie", "a"),
    reader.all("cookie"),
    reader.all("header")["x-a"],
  ];
  const headers = { cookie: 'a=oat%20milk; a=2; __proto__="x"', "x-a": "1" };
  const handler = (a: Raw, all: Record<string, Raw>, header: Raw): object => [a, Object.entries(all), header];
  const response = await ask([take("cookie")], read, { headers }, { handler });
  assert.equal(await response.json(), [
    "oat milk",
    [
      ["a", "oat milk"],
      ["__proto__", "x"],
    ],
    "1",
  ]);
});

test("over a socket, a header is absent whose name every object has", async () => {
  const read: Read = (reader) => ["constructor", "__proto__", "x-a"].map((key) => reader.raw("header", key));
  const server = await createApp([take("header")], read).listen({ host: "127.0.0.1", port: 0 });
  const response = await fetch(server.url, { method: "POST", headers: { "x-a": "1" } });
  assert.equal(await response.json(), { args: [null, null, "1"] });
  await server.close();
});

test.run();
