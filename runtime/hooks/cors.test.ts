import { EventEmitter, once } from "node:events";
import { connect, type Socket } from "node:net";
import { Client } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type App, type BoundRoute, createCoreApp, type Handler } from "../app.ts";
import type { LogEvent } from "../log/log.ts";
import { HttpError } from "../message/errors.ts";
import { events } from "../message/events.ts";
import { reply } from "../message/reply.ts";
import type { Server } from "../node/server.ts";
import type { Argument, Method } from "../routing/route.ts";
import { type CorsSettings, DEFAULT_SETTINGS, type ServerSettings } from "../settings.ts";
import { createCors } from "./cors.ts";
import { toAround } from "./hooks.ts";

const SHOP = "https://shop.example";
const LOCAL = "http://localhost:5173";

function bind(text: string, handler: Handler, order: readonly Argument[] = []): BoundRoute {
  const [method = "", pattern = ""] = text.split(" ");
  const location = { file: "routes/x.ts", line: 1, column: 1 };
  const rest = { handler: "get", module: "routes/x.ts", app: null, convention: "routes", location } as const;
  const segments = pattern.split("/").filter(Boolean);
  return { handler, route: { method: method as Method, pattern, segments, arguments: order, ...rest } };
}

async function* count(): AsyncGenerator<string> {
  yield "one ";
  yield "two";
}

const running = new EventEmitter();

const failing = {
  folder: "routes",
  error: (error: unknown) => reply({ caught: String(error) }, 418, { vary: "Accept" }),
  middleware: async (_: unknown, next: () => Promise<Response>) => {
    const response = await next();
    response.headers.append("vary", "Accept-Language");
    return response;
  },
};

const ROUTES: readonly BoundRoute[] = [
  bind("GET /plain", () => ({ a: 1 })),
  bind("POST /plain", async () => [{ a: 2 }, 201]),
  bind("DELETE /plain", () => undefined),
  bind("OPTIONS /own", () => "own"),
  bind("GET /stream", () => count()),
  bind("GET /events", () => events(count())),
  bind("GET /bytes", () => new Uint8Array([1, 2])),
  bind("GET /refused", () => {
    throw new HttpError(409, "taken");
  }),
  bind("GET /broken", () => {
    throw new Error("broken");
  }),
  bind("GET /thrown", () => {
    throw new Response("thrown", { status: 402 });
  }),
  bind("GET /moved", () => Response.redirect("http://localhost/plain", 302)),
  bind("GET /empty", () => new Response(null, { status: 304 })),
  bind("POST /read", (request: { text(): Promise<string> }) => request.text(), ["request"]),
  bind("GET /slow", () => new Promise(() => {})),
  bind("GET /held", () => {
    running.emit("started");
    return once(running, "finish");
  }),
  bind("GET /vary", () => reply({}, 200, { Vary: "Accept-Encoding, accept" })),
  bind("GET /varies", () => reply({}, 200, { vary: "Accept, ORIGIN" })),
  bind("GET /every", () => reply({}, 200, { vary: "*" })),
  bind(
    "GET /other",
    () =>
      new Response("upstream", {
        headers: {
          "access-control-allow-origin": "https://other.example",
          "Access-Control-Allow-Credentials": "true",
          "access-control-expose-headers": "x-secret",
          "x-other": "kept",
          vary: "origin",
        },
      }),
  ),
  {
    ...bind("GET /around", () => {
      throw new Error("inside");
    }),
    around: toAround([failing]),
  },
];

const DEFAULTS: CorsSettings = { origins: [SHOP, LOCAL], credentials: false, maxAge: 600, expose: [] };

interface Logged extends LogEvent {
  readonly level: "info" | "error";
}

function createApp(cors: Partial<CorsSettings> | undefined, settings: Partial<ServerSettings> = {}) {
  const logged: Logged[] = [];
  const log = {
    info: (event: LogEvent) => void logged.push({ level: "info", ...event }),
    error: (event: LogEvent) => void logged.push({ level: "error", ...event }),
  };
  const all = { ...DEFAULT_SETTINGS, host: "127.0.0.1", port: 0, health: "/healthz", ...settings };
  const shared = cors && createCors({ ...DEFAULTS, ...cors });
  return { app: createCoreApp(ROUTES, { settings: all, log, cors: shared }), logged };
}

interface Answered {
  readonly status: number;
  /** By lower-case names. Two of one name are joined by ` | `. */
  readonly headers: Readonly<Record<string, string>>;
}

type Sent = Readonly<Record<string, string | string[]>>;

/** Over a socket, where each header has a line of its own. */
async function askSocket(url: string, line: string, headers: Sent): Promise<Answered> {
  const [method = "", path = ""] = line.split(" ");
  const client = new Client(url);
  try {
    const body = method === "POST" ? "text" : null;
    const answered = await client.request({ method: method as "GET", path, headers, body });
    await answered.body.dump();
    const joined = Object.entries(answered.headers).map(([name, value]) => [
      name,
      [value].flat().join(" | "),
    ]);
    return { status: answered.statusCode, headers: Object.fromEntries(joined) };
  } finally {
    await client.close();
  }
}

async function askFetch(app: App, line: string, sent: Sent): Promise<Answered> {
  const [method = "", path = ""] = line.split(" ");
  const headers = Object.entries(sent).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  const body = method === "POST" ? "text" : null;
  const response = await app.fetch(path, { method, headers, body });
  await response.body?.cancel();
  return { status: response.status, headers: Object.fromEntries(response.headers) };
}

const SHORT: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "origin",
  "access-control-allow-credentials": "credentials",
  "access-control-allow-methods": "methods",
  "access-control-allow-headers": "headers",
  "access-control-expose-headers": "expose",
  "access-control-max-age": "age",
  "cache-control": "cache",
  vary: "vary",
};

/** The headers that are about sharing, by short names. */
function pick({ headers }: Answered): Record<string, string> {
  return Object.fromEntries(
    Object.entries(SHORT).flatMap(([name, short]) => {
      const value = headers[name];
      return value === undefined ? [] : [[short, value]];
    }),
  );
}

type Case = readonly [line: string, sent: Sent, status: number, shared: Readonly<Record<string, string>>];

/** Asks over a socket and by `fetch`: both answer alike. */
async function check(cors: Partial<CorsSettings> | undefined, cases: readonly Case[]): Promise<void> {
  const { app } = createApp(cors);
  const server = await app.listen();
  try {
    for (const [line, sent, status, shared] of cases) {
      for (const answered of [await askSocket(server.url, line, sent), await askFetch(app, line, sent)]) {
        const { cache, ...others } = pick(answered);
        const isPreflight = "access-control-request-method" in sent && "origin" in sent;
        assert.equal([answered.status, others], [status, shared], `${line} ${JSON.stringify(sent)}`);
        if (isPreflight) assert.is(cache, "private", line);
      }
    }
  } finally {
    await server.close();
  }
}

const PREFLIGHT_VARY = "Origin, Access-Control-Request-Method, Access-Control-Request-Headers";

function preflight(origin: string, method: string, headers?: string): Sent {
  return {
    origin,
    "access-control-request-method": method,
    ...(headers === undefined ? {} : { "access-control-request-headers": headers }),
  };
}

test("every answer to a listed origin is shared with it, and no other one is", () =>
  check({}, [
    ["GET /plain", { origin: SHOP }, 200, { origin: SHOP, vary: "Origin" }],
    ["GET /plain", { origin: LOCAL }, 200, { origin: LOCAL, vary: "Origin" }],
    ["GET /plain", {}, 200, { vary: "Origin" }],
    ["GET /plain", { origin: "https://evil.example" }, 200, { vary: "Origin" }],
    ["GET /plain", { origin: "null" }, 200, { vary: "Origin" }],
    ["GET /plain", { origin: "*" }, 200, { vary: "Origin" }],
    ["GET /plain", { origin: "" }, 200, { vary: "Origin" }],
    ["GET /plain", { origin: "https://SHOP.example" }, 200, { vary: "Origin" }],
    ["GET /plain", { origin: "http://shop.example" }, 200, { vary: "Origin" }],
    ["GET /plain", { origin: `${SHOP}:443` }, 200, { vary: "Origin" }],
    ["GET /plain", { origin: `${SHOP}:8443` }, 200, { vary: "Origin" }],
    ["GET /plain", { origin: `${SHOP}/` }, 200, { vary: "Origin" }],
    ["GET /plain", { origin: `${SHOP}.evil.example` }, 200, { vary: "Origin" }],
    ["GET /plain", { origin: "https://evilshop.example" }, 200, { vary: "Origin" }],
    ["GET /plain", { origin: "http://localhost" }, 200, { vary: "Origin" }],
    ["GET /plain", { origin: "constructor" }, 200, { vary: "Origin" }],
    ["GET /plain", { origin: [SHOP, SHOP] }, 200, { vary: "Origin" }],
    ["GET /plain", { origin: [SHOP, "https://evil.example"] }, 200, { vary: "Origin" }],
    ["GET /plain", { origin: `${SHOP} ${LOCAL}` }, 200, { vary: "Origin" }],
    ["GET /plain", { origin: "x".repeat(8000) }, 200, { vary: "Origin" }],
  ]));

test("with `*` every answer is shared with everyone, asked or not, so that caches keep one", () =>
  check({ origins: ["*"], expose: ["*"] }, [
    ["GET /plain", {}, 200, { origin: "*", expose: "*" }],
    ["GET /plain", { origin: "https://evil.example" }, 200, { origin: "*", expose: "*" }],
    ["GET /plain", { origin: "null" }, 200, { origin: "*", expose: "*" }],
    ["GET /nowhere", { origin: SHOP }, 404, { origin: "*", expose: "*" }],
    ["GET /vary", { origin: SHOP }, 200, { origin: "*", expose: "*", vary: "Accept-Encoding, accept" }],
    ["GET /other", { origin: SHOP }, 200, { origin: "*", expose: "*", vary: "origin" }],
  ]));

test("credentials and exposed headers are only for listed origins", () =>
  check({ credentials: true, expose: ["X-Total-Count", "ETag"] }, [
    [
      "GET /plain",
      { origin: SHOP },
      200,
      { origin: SHOP, credentials: "true", expose: "X-Total-Count, ETag", vary: "Origin" },
    ],
    ["GET /plain", { origin: "https://evil.example" }, 200, { vary: "Origin" }],
    ["GET /plain", {}, 200, { vary: "Origin" }],
    [
      "OPTIONS /plain",
      preflight(SHOP, "DELETE"),
      204,
      {
        origin: SHOP,
        credentials: "true",
        methods: "GET, POST, DELETE, HEAD, OPTIONS",
        age: "600",
        vary: PREFLIGHT_VARY,
      },
    ],
    ["OPTIONS /plain", preflight("https://evil.example", "DELETE"), 204, { vary: PREFLIGHT_VARY }],
  ]));

test("whatever becomes of a request, its answer is shared", () => {
  const shared = { origin: SHOP, vary: "Origin" };
  const sent = { origin: SHOP };
  return check({}, [
    ["GET /nowhere", sent, 404, shared],
    ["PUT /plain", sent, 405, shared],
    ["POST /plain", sent, 201, shared],
    ["DELETE /plain", sent, 204, shared],
    ["HEAD /plain", sent, 200, shared],
    ["HEAD /stream", sent, 200, shared],
    ["OPTIONS /plain", sent, 204, shared],
    ["OPTIONS /own", sent, 200, shared],
    ["OPTIONS /nowhere", sent, 404, shared],
    ["GET /stream", sent, 200, shared],
    ["GET /bytes", sent, 200, shared],
    ["GET /refused", sent, 409, shared],
    ["GET /broken", sent, 500, shared],
    ["GET /thrown", sent, 402, shared],
    ["GET /moved", sent, 302, shared],
    ["GET /empty", sent, 304, shared],
    ["POST /read", sent, 200, shared],
    ["GET /healthz", sent, 200, shared],
    ["HEAD /healthz", sent, 200, shared],
    ["GET /%zz", sent, 400, shared],
    ["GET /around", sent, 418, { origin: SHOP, vary: "Accept, Accept-Language, Origin" }],
  ]);
});

test("a stream of events is shared, too", async () => {
  const { app } = createApp({});
  const { headers } = await askFetch(app, "GET /events", { origin: SHOP });
  assert.is(headers["access-control-allow-origin"], SHOP);
});

test("a preflight is answered with what the path serves, and with the headers that were asked for", () =>
  check({}, [
    [
      "OPTIONS /plain",
      preflight(SHOP, "POST", "authorization,content-type"),
      204,
      {
        origin: SHOP,
        methods: "GET, POST, DELETE, HEAD, OPTIONS",
        headers: "authorization, content-type",
        age: "600",
        vary: PREFLIGHT_VARY,
      },
    ],
    [
      "OPTIONS /stream/?page=1",
      preflight(SHOP, "PUT"),
      204,
      { origin: SHOP, methods: "GET, HEAD, OPTIONS", age: "600", vary: PREFLIGHT_VARY },
    ],
    [
      "OPTIONS /own",
      preflight(LOCAL, "PUT"),
      204,
      { origin: LOCAL, methods: "OPTIONS", age: "600", vary: PREFLIGHT_VARY },
    ],
  ]));

test("where nothing is served, a preflight allows the method, so that a script sees the 404", () => {
  const allowed = { origin: SHOP, age: "600", vary: PREFLIGHT_VARY };
  return check({}, [
    ["OPTIONS /nowhere", preflight(SHOP, "DELETE"), 204, { ...allowed, methods: "DELETE" }],
    ["OPTIONS /healthz", preflight(SHOP, "GET"), 204, { ...allowed, methods: "GET" }],
    ["OPTIONS /%zz", preflight(SHOP, "PATCH"), 204, { ...allowed, methods: "PATCH" }],
    ["OPTIONS /nowhere", preflight(SHOP, "patch"), 204, allowed],
    ["OPTIONS /nowhere", preflight(SHOP, "BREW"), 204, allowed],
    ["OPTIONS /nowhere", preflight(SHOP, "DELETE, PUT"), 204, allowed],
    ["OPTIONS /nowhere", preflight("https://evil.example", "DELETE"), 204, { vary: PREFLIGHT_VARY }],
  ]);
});

test("a preflight repeats only what can be the name of a header, and not without bound", () => {
  const allowed = {
    origin: SHOP,
    methods: "GET, POST, DELETE, HEAD, OPTIONS",
    age: "600",
    vary: PREFLIGHT_VARY,
  };
  return check({}, [
    ["OPTIONS /plain", preflight(SHOP, "GET", ""), 204, allowed],
    ["OPTIONS /plain", preflight(SHOP, "GET", " , ,"), 204, allowed],
    ["OPTIONS /plain", preflight(SHOP, "GET", "X-A , x-b"), 204, { ...allowed, headers: "X-A, x-b" }],
    ["OPTIONS /plain", preflight(SHOP, "GET", "x-a, x b, x:c, <d>, é"), 204, { ...allowed, headers: "x-a" }],
    [
      "OPTIONS /plain",
      preflight(SHOP, "GET", "x".repeat(2048)),
      204,
      { ...allowed, headers: "x".repeat(2048) },
    ],
    ["OPTIONS /plain", preflight(SHOP, "GET", "x".repeat(2049)), 204, allowed],
    ["OPTIONS /plain", preflight(SHOP, "GET", "x,".repeat(4000)), 204, allowed],
  ]);
});

test("a request that lacks a part of a preflight is any other request", () =>
  check({}, [
    ["OPTIONS /own", { "access-control-request-method": "GET" }, 200, { vary: "Origin" }],
    ["OPTIONS /own", { origin: SHOP }, 200, { origin: SHOP, vary: "Origin" }],
    [
      "GET /plain",
      { origin: SHOP, "access-control-request-headers": "x-a" },
      200,
      { origin: SHOP, vary: "Origin" },
    ],
  ]));

test("max_age is what the settings say, also 0", async () => {
  const { app } = createApp({ maxAge: 0 });
  assert.is(pick(await askFetch(app, "OPTIONS /plain", preflight(SHOP, "GET"))).age, "0");
});

test("what the project sets itself is never there twice: [cors] decides, and Vary is joined", () =>
  check({ credentials: true }, [
    [
      "GET /vary",
      { origin: SHOP },
      200,
      { origin: SHOP, credentials: "true", vary: "Accept-Encoding, accept, Origin" },
    ],
    ["GET /vary", {}, 200, { vary: "Accept-Encoding, accept, Origin" }],
    ["GET /varies", { origin: SHOP }, 200, { origin: SHOP, credentials: "true", vary: "Accept, ORIGIN" }],
    ["GET /every", { origin: SHOP }, 200, { origin: SHOP, credentials: "true", vary: "*" }],
    ["GET /other", { origin: SHOP }, 200, { origin: SHOP, credentials: "true", vary: "origin" }],
    ["GET /other", { origin: "https://other.example" }, 200, { vary: "origin" }],
    ["GET /other", {}, 200, { vary: "origin" }],
  ]));

test("what else a handler sets is sent as it is", async () => {
  const { app } = createApp({});
  const { headers } = await askFetch(app, "GET /other", { origin: SHOP });
  assert.equal([headers["x-other"], headers["content-type"]], ["kept", "text/plain;charset=UTF-8"]);
});

test("without [cors], a handler's own headers are its own, and a preflight is any OPTIONS", () =>
  check(undefined, [
    ["GET /plain", { origin: SHOP }, 200, {}],
    ["OPTIONS /plain", { origin: SHOP }, 204, {}],
    [
      "GET /other",
      { origin: SHOP },
      200,
      { origin: "https://other.example", credentials: "true", expose: "x-secret", vary: "origin" },
    ],
  ]));

test("preflights are logged as requests, and health probes are not", async () => {
  const { app, logged } = createApp({}, { accessLog: true });
  const { headers } = await askFetch(app, "OPTIONS /plain", preflight(SHOP, "GET"));
  await askFetch(app, "GET /healthz", { origin: SHOP });
  assert.equal(
    logged.map(({ method, path, status }) => [method, path, status]),
    [["OPTIONS", "/plain", 204]],
  );
  assert.match(headers["x-request-id"] ?? "", /^[\w-]{36}$/);
});

test("a handler that takes too long is answered with a 503 that is shared", async () => {
  const { app } = createApp({}, { handlerTimeout: 0.05 });
  const server = await app.listen();
  const { status, headers } = await askSocket(server.url, "GET /slow", { origin: SHOP });
  await server.close();
  assert.equal([status, headers["access-control-allow-origin"]], [503, SHOP]);
});

/** What comes back on a connection for these bytes. */
function sendRaw(server: Server, text: string): Promise<string> {
  const socket = connect(server.port, "127.0.0.1");
  socket.write(text, "latin1");
  return readAll(socket);
}

async function readAll(socket: Socket): Promise<string> {
  let received = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    received += chunk;
  });
  await once(socket, "close");
  return received;
}

test("a request that is refused before any handler is shared as soon as its headers can be read", async () => {
  const { app } = createApp({});
  const server = await app.listen();
  const cases: readonly [text: string, status: number, isShared: boolean][] = [
    [`GET /plain HTTP/1.1\r\nOrigin: ${SHOP}\r\n\r\n`, 400, true],
    [`GET /plain HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nOrigin: ${SHOP}\r\n\r\n`, 417, true],
    [`GET /a#b HTTP/1.1\r\nHost: a\r\nOrigin: ${SHOP}\r\n\r\n`, 400, true],
    [
      `POST /read HTTP/1.1\r\nHost: a\r\nOrigin: ${SHOP}\r\nTransfer-Encoding: chunked\r\n\r\nnot a chunk\r\n`,
      400,
      true,
    ],
    [`GET /plain HTTP/1.1\r\nHost: a\r\nOrigin ${SHOP}\r\n\r\n`, 400, false],
    [`GET /plain HTTP/1.1\r\nHost: a\r\nOrigin: ${"x".repeat(20_000)}\r\n\r\n`, 431, false],
  ];
  for (const [text, status, isShared] of cases) {
    const received = await sendRaw(server, text);
    assert.match(received, new RegExp(`^HTTP/1.1 ${status} `));
    assert.is(received.includes(`Access-Control-Allow-Origin: ${SHOP}\r\n`), isShared, text.slice(0, 60));
  }
  await server.close();
});

test("no value of a request can become a header of the answer", async () => {
  const { app } = createApp({});
  const server = await app.listen();
  const asked = ["x-a\tx-b", "x-a\x0bset-cookie", "x-\xff", '"x"', "x-a;x-b", "x-a%0d%0aset-cookie:a"];
  for (const names of asked) {
    const received = await sendRaw(
      server,
      `OPTIONS /plain HTTP/1.1\r\nHost: a\r\nConnection: close\r\nOrigin: ${SHOP}\r\n` +
        `Access-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: ${names}, x-good\r\n\r\n`,
    );
    const [head = ""] = received.split("\r\n\r\n");
    if (head.startsWith("HTTP/1.1 400 ")) continue;
    const lines = head
      .split("\r\n")
      .filter((line) => /^(?:access-control-allow-headers|set-cookie)/i.test(line));
    assert.equal(lines, ["Access-Control-Allow-Headers: x-good"], names);
  }
  const origin = await sendRaw(
    server,
    `GET /plain HTTP/1.1\r\nHost: a\r\nConnection: close\r\nOrigin: ${SHOP}\r\nOrigin: https://evil.example\r\n\r\n`,
  );
  assert.not.match(origin, /access-control/i);
  await server.close();
});

test("a health probe is shared while the server stops, too", async () => {
  const server = await createApp({}).app.listen();
  const probe = `GET /healthz HTTP/1.1\r\nHost: a\r\nOrigin: ${SHOP}\r\n\r\n`;
  const socket = connect(server.port, "127.0.0.1");
  socket.write(probe);
  assert.match(String(await once(socket, "data")), "HTTP/1.1 200 ");
  const started = once(running, "started");
  const held = askSocket(server.url, "GET /held", {});
  await started;
  const closed = server.close();
  socket.write(probe);
  const received = await readAll(socket);
  assert.match(received, "HTTP/1.1 503 ");
  assert.match(received, `Access-Control-Allow-Origin: ${SHOP}\r\n`);
  running.emit("finish");
  await held;
  await closed;
});

test.run();
