/** The limits of a route in place of the server's: the size of a body, and the time until the answer. */

import { connect } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { request as send } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createCoreApp } from "./app.ts";
import { bind } from "./bound.fixture.ts";
import type { Request } from "./message/request.ts";
import { DEFAULT_SETTINGS, type RouteLimits } from "./settings.ts";

const SERVER = 2000;
const settings = { ...DEFAULT_SETTINGS, port: 0, host: "127.0.0.1", bodyLimit: SERVER, decompress: true };
const log = { info() {}, error() {} };

const read = async (request: Request): Promise<number> => (await request.bytes()).length;
const pieces = async (request: Request): Promise<number> => {
  let size = 0;
  for await (const piece of request.body ?? []) size += piece.length;
  return size;
};
const form = async (request: Request): Promise<number> => [...(await request.formData())].length;
const HANDLERS = { read, pieces, form };

const LIMITS: Readonly<Record<string, RouteLimits | undefined>> = {
  small: { bodyLimit: 100 },
  large: { bodyLimit: 10_000 },
  same: { handlerTimeout: 60 },
  none: undefined,
};

const app = createCoreApp(
  Object.entries(LIMITS).flatMap(([folder, limits]) =>
    Object.entries(HANDLERS).map(([name, handler]) => ({
      ...bind(`ALL /${folder}/${name}`, handler),
      ...(limits && { limits }),
    })),
  ),
  { settings, log },
);

const server = await app.listen();
test.after(() => server.close());

const MULTIPART = "multipart/form-data; boundary=b";

function toBody(name: string, size: number): Buffer {
  const head = '--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n';
  const end = "\r\n--b--\r\n";
  const content = "x".repeat(name === "form" ? size - head.length - end.length : size);
  return Buffer.from(name === "form" ? head + content + end : content);
}

const CASES: readonly [folder: string, limit: number][] = [
  ["small", 100],
  ["large", 10_000],
  ["same", SERVER],
  ["none", SERVER],
];

for (const [folder, limit] of CASES)
  for (const name of Object.keys(HANDLERS))
    test(`/${folder}/${name} takes ${limit} bytes and no more: with their number, in chunks, compressed, on node:http and by fetch`, async () => {
      for (const size of [limit, limit + 1]) {
        const bytes = toBody(name, size);
        const status = size > limit ? 413 : 200;
        const headers = { "content-type": MULTIPART };
        const gzip = { ...headers, "content-encoding": "gzip" };
        const url = `${server.url}/${folder}/${name}`;
        const bodies = [
          { headers, body: bytes },
          { headers, body: Readable.from(chunked(bytes)) },
          { headers: gzip, body: gzipSync(bytes) },
        ];
        const ask = bodies.map(async ({ body, headers: sent }) => {
          const answered = await send(url, { method: "POST", body, headers: sent, reset: true });
          await answered.body.dump();
          return answered.statusCode;
        });
        const fetched = bodies.map(async ({ body, headers: sent }) => {
          if (!Buffer.isBuffer(body)) return status;
          const init = { method: "POST", body: new Uint8Array(body), headers: sent };
          return (await app.fetch(`/${folder}/${name}`, init)).status;
        });
        assert.equal(await Promise.all([...ask, ...fetched]), Array(6).fill(status));
      }
    });

async function* chunked(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += 50) yield bytes.subarray(from, from + 50);
}

async function converse(port: number, head: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(head);
  return text(socket);
}

test("a client that expects a 100 gets it if its body fits the route's limit, and otherwise a 413 at once", async () => {
  const ask = (path: string): Promise<string> =>
    converse(
      server.port,
      `POST ${path} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 5000\r\n\r\n${path === "/large/read" ? "x".repeat(5000) : ""}`,
    );
  assert.match(await ask("/large/read"), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  assert.match(await ask("/none/read"), /^HTTP\/1\.1 413 /);
  assert.match(await ask("/nowhere"), /^HTTP\/1\.1 404 /);
});

test("a route's own timeout counts in place of the server's, longer or shorter or none", async () => {
  const wait = async (request: Request): Promise<string> => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return request.path;
  };
  const timed = createCoreApp(
    [
      { ...bind("GET /short", wait), limits: { handlerTimeout: 0.05 } },
      { ...bind("GET /long", wait), limits: { handlerTimeout: 5 } },
      { ...bind("GET /endless", wait), limits: { handlerTimeout: 0 } },
      bind("GET /server", wait),
    ],
    { settings: { ...settings, handlerTimeout: 0.1 }, log },
  );
  const statuses = ["/short", "/long", "/endless", "/server"].map(
    async (path) => (await timed.fetch(path)).status,
  );
  assert.equal(await Promise.all(statuses), [503, 200, 200, 503]);
});

test("a body may take as long as its route's timeout, also if that is longer than the server's request_timeout", async () => {
  const timed = createCoreApp(
    [{ ...bind("POST /slow", read), limits: { handlerTimeout: 2 } }, bind("POST /server", read)],
    { settings: { ...settings, headersTimeout: 0.2, requestTimeout: 0.2 }, log },
  );
  const server = await timed.listen();
  const upload = async (path: string, rest: string): Promise<string> => {
    const socket = connect(server.port, "127.0.0.1");
    socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 5\r\n\r\nab`);
    const late = setTimeout(() => socket.write(rest), 800);
    const answer = await text(socket);
    clearTimeout(late);
    return answer;
  };
  const [slow, never, other] = await Promise.all([
    upload("/slow", "cde"),
    upload("/slow", ""),
    upload("/server", "cde"),
  ]);
  assert.match(slow, /^HTTP\/1\.1 200 /);
  assert.match(never, /^HTTP\/1\.1 503 /);
  assert.match(other, /^HTTP\/1\.1 408 /);
  await server.close();
});

test.run();
