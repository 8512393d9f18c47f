import { once } from "node:events";
import http from "node:http";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createCoreApp } from "../app.ts";
import { bind } from "../bound.fixture.ts";
import type { Request } from "../message/request.ts";
import { DEFAULT_SETTINGS } from "../settings.ts";
import { nextAccepted } from "./accepted.fixture.ts";
import { whileInstrumented } from "./instrumented.fixture.ts";
import type { Server } from "./server.ts";

/** From Node 24.12 on. */
const IS_DIRECT = "_dumpAndCloseReadable" in http.IncomingMessage.prototype;
const LIMIT = 1000;

let failed: unknown;
/** What an answer did not wait for. */
let text = Promise.resolve("");
const app = createCoreApp(
  [
    bind("POST /text", async (request: Request) => ({ text: await request.text() })),
    bind("POST /text-later", async (request: Request) => {
      for (let turn = 0; turn < 3; turn++) await setImmediate();
      return { text: await request.text() };
    }),
    bind("POST /early", (request: Request) => {
      text = request.text();
      return { early: true };
    }),
    bind("POST /refused", () => "x".repeat(300_000)),
    bind("POST /caught", async (request: Request) => {
      await request.text().catch((error: unknown) => {
        failed = error;
      });
      return { caught: true };
    }),
  ],
  {
    settings: { ...DEFAULT_SETTINGS, port: 0, bodyLimit: LIMIT },
    log: { info: () => {}, error: () => {} },
  },
);

let server: Server;
/** How many chunks of bodies have gone through a stream. */
let streamed = 0;

test.before(async () => {
  const { push } = Readable.prototype;
  Readable.prototype.push = function (this: Readable, ...words: unknown[]) {
    if (this instanceof http.IncomingMessage && words[0] !== null) streamed++;
    return Reflect.apply(push, this, words);
  };
  server = await app.listen({ host: "127.0.0.1" });
});

test.after(() => server.close());

function post(path: string, ...body: string[]): string[] {
  const length = body.join("").length;
  const [first = "", ...rest] = body;
  return [`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${first}`, ...rest];
}

function postChunks(path: string, ...chunks: string[]): string[] {
  return [`POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`, ...chunks];
}

const LAST = "GET /nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

/** Sends each packet when the one before it has arrived, and a last request behind them. @returns the status and body of each answer. */
async function talk(packets: readonly string[]): Promise<string[]> {
  const accepted = nextAccepted();
  const socket = connect({ port: server.port, host: "127.0.0.1", noDelay: true }).setEncoding("latin1");
  const ours = await accepted;
  let sent = 0;
  for (const packet of [...packets, LAST]) {
    socket.write(packet, "latin1");
    sent += packet.length;
    while (ours.bytesRead < sent && !ours.destroyed) await setImmediate();
  }
  let received = "";
  for await (const piece of socket) received += piece;
  const answers = received.matchAll(/HTTP\/1\.1 (\d+)[\s\S]*?\r\n\r\n((?:(?!HTTP)[\s\S])*)/g);
  return [...answers].map(([, status, body]) => `${status} ${body}`);
}

const NOT_FOUND = '404 {"error":"Not Found"}';
const WAYS: readonly [way: string, packets: readonly string[], chunks: number, answer: string][] = [
  ["in one packet with its head", post("/text", "abc"), 0, '200 {"text":"abc"}'],
  ["behind its head", post("/text", "", "abc"), 0, '200 {"text":"abc"}'],
  ["in two packets", post("/text", "ab", "c"), 0, '200 {"text":"abc"}'],
  ["in chunks", postChunks("/text", "1\r\na\r\n2\r\nbc\r\n", "0\r\n\r\n"), 0, '200 {"text":"abc"}'],
  ["with trailers", postChunks("/text", "1\r\na\r\n0\r\nX-A: 1\r\n\r\n"), 0, '200 {"text":"a"}'],
  ["of no chunks", postChunks("/text", "0\r\n\r\n"), 0, '200 {"text":""}'],
  ["as large as the limit", post("/text", "x".repeat(LIMIT)), 0, `200 {"text":"${"x".repeat(LIMIT)}"}`],
  ["before the handler reads it", post("/text-later", "abc"), 1, '200 {"text":"abc"}'],
  ["half of it before the handler reads it", post("/text-later", "ab", "c"), 1, '200 {"text":"abc"}'],
];

for (const [way, packets, chunks, answer] of WAYS) {
  test(`a body that comes ${way} is read whole, and its connection goes on`, async () => {
    streamed = 0;
    assert.equal(await talk(packets), [answer, NOT_FOUND]);
    if (IS_DIRECT) assert.ok(chunks === 0 ? streamed === 0 : streamed >= chunks, `${streamed} were streamed`);
    const heard: unknown[] = [];
    const onRequest = (request: http.IncomingMessage): void => {
      for (const event of ["end", "close"]) request.on(event, () => heard.push(event));
    };
    await whileInstrumented(onRequest, async () => assert.equal(await talk(packets), [answer, NOT_FOUND]));
    assert.ok(heard.includes("end"));
    assert.ok(heard.includes("close"));
  });
}

test("a handler that catches the 413 may answer, and the rest of the body is dropped", async () => {
  failed = undefined;
  const packets = postChunks("/caught", `3e9\r\n${"x".repeat(LIMIT + 1)}\r\n`, "1\r\nx\r\n", "0\r\n\r\n");
  assert.match((await talk(packets))[0] ?? "", /^200 \{"caught":true\}/);
  assert.match(String(failed), /larger than/);
});

for (const [framing, packets] of [
  ["of a declared length", post("/early", "abc", "def")],
  ["in chunks", postChunks("/early", "3\r\nabc\r\n", "3\r\ndef\r\n0\r\n\r\n")],
] as const) {
  test(`a body ${framing} that goes on behind its answer is read whole`, async () => {
    const socket = connect(server.port, "127.0.0.1");
    const [first = "", ...rest] = packets;
    socket.write(first);
    await once(socket, "data");
    for (const packet of rest) socket.write(packet);
    assert.is(await text, "abcdef");
    socket.destroy();
  });
}

test("who reads a body behind its answer is told that the client has left", async () => {
  const socket = connect(server.port, "127.0.0.1");
  socket.write(post("/early", "abc", "def")[0] ?? "");
  await once(socket, "data");
  const reason = text.catch((error: Error) => error.name);
  socket.resetAndDestroy();
  assert.is(await reason, "AbortError");
});

for (const head of ["HTTP/1.1\r\nConnection: close", "HTTP/1.0"]) {
  test(`a client that asks for the end of its connection gets all of an answer to a body that nobody reads (${head})`, async () => {
    const accepted = nextAccepted();
    const socket = connect(server.port, "127.0.0.1").setEncoding("latin1").pause();
    socket.write(`POST /refused ${head}\r\nHost: a\r\nContent-Length: ${LIMIT}\r\n\r\n`);
    const ours = await accepted;
    while (ours.writableLength > 0 || !ours.writableEnded) await setImmediate();
    await new Promise((resolve) => socket.write("b".repeat(LIMIT), resolve));
    let received = "";
    for await (const piece of socket) received += piece;
    assert.is(received.split("\r\n\r\n")[1]?.length, 300_000);
  });
}

test("who listens to the body of a request, and replaces how it is listened to, as Sentry does, hears all of it", async () => {
  const heard: unknown[] = [];
  let received = "";
  const onRequest = (request: http.IncomingMessage): void => {
    request.on("data", (chunk: Buffer) => {
      received += chunk;
    });
    const { on } = request;
    request.on = (event: string | symbol, listener: (...words: never[]) => void) => {
      heard.push(event);
      return Reflect.apply(on, request, [event, listener]);
    };
  };
  await whileInstrumented(onRequest, () => talk(post("/text", "ab", "c")));
  assert.ok(heard.includes("data"));
  assert.is(received, "abc");
});

test.run();
