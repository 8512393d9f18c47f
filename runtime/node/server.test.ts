import { once } from "node:events";
import { connect, createServer as createNetServer, type Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Agent, request as send } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type App, createCoreApp } from "../app.ts";
import { bind } from "../bound.fixture.ts";
import { gate } from "../gate.fixture.ts";
import type { LogEvent } from "../log/log.ts";
import type { Request } from "../message/request.ts";
import { DEFAULT_SETTINGS, type ServerSettings } from "../settings.ts";
import { listenOn, type Server } from "./server.ts";
import { onceAsked } from "./time-outs.fixture.ts";

const MEGABYTE = 1024 * 1024;
const logged: LogEvent[] = [];
const log = { info: () => {}, error: (event: LogEvent) => void logged.push(event) };
let started = gate();
let release = gate();
let aborted = gate<string>();
let produced = 0;
let remembered: WeakRef<object> | undefined;

async function* failHalfWay(): AsyncGenerator<string> {
  yield "half";
  await new Promise((resolve) => setImmediate(resolve));
  throw new Error("half-way");
}

function slowly(...texts: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setImmediate(resolve));
      const text = texts.shift();
      if (text === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(text));
    },
  });
}

async function* flood(): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(64 * 1024);
  try {
    for (produced = 0; produced < 64 * MEGABYTE; produced += chunk.length) yield chunk;
  } finally {
    aborted.open("cancelled");
  }
}

/** Tells when it is cancelled. */
function watched(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      started.open();
      controller.enqueue(new Uint8Array(64 * 1024));
    },
    cancel: () => aborted.open("cancelled"),
  });
}

const ROUTES = [
  bind("GET /", () => ({ ok: true })),
  bind("GET /url", (request: Request) => ({ url: request.url, ip: request.ip })),
  bind("GET /slow", async () => {
    started.open();
    await release.opened;
    return { slow: true };
  }),
  bind("GET /signal", async (request: Request) => {
    started.open();
    await new Promise((resolve) => request.signal.addEventListener("abort", resolve));
    aborted.open(String(request.signal.reason.name));
    throw request.signal.reason;
  }),
  bind("POST /json", async (request: Request) => request.json()),
  bind("POST /size", async (request: Request) => {
    started.open();
    const { length } = await request.bytes();
    return { length };
  }),
  bind("POST /stream-size", async (request: Request) => {
    let length = 0;
    for await (const chunk of request.body ?? []) length += chunk.length;
    return { length };
  }),
  bind("POST /ignore", () => ({ ignored: true })),
  bind("POST /remember", async (request: Request) => {
    remembered = new WeakRef(await request.json());
    return {};
  }),
  bind("POST /echo", (request: Request) => request.body),
  bind("GET /half", () => failHalfWay()),
  bind("GET /flood", () => flood()),
  bind("GET /text", () => new Response("made")),
  bind("GET /slowly", () => slowly("ab", "cd")),
  bind("GET /short-stream", () => new Response(slowly("12", "3"), { headers: { "Content-Length": "5" } })),
  bind("GET /long-stream", () => new Response(slowly("12", "345"), { headers: { "Content-Length": "3" } })),
  bind("GET /endless", () => watched()),
  bind("GET /begin", async function* () {
    started.open();
    await release.opened;
    yield "begun";
  }),
  bind("POST /peek", async (request: Request) => {
    const piece = await request.body?.getReader().read();
    return { peeked: piece?.done === false };
  }),
  bind("POST /late", (request: Request) => {
    started.open();
    void release.opened.then(() => request.text()).then(aborted.open, (error) => aborted.open(error.message));
    return { late: true };
  }),
];

const settings: ServerSettings = { ...DEFAULT_SETTINGS, host: "127.0.0.1", port: 0, bodyLimit: MEGABYTE };

function createApp(changed: Partial<ServerSettings> = {}): App {
  return createCoreApp(ROUTES, { settings: { ...settings, ...changed }, log });
}

async function withServer(
  changed: Partial<ServerSettings>,
  use: (server: Server) => Promise<void>,
): Promise<void> {
  const server = await createApp(changed).listen();
  try {
    await use(server);
  } finally {
    release.open();
    await server.close();
  }
}

/** Sends text over a socket of its own and gives back all that comes until the server closes. */
async function talk(server: Server, text: string): Promise<string> {
  const socket = connect(server.port, "127.0.0.1");
  socket.write(text, "latin1");
  return readAll(socket);
}

async function readAll(socket: Socket): Promise<string> {
  let received = "";
  socket.setEncoding("latin1").on("data", (text) => {
    received += text;
  });
  // A reset is an end like any other here.
  socket.on("error", () => {}).resume();
  if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
  return received;
}

test.before.each(() => {
  logged.splice(0);
  started = gate();
  release = gate();
  aborted = gate<string>();
});

const HEAD = "Host: a\r\nConnection: close\r\n\r\n";

const CHUNKED = "Transfer-Encoding: chunked";
const ERROR = /\r\nConnection: close\r\n[\s\S]*\r\n\r\n\{"error":"[^"]+"\}$/;

/** What is refused, with its status. */
const REFUSED: Readonly<Record<string, readonly [status: number, text: string]>> = {
  "an absolute target with dots": [400, `GET http://b/x/../url HTTP/1.1\r\n${HEAD}`],
  "a double slash": [404, `GET //a/url HTTP/1.1\r\n${HEAD}`],
  "dot segments": [400, `GET /x/../url HTTP/1.1\r\n${HEAD}`],
  "encoded dot segments": [400, `GET /x/%2e%2E/url HTTP/1.1\r\n${HEAD}`],
  "a backslash": [400, `GET /x\\..\\url HTTP/1.1\r\n${HEAD}`],
  "raw bytes": [400, `GET /\xff HTTP/1.1\r\n${HEAD}`],
  "no version": [400, "GET /\r\nHost: a\r\n\r\n"],
  "no Host": [400, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"],
  "an unknown expectation": [417, `POST /json HTTP/1.1\r\nExpect: foo\r\nContent-Length: 2\r\n${HEAD}`],
  "a space in a header's name": [400, `GET / HTTP/1.1\r\nX A: 1\r\n${HEAD}`],
  "a header without a name": [400, `GET /url HTTP/1.1\r\n: 1\r\n${HEAD}`],
  "a space behind a header's name": [400, `GET / HTTP/1.1\r\nX-A : 1\r\n${HEAD}`],
  "two lengths": [400, `POST /json HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n${HEAD}12`],
  "a length beside chunks": [
    400,
    `POST /json HTTP/1.1\r\nContent-Length: 1\r\n${CHUNKED}\r\n${HEAD}0\r\n\r\n`,
  ],
  "a broken chunk": [400, `POST /json HTTP/1.1\r\n${CHUNKED}\r\nHost: a\r\n\r\nzz\r\n`],
  CONNECT: [501, `CONNECT a:80 HTTP/1.1\r\n${HEAD}`],
  "CONNECT behind a request that is refused": [
    400,
    "GET * HTTP/1.1\r\nHost: a\r\n\r\nCONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n",
  ],
  "an unknown version of HTTP": [505, `GET / HTTP/1.2\r\n${HEAD}`],
  nonsense: [400, "nonsense\r\n\r\n"],
  "a head that is too large": [431, `GET / HTTP/1.1\r\nX: ${"x".repeat(20_000)}\r\n${HEAD}`],
  "a body that is too large, whose client waits": [
    413,
    `POST /json HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ${9 * MEGABYTE}\r\n\r\n`,
  ],
};

/** What node:http lets through, and a proxy may read in another way. */
const STRICTER: readonly (readonly [
  error: string,
  toText: (value: string) => string,
  ...values: string[],
])[] = [
  [
    "The Host header is invalid.",
    (host) => `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    ...["", "a/b", "a@b", "a:99999", "a b", "a?b", "[a", "1.x.3.4", "\xff", "a:b"],
  ],
  [
    "There must be one Host header.",
    (host) => `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    ...["a,b", "a, a", "a\r\nHost: b", "a\r\nhost: a"],
  ],
  [
    "The only supported transfer coding is chunked, over HTTP/1.1.",
    (coding) =>
      `POST /json HTTP/1.${coding === "chunked" ? 0 : 1}\r\nTransfer-Encoding: ${coding}\r\n${HEAD}0\r\n\r\n`,
    ...["chunked", "gzip, chunked", "identity, chunked", "x, chunked"],
  ],
  [
    "The request target is invalid.",
    (target) => `GET ${target} HTTP/1.1\r\n${HEAD}`,
    ...["*", "/#a", "http:///x", "http://u@b/url"],
  ],
];

for (const [error, toText, ...values] of STRICTER) {
  for (const value of values)
    test(`${JSON.stringify(value)} is refused: ${error}`, () =>
      withServer({}, async (server) => {
        const answer = await talk(server, toText(value));
        assert.match(answer, /^HTTP\/1\.1 400 /);
        assert.ok(answer.endsWith(`\r\n\r\n${JSON.stringify({ error })}`), answer);
        assert.match(answer, ERROR);
      }));
}

for (const [title, [status, text]] of Object.entries(REFUSED)) {
  test(`${title}: the one answer is an error ${status} with a date, and its connection ends`, () =>
    withServer({}, async (server) => {
      const answer = await talk(server, text);
      assert.ok(answer.startsWith(`HTTP/1.1 ${status} `), answer);
      assert.match(answer, ERROR);
      assert.match(answer, /\r\nDate: [A-Z][^\r]+ GMT\r\n/);
      assert.is(answer.split("HTTP/1.1 ").length, 2);
      assert.equal(logged, []);
    }));
}

const SERVED: Readonly<Record<string, readonly [text: string, expected: RegExp]>> = {
  "a plain request": [`GET / HTTP/1.1\r\n${HEAD}`, /^HTTP\/1\.1 200 OK\r\n[\s\S]*\{"ok":true\}$/],
  "HTTP/1.0 without a Host": ["GET /url HTTP/1.0\r\n\r\n", /^HTTP\/1\.1 200[\s\S]*"http:\/\/localhost\/url"/],
  "the host in the URL": [
    `GET /url?a=1 HTTP/1.1\r\n${HEAD}`,
    /"url":"http:\/\/a\/url\?a=1","ip":"127\.0\.0\.1"/,
  ],
  "an absolute target": [`GET http://b:81/url?a HTTP/1.1\r\n${HEAD}`, /"url":"http:\/\/b:81\/url\?a"/],
  "an absolute target without a path": [`GET HTTP://b HTTP/1.1\r\n${HEAD}`, /\{"ok":true\}/],
  "OPTIONS *": [
    `OPTIONS * HTTP/1.1\r\n${HEAD}`,
    /^HTTP\/1\.1 204 No Content\r\nAllow: GET, POST, HEAD, OPTIONS\r\n/,
  ],
  "a wrong method": [`PUT / HTTP/1.1\r\n${HEAD}`, /^HTTP\/1\.1 405 [\s\S]*\r\nAllow: GET, HEAD, OPTIONS\r\n/],
  "an expectation": [
    `POST /json HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n${HEAD}{}`,
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n[\s\S]*\{\}$/,
  ],
  "a connection that is kept": [
    `GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /url HTTP/1.1\r\n${HEAD}`,
    /Keep-Alive: timeout=65\r\n[\s\S]*"ok":true\}HTTP\/1\.1 200 OK[\s\S]*"url"/,
  ],
  "HTTP/1.0 that would keep its connection, and gets a stream": [
    "GET /slowly HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    /^HTTP\/1\.1 200 OK\r\n(?![\s\S]*Keep-Alive)[\s\S]*Connection: close\r\n[\s\S]*abcd$/,
  ],
  "a broken chunk that nobody reads": [
    `POST /ignore HTTP/1.1\r\n${CHUNKED}\r\nHost: a\r\n\r\nzz\r\n`,
    /^HTTP\/1\.1 200 [\s\S]*Connection: close\r\n[\s\S]*"ignored":true\}$/,
  ],
  "nonsense behind a request": [
    "GET / HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n",
    /^HTTP\/1\.1 200 [\s\S]*"ok":true\}HTTP\/1\.1 400 [\s\S]*\{"error":"[^"]+"\}$/,
  ],
  "nonsense behind requests that are being answered": [
    "GET /slowly HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n",
    /^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 200 [\s\S]*"ok":true\}/,
  ],
  "an expectation behind a request that is being answered": [
    `GET /slowly HTTP/1.1\r\nHost: a\r\n\r\nPOST /ignore HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\nbodyGET / HTTP/1.1\r\n${HEAD}`,
    /^HTTP\/1\.1 200 (?![\s\S]*100 Continue)[\s\S]*Connection: close\r\n[\s\S]*"ignored":true\}$/,
  ],
  "a body that breaks while it is sent back": [
    `POST /echo HTTP/1.1\r\n${CHUNKED}\r\nHost: a\r\n\r\n2\r\nbozz\r\n`,
    /^HTTP\/1\.1 400 [\s\S]*\{"error":"[^"]+"\}$/,
  ],
  "a small body that nobody reads, on a connection that goes on": [
    `POST /ignore HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\n${HEAD}`,
    /"ignored":true\}HTTP\/1\.1 200 OK[\s\S]*"ok":true/,
  ],
  "a large body of which a piece is read": [
    `POST /peek HTTP/1.1\r\nHost: a\r\nContent-Length: ${MEGABYTE}\r\n\r\n${"x".repeat(MEGABYTE)}`,
    /^HTTP\/1\.1 200 [\s\S]*Connection: close\r\n[\s\S]*"peeked":true\}$/,
  ],
  "a short text in a Response": [
    `GET /text HTTP/1.1\r\n${HEAD}`,
    /^(?![\s\S]*Transfer-Encoding)[\s\S]*\r\nContent-Length: 4\r\n[\s\S]*\r\n\r\nmade$/,
  ],
};

for (const [title, [text, expected]] of Object.entries(SERVED)) {
  test(`${title} is answered with ${expected.source.replace(/\\r\\n.*|[\^\\]/g, "")}`, () =>
    withServer({}, async (server) => {
      assert.match(await talk(server, text), expected);
      assert.equal(logged, []);
    }));
}

/** More than Node 20 counts; 22 and newer refuse fewer. */
const MANY_HEADERS = "a:\r\n".repeat(2100);

for (const [title, hidden] of [
  ["a second Host", "Host: b\r\n"],
  ["an unknown transfer coding", "Transfer-Encoding: gzip, chunked\r\n"],
] as const) {
  test(`${title} is found behind thousands of headers`, () =>
    withServer({}, async (server) => {
      const text = await talk(server, `POST /ignore HTTP/1.1\r\n${MANY_HEADERS}${hidden}${HEAD}`);
      assert.match(text, /^HTTP\/1\.1 4(?:00|31)/);
    }));
}

for (const path of ["/slow", "/begin"]) {
  test(`a client that has ended its side still gets its answer (${path})`, () =>
    withServer({}, async (server) => {
      const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
      socket.end(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      const answer = readAll(socket);
      await started.opened;
      // The server has read the end by then.
      await talk(server, `GET / HTTP/1.1\r\n${HEAD}`);
      release.open();
      socket.once("end", () => socket.destroy());
      assert.match(await answer, /"slow":true|begun/);
    }));
}

test("a client that ends its side within a body that nobody reads gets the one answer", () =>
  withServer({}, async (server) => {
    const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
    socket.end("POST /ignore HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nbody");
    socket.once("end", () => socket.destroy());
    assert.match(await readAll(socket), /^HTTP\/1\.1 200 (?![\s\S]*HTTP)[\s\S]*"ignored":true\}$/);
  }));

test("a stream to a client that has ended its side is stopped, and its connection ends", () =>
  withServer({}, async (server) => {
    const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
    socket.end("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n");
    socket.once("end", () => socket.destroy());
    await readAll(socket);
    assert.is(await aborted.opened, "cancelled");
  }));

for (const [title, head] of [
  ["that is refused", "Transfer-Encoding: gzip, chunked"],
  ["whose body is left", "Transfer-Encoding: chunked"],
] as const) {
  test(`a request behind one ${title} is not served: its connection ends`, () =>
    withServer({}, async (server) => {
      const first = `POST /ignore HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n0\r\n\r\n`;
      const text = await talk(server, `${first}GET /slow HTTP/1.1\r\nHost: a\r\n\r\n`);
      assert.match(text, /^HTTP\/1\.1 (?:200|400) [\s\S]*Connection: close\r\n/);
      let wasServed = false;
      void started.opened.then(() => {
        wasServed = true;
      });
      await new Promise((resolve) => setImmediate(resolve));
      assert.is(wasServed, false);
    }));
}

for (const [title, header] of [
  ["of a declared length", `Content-Length: ${8 * MEGABYTE}`],
  ["in chunks", "Transfer-Encoding: chunked"],
] as const) {
  for (const path of ["/json", "/stream-size"]) {
    test(`a client that first sends all of a too large body ${title} to ${path} still reads the 413`, () =>
      withServer({}, async (server) => {
        const chunk = "x".repeat(MEGABYTE);
        const framed = title === "in chunks" ? `100000\r\n${chunk}\r\n` : chunk;
        const end = title === "in chunks" ? "0\r\n\r\n" : "";
        const socket = connect(server.port, "127.0.0.1");
        socket.pause();
        socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`);
        await new Promise((resolve) => socket.write(framed.repeat(8) + end, resolve));
        const answer = await readAll(socket);
        assert.match(
          answer,
          /^HTTP\/1\.1 413 [\s\S]*Connection: close\r\n[\s\S]*\{"error":"[^"]*1048576 bytes\."\}$/,
        );
        assert.equal(logged, []);
      }));
  }
}

test("a body that nobody reads and that never ends is cut off", () =>
  withServer({}, async (server) => {
    const socket = connect(server.port, "127.0.0.1");
    socket.write("POST /ignore HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    const pour = (): void => {
      while (!socket.destroyed && socket.write(`10000\r\n${"x".repeat(65536)}\r\n`));
    };
    socket.on("drain", pour);
    pour();
    assert.match(await readAll(socket), /^HTTP\/1\.1 200[\s\S]*Connection: close/);
    assert.ok(socket.bytesWritten < 512 * MEGABYTE);
  }));

test("a body that is read for the first time when the answer is out is an error, and not empty", () =>
  withServer({}, async (server) => {
    const socket = connect(server.port, "127.0.0.1");
    socket.write("POST /late HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
    await once(socket, "data");
    release.open();
    assert.match(await aborted.opened, /dropped when the response was sent/);
    socket.destroy();
  }));

test("a client that leaves while it is answered aborts the signal, and is no error", () =>
  withServer({}, async (server) => {
    const socket = connect(server.port, "127.0.0.1");
    socket.write("GET /signal HTTP/1.1\r\nHost: a\r\n\r\n");
    await started.opened;
    socket.destroy();
    assert.is(await aborted.opened, "AbortError");
    assert.equal(logged, []);
  }));

test("a client that leaves is noticed by a request that waits behind another one", () =>
  withServer({}, async (server) => {
    const socket = connect(server.port, "127.0.0.1");
    socket.write("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
    await started.opened;
    started = gate();
    socket.write("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n");
    await started.opened;
    socket.resetAndDestroy();
    assert.is(await aborted.opened, "cancelled");
  }));

test("a client that leaves while it sends its body is no error", () =>
  withServer({}, async (server) => {
    const socket = connect(server.port, "127.0.0.1");
    socket.write("POST /size HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
    await started.opened;
    socket.resetAndDestroy();
    await once(socket, "close");
    const { body } = await send(server.url);
    await body.dump();
    assert.equal(logged, []);
  }));

test("a stream that fails half-way cuts the response, and is logged", () =>
  withServer({}, async (server) => {
    const text = await talk(server, `GET /half HTTP/1.1\r\n${HEAD}`);
    assert.match(text, /^HTTP\/1\.1 200[\s\S]*half/);
    assert.not.match(text, /0\r\n\r\n$/);
    assert.match(String(logged[0]?.error), /half-way/);
  }));

for (const path of ["/short-stream", "/long-stream"]) {
  test(`a stream that breaks its Content-Length (${path}) cuts the response, and is logged`, () =>
    withServer({}, async (server) => {
      const text = await talk(server, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      assert.match(text, /^HTTP\/1\.1 200/);
      assert.not.match(text, /12345/);
      assert.match(String(logged[0]?.error), /Content-Length/);
    }));
}

test("a stream is made only as fast as the client reads, and is cancelled when the client leaves", () =>
  withServer({}, async (server) => {
    const socket = connect(server.port, "127.0.0.1");
    socket.write("GET /flood HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(socket, "readable");
    for (let before = -1; before !== produced; await new Promise((resolve) => setTimeout(resolve, 20)))
      before = produced;
    assert.ok(produced < 32 * MEGABYTE, `${produced} bytes were made`);
    socket.destroy();
    assert.is(await aborted.opened, "cancelled");
    assert.equal(logged, []);
  }));

test("a head that does not come in time is a 408", () =>
  withServer({ headersTimeout: 0.1 }, async (server) => {
    assert.match(
      await talk(server, "GET / HTTP/1.1\r\nHost: a\r\n"),
      /^HTTP\/1\.1 408 [\s\S]*\{"error":"Request Timeout"\}$/,
    );
  }));

test("a body that does not come in time is a 408, and its handler is told, so that closing need not wait for it", () =>
  onceAsked(async () => {
    const server = await createApp({
      requestTimeout: 0.2,
      headersTimeout: 0.1,
      shutdownTimeout: 100,
    }).listen();
    const text = await talk(server, "POST /size HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
    assert.match(text, /^HTTP\/1\.1 408/);
    const start = performance.now();
    await server.close();
    assert.ok(performance.now() - start < 50_000);
    assert.equal(logged, []);
  }));

test("a request that was answered before its body came, and never does, is answered once and then cut off", () =>
  onceAsked(() =>
    withServer({ requestTimeout: 0.2, headersTimeout: 0.1 }, async (server) => {
      const text = await talk(server, "POST /ignore HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\nabc");
      assert.match(text, /^HTTP\/1\.1 200 [\s\S]*"ignored":true\}$/);
    }),
  ));

/** A server that begins to close first takes those that the system has connected already. */
async function whenRefused({ port }: Server): Promise<void> {
  let code: string | undefined;
  while (code !== "ECONNREFUSED") {
    const socket = connect(port, "127.0.0.1");
    code = await once(socket, "connect").then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code,
    );
    socket.destroy();
  }
}

test("connections that the system had made before the server began to close are answered, although the process is held up", async () => {
  const server = await createApp().listen();
  // They are connected before the process has had a turn to take them.
  const answers = Array.from({ length: 20 }, () => talk(server, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
  await new Promise((resolve) => setImmediate(resolve));
  const closed = server.close();
  setImmediate(() => stayBusy(300));
  for (const answer of await Promise.all(answers)) assert.match(answer, /"ok":true/);
  await closed;
});

/** Keeps the event loop busy, for so many milliseconds. */
function stayBusy(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

test("closing finishes what is in flight, each last answer says so, the health path answers 503, and no more is accepted", async () => {
  const server = await createApp({ health: "/healthz" }).listen();
  const probe = connect(server.port, "127.0.0.1");
  const slow = talk(server, "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n".repeat(2));
  await started.opened;
  probe.write("GET /healthz?x HTTP/1.1\r\nHost: a\r\n\r\n");
  assert.match(String(await once(probe, "data")), /^HTTP\/1\.1 200 [\s\S]*\{"status":"ok"\}$/);
  const closed = server.close();
  assert.is(server.close(), closed);
  probe.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
  assert.match(await readAll(probe), /^HTTP\/1\.1 503 [\s\S]*\{"error":"The server is stopping\."\}$/);
  await whenRefused(server);
  release.open();
  assert.match(
    await slow,
    /^HTTP\/1\.1 200 [\s\S]*"slow":true\}HTTP[\s\S]*Connection: close\r\n[\s\S]*"slow":true\}$/,
  );
  await closed;
});

test("the answer of a handler that closes the server says that it is the last", async () => {
  let server: Server | undefined;
  const close = bind("GET /close", () => {
    void server?.close();
    return {};
  });
  server = await createCoreApp([close], { settings, log }).listen();
  assert.match(await talk(server, "GET /close HTTP/1.1\r\nHost: a\r\n\r\n"), /\r\nConnection: close\r\n/);
  await server.closed;
});

test("closing waits for a handler whose client has left", async () => {
  const server = await createApp().listen();
  const socket = connect(server.port, "127.0.0.1");
  socket.write("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
  await started.opened;
  socket.destroy();
  let isClosed = false;
  const closed = server.close().then(() => {
    isClosed = true;
  });
  await whenRefused(server);
  assert.is(isClosed, false);
  release.open();
  await closed;
});

test("closing answers what has come while the event loop was busy", async () => {
  const server = await createApp().listen();
  const socket = connect(server.port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await once(socket, "data");
  const closed = server.close();
  await whenRefused(server);
  socket.write("GET /url HTTP/1.1\r\nHost: a\r\n\r\n");
  // Longer than a connection may be quiet.
  stayBusy(600);
  assert.match(await readAll(socket), /Connection: close\r\n[\s\S]*"url"/);
  await closed;
});

test("closing ends idle connections, and at the time-out those that stall", async () => {
  const server = await createApp({ shutdownTimeout: 1 }).listen();
  const idle = connect(server.port, "127.0.0.1");
  const stalled = connect(server.port, "127.0.0.1");
  stalled.write("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
  await Promise.all([once(idle, "connect"), started.opened]);
  const ended = Promise.all([readAll(idle), readAll(stalled)]);
  await server.close();
  assert.equal(await ended, ["", ""]);
  release.open();
});

for (const taken of ["127.0.0.1", "::1"]) {
  test(`a port that is in use on ${taken} is the system's error`, async () => {
    const other = createNetServer();
    const { port, close } = await listenOn(other, { host: taken, port: 0 });
    try {
      await createApp({ host: "localhost", port }).listen();
      assert.unreachable();
    } catch (error) {
      assert.is((error as NodeJS.ErrnoException).code, "EADDRINUSE");
      assert.is((error as NodeJS.ErrnoException).syscall, "listen");
    } finally {
      await close();
    }
  });
}

test("an idle connection keeps nothing of its last request in memory", () =>
  withServer({}, async (server) => {
    const collectGarbage = garbageCollector();
    const dispatcher = new Agent({ connections: 1 });
    const posted = { dispatcher, method: "POST", body: '{"a":1}' } as const;
    await (await send(`${server.url}/remember`, posted)).body.dump();
    // A weak reference lasts until the end of the turn in which it was made or asked.
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    assert.is(remembered?.deref(), undefined);
    await dispatcher.close();
  }));

function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}

for (const host of ["0.0.0.0", "localhost"]) {
  test(`a server at ${host} has a URL that can be opened`, () =>
    withServer({ host }, async (server) => {
      assert.is(server.url, `http://localhost:${server.port}`);
      assert.match(await talk(server, `GET / HTTP/1.1\r\n${HEAD}`), /"ok":true/);
    }));
}

test.run();
