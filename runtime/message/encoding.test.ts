import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createHookedApp, type HookedRoute, sendRaw } from "../hooked.fixture.ts";
import { createCors } from "../hooks/cors.ts";
import { preferCoding } from "./encoding.ts";
import { reply } from "./reply.ts";

const WORDS = { words: Array.from({ length: 500 }, () => "wörd") };
const TEXT = JSON.stringify(WORDS);

/** As those of a file, all of which came at once. */
const RANGED = { "accept-ranges": "bytes", "content-length": String(Buffer.byteLength(TEXT)) };

const ROUTES: Readonly<Record<string, HookedRoute>> = {
  "GET /words": [() => WORDS],
  "POST /words": [() => WORDS],
  "GET /short": [() => ({ a: 1 })],
  "GET /text": [() => TEXT],
  "GET /bytes": [() => new TextEncoder().encode(TEXT)],
  "GET /picture": [() => reply(TEXT, 200, { "content-type": "image/png" })],
  "GET /svg": [() => reply(TEXT, 200, { "content-type": "image/svg+xml" })],
  "GET /coded": [() => reply(TEXT, 200, { "content-encoding": "zstd" })],
  "GET /fixed": [() => reply(TEXT, 200, { "cache-control": "private, no-transform" })],
  "GET /tagged": [() => reply(WORDS, 200, { etag: '"own"', vary: "Cookie" })],
  "GET /created": [() => [WORDS, 201]],
  "GET /broken": [() => assert.unreachable("x".repeat(5000))],
  "GET /blob": [() => new Blob([TEXT], { type: "text/plain" })],
  "GET /file": [() => new Response(TEXT, { headers: RANGED })],
  "GET /part": [() => reply(TEXT, 206, { "content-range": "bytes 0-4/9" })],
  "GET /stream": [() => ReadableStream.from([TEXT, TEXT])],
};
const cors = createCors({ origins: ["https://a.example"], credentials: false, maxAge: 0, expose: [] });
const app = createHookedApp(ROUTES, [], { settings: { compression: true, etag: true }, cors });

async function ask(line: string, headers: Record<string, string> = {}): Promise<Response> {
  const [method = "", path = ""] = line.split(" ");
  return app.fetch(path, { method, headers });
}

const BR = { "accept-encoding": "gzip, deflate, br" };

const CODED: readonly [
  line: string,
  headers: Record<string, string>,
  coding: string | null,
  vary: boolean,
][] = [
  ["GET /words", BR, "br", true],
  ["HEAD /words", BR, "br", true],
  ["POST /words", BR, "br", true],
  ["GET /words", { "accept-encoding": "gzip" }, "gzip", true],
  ["GET /words", { "accept-encoding": "br;q=0, gzip" }, "gzip", true],
  ["GET /words", { "accept-encoding": "br;q=0.5, gzip" }, "gzip", true],
  ["GET /words", { "accept-encoding": "identity" }, null, true],
  ["GET /words", { "accept-encoding": "gzip;q=0.5, identity" }, null, true],
  ["GET /words", { "accept-encoding": "gzip;q=0.5, identity;q=0.5" }, "gzip", true],
  ["GET /part", BR, null, true],
  ["GET /words", {}, null, true],
  ["GET /text", BR, "br", true],
  ["GET /svg", BR, "br", true],
  ["GET /tagged", BR, "br", true],
  ["GET /created", BR, "br", true],
  ["GET /short", BR, null, false],
  ["GET /bytes", BR, null, false],
  ["GET /picture", BR, null, false],
  ["GET /coded", BR, "zstd", false],
  ["GET /fixed", BR, null, false],
  ["GET /blob", BR, "br", true],
  ["GET /file", BR, null, false],
  ["GET /stream", BR, null, false],
  ["GET /none", BR, null, false],
];

for (const [line, headers, coding, vary] of CODED)
  test(`${line} for ${headers["accept-encoding"] ?? "no codings"} is sent as ${coding}`, async () => {
    const response = await ask(line, headers);
    assert.is(response.headers.get("content-encoding"), coding);
    assert.is(/accept-encoding/i.test(response.headers.get("vary") ?? ""), vary);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (line.startsWith("HEAD")) assert.is(bytes.length, 0);
    else if (coding === "br") assert.is(brotliDecompressSync(bytes).toString(), TEXT);
    else if (coding === "gzip") assert.is(gunzipSync(bytes).toString(), TEXT);
    if (coding === "br" && bytes.length > 0)
      assert.is(response.headers.get("content-length"), String(bytes.length));
  });

test("what Vary names already stays", async () => {
  assert.is((await ask("GET /tagged", BR)).headers.get("vary"), "Cookie, Origin, Accept-Encoding");
});

test("JSON that a GET reads has a weak tag, the same in each coding, and a client that has it gets 304", async () => {
  const tag = (await ask("GET /words")).headers.get("etag") ?? "";
  assert.match(tag, /^W\/"[\w-]{27}"$/);
  for (const method of ["GET", "HEAD"]) {
    assert.is((await ask(`${method} /words`, BR)).headers.get("etag"), tag);
    for (const known of [tag, `"x", ${tag}`, tag.slice(2), "*"]) {
      const response = await ask(`${method} /words`, { ...BR, "if-none-match": known });
      assert.equal([response.status, response.headers.get("etag"), await response.text()], [304, tag, ""]);
      assert.is(response.headers.get("vary"), "Origin, Accept-Encoding");
    }
    assert.is((await ask(`${method} /words`, { "if-none-match": '"x"' })).status, 200);
  }
  assert.is.not((await ask("GET /short")).headers.get("etag"), tag);
});

test("other answers have no tag, and one of the handler's own stays, weak where the bytes are others", async () => {
  for (const line of ["POST /words", "GET /text", "GET /created", "GET /none", "GET /broken", "GET /stream"])
    assert.is((await ask(line)).headers.get("etag"), null, line);
  assert.is((await ask("GET /tagged")).headers.get("etag"), '"own"');
  assert.is((await ask("GET /tagged", BR)).headers.get("etag"), 'W/"own"');
});

test("on Cloudflare, which compresses by itself, answers stay as they are", async () => {
  const own = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  const value = { userAgent: "Cloudflare-Workers" };
  Object.defineProperty(globalThis, "navigator", { value, configurable: true });
  const there = createHookedApp(ROUTES, [], { settings: { compression: true, etag: true } });
  if (own === undefined) Reflect.deleteProperty(globalThis, "navigator");
  else Object.defineProperty(globalThis, "navigator", own);
  const { headers } = await there.fetch("/words", { headers: BR });
  assert.equal([headers.get("content-encoding"), headers.get("etag")], [null, null]);
});

test("over a socket, answers keep their order and their lengths", async () => {
  const server = await app.listen();
  const one = "GET /words HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n";
  const received = await sendRaw(server, `${one}GET /short HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  await server.close();
  assert.match(received, /Content-Encoding: gzip.*HTTP\/1\.1 200 OK.*\{"a":1\}$/s);
});

for (const [header, expected] of [
  ["", undefined],
  ["gzip;q=0.5, *;q=0", "gzip"],
  ["gzip;q=0.5, *;q=0.6", "br"],
  ["*", "br"],
  ["GZIP ; Q=1", "gzip"],
  ["br;q=0.001", "br"],
  ["gzip;q=1, br;q=0.9", "gzip"],
  ["gzip;q=0.9, br;q=x", "gzip"],
  ["brotli", undefined],
] as const)
  test(`for ${JSON.stringify(header)}, br and gzip come down to ${expected}`, () => {
    assert.is(preferCoding(header, ["br", "gzip"]), expected);
  });

test.run();
