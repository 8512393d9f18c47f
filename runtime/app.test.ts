import { Readable } from "node:stream";
import { runInNewContext } from "node:vm";
import { Response as OtherResponse } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type BoundRoute, createCoreApp, type Handler } from "./app.ts";
import { bind } from "./bound.fixture.ts";
import { settle } from "./gate.fixture.ts";
import { formatLogEvent, type LogEvent } from "./log/log.ts";
import { HttpError } from "./message/errors.ts";
import { events } from "./message/events.ts";
import { reply } from "./message/reply.ts";
import type { Request } from "./message/request.ts";
import type { Server } from "./node/server.ts";
import { DEFAULT_SETTINGS, type ServerSettings } from "./settings.ts";

const cycle: Record<string, unknown> = {};
cycle.self = cycle;

async function* count(): AsyncGenerator<string> {
  yield "one ";
  yield "two";
}

async function* countLate(): AsyncGenerator<string> {
  await settle();
  yield* count();
}

async function* encode(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield new TextEncoder().encode(text);
}

async function* yieldObject(): AsyncGenerator<unknown> {
  yield { a: 1 };
}

function* countSync(): Generator<number> {
  yield 1;
}

async function* throwAtOnce(thrown: unknown): AsyncGenerator<string> {
  yield* [];
  throw thrown;
}

const toResponse = (texts: AsyncIterable<string>): Response =>
  new Response(ReadableStream.from(encode(texts)));
const failAtOnce = (): AsyncGenerator<string> => throwAtOnce(new Error("at once"));

const COOKIES: [string, string][] = [
  ["set-cookie", "a=1; Path=/"],
  ["set-cookie", "b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT"],
];
const JSON_TYPE = "application/json; charset=utf-8";
const HTML = { "content-type": "text/html" };
const LENGTH = { "content-length": "7" };
const NO_LENGTH = { headers: { ...HTML, "content-length": "x" } };
const OWN = { status: 202, headers: { ...HTML, "x-own": "1" } };

const hi = (): Uint8Array => new Uint8Array([104, 105]);
const stream = (): ReadableStream => new Blob(["made"]).stream();
const page = (): Blob => new Blob(["hi"], { type: "text/html" });
const withLength = (length: string): Response =>
  new Response("made", { headers: { ...HTML, "Content-Length": length } });

/** What a handler returns, and what the client gets. */
const RESULTS: readonly [title: string, handler: () => unknown, answer: string][] = [
  ["an object", () => ({ a: 1 }), '200 json {"a":1}'],
  ["an object from an async handler", async () => ({ a: 1 }), '200 json {"a":1}'],
  ["an object beyond ASCII", () => ({ a: "Größe 😀" }), '200 json {"a":"Größe 😀"}'],
  ["an object without prototype", () => Object.create(null), "200 json {}"],
  ["an object with toJSON", () => new Date(0), '200 json "1970-01-01T00:00:00.000Z"'],
  ["an object and a status", () => [{ a: 1 }, 201], '201 json {"a":1}'],
  ["an object and an error status", async () => [{ error: "no" }, 400], '400 json {"error":"no"}'],
  ["an object and 204", () => [{ a: 1 }, 204], "204 -"],
  ["an object without JSON and 204", () => [{ deleted: 1n }, 204], "204 -"],
  ["an object and 205", () => [{ a: 1 }, 205], "205 -"],
  ["an object and 304", () => [{ a: 1 }, 304], "304 -"],
  ["two numbers", () => [1, 2], "200 json [1,2]"],
  ["an array and a number", () => [[1], 201], "200 json [[1],201]"],
  ["three values", () => [{ a: 1 }, 201, 3], '200 json [{"a":1},201,3]'],
  ["a number", () => 7, "200 json 7"],
  ["false", () => false, "200 json false"],
  ["a string", () => "hallo", "200 text hallo"],
  ["a string beyond ASCII", () => "Größe 😀", "200 text Größe 😀"],
  ["an empty string", () => "", "200 text"],
  ["nothing", () => undefined, "204 -"],
  ["null", () => null, "204 -"],
  ["a Response", () => new Response("made", OWN), "202 html made"],
  ["a Response without a body", () => new Response(null, { status: 404 }), "404 -"],
  ["a redirect", () => Response.redirect("http://a.example/b", 303), "303 -"],
  ["a Response with its length", () => withLength("4"), "200 html made"],
  ["a Response that names no length", () => withLength("x"), "200 html made"],
  [
    "a streamed Response that names no length",
    () => new Response(ReadableStream.from(encode(countLate())), NO_LENGTH),
    "200 html one two",
  ],
  ["a Response of another implementation", () => new OtherResponse("made", OWN), "202 html made"],
  ["a ReadableStream", stream, "200 bytes made"],
  ["an async generator of strings", count, "200 text one two"],
  ["an async generator whose first string comes late", countLate, "200 text one two"],
  ["an async generator of bytes", () => encode(count()), "200 bytes one two"],
  ["a ReadableStream of strings", () => ReadableStream.from(count()), "200 text one two"],
  ["bytes", hi, "200 bytes hi"],
  ["a buffer", () => hi().buffer, "200 bytes hi"],
  ["a blob", page, "200 html hi"],
  ["a reply of an object", () => reply({ a: 1 }, 201), '201 json {"a":1}'],
  ["a reply from an async handler", async () => reply({ a: 1 }, 409), '409 json {"a":1}'],
  ["a reply of a number", () => reply(7, 599), "599 json 7"],
  ["a reply of a string", () => reply("hallo", 201), "201 text hallo"],
  ["a reply of null", () => reply(null, 201), "201 -"],
  ["a reply of nothing", () => reply(undefined, 404), "404 -"],
  ["a reply of bytes", () => reply(hi(), 203), "203 bytes hi"],
  ["a reply of a blob", () => reply(page(), 203), "203 html hi"],
  ["a reply of a generator of strings", () => reply(countLate(), 203), "203 text one two"],
  ["a reply of a ReadableStream", () => reply(stream(), 203), "203 bytes made"],
  ["a reply with 204", () => reply({ a: 1 }, 204), "204 -"],
  ["a reply with 205", () => reply("text", 205), "205 -"],
  ["a reply with 304", () => reply([1], 304), "304 -"],
  ["a reply of a stream with 204", () => reply(stream(), 204), "204 -"],
  ["a reply with a type of its own", () => reply("<p>", 201, HTML), "201 html <p>"],
  ["a reply of a generator with a type of its own", () => reply(countLate(), 200, HTML), "200 html one two"],
  ["a reply with a wrong length", () => reply({}, 200, LENGTH), "200 json {}"],
  [
    "a reply of a stream that names no length",
    () => reply(countLate(), 200, NO_LENGTH.headers),
    "200 html one two",
  ],
  ["a reply of a stream with its length", () => reply(count(), 200, LENGTH), "200 text one two"],
  ["events", () => events(["a"]), "200 events :\n\ndata: a"],
  ["a reply of events", () => reply(events([]), 203), "203 events :"],
];

const DENIED = { status: 401, headers: COOKIES };
const denied = (): Response => new Response("denied", DENIED);
const TOO_LONG = { ...HTML, "content-length": "3" };
const PROBLEM = { "Content-Type": "application/problem+json" };

/** What a handler throws as its answer, and what the client gets. */
const THROWN: readonly [title: string, make: () => unknown, answer: string][] = [
  ["an HttpError", () => new HttpError(404, "no"), '404 json {"error":"no"}'],
  ["an HttpError with an object", () => new HttpError(422, { a: ["b"] }), '422 json {"a":["b"]}'],
  ["an HttpError with an array", () => new HttpError(422, [1, "é"]), '422 json [1,"é"]'],
  ["an HttpError with a toJSON", () => new HttpError(422, { toJSON: () => ({ a: 1 }) }), '422 json {"a":1}'],
  ["an HttpError of a JSON type", () => new HttpError(422, {}, { headers: PROBLEM }), "422 problem {}"],
  ["an HttpError of no JSON type", () => new HttpError(502, {}, { headers: TOO_LONG }), "502 json {}"],
  ["an HttpError with cookies", () => new HttpError(401, {}, { headers: COOKIES }), "401 json {}"],
  ["a Response", denied, "401 text denied"],
  ["a Response without a body", () => new Response(null, { status: 404 }), "404 -"],
  ["a redirect", () => Response.redirect("http://a.example/b", 303), "303 -"],
  ["a Response with a stream", () => toResponse(countLate()), "200 - one two"],
  ["a Response whose stream throws one", () => toResponse(throwAtOnce(denied())), "401 text denied"],
  ["a Response of another implementation", () => new OtherResponse("denied", DENIED), "401 text denied"],
];

const throws = (make: () => unknown) => (): never => {
  throw make();
};

/** How a handler throws. */
const THROWERS: readonly [when: string, toHandler: (make: () => unknown) => Handler][] = [
  ["at once", throws],
  ["later", (make) => async () => Promise.reject(make())],
  ["at the start of its stream", (make) => () => throwAtOnce(make())],
];

const WITHOUT_JSON = { toJSON: () => undefined };
const refuse = throws(() => new Error("trap"));

function makeRevoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** What is thrown though it is no error, and what the log says of it. */
const NO_ERRORS: readonly [title: string, make: () => unknown, told: RegExp][] = [
  ["undefined", () => undefined, /: The handler threw undefined, not an Error\.$/],
  ["null", () => null, / threw null, not an Error\.\n {2}null$/],
  ["a string", () => "secret", / threw a string, not an Error\.\n {2}secret$/],
  ["an empty string", () => "", / threw a string, not an Error\./],
  ["a number", () => 7, / threw 7, not an Error\.\n {2}7$/],
  ["a symbol", () => Symbol("s"), / threw a symbol, not an Error\.\n {2}Symbol\(s\)$/],
  ["a reply", () => reply("secret", 404), / threw a Reply, not an Error\. Return it instead\.\n/],
  ["an object", () => ({ secret: 1 }), / threw an Object, not an Error\.\n {2}\{"secret":1\}$/],
  ["an object without prototype", () => Object.create(null), / threw an object, not an Error\.\n {2}\{\}$/],
  ["an object without JSON", () => WITHOUT_JSON, / threw an Object, .*\n {2}\[object Object\]$/],
  ["a cycle", () => cycle, / threw an Object, not an Error\.\n {2}\[object Object\]$/],
  ["a function", () => Math.max, / threw a function, not an Error\.\n {2}function max/],
  ["an error of another realm", () => runInNewContext('new TypeError("far")'), /\n {2}TypeError: far\n/],
  ["a Proxy without prototype", () => new Proxy({}, { getPrototypeOf: refuse }), / an Object, .*\n {2}\{\}$/],
  ["a Proxy without members", () => new Proxy({}, { get: refuse }), / an object, .*\n {2}\(unreadable\)$/],
  ["a Proxy of an error", () => new Proxy(new Error("a"), { get: refuse }), / failed\.\n {2}\(unreadable\)$/],
  ["a revoked Proxy", makeRevoked, / threw an object, not an Error\.\n {2}\(unreadable\)$/],
];

const SERVER_ERROR = '500 json {"error":"Internal Server Error"}';

function makeUsed<T extends Pick<Response, "text">>(response: T): T {
  void response.text();
  return response;
}

function makeLocked(): ReadableStream {
  const locked = stream();
  locked.getReader();
  return locked;
}

const SPLIT = { headers: { "X-A": "1\r\nX-B: 2" } };
const CONTROL = { headers: { "X-A": "1\u001b[2J" } };
const CONTROLS = /control character/;

/** What a handler does wrong, and what the log says of it. */
type Failure = readonly [title: string, handler: () => unknown, told: RegExp];

const FAILURES: readonly Failure[] = [
  ["throws an error", throws(() => new Error("secret")), /secret/],
  ["rejects with an error", async () => Promise.reject(new Error("secret")), /secret/],
  ["throws an HttpError with an impossible status", throws(() => new HttpError(200, "fine")), /400 to 599/],
  ["throws an HttpError that splits", throws(() => new HttpError(400, "x", SPLIT)), /header/i],
  ["throws an HttpError with a control", throws(() => new HttpError(400, "x", CONTROL)), CONTROLS],
  ["throws an HttpError with a Map", throws(() => new HttpError(422, new Map())), /HttpError.*a Map/s],
  ["throws an HttpError without JSON", throws(() => new HttpError(422, WITHOUT_JSON)), /HttpError.*no JSON/s],
  ["throws an HttpError whose JSON throws", throws(() => new HttpError(422, { toJSON: refuse })), /trap/],
  ["throws a Response that was read", throws(() => makeUsed(new Response("a"))), /already read/],
  ["throws another one that was read", throws(() => makeUsed(new OtherResponse("a"))), /already read/],
  ["throws Response.error()", throws(() => Response.error()), /no status/],
  ["throws a Response whose stream fails at once", throws(() => toResponse(failAtOnce())), /at once/],
  ["returns an error", () => new Error("secret"), /secret/],
  ["returns a Response with a control", () => new Response("x", CONTROL), CONTROLS],
  ["returns a reply with an impossible status", () => reply({}, 199), /RangeError: reply\(\)/],
  ["returns a reply of a reply", () => reply(reply({}, 201), 202), /not another Reply/],
  ["returns a reply of a Response", () => reply(new Response("x"), 201), /a Response\. Give it its own/],
  ["returns a reply of an error", () => reply(new Error("secret"), 404), /secret/],
  ["returns a reply of a stream that fails at once", () => reply(failAtOnce(), 201), /at once/],
  ["returns a reply in an object", () => ({ a: reply({}, 201) }), /whole result\. Return it by itself/],
  ["returns a reply with a status beside it", () => [reply({}, 201), 202], /whole result/],
  ["returns events of a source that fails at once", () => events(failAtOnce()), /at once/],
  ["returns events of a text", () => events("text"), /events\(\) takes a generator or an iterable/],
  ["returns events of a generator that is not called", () => events(count as never), /not a function/],
  ["returns events with a negative heartbeat", () => events([], { heartbeat: -1 }), /RangeError.* 86400/],
  ["returns a cycle", () => cycle, /circular/],
  ["returns a BigInt", () => 1n, /BigInt/],
  ["returns a BigInt inside", () => ({ a: 1n }), /BigInt/],
  ["returns a function", () => () => 1, /a function/],
  ["returns a symbol", () => Symbol("s"), /a symbol/],
  ["returns NaN", () => Number.NaN, /NaN/],
  ["returns an infinite number", () => -Infinity, /-Infinity, which has no JSON/],
  ["returns an object whose JSON is undefined", () => WITHOUT_JSON, /no JSON/],
  ["returns a Response that was read", () => makeUsed(new Response("a")), /already read/],
  ["returns Response.error()", () => Response.error(), /no status/],
  ["returns a Response with a status beside it", () => [new Response("x"), 201], /Response its status/],
  ["returns a Node stream with a status beside it", () => [Readable.from(["x"]), 201], /Response its status/],
  ["returns a Blob with a status beside it", () => [new Blob(["x"]), 201], /Response its status/],
  ["returns an Error with a status beside it", () => [new Error("secret"), 404], /secret/],
  ["returns a stream that fails at once", failAtOnce, /at once/],
  ["returns a stream of objects", yieldObject, /strings and bytes, not object/],
  ["returns a Map", () => new Map([["a", 1]]), /a Map, which has no JSON.*Object\.fromEntries/s],
  ["returns a Set", () => new Set([1]), /a Set, which has no JSON.*\[\.\.\.…\]/s],
  ["returns a generator", countSync, /which has no JSON.*\[\.\.\.…\]/s],
  ["returns an iterator", () => [1, 2].values(), /which has no JSON/],
  ["returns a locked stream", makeLocked, /lock/],
  ...[0, 99, 100, 199, 600, 999, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY].map(
    (status): Failure => [`returns the status ${status}`, () => [{}, status], /status/],
  ),
];

const readJson = (request: Request) => request.json();
const readText = (request: Request) => request.text();
const readSize = async (request: Request) => (await request.arrayBuffer()).byteLength;
const readForm = async (request: Request) => Object.fromEntries(await request.formData());

async function readClone(request: Request): Promise<unknown> {
  const clone = request.clone();
  const bytes = await request.bytes();
  bytes[0] = 0;
  const own = bytes.buffer.byteLength === bytes.length;
  return { clone: await clone.text(), own, used: clone.bodyUsed };
}

async function cancelBody(request: Request): Promise<unknown> {
  await request.body?.cancel();
  return [request.bodyUsed, await request.text().catch((error: Error) => error.name)];
}

async function readUsed(request: Request): Promise<unknown> {
  const wasUsed = request.bodyUsed;
  await request.bytes();
  try {
    return request.clone();
  } catch (error) {
    return [wasUsed, request.bodyUsed, (error as Error).name];
  }
}

async function readBlob(request: Request): Promise<unknown> {
  const { type, size } = await request.blob();
  return [type, size];
}

const PART = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n';
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data; boundary=x";
const LONG = "a".repeat(4000);

interface Read {
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly type?: string;
}

/** One part, `a`, with the value 1. */
const partOf = (headers: string): string => `--x\r\n${headers}\r\n\r\n1\r\n--x--\r\n`;
const DISPOSITION = 'Content-Disposition: form-data; name="a"';

/** What a part may hold. How its lines are split is in `message/multipart.test.ts`. */
const MULTIPARTS: readonly [title: string, body: string, gives: string][] = [
  ["without spaces", partOf('Content-Disposition:form-data;name="a"'), '{"a":"1"}'],
  ["in another letter case", partOf('content-DISPOSITION: Form-Data; NAME="a"'), '{"a":"1"}'],
  ["with a name without quotes", partOf("Content-Disposition: form-data; name=a"), '{"a":"1"}'],
  [
    "with other parameters and headers",
    partOf(`X-A: b\r\n${DISPOSITION}; size=1\r\nContent-Type: text/plain`),
    '{"a":"1"}',
  ],
  ["with its name in another parameter", partOf(DISPOSITION.replace(";", '; x="; name=b";')), '{"a":"1"}'],
  [
    "with quotes and line breaks in a name",
    partOf('Content-Disposition: form-data; name="a%22%0D%0A\\"é"'),
    '{"a\\"\\r\\n\\"é":"1"}',
  ],
  ["without a part", "--x--\r\n", "{}"],
];

const BROKEN_MULTIPARTS: readonly [title: string, body: string][] = [
  ["that ends before its last boundary", PART.replace("--x--", "--x")],
  ["without a disposition", partOf("Content-Type: text/plain")],
  ["with no boundary at all", "a=1"],
];

/** What a handler does with the body of its request, and its answer. */
const READS: readonly [title: string, handler: Handler, sent: Read, answer: RegExp][] = [
  ["JSON is read", readJson, { body: '{"a":"ü"}' }, /^200 json \{"a":"ü"\}$/],
  ["empty JSON is a 400", readJson, {}, /^400 json \{"error":".*empty/],
  ["unparseable JSON is a 400", readJson, { body: "{x" }, /^400 json \{"error":".*not valid JSON/],
  ["JSON in invalid UTF-8 is a 400", readJson, { body: new Uint8Array([34, 255, 34]) }, /^400 .*UTF-8/],
  [
    "the 400 can be caught",
    (request: Request) => request.json().catch((error: HttpError) => [{ caught: error.status }, 422]),
    { body: "{x" },
    /^422 json \{"caught":400\}$/,
  ],
  ["a body of the limit is read", readText, { body: "x".repeat(4096) }, /^200 text x{4096}$/],
  ["a body over the limit is a 413", readText, { body: "x".repeat(4097) }, /^413 json .*larger than 4096/],
  ["a stream over the limit is a 413", readJson, { body: "x".repeat(50_000) }, /^413 json \{"error"/],
  ["text in invalid UTF-8 is replaced", readText, { body: new Uint8Array([97, 255]) }, /^200 text a\uFFFD$/],
  ["no body is an empty text", readText, {}, /^200 text$/],
  ["the body's stream can be sent back", ({ body }: Request) => body, { body: "back" }, /^200 bytes back$/],
  ["a clone is its own", readClone, { body: "[1]" }, /^200 json \{"clone":"\[1\]","own":true,"used":true\}$/],
  ["a clone of a long body is its own", readClone, { body: LONG }, /"clone":"a{4000}","own":true/],
  ["a used body says so, and has no clone", readUsed, { body: "x" }, /^200 json \[false,true,"TypeError"\]$/],
  ["a body that was cancelled is used", cancelBody, { body: "x" }, /^200 json \[true,"TypeError"\]$/],
  ["an array buffer has the body's size", readSize, { body: "four" }, /^200 json 4$/],
  ["a blob has the body's type", readBlob, { body: "four", type: "a/b" }, /^200 json \["a\/b",4\]$/],
  ["a form is read", readForm, { body: "a=1&b=%C3%BC", type: FORM }, /^200 json \{"a":"1","b":"ü"\}$/],
  ["multipart is read", readForm, { body: PART, type: MULTIPART }, /^200 json \{"a":"1"\}$/],
  ...MULTIPARTS.map(([title, body, gives]): (typeof READS)[number] => [
    `multipart ${title} is read`,
    readForm,
    { body, type: MULTIPART },
    new RegExp(`^200 json ${gives.replace(/[\\{}]/g, "\\$&")}$`),
  ]),
  ...BROKEN_MULTIPARTS.map(([title, body]): (typeof READS)[number] => [
    `multipart ${title} is a 400`,
    readForm,
    { body, type: MULTIPART },
    /^400 json .*form data/,
  ]),
  ["a form in invalid UTF-8 is a 400", readForm, { body: "a=%E9", type: FORM }, /^400 json .*form data/],
  [
    "a form with bytes that are not UTF-8 is a 400",
    readForm,
    { body: new Uint8Array([97, 61, 233]), type: FORM },
    /^400 /,
  ],
  [
    "a form may have a % that encodes nothing",
    readForm,
    { body: "a=100%&b=%zz", type: FORM },
    /^200 json \{"a":"100%","b":"%zz"\}$/,
  ],
  [
    "multipart without a boundary is a 400",
    readForm,
    { body: PART, type: "multipart/form-data" },
    /^400 json .*form data/,
  ],
  [
    "multipart with a quoted boundary is read",
    readForm,
    { body: PART.replaceAll("--x", "--a b"), type: 'multipart/form-data; charset=utf-8; boundary="a b"' },
    /^200 json \{"a":"1"\}$/,
  ],
  [
    "multipart with two boundaries is read by the first",
    readForm,
    { body: PART, type: 'multipart/form-data; a="; boundary=y"; boundary=x; boundary=z' },
    /^200 json \{"a":"1"\}$/,
  ],
  ["broken multipart is a 400", readForm, { body: "--x\r\nno", type: MULTIPART }, /^400 json .*form data/],
  ["a form of another type is a 400", readForm, { body: "a=1", type: `${FORM}2` }, /^400 json .*form data/],
  ["a form of no form type is a 400", readForm, { body: "{}", type: "a/b" }, /^400 json .*form data/],
];

async function readTwice(request: Request): Promise<string> {
  await request.text();
  return request.text();
}

function describe(request: Request): unknown {
  const { method, path, query, headers, cookies, body, route, signal } = request;
  const { pathname, search } = new URL(request.url);
  const named = ["a", "b", "__proto__", "c"].map((name) => cookies[name]);
  const all = [method, path, pathname, search, query.getAll("q"), headers.get("x-own"), named];
  return [...all, body, route.pattern, signal.aborted];
}

const brew = throws(() => new HttpError(418, "I am a teapot", TEAPOT));
const WITH_HEADERS: [string, string][] = [...COOKIES, ["location", "/items/7"], ["upgrade", "h2c"]];
const TEAPOT = { headers: { "X-Tea": "green", "Content-Length": "999" } };
const ORDER = ["request", 0] as const;
const MIXED = [1, "request", 0] as const;

const ROUTES: BoundRoute[] = [
  ...RESULTS.map(([, handler], index) => bind(`GET /result/${index}`, handler, [])),
  ...FAILURES.map(([, handler], index) => bind(`GET /failure/${index}`, handler, [])),
  ...READS.map(([, handler], index) => bind(`POST /read/${index}`, handler)),
  ...THROWERS.flatMap(([, toHandler], way) => [
    ...THROWN.map(([, make], index) => bind(`GET /thrown/${way}/${index}`, toHandler(make), [])),
    ...NO_ERRORS.map(([, make], index) => bind(`GET /no-error/${way}/${index}`, toHandler(make), [])),
  ]),
  bind("GET /users/by/id/<id:int>", ({ params }: Request, id: number) => ({ params, id }), ORDER),
  bind("GET /order/<a:int>/<b:str>", (b: string, { path }: Request, a: number) => [b, path, a], MIXED),
  bind("GET /four/<a:str>/<b:str>/<c:str>/<d:str>", (...all: never[]) => all, [0, 1, 2, 3]),
  bind("POST /twice", readTwice),
  bind("GET /about", describe),
  bind("GET /teapot", brew),
  bind("GET /with-headers", () => reply([], 201, WITH_HEADERS)),
  bind("GET /with-headers/text-stream", () => reply(countLate(), 201, WITH_HEADERS)),
  bind("GET /with-headers/byte-stream", () => reply(encode(countLate()), 201, WITH_HEADERS)),
  bind("GET /with-headers/empty", () => reply({ a: 1 }, 204, new Headers(WITH_HEADERS))),
  bind("GET /events", () => events([])),
  bind("GET /own-events", () => reply(events([]), 200, { "cache-control": "no-store" })),
  bind("GET /only", () => ({})),
  bind("DELETE /only", () => undefined),
  bind("OPTIONS /own", () => ({ own: true })),
  bind("GET /mounted/<path:str[]>", (path: string[]) => path, [0]),
  bind("ALL /mounted/<path:str[]>", (request: Request) => [{ all: request.method, at: request.params }, 200]),
  bind("GET /own", () => ({})),
  bind("HEAD /head", () => new Response(null, { headers: { "X-Head": "1", "Content-Length": "42" } })),
  bind("GET /head", () => ({ a: 1 })),
];

const logged: LogEvent[] = [];
const log = { info: () => {}, error: (event: LogEvent) => void logged.push(event) };
const settings: ServerSettings = { ...DEFAULT_SETTINGS, port: 0, host: "127.0.0.1", bodyLimit: 4096 };
const app = createCoreApp(ROUTES, { settings, log });
let server: Server;

test.before(async () => {
  server = await app.listen();
});
test.after(() => server.close());
test.before.each(() => void logged.splice(0));

/** The first event of the log. */
function told(): string {
  assert.is(logged.length, 1);
  return formatLogEvent(logged[0] ?? { message: "" });
}

interface Answer {
  /** Its status, type and text. */
  readonly shown: string;
  readonly headers: Headers;
}

const TYPES: Readonly<Record<string, string>> = {
  [JSON_TYPE]: "json",
  "application/problem+json": "problem",
  "application/octet-stream": "bytes",
  "text/plain; charset=utf-8": "text",
  "text/plain;charset=UTF-8": "text",
  "text/html": "html",
  "text/event-stream": "events",
};

type Fetch = (path: string, init: RequestInit) => Promise<Response>;

async function askBy(door: Fetch, line: string, sent: RequestInit = {}): Promise<Answer> {
  const [method = "", path = ""] = line.split(" ");
  const response = await door(path, { ...sent, method, redirect: "manual" });
  const { status, headers } = response;
  const type = headers.get("content-type");
  const shown = `${status} ${type === null ? "-" : TYPES[type]} ${await response.text()}`;
  return { shown: shown.trim(), headers };
}

const DOORS: readonly [string, Fetch][] = [
  ["node", (path, init) => fetch(server.url + path, init)],
  ["fetch", app.fetch],
];

const MALFORMED = "its percent-encoding is malformed or not UTF-8";
const NOT_FOUND = '{"error":"Not Found"}';
const ALLOW = { allow: "GET, DELETE, HEAD, OPTIONS" };

/** What is asked, what is answered, and headers of the answer. */
const ANSWERS: readonly [line: string, answer: string, headers?: Record<string, string | null>][] = [
  ["GET /users/by/id/007", '200 json {"params":{"id":7},"id":7}'],
  ["GET /order/7/x%2Fy", '200 json ["x/y","/order/7/x%2Fy",7]'],
  ["GET /four/a/b/c/d", '200 json ["a","b","c","d"]'],
  ["GET /nope", `404 json ${NOT_FOUND}`],
  ["GET /users/%ff", `400 json {"error":"The path can't be read: ${MALFORMED}."}`],
  ["POST /only", '405 json {"error":"Method Not Allowed"}', ALLOW],
  ["OPTIONS /only", "204 -", ALLOW],
  ["OPTIONS /own", '200 json {"own":true}', { allow: null }],
  ["GET /mounted/a/b%2Fc", '200 json ["a","b/c"]', { allow: null }],
  ["PUT /mounted/a", '200 json {"all":"PUT","at":{"path":["a"]}}', { allow: null }],
  ["OPTIONS /mounted/a", '200 json {"all":"OPTIONS","at":{"path":["a"]}}', { allow: null }],
  ["HEAD /head", "200 -", { "x-head": "1", "content-length": "42" }],
  ["OPTIONS /nope", `404 json ${NOT_FOUND}`],
  ["HEAD /nope", "404 json", { "content-length": "21" }],
  ["GET /teapot", '418 json {"error":"I am a teapot"}', { "x-tea": "green", "content-length": "25" }],
];

for (const [door, fetchBy] of DOORS) {
  const ask = (line: string, sent?: RequestInit): Promise<Answer> => askBy(fetchBy, line, sent);

  RESULTS.forEach(([title, , expected], index) => {
    test(`${door}: ${title} becomes ${expected}, and a HEAD for it has the same head and no body`, async () => {
      const get = await ask(`GET /result/${index}`);
      assert.is(get.shown, expected);
      const head = await ask(`HEAD /result/${index}`);
      assert.is(head.shown, expected.split(" ", 2).join(" "));
      assert.is(head.headers.get("x-own"), get.headers.get("x-own"));
      const [length, own] = [get, head].map(({ headers }) => headers.get("content-length"));
      // A stream has a length only where it comes whole in one turn of the event loop, which is not the same each time.
      const isStream = /stream|generator/i.test(title);
      if (length !== "0" && !(isStream && (own === null || length === null))) assert.is(own, length);
      assert.equal(logged, []);
    });
  });

  FAILURES.forEach(([title, , expected], index) => {
    test(`${door}: a handler that ${title} is a 500, which the log explains and the client can't see`, async () => {
      assert.is((await ask(`GET /failure/${index}`)).shown, SERVER_ERROR);
      assert.match(told(), /^GET \/failure\/\d+ → get \(routes\/x\.ts:1:1\): /);
      assert.match(String(logged[0]?.error), expected);
    });
  });

  THROWERS.forEach(([when], way) => {
    THROWN.forEach(([title, , expected], index) => {
      test(`${door}: ${title} that is thrown ${when} is the answer, to a HEAD without its body`, async () => {
        const cookies = expected.startsWith("401") ? COOKIES.map(([, value]) => value) : [];
        for (const method of ["GET", "HEAD"]) {
          const { shown, headers } = await ask(`${method} /thrown/${way}/${index}`);
          assert.is(shown, method === "HEAD" ? expected.split(" ", 2).join(" ") : expected);
          assert.equal(headers.getSetCookie(), cookies);
        }
        assert.equal(logged, []);
      });
    });

    NO_ERRORS.forEach(([title, , expected], index) => {
      test(`${door}: the log tells of ${title} that is thrown ${when} what it was, and where`, async () => {
        assert.is((await ask(`GET /no-error/${way}/${index}`)).shown, SERVER_ERROR);
        assert.match(told(), expected);
      });
    });
  });

  test(`${door}: a reply sends its headers, each Set-Cookie apart, and none of the connection's`, async () => {
    for (const rest of ["", "/empty", "/text-stream", "/byte-stream"]) {
      const { headers } = await ask(`GET /with-headers${rest}`);
      assert.equal(
        headers.getSetCookie(),
        COOKIES.map(([, value]) => value),
      );
      assert.equal([headers.get("location"), headers.get("upgrade")], ["/items/7", null]);
    }
  });

  test(`${door}: events say that nobody may store or buffer them, unless their reply says otherwise`, async () => {
    const plain = await ask("GET /events");
    assert.is(plain.headers.get("cache-control"), "no-cache");
    assert.is(plain.headers.get("x-accel-buffering"), "no");
    const own = await ask("GET /own-events");
    assert.is(own.headers.get("cache-control"), "no-store");
    assert.match(own.shown, "200 events");
  });

  READS.forEach(([title, , { body, type }, expected], index) => {
    test(`${door}: ${title}`, async () => {
      const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
      const { shown } = await ask(`POST /read/${index}`, { headers, ...(body !== undefined && { body }) });
      assert.match(shown, expected);
      assert.equal(logged, []);
    });
  });

  test(`${door}: a body that is read twice is the handler's mistake`, async () => {
    assert.is((await ask("POST /twice", { body: "x" })).shown, SERVER_ERROR);
    assert.instance(logged[0]?.error, TypeError);
  });

  test(`${door}: the request tells what was asked`, async () => {
    const headers = { "x-own": "1", cookie: 'a=1; b="two%20words"; a=3; __proto__=4; c=%zz' };
    const { shown } = await ask("GET /about?q=1&q=%C3%BC&r", { headers });
    const cookies = '["1","two words","4","%zz"]';
    const url = '"/about","/about","?q=1&q=%C3%BC&r",["1","ü"]';
    assert.is(shown, `200 json ["GET",${url},"1",${cookies},null,"/about",false]`);
  });

  for (const [line, expected, headers = {}] of ANSWERS) {
    test(`${door}: ${line} is answered with ${expected}`, async () => {
      const answer = await ask(line);
      assert.is(answer.shown, expected);
      for (const [name, value] of Object.entries(headers)) assert.is(answer.headers.get(name), value, name);
      assert.equal(logged, []);
    });
  }
}

test("in dev a 500 tells the stack, and a miss why", async () => {
  const explainMiss = (method: string, path: string): string => `nearest to ${method} ${path}`;
  const dev = createCoreApp(ROUTES, { settings, log, dev: true, explainMiss });
  assert.match((await askBy(dev.fetch, "GET /failure/0")).shown, /^500 .*"stack":".*secret.*app\.test\.ts/);
  for (const [line, expected] of [
    ["GET /nope", '404 json {"error":"Not Found","detail":"nearest to GET /nope"}'],
    ["PUT /only", '405 json {"error":"Method Not Allowed","detail":"nearest to PUT /only"}'],
  ] as const)
    assert.is((await askBy(dev.fetch, line)).shown, expected);
});

test("in dev a 500 tells what was thrown, whatever it is", async () => {
  const dev = createCoreApp(ROUTES, { settings, log, dev: true });
  for (const [index, [title]] of NO_ERRORS.entries()) {
    logged.length = 0;
    const { shown } = await askBy(dev.fetch, `GET /no-error/0/${index}`);
    const { error, stack } = JSON.parse(shown.slice("500 json ".length)) as Record<string, string>;
    assert.is(error, "Internal Server Error");
    const [, thrown = "undefined"] = /\n {2}(.*)/.exec(told()) ?? [];
    assert.is(stack?.split("\n")[0], thrown, title);
  }
});

test("an explanation that fails is a logged 500", async () => {
  const explainMiss = throws(() => new Error("no idea"));
  const dev = createCoreApp(ROUTES, { settings, log, dev: true, explainMiss });
  assert.match((await askBy(dev.fetch, "GET /nope")).shown, /^500 /);
  assert.match(told(), /no idea/);
});

test("a handler or a first piece that takes too long is a 503 for fetch, too, and the signal aborts", async () => {
  let reason: unknown;
  const wait = ({ signal }: Request): Promise<void> =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        reason = signal.reason.name;
        reject(signal.reason);
      });
    });
  async function* stuck(): AsyncGenerator<string> {
    yield await new Promise<string>(() => {});
  }
  const keepAlive = setInterval(() => {}, 1000);
  for (const handler of [wait, () => stuck(), async () => stuck()]) {
    logged.length = 0;
    const slow = createCoreApp([bind("GET /", handler)], {
      settings: { ...settings, handlerTimeout: 0.05 },
      log,
    });
    assert.is((await askBy(slow.fetch, "GET /")).shown, '503 json {"error":"Service Unavailable"}');
    assert.match(told(), /too long/);
  }
  clearInterval(keepAlive);
  assert.is(reason, "TimeoutError");
});

test("an HttpError is logged where its status says that the server has failed, and it has the failure", async () => {
  const cause = new Error("the disk is full");
  for (const [error, isLogged] of [
    [new HttpError(503, "busy", { cause }), true],
    [new HttpError(503, "busy"), false],
    [new HttpError(409, "taken", { cause }), false],
  ] as const) {
    logged.length = 0;
    const failing = createCoreApp(
      [
        bind(
          "GET /",
          throws(() => error),
        ),
      ],
      { settings, log },
    );
    assert.is(
      (await askBy(failing.fetch, "GET /")).shown,
      `${error.status} json ${JSON.stringify(error.body)}`,
    );
    if (isLogged) assert.match(told(), /failed with a 503.*caused by Error: the disk is full/s);
    else assert.equal(logged, []);
  }
});

test("the health path outranks the routes for GET and HEAD", async () => {
  const routes = ["GET", "POST"].map((method) => bind(`${method} /healthz`, () => "a route's"));
  const probed = createCoreApp(routes, { settings: { ...settings, health: "/healthz" }, log });
  for (const [method, expected] of [
    ["GET", '200 json {"status":"ok"}'],
    ["HEAD", "200 json"],
    ["POST", "200 text a route's"],
  ])
    assert.is((await askBy(probed.fetch, `${method} /healthz`)).shown, expected);
});

test("in dev each request is told to the log", async () => {
  const requests: LogEvent[] = [];
  const info = (event: LogEvent): void => void requests.push(event);
  const dev = createCoreApp(ROUTES, { settings, dev: true, log: { ...log, info } });
  await askBy(dev.fetch, "GET /only?x=1");
  assert.equal(
    requests.map(({ method, path, status }) => [method, path, status]),
    [["GET", "/only", 200]],
  );
});

test("the routes are in the order of the table", () =>
  assert.equal(
    app.routes,
    ROUTES.map(({ route }) => route),
  ));

test.run();
