import { spawn } from "node:child_process";
import { channel } from "node:diagnostics_channel";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PerformanceObserver } from "node:perf_hooks";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createCoreApp, type Handler } from "../app.ts";
import { bind } from "../bound.fixture.ts";
import { reply } from "../message/reply.ts";
import type { Request } from "../message/request.ts";
import { toArguments } from "../program.fixture.ts";
import { DEFAULT_SETTINGS } from "../settings.ts";
import { nextAccepted } from "./accepted.fixture.ts";
import { whileInstrumented, whileReplaced, whileSubscribed } from "./instrumented.fixture.ts";
import type { Server } from "./server.ts";

const MEGABYTE = 1024 * 1024;

/** Each is asked for by GET, and most answers are written past node:http. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  object: () => ({ id: 1 }),
  text: () => "text",
  "text-beyond-ascii": () => "für 5 €",
  "empty-text": () => "",
  nothing: () => undefined,
  created: () => [{ id: 1 }, 201],
  "status-without-a-name": () => [{ id: 1 }, 299],
  "not-modified": () => new Response(null, { status: 304, headers: { ETag: '"1"' } }),
  bytes: () => new Uint8Array([1, 2, 255]),
  headers: () => reply({ id: 1 }, 200, { "X-A": "1", "Set-Cookie": "a=1" }),
  "header-beyond-ascii": () => reply({ name: "€" }, 200, { "X-A": "ü" }),
  "date-of-its-own": () => reply({}, 200, { Date: "Thu, 01 Jan 1970 00:00:00 GMT" }),
  stream: async function* () {
    yield "a";
    yield "b";
  },
  later: async () => {
    await setImmediate();
    return { later: true };
  },
  "all-headers": (request: Request) => Object.fromEntries(request.headers),
  large: () => "x".repeat(8 * MEGABYTE),
};

const app = createCoreApp(
  Object.entries(HANDLERS).map(([name, handler]) => bind(`GET /${name}`, handler)),
  { settings: { ...DEFAULT_SETTINGS, port: 0 }, log: { info: () => {}, error: () => {} } },
);

/** Those that node:http writes, because it acts on something in them. */
const NOT_DIRECT: readonly string[] = [
  "GET bytes",
  "GET header-beyond-ascii",
  "HEAD header-beyond-ascii",
  "GET date-of-its-own",
  "HEAD date-of-its-own",
  "GET stream",
];

let server: Server;
/** How many heads node:http has written. */
let heads = 0;

test.before(async () => {
  const { prototype } = http.OutgoingMessage as unknown as { prototype: { _storeHeader(): void } };
  const { _storeHeader } = prototype;
  prototype._storeHeader = function (...words: unknown[]) {
    heads++;
    return Reflect.apply(_storeHeader, this, words);
  };
  server = await app.listen({ host: "127.0.0.1" });
});

test.after(() => server.close());

/** @returns all that comes until the server closes, with one date for all. */
async function talk(text: string, { port }: Server = server): Promise<string> {
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  socket.write(text, "latin1");
  return readAll(socket);
}

async function readAll(socket: Socket): Promise<string> {
  let received = "";
  for await (const piece of socket) received += piece;
  return received.replaceAll(/Date: \w{3}, \d\d \w{3} 2\d{3} [\d:]{8} GMT/g, "Date: now");
}

const LAST = "GET /object HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

function get(path: string, method = "GET"): string {
  return `${method} /${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
}

/** The same while somebody is subscribed to node:http's own channel, so that node:http writes every answer. */
async function talkThroughNodeHttp(text: string): Promise<string> {
  let received = "";
  await whileSubscribed(
    () => {},
    async () => {
      received = await talk(text);
    },
  );
  return received;
}

/** Without megabytes, which no message can show. */
function toLines(received: string): string[] {
  return received.split("\r\n").map((line) => (line.length > 1000 ? `${line.length} bytes` : line));
}

for (const method of ["GET", "HEAD"]) {
  for (const name of Object.keys(HANDLERS)) {
    test(`${method} /${name} has the bytes that node:http writes`, async () => {
      const asked = `${get(name, method)}${LAST}`;
      heads = 0;
      const received = await talk(asked);
      // It writes the answer that ends the connection in any case.
      assert.is(heads, NOT_DIRECT.includes(`${method} ${name}`) ? 2 : 1);
      assert.is(received, await talkThroughNodeHttp(asked));
    });
  }
}

test("a 404 and a 405 have the bytes that node:http writes", async () => {
  const asked = `${get("nowhere")}${get("object", "DELETE")}${LAST}`;
  assert.is(await talk(asked), await talkThroughNodeHttp(asked));
});

test("answers to requests one behind another keep their order, whoever writes them", async () => {
  const names = ["later", "object", "created", "bytes", "later", "text", "nothing", "large", "object"];
  const asked = `${names.map((name) => get(name)).join("")}${LAST}`;
  const alone = await Promise.all(names.map((name) => talk(`${get(name)}${LAST}`)));
  const last = await talk(LAST);
  const expected = alone.map((text) => text.slice(0, -last.length)).join("") + last;
  assert.equal(toLines(await talk(asked)), toLines(expected));
});

test("a client that reads late gets all of every answer", async () => {
  const accepted = nextAccepted();
  const socket = connect(server.port, "127.0.0.1").setEncoding("latin1").pause();
  socket.write(`${get("large")}${get("object")}${get("large")}${LAST}`);
  const ours = await accepted;
  while (ours.writableLength === 0) await setImmediate();
  const received = await readAll(socket);
  assert.is(received.split("HTTP/1.1 200 OK\r\n").length, 5);
  assert.ok(received.endsWith('{"id":1}'));
  assert.ok(received.length > 16 * MEGABYTE);
});

test("who subscribes to node:http's channels hears of each request and its status", async () => {
  const heard: [string | undefined, number][] = [];
  const finished = channel("http.server.response.finish");
  const listener = (message: unknown): void => {
    const { request, response } = message as { request: http.IncomingMessage; response: http.ServerResponse };
    heard.push([request.url, response.statusCode]);
  };
  finished.subscribe(listener);
  await talk(`${get("object")}${get("created")}${get("nowhere")}${LAST}`);
  finished.unsubscribe(listener);
  assert.equal(heard, [
    ["/object", 200],
    ["/created", 201],
    ["/nowhere", 404],
    ["/object", 200],
  ]);
});

test("who instruments node:http as OpenTelemetry does hears of each response, with its status and headers", async () => {
  const heard: unknown[] = [];
  const onRequest = (request: http.IncomingMessage, response: http.ServerResponse): void => {
    response.on("close", () => {
      const { statusCode, headersSent, writableFinished } = response;
      heard.push([request.headers["x-b"], statusCode, headersSent, writableFinished]);
    });
  };
  await whileInstrumented(onRequest, () => talk(`GET /created HTTP/1.1\r\nHost: a\r\nX-B: 2\r\n\r\n${LAST}`));
  assert.equal(heard, [
    ["2", 201, true, true],
    [undefined, 200, true, true],
  ]);
});

test("what an instrumentation sets on a response is sent", async () => {
  const received: string[] = [];
  const onRequest = (_: http.IncomingMessage, response: http.ServerResponse): void => {
    response.setHeader("X-Trace", "1");
  };
  await whileInstrumented(onRequest, async () => received.push(await talk(`${get("object")}${LAST}`)));
  assert.is(received.join().match(/\r\nX-Trace: 1\r\n/g)?.length, 2);
});

for (const method of ["end", "writeHead"] as const) {
  test(`who has replaced ${method} before the server is there hears of each response`, async () => {
    let heard = 0;
    const onCall = (): void => {
      heard++;
    };
    await whileReplaced(http.ServerResponse.prototype, method, onCall, async () => {
      const later = await app.listen({ host: "127.0.0.1" });
      await talk(`${get("object")}${get("text")}${LAST}`, later);
      await later.close();
    });
    assert.is(heard, 3);
  });
}

const PATCH = `
  const { prototype } = process.getBuiltinModule("node:http").ServerResponse;
  const { end } = prototype;
  prototype.end = function (...words) { console.log("ended"); return end.apply(this, words); };`;

const PROGRAM = `
  import { createCoreApp } from "#runtime/app";
  import { DEFAULT_SETTINGS } from "#runtime/settings";
  const server = await createCoreApp([], { settings: { ...DEFAULT_SETTINGS, host: "127.0.0.1", port: 0 } }).listen();
  await (await fetch(server.url)).text();
  await server.close();`;

for (const [option, file] of [
  ["--import", "patch.mjs"],
  ["--require", "patch.cjs"],
] as const) {
  test(`an instrumentation library that ${option} loads before the server sees each response`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "patch-"));
    const path = join(folder, file);
    await writeFile(path, PATCH);
    const url = option === "--import" ? pathToFileURL(path).href : path;
    const program = spawn(process.execPath, [option, url, ...toArguments(PROGRAM)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    assert.match(await text(program.stdout), /^ended$/m);
    await rm(folder, { recursive: true });
  });
}

test("a PerformanceObserver hears of each request and its status", async () => {
  const heard = new Promise<unknown[]>((resolve) => {
    const details: unknown[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { detail } = entry as unknown as {
          detail: { req: { url: string }; res: { statusCode: number } };
        };
        details.push([detail.req.url, detail.res.statusCode]);
      }
      if (details.length < 2) return;
      observer.disconnect();
      resolve(details);
    });
    observer.observe({ type: "http" });
  });
  await talk(`${get("created")}${LAST}`);
  assert.equal(await heard, [
    ["/created", 201],
    ["/object", 200],
  ]);
});

/** Two ways to see a request before the server does. */
const ONLOOKERS: Readonly<Record<string, typeof whileInstrumented>> = {
  "replaces how servers emit": whileInstrumented,
  "subscribes to node:http's channel": whileSubscribed,
};

const SENT = "GET /object HTTP/1.1\r\nHost: a\r\nX-A: 1\r\nx-a: 2\r\nConnection: close\r\n\r\n";
const HEADERS = { host: "a", "x-a": "1, 2", connection: "close" };

for (const [way, whileSeen] of Object.entries(ONLOOKERS)) {
  test(`who ${way} sees node:http's own object of a request's headers`, async () => {
    const seen: unknown[] = [];
    const onRequest = (request: http.IncomingMessage): void => {
      const { headers } = request;
      seen.push(Object.keys(headers), "constructor" in headers, headers.expect, inspect(headers));
      seen.push(structuredClone(headers), Object.create(request).headers === request.headers);
      headers["x-c"] = "set";
      delete headers["x-a"];
      seen.push(Object.freeze(request.headers));
    };
    await whileSeen(onRequest, () => talk(SENT));
    const changed = { host: "a", connection: "close", "x-c": "set" };
    const shown = inspect(HEADERS);
    assert.equal(seen, [Object.keys(HEADERS), true, undefined, shown, HEADERS, true, changed]);
  });
}

test("a request's headers are those that were sent, whatever their case, each joined if it comes twice", async () => {
  const sent = "HOST: a\r\nX-A: 1\r\nx-a: 2\r\nCookie: a=1\r\ncookie: b=2\r\nConnection: close\r\n\r\n";
  const body = (await talk(`GET /all-headers HTTP/1.1\r\n${sent}`)).split("\r\n\r\n")[1] ?? "";
  assert.equal(JSON.parse(body), { connection: "close", cookie: "a=1; b=2", host: "a", "x-a": "1, 2" });
});

test.run();
