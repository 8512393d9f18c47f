import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { request as send } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createHookedApp, type HookedApp } from "../hooked.fixture.ts";
import type { Request } from "./request.ts";

const LIMIT = 10_000;
const ITEM = JSON.stringify({ name: "lamp".repeat(500) });

function createApp(decompress: boolean): HookedApp {
  return createHookedApp(
    {
      "POST /json": [async (request: Request) => request.json()],
      "POST /web": [
        async (request: Request) => {
          const web = request.toWeb();
          const names = [...web.headers.keys()].filter((name) => name.startsWith("content-"));
          return { names, length: (await web.text()).length };
        },
      ],
      "POST /pieces": [
        async (request: Request) => {
          let length = 0;
          for await (const piece of request.body ?? []) length += piece.length;
          return { length };
        },
      ],
    },
    [],
    { settings: { decompress, bodyLimit: LIMIT } },
  );
}

/** Over a socket and by fetch. */
async function post(
  path: string,
  body: Buffer,
  coding: string,
  decompress = true,
): Promise<[number, string][]> {
  const app = createApp(decompress);
  const headers = { "content-encoding": coding };
  const server = await app.listen();
  const answered = await send(server.url + path, { method: "POST", body, headers, reset: true });
  const one: [number, string] = [answered.statusCode, await answered.body.text()];
  await server.close();
  const response = await app.fetch(path, { method: "POST", body: new Uint8Array(body), headers });
  assert.equal(app.logged, []);
  return [one, [response.status, await response.text()]];
}

const CASES: readonly [
  title: string,
  body: Buffer,
  coding: string,
  status: number,
  answer: string | undefined,
][] = [
  ["gzip", gzipSync(ITEM), "gzip", 200, ITEM],
  ["gzip in capitals", gzipSync(ITEM), "GZIP", 200, ITEM],
  ["deflate", deflateSync(ITEM), "deflate", 200, ITEM],
  ["Brotli", brotliCompressSync(ITEM), "br", 200, ITEM],
  ["no coding", Buffer.from(ITEM), "identity", 200, ITEM],
  [
    "what is not gzip",
    Buffer.from(ITEM),
    "gzip",
    400,
    '{"error":"The request body can\'t be decompressed."}',
  ],
  [
    "gzip that is cut off",
    gzipSync(ITEM).subarray(0, 30),
    "gzip",
    400,
    '{"error":"The request body can\'t be decompressed."}',
  ],
  ["a bomb", gzipSync(" ".repeat(50_000_000)), "gzip", 413, undefined],
  ["an empty body in gzip", gzipSync(""), "gzip", 400, undefined],
];

for (const [title, body, coding, status, answer] of CASES)
  test(`${title} is ${status}`, async () => {
    for (const [found, text] of await post("/json", body, coding)) {
      assert.is(found, status);
      if (answer !== undefined) assert.is(text, answer);
    }
  });

test("a body that is read in pieces is decompressed, within the limit", async () => {
  for (const [status, text] of await post("/pieces", gzipSync(ITEM), "gzip"))
    assert.equal([status, text], [200, JSON.stringify({ length: ITEM.length })]);
  for (const [status] of await post("/pieces", gzipSync("a".repeat(LIMIT + 1)), "gzip"))
    assert.is(status, 413);
});

test("what is passed on as the platform's own request does not claim to be compressed", async () => {
  for (const [, text] of await post("/web", gzipSync(ITEM), "GZIP"))
    assert.equal(JSON.parse(text), { names: [], length: ITEM.length });
  for (const [, text] of await post("/web", gzipSync(ITEM), "gzip", false))
    assert.ok(JSON.parse(text).names.includes("content-encoding"));
});

test("without the setting, nothing is decompressed", async () => {
  for (const [status] of await post("/json", gzipSync(ITEM), "gzip", false)) assert.is(status, 400);
});

test.run();
