import { spawn } from "node:child_process";
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
import { whileInstrumented, whileSubscribed } from "./instrumented.fixture.ts";
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

/** The ways to see a request before the server does: OpenTelemetry's, and a subscription. */
const ONLOOKERS = {
  "replaces how servers emit": whileInstrumented,
  "subscribes to a channel": whileSubscribed,
};

for (const [way, whileSeen] of Object.entries(ONLOOKERS)) {
  test(`who ${way} sees node:http's own headers of a request, can set some of its response, and hears of its end`, async () => {
    const seen: unknown[] = [];
    let received = "";
    const onRequest = (request: http.IncomingMessage, response: http.ServerResponse): void => {
      response.setHeader("X-Trace", "1");
      seen.push(inspect(request.headers), Object.create(request).headers === request.headers);
      response.on("close", () => {
        const { statusCode, headersSent, writableFinished } = response;
        seen.push([statusCode, headersSent, writableFinished]);
      });
    };
    await whileSeen(onRequest, async () => {
      received = await talk(
        "GET /created HTTP/1.1\r\nHost: a\r\nX-A: 1\r\nx-a: 2\r\nConnection: close\r\n\r\n",
      );
    });
    const headers = { host: "a", "x-a": "1, 2", connection: "close" };
    assert.equal(seen, [inspect(headers), true, [201, true, true]]);
    assert.match(received, /\r\nX-Trace: 1\r\n/);
  });
}

test("a request's headers are those that were sent, whatever their case, each joined if it comes twice", async () => {
  const sent = "HOST: a\r\nX-A: 1\r\nx-a: 2\r\nCookie: a=1\r\ncookie: b=2\r\nConnection: close\r\n\r\n";
  const body = (await talk(`GET /all-headers HTTP/1.1\r\n${sent}`)).split("\r\n\r\n")[1] ?? "";
  assert.equal(JSON.parse(body), { connection: "close", cookie: "a=1; b=2", host: "a", "x-a": "1, 2" });
});

test.run();
