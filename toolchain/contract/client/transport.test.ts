/** How a client sends and reads: each test writes one, imports it, and answers in place of a server. */

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { tsImport } from "tsx/esm/api";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Answer, Credential, Input, Operation } from "#convention/contract/contract";
import { createFolder } from "#convention/folder.fixture";
import type { SecurityScheme } from "#runtime/wire/credentials";
import type { Shape } from "#runtime/wire/shape";
import { contract, location, operation as oneOperation } from "../contract.fixture.ts";
import { writeClient } from "./client.ts";

type Call = (input?: object, options?: object) => Promise<{ status: number; ok: boolean; body: unknown }>;
/** What a client is to who does not know the contract. */
interface Module {
  createClient(options: object): Readonly<Record<string, Call>>;
  readonly UnexpectedAnswer: new () => Error;
}

const test = suite<{ api: Module }>("transport");

const TEXT: Shape = { kind: "string" };
const JSON_TYPE = "application/json";

function answer(
  status: Answer["status"],
  ...bodies: readonly (readonly [media: string, shape: Shape])[]
): Answer {
  return { status, bodies: bodies.map(([media, shape]) => ({ media, shape })), headers: [], location };
}

function operation(id: string, answers: readonly Answer[], more: Partial<Operation> = {}): Operation {
  return oneOperation({ id, answers, ...more });
}

function input(place: Input["in"], name: string, shape: Shape = TEXT): Input {
  return { in: place, name, required: false, shape, location };
}

function asked(scheme: SecurityScheme): Credential {
  return { scheme, required: false, location };
}

const EVENTS = "text/event-stream";
const OPERATIONS: readonly Operation[] = [
  operation("getJson", [answer(200, [JSON_TYPE, TEXT]), answer(404, [JSON_TYPE, TEXT])]),
  operation("getSeveral", [
    answer(200, [JSON_TYPE, TEXT], ["text/plain", TEXT], ["*/*", { kind: "unknown" }]),
  ]),
  operation("getOther", [answer(200, [JSON_TYPE, TEXT]), answer("default", ["text/plain", TEXT])]),
  operation("getTexts", [answer(200, [EVENTS, TEXT])]),
  operation("getValues", [answer(200, [EVENTS, { kind: "number" }])]),
  operation("getAnything", [answer(200, [EVENTS, { kind: "unknown" }])]),
  operation("headA", [answer(200, [JSON_TYPE, TEXT])], { method: "HEAD" }),
  operation("getHeaders", [answer(200)], {
    inputs: [input("header", "authorization"), input("header", "x-a"), input("cookie", "a")],
    credentials: [
      asked({ type: "http", scheme: "Bearer" }),
      asked({ type: "http", scheme: "Basic" }),
      asked({ type: "http", scheme: "Token" }),
      asked({ type: "apiKey", in: "header", name: "x-a" }),
      asked({ type: "apiKey", in: "cookie", name: "session" }),
      asked({ type: "apiKey", in: "query", name: "key" }),
    ],
  }),
];

test.before((context) => {
  const folder = createFolder();
  const file = join(folder, "client.mts");
  writeFileSync(file, writeClient(contract(OPERATIONS)));
  return tsImport(pathToFileURL(file).href, import.meta.url).then((api: Module) => {
    context.api = api;
    rmSync(folder, { recursive: true });
  });
});

function respond(
  { createClient }: Module,
  body: string | ReadableStream | null,
  init: ResponseInit = {},
): ReturnType<Module["createClient"]> {
  return createClient({ baseUrl: "http://a.test", fetch: async () => new Response(body, init) });
}

/** @returns what a call rejects with. */
async function failure(
  call: Promise<unknown> | undefined,
): Promise<{ name: string; status: number; body: unknown; message: string }> {
  const error = await call?.catch((thrown: unknown) => thrown);
  return error as Awaited<ReturnType<typeof failure>>;
}

test("JSON may have a byte order mark", async ({ api }) => {
  assert.is((await respond(api, '\ufeff"a"').getJson?.())?.body, "a");
});

const UNEXPECTED: readonly (readonly [
  title: string,
  body: string,
  status: number,
  value: unknown,
  message: string,
])[] = [
  ["no JSON", "<html>", 200, "<html>", "GET /a answered 200 without JSON"],
  ["an empty body", "", 404, "", "GET /a answered 404 without JSON"],
  [
    "another status",
    '{"error":"x"}',
    500,
    { error: "x" },
    "GET /a answered 500, which its contract does not have",
  ],
];

for (const [title, text, status, value, message] of UNEXPECTED) {
  test(`${title} is unexpected, and its body is kept`, async ({ api }) => {
    const error = await failure(respond(api, text, { status }).getJson?.());
    assert.instance(error, api.UnexpectedAnswer);
    assert.equal(
      [error.name, error.status, error.body, error.message],
      ["UnexpectedAnswer", status, value, message],
    );
  });
}

test("of several media, the content type of the answer says which it is", async ({ api }) => {
  const get = (type: string, text: string): ReturnType<Call> | undefined =>
    respond(api, text, { headers: { "content-type": type } }).getSeveral?.();
  assert.is((await get("application/problem+json", '"a"'))?.body, "a");
  assert.is((await get("text/plain;charset=utf-8", '"a"'))?.body, '"a"');
  assert.instance((await get("image/png", "a"))?.body, ReadableStream);
});

test("a status that the contract does not name is read as it says of the others", async ({ api }) => {
  const { status, ok, body } = (await respond(api, "tea", { status: 418 }).getOther?.()) ?? {};
  assert.equal([status, ok, body], [418, false, "tea"]);
});

test("an answer to HEAD has no body", async ({ api }) => {
  assert.is((await respond(api, null).headA?.())?.body, undefined);
});

/** Of the HTML standard, section 9.2.6, and what a browser makes of each. */
const STREAMS: readonly (readonly [title: string, text: string, events: readonly unknown[]])[] = [
  ["line ends of each kind", "data: a\r\n\r\ndata: b\n\ndata: c\r\rdata: d\r\n\n", ["a", "b", "c", "d"]],
  ["a byte order mark", "\ufeffdata: a\n\n", ["a"]],
  ["several lines of data", "data: a\ndata\ndata:b\ndata:  c\n\n", ["a\n\nb\n c"]],
  ["comments and other fields", ": hello\nretry: 5\ndata: a\nother: b\n\n", ["a"]],
  ["no data", "event: a\n\ndata:\n\n", [""]],
  ["an end without an empty line", "data: a\n\ndata: b\n", ["a"]],
  ["letters of several bytes", "data: é😀\u2028x\n\n", ["é😀\u2028x"]],
];

for (const [title, text, wanted] of STREAMS) {
  test(`events with ${title} are the same wherever the stream is cut`, async ({ api }) => {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at <= bytes.length; at++) {
      const parts = [bytes.slice(0, at), new Uint8Array(), bytes.slice(at)];
      const events = await collect(respond(api, ReadableStream.from(parts)).getTexts?.());
      assert.equal(
        events.map(({ data }) => data),
        wanted,
        String(at),
      );
    }
  });
}

async function collect(
  call: ReturnType<Call> | undefined,
): Promise<{ id?: string; event?: string; data: unknown }[]> {
  const events = [];
  const { body } = (await call) ?? {};
  for await (const event of body as AsyncIterable<{ data: unknown }>) events.push(event);
  return events;
}

test("an id stays until another comes, and one with NUL is ignored", async ({ api }) => {
  const text = "id: 1\nevent: e\ndata: a\n\ndata: b\n\nid: \0\ndata: c\n\nid\ndata: d\n\n";
  assert.equal(await collect(respond(api, text).getTexts?.()), [
    { id: "1", event: "e", data: "a" },
    { id: "1", event: undefined, data: "b" },
    { id: "1", event: undefined, data: "c" },
    { id: "", event: undefined, data: "d" },
  ]);
});

test("data is JSON, a text, or either, as the contract says", async ({ api }) => {
  const data = async (name: string, text: string): Promise<unknown> =>
    (await collect(respond(api, `data: ${text}\n\n`)[name]?.()))[0]?.data;
  assert.equal([await data("getValues", "5"), await data("getTexts", "5")], [5, "5"]);
  assert.equal([await data("getAnything", "5"), await data("getAnything", "a")], [5, "a"]);
  assert.is((await failure(data("getValues", "a"))).message, "GET /a sent an event without JSON");
});

test("whoever stops reading events cancels the body", async ({ api }) => {
  let isCancelled = false;
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("data: a\n\n")),
    cancel: () => {
      isCancelled = true;
    },
  });
  const { body: events } = (await respond(api, body).getTexts?.()) ?? {};
  for await (const _ of events as AsyncIterable<unknown>) break;
  assert.ok(isCancelled);
});

const GIVEN: readonly (readonly [
  title: string,
  options: object,
  given: object,
  call: object,
  sent: object,
])[] = [
  [
    "a bearer token before a password",
    { bearer: "t", basic: { username: "a", password: "b" } },
    {},
    {},
    { authorization: "Bearer t" },
  ],
  [
    "a password in UTF-8",
    { basic: () => ({ username: "ä", password: "b:c" }) },
    {},
    {},
    { authorization: "Basic w6Q6Yjpj" },
  ],
  ["nothing for a token that is missing", { bearer: async () => undefined, apiKeys: {} }, {}, {}, {}],
  [
    "what another scheme asks for",
    { credentials: { token: async () => "t" } },
    {},
    {},
    { authorization: "Token t" },
  ],
  [
    "a session in a cookie, beside the cookies of the input",
    { apiKeys: { session: "s t" } },
    { cookies: { a: "b" } },
    {},
    { cookie: "a=b; session=s%20t" },
  ],
  [
    "a cookie of the input first",
    { apiKeys: { session: "s" } },
    { cookies: { session: "t" } },
    {},
    { cookie: "session=t" },
  ],
  [
    "a key, unless the input has the header",
    { apiKeys: { "x-a": "key" } },
    { headers: { "x-a": "input" } },
    {},
    { "x-a": "input" },
  ],
  [
    "the call's own header first",
    { headers: { "X-A": "client" } },
    { headers: { "x-a": "input" } },
    { headers: { "X-a": "call" } },
    { "x-a": "call" },
  ],
  ["headers of the client", { headers: () => ({ "x-b": "client" }) }, {}, {}, { "x-b": "client" }],
  ["cookies, encoded", {}, { cookies: { a: "b; c", d: undefined } }, {}, { cookie: "a=b%3B%20c" }],
];

for (const [title, options, given, call, sent] of GIVEN) {
  test(`a call sends ${title}`, async ({ api }) => {
    const asked: unknown[] = [];
    const fetch = async (url: string, { headers }: { headers: Headers }): Promise<Response> => {
      asked.push(url, Object.fromEntries(headers));
      return new Response();
    };
    await api
      .createClient({ baseUrl: new URL("http://a.test/v1/"), fetch, ...options })
      .getHeaders?.(given, call);
    assert.equal(asked, ["http://a.test/v1/a", sent]);
  });
}

test("a key of the query is in the URL, and a route with a session lets a browser send its cookies to another site", async ({
  api,
}) => {
  const seen: unknown[] = [];
  const fetch = async (url: string, { credentials }: RequestInit): Promise<Response> => {
    seen.push(url, credentials);
    return new Response();
  };
  const { getHeaders, getJson } = api.createClient({
    baseUrl: "http://a.test",
    fetch,
    apiKeys: { key: () => "a b" },
  });
  await getHeaders?.({}, { init: { mode: "cors" } });
  await getHeaders?.({ query: { key: "c" } }, { init: { credentials: "omit" } });
  await getJson?.().catch(() => {});
  const urls = [
    "http://a.test/a?key=a+b",
    "include",
    "http://a.test/a?key=c",
    "omit",
    "http://a.test/a",
    undefined,
  ];
  assert.equal(seen, urls);
});

test.run();
