import { request as send } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createHookedApp, type HookedApp, type HookedRoute, sendRaw } from "../hooked.fixture.ts";
import { HttpError } from "../message/errors.ts";
import { events } from "../message/events.ts";
import { reply } from "../message/reply.ts";
import type { Request } from "../message/request.ts";
import { METHODS } from "../routing/route.ts";
import type { CorsSettings, ServerSettings } from "../settings.ts";
import { createCors } from "./cors.ts";
import type { Next } from "./hooks.ts";

const SHOP = "https://shop.example";
const LOCAL = "http://localhost:5173";
const EVIL = "https://evil.example";

async function* count(): AsyncGenerator<string> {
  yield "one ";
  yield "two";
}

const failing = {
  folder: "routes",
  error: (error: unknown) => reply({ caught: String(error) }, 418, { vary: "Accept" }),
  middleware: async (_: unknown, next: Next) => {
    const response = await next();
    response.headers.append("vary", "Accept-Language");
    return response;
  },
};

const UPSTREAM = {
  "access-control-allow-origin": "https://other.example",
  "Access-Control-Allow-Credentials": "true",
  "access-control-expose-headers": "x-secret",
  "x-other": "kept",
  vary: "origin",
};

const ROUTES: Readonly<Record<string, HookedRoute>> = {
  "GET /plain": [() => ({ a: 1 })],
  "POST /plain": [async () => [{ a: 2 }, 201]],
  "DELETE /plain": [() => undefined],
  "OPTIONS /own": [() => "own"],
  "ALL /mounted": [() => "mounted"],
  "GET /stream": [() => count()],
  "GET /events": [() => events(count())],
  "GET /bytes": [() => new Uint8Array([1, 2])],
  "GET /refused": [() => Promise.reject(new HttpError(409, "taken"))],
  "GET /broken": [() => assert.unreachable()],
  "GET /thrown": [() => Promise.reject(new Response("thrown", { status: 402 }))],
  "GET /moved": [() => Response.redirect("http://localhost/plain", 302)],
  "GET /empty": [() => new Response(null, { status: 304 })],
  "POST /read": [(request: Request) => request.text()],
  "GET /slow": [() => new Promise(() => {})],
  "GET /vary": [() => reply({}, 200, { Vary: "Accept-Encoding, accept" })],
  "GET /varies": [() => reply({}, 200, { vary: "Accept, ORIGIN" })],
  "GET /every": [() => reply({}, 200, { vary: "*" })],
  "GET /other": [() => new Response("upstream", { headers: UPSTREAM })],
  "GET /around": [() => assert.unreachable(), failing],
};

const DEFAULTS: CorsSettings = { origins: [SHOP, LOCAL], credentials: false, maxAge: 600, expose: [] };

function createApp(cors?: Partial<CorsSettings>, settings: Partial<ServerSettings> = {}): HookedApp {
  const shared = cors && createCors({ ...DEFAULTS, ...cors });
  return createHookedApp(ROUTES, [], { settings: { health: "/healthz", ...settings }, cors: shared });
}

type Sent = Readonly<Record<string, string | string[]>>;

/** The answer over a socket, where each header has a line of its own, and by fetch. Values of one name over the socket are joined by ` | `. */
async function* ask(app: HookedApp, url: string, line: string, sent: Sent) {
  const [method = "", path = ""] = line.split(" ");
  const body = method === "POST" ? "text" : null;
  const raw = await send(url + path, { method: method as "GET", headers: sent, body, reset: true });
  await raw.body.dump();
  const joined = Object.entries(raw.headers).map(([name, value]) => [name, [value].flat().join(" | ")]);
  yield { status: raw.statusCode, headers: Object.fromEntries(joined) };
  const pairs = Object.entries(sent).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  const response = await app.fetch(path, { method, headers: pairs, body });
  await response.body?.cancel();
  yield { status: response.status, headers: Object.fromEntries(response.headers) };
}

const SHORT = [
  ["access-control-allow-origin", "origin"],
  ["access-control-allow-credentials", "credentials"],
  ["access-control-allow-methods", "methods"],
  ["access-control-allow-headers", "headers"],
  ["access-control-expose-headers", "expose"],
  ["access-control-max-age", "age"],
  ["x-other", "other"],
  ["vary", "vary"],
] as const;

type Shared = Readonly<{ [short in (typeof SHORT)[number][1]]?: string }>;
/** What is sent is the value of `Origin`, or several headers. The last are the headers about sharing, by short names. */
type Case = readonly [line: string, sent: Sent | string, status: number, shared: Shared];

async function check(
  cors: Partial<CorsSettings> | undefined,
  cases: readonly Case[],
  settings?: Partial<ServerSettings>,
): Promise<void> {
  const app = createApp(cors, settings);
  const server = await app.listen();
  try {
    for (const [line, given, status, expected] of cases) {
      const sent = typeof given === "string" ? { origin: given } : given;
      for await (const { status: answered, headers } of ask(app, server.url, line, sent)) {
        const pairs = SHORT.map(([name, short]) => [short, headers[name]]);
        const shared = Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
        assert.equal([answered, shared], [status, expected], `${line} ${JSON.stringify(sent)}`);
        const isPreflight = "access-control-request-method" in sent && "origin" in sent;
        if (isPreflight) assert.is(headers["cache-control"], "private", line);
      }
    }
  } finally {
    await server.close();
  }
}

function preflight(origin: string, method: string, headers?: string): Sent {
  const names = headers === undefined ? {} : { "access-control-request-headers": headers };
  return { origin, "access-control-request-method": method, ...names };
}

const UNSHARED: Shared = { vary: "Origin" };
const SHARED: Shared = { origin: SHOP, vary: "Origin" };
const REFUSED: Shared = { vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers" };
const ALLOWED: Shared = { ...REFUSED, origin: SHOP, age: "600" };
const PLAIN: Shared = { ...ALLOWED, methods: "GET, POST, DELETE, HEAD, OPTIONS" };

const OTHER_ORIGINS: readonly (string | string[])[] = [
  ...[EVIL, "null", "*", "", "https://SHOP.example", "http://shop.example", `${SHOP}:443`, `${SHOP}:8443`],
  ...[`${SHOP}/`, `${SHOP}.evil.example`, "https://evilshop.example", "http://localhost", "constructor"],
  ...[[SHOP, SHOP], [SHOP, EVIL], `${SHOP} ${LOCAL}`, "x".repeat(8000)],
];

test("every answer to a listed origin is shared with it, and no other one is", () =>
  check({}, [
    ["GET /plain", SHOP, 200, SHARED],
    ["GET /plain", LOCAL, 200, { ...SHARED, origin: LOCAL }],
    ["GET /plain", {}, 200, UNSHARED],
    ...OTHER_ORIGINS.map((origin): Case => ["GET /plain", { origin }, 200, UNSHARED]),
  ]));

test("with `*` every answer is shared with everyone, asked or not, so that caches keep one", () => {
  const shared = { origin: "*", expose: "*" };
  return check({ origins: ["*"], expose: ["*"] }, [
    ["GET /plain", {}, 200, shared],
    ["GET /plain", EVIL, 200, shared],
    ["GET /plain", "null", 200, shared],
    ["GET /nowhere", SHOP, 404, shared],
    ["GET /vary", SHOP, 200, { ...shared, vary: "Accept-Encoding, accept" }],
    ["GET /other", SHOP, 200, { ...shared, other: "kept", vary: "origin" }],
  ]);
});

test("credentials and exposed headers are only for listed origins", () => {
  const expose = "X-Total-Count, ETag";
  return check({ credentials: true, expose: ["X-Total-Count", "ETag"] }, [
    ["GET /plain", SHOP, 200, { ...SHARED, credentials: "true", expose }],
    ["GET /plain", EVIL, 200, UNSHARED],
    ["GET /plain", {}, 200, UNSHARED],
    ["OPTIONS /plain", preflight(SHOP, "DELETE"), 204, { ...PLAIN, credentials: "true" }],
    ["OPTIONS /plain", preflight(EVIL, "DELETE"), 204, REFUSED],
  ]);
});

const BECOMES: readonly (readonly [status: number, ...lines: string[]])[] = [
  [200, "HEAD /plain", "GET /stream", "HEAD /stream", "GET /events", "GET /bytes", "POST /read"],
  [200, "OPTIONS /own", "GET /healthz", "HEAD /healthz"],
  [201, "POST /plain"],
  [204, "DELETE /plain", "OPTIONS /plain"],
  [302, "GET /moved"],
  [304, "GET /empty"],
  [400, "GET /%zz"],
  [402, "GET /thrown"],
  [404, "GET /nowhere", "OPTIONS /nowhere"],
  [405, "PUT /plain"],
  [409, "GET /refused"],
  [500, "GET /broken"],
];

test("whatever becomes of a request, its answer is shared", async () => {
  const cases = BECOMES.flatMap(([status, ...lines]) =>
    lines.map((line): Case => [line, SHOP, status, SHARED]),
  );
  await check({}, [
    ...cases,
    ["GET /around", SHOP, 418, { ...SHARED, vary: "Accept, Accept-Language, Origin" }],
  ]);
  await check({}, [["GET /slow", SHOP, 503, SHARED]], { handlerTimeout: 0.05 });
});

test("a preflight is answered with what the path serves, and where nothing is served with its method, so that a script sees the 404", async () => {
  await check({ maxAge: 0 }, [["OPTIONS /plain", preflight(SHOP, "GET"), 204, { ...PLAIN, age: "0" }]]);
  await check({}, [
    ["OPTIONS /plain", preflight(SHOP, "POST"), 204, PLAIN],
    ["OPTIONS /stream/?page=1", preflight(SHOP, "PUT"), 204, { ...ALLOWED, methods: "GET, HEAD, OPTIONS" }],
    ["OPTIONS /own", preflight(LOCAL, "PUT"), 204, { ...ALLOWED, origin: LOCAL, methods: "OPTIONS" }],
    ["OPTIONS /mounted", preflight(SHOP, "PUT"), 204, { ...ALLOWED, methods: METHODS.join(", ") }],
    ["OPTIONS /nowhere", preflight(SHOP, "DELETE"), 204, { ...ALLOWED, methods: "DELETE" }],
    ["OPTIONS /healthz", preflight(SHOP, "GET"), 204, { ...ALLOWED, methods: "GET" }],
    ["OPTIONS /%zz", preflight(SHOP, "PATCH"), 204, { ...ALLOWED, methods: "PATCH" }],
    ["OPTIONS /nowhere", preflight(SHOP, "patch"), 204, ALLOWED],
    ["OPTIONS /nowhere", preflight(SHOP, "BREW"), 204, ALLOWED],
    ["OPTIONS /nowhere", preflight(SHOP, "DELETE, PUT"), 204, ALLOWED],
    ["OPTIONS /nowhere", preflight(EVIL, "DELETE"), 204, REFUSED],
  ]);
});

test("a preflight repeats only what can be the name of a header, and not without bound", () => {
  const long = "x".repeat(2048);
  const asked = (names: string, headers?: string): Case => {
    const repeated = headers === undefined ? PLAIN : { ...PLAIN, headers };
    return ["OPTIONS /plain", preflight(SHOP, "GET", names), 204, repeated];
  };
  return check({}, [
    asked("authorization,content-type", "authorization, content-type"),
    asked(""),
    asked(" , ,"),
    asked("X-A , x-b", "X-A, x-b"),
    asked('x-a, x b, x:c, <d>, é, x\te, "x", x;f', "x-a"),
    asked(long, long),
    asked(`${long}x`),
    asked("x,".repeat(4000)),
  ]);
});

test("a request that lacks a part of a preflight is any other request", () =>
  check({}, [
    ["OPTIONS /own", { "access-control-request-method": "GET" }, 200, UNSHARED],
    ["OPTIONS /own", SHOP, 200, SHARED],
    ["GET /plain", { origin: SHOP, "access-control-request-headers": "x-a" }, 200, SHARED],
  ]));

test("what the project sets itself is never there twice: [cors] decides, Vary is joined, and all else is kept", () => {
  const shared = { ...SHARED, credentials: "true" };
  const other = { other: "kept", vary: "origin" };
  return check({ credentials: true }, [
    ["GET /vary", SHOP, 200, { ...shared, vary: "Accept-Encoding, accept, Origin" }],
    ["GET /vary", {}, 200, { vary: "Accept-Encoding, accept, Origin" }],
    ["GET /varies", SHOP, 200, { ...shared, vary: "Accept, ORIGIN" }],
    ["GET /every", SHOP, 200, { ...shared, vary: "*" }],
    ["GET /other", SHOP, 200, { ...shared, ...other }],
    ["GET /other", "https://other.example", 200, other],
    ["GET /other", {}, 200, other],
  ]);
});

test("without [cors], a handler's own headers are its own, and a preflight is any OPTIONS", () => {
  const own = { origin: "https://other.example", credentials: "true", expose: "x-secret" };
  return check(undefined, [
    ["GET /plain", SHOP, 200, {}],
    ["OPTIONS /plain", SHOP, 204, {}],
    ["GET /other", SHOP, 200, { ...own, other: "kept", vary: "origin" }],
  ]);
});

test("preflights are logged as requests", async () => {
  const app = createApp({}, { accessLog: true });
  const headers = preflight(SHOP, "GET") as Record<string, string>;
  const response = await app.fetch("/plain", { method: "OPTIONS", headers });
  assert.equal(
    app.requests.map(({ method, path, status, id }) => [method, path, status, id]),
    [["OPTIONS", "/plain", 204, response.headers.get("x-request-id")]],
  );
});

test("a request that is refused before any handler is shared as soon as its headers can be read", async () => {
  const server = await createApp({}).listen();
  const origin = `Origin: ${SHOP}\r\n`;
  for (const [text, status, isShared] of [
    [`GET /plain HTTP/1.1\r\n${origin}\r\n`, 400, true],
    [`GET /plain HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n${origin}\r\n`, 417, true],
    [`GET /a#b HTTP/1.1\r\nHost: a\r\n${origin}\r\n`, 400, true],
    [`POST /read HTTP/1.1\r\nHost: a\r\n${origin}Transfer-Encoding: chunked\r\n\r\nno chunk\r\n`, 400, true],
    [`GET /plain HTTP/1.1\r\nHost: a\r\nOrigin ${SHOP}\r\n\r\n`, 400, false],
    [`GET /plain HTTP/1.1\r\nHost: a\r\nOrigin: ${"x".repeat(20_000)}\r\n\r\n`, 431, false],
  ] as const) {
    const received = await sendRaw(server, text);
    assert.ok(received.startsWith(`HTTP/1.1 ${status} `), received);
    assert.is(received.includes(`Access-Control-Allow-Origin: ${SHOP}\r\n`), isShared, text.slice(0, 60));
  }
  await server.close();
});

test.run();
