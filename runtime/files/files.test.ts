import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  createHookedApp,
  type HookedApp,
  type HookedRoute,
  sendRaw,
  withMiddleware,
} from "../hooked.fixture.ts";
import { reply } from "../message/reply.ts";
import type { FilesSettings } from "../settings.ts";
import { file } from "./file.ts";
import { createFiles } from "./folders.ts";

const ROOT = mkdtempSync(join(tmpdir(), "files-"));
const LARGE = "0123456789".repeat(50_000);

function put(name: string, text: string): void {
  const path = join(ROOT, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  // A whole second and a half: a date in a header has no milliseconds.
  utimesSync(path, 1_700_000_000.5, 1_700_000_000.5);
}

put("secret.txt", "secret");
put("public/index.html", "<h1>home</h1>");
put("public/site.css", "body { color: teal }");
put("public/site.css.br", "BR");
put("public/site.css.gz", "GZIP");
put("public/é.txt", "é");
put("public/large.bin", LARGE);
put("public/empty.txt", "");
put("public/about/index.html", "about");
put("public/.env", "SECRET=1");
put("public/.git/config", "secret");
put("public/.well-known/assetlinks.json", "[]");
put("public/assets/app-1a2b.js", "export {}");
put("public/users", "a file where a route is");
put("other/a.txt", "other");
symlinkSync("../secret.txt", join(ROOT, "public/out.txt"));
symlinkSync("..", join(ROOT, "public/up"));
symlinkSync(".env", join(ROOT, "public/env.txt"));
symlinkSync("site.css", join(ROOT, "public/alias.css"));
put("public/..2026_11_28/mounted.json", "{}");
symlinkSync("..2026_11_28", join(ROOT, "public/..data"));
symlinkSync("..data/mounted.json", join(ROOT, "public/mounted.json"));
const TAG = '"loyw3vg4-k"';

const SETTINGS: FilesSettings = {
  folders: [
    { at: "/more", folder: "other" },
    { at: "/", folder: "public" },
  ],
  fallback: "index.html",
  immutable: "assets/",
};

const ROUTES: Readonly<Record<string, HookedRoute>> = {
  "GET /users": [() => ({ users: [] })],
  "POST /login": [() => "in"],
  "GET /download": [() => file(join(ROOT, "public/large.bin"), { name: 'ä "1".pdf' })],
  "POST /download": [() => file(join(ROOT, "public/large.bin"), { name: 'ä "1".pdf' })],
  "GET /typed": [() => file(join(ROOT, "public/site.css"), { type: "text/plain" })],
  "GET /split": [() => file(join(ROOT, "public/site.css"), { type: "text/plain\r\nX-Evil: 1" })],
  "GET /half": [() => file(join(ROOT, "public/site.css"), { name: "\ud800\r\n.pdf" })],
  "GET /lost": [() => file(join(ROOT, "public/none"))],
  "GET /folder": [() => file(join(ROOT, "public"))],
  "GET /replied": [async () => reply(await file(join(ROOT, "public/large.bin")), 200, { "x-own": "1" })],
};

function createApp(
  changed: Partial<FilesSettings> = {},
  root: Parameters<typeof createHookedApp>[1] = [],
): HookedApp {
  const base = pathToFileURL(join(ROOT, "framework.toml")).href;
  return createHookedApp(ROUTES, root, { files: createFiles({ ...SETTINGS, ...changed }, base) });
}

const app = createApp();

async function ask(line: string, headers: Record<string, string> = {}, asked = app): Promise<Response> {
  const [method = "", path = ""] = line.split(" ");
  return asked.fetch(new globalThis.Request(`http://localhost${path}`, { method, headers }));
}

const FOUND: readonly [line: string, type: string, body: string][] = [
  ["GET /", "text/html; charset=utf-8", "<h1>home</h1>"],
  ["GET /index.html", "text/html; charset=utf-8", "<h1>home</h1>"],
  ["GET /site.css", "text/css; charset=utf-8", "body { color: teal }"],
  ["GET /site.css?v=1", "text/css; charset=utf-8", "body { color: teal }"],
  ["GET /%C3%A9.txt", "text/plain; charset=utf-8", "é"],
  ["GET /empty.txt", "text/plain; charset=utf-8", ""],
  ["GET /about", "text/html; charset=utf-8", "about"],
  ["GET /about/", "text/html; charset=utf-8", "about"],
  ["GET /alias.css", "text/css; charset=utf-8", "body { color: teal }"],
  ["GET /.well-known/assetlinks.json", "application/json", "[]"],
  ["GET /mounted.json", "application/json", "{}"],
  ["GET /more/a.txt", "text/plain; charset=utf-8", "other"],
  ["GET /large.bin", "application/octet-stream", LARGE],
  ["HEAD /large.bin", "application/octet-stream", ""],
];

for (const [line, type, body] of FOUND)
  test(`${line} is a file`, async () => {
    const response = await ask(line);
    assert.is(response.status, 200);
    assert.is(response.headers.get("content-type"), type);
    assert.ok((await response.text()) === body);
    if (line.startsWith("HEAD")) assert.is(response.headers.get("content-length"), String(LARGE.length));
  });

const JSON_ONLY = { accept: "application/json" };

for (const path of [
  "/none.txt",
  "/.env",
  "/.git/config",
  "/about/.env",
  "/..data/mounted.json",
  "/%2eenv",
  "/..%2fsecret.txt",
  "/..%5csecret.txt",
  "/about%2findex.html",
  "/out.txt",
  "/up/secret.txt",
  "/env.txt",
  "/site.css/",
  "/site.css%00",
  "/moreover",
  "/assets",
  "//site.css",
])
  test(`GET ${path} is no file`, async () => {
    assert.is((await ask(`GET ${path}`, JSON_ONLY)).status, 404);
  });

test("a dot segment never leaves the folder", async () => {
  const server = await app.listen();
  for (const path of ["/../secret.txt", "/about/../../secret.txt", "/%2e%2e/secret.txt"]) {
    const received = await sendRaw(server, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    assert.match(received, /^HTTP\/1\.1 400 /, path);
  }
  await server.close();
});

test("routes come before files, and a method that no file has stays what it was", async () => {
  assert.equal(await (await ask("GET /users")).json(), { users: [] });
  assert.is((await ask("POST /site.css", JSON_ONLY)).status, 404);
  assert.is((await ask("GET /login", JSON_ONLY)).status, 405);
});

const FALLBACK: readonly [line: string, headers: Record<string, string>, status: number][] = [
  ["GET /users/7", { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }, 200],
  ["HEAD /users/7", { accept: "text/html" }, 200],
  ["GET /login", { accept: "text/html" }, 200],
  ["GET /users/7", {}, 200],
  ["GET /users/7", { accept: "*/*" }, 200],
  ["GET /users/7", { accept: "*/*", "sec-fetch-dest": "empty" }, 404],
  ["GET /users/7", JSON_ONLY, 404],
  ["GET /users/7", { accept: "application/json, text/plain, */*" }, 404],
  ["GET /old.js", { accept: "*/*" }, 404],
  ["GET /old.png", { accept: "image/avif,image/*,*/*;q=0.8" }, 404],
  ["GET /assets/old.js", { accept: "text/html" }, 404],
  ["POST /users/7", { accept: "text/html" }, 404],
];

for (const [line, headers, status] of FALLBACK)
  test(`${line} of a client that takes ${JSON.stringify(headers)} is ${status === 200 ? "the page" : status}`, async () => {
    const response = await ask(line, headers);
    assert.is(response.status, status);
    if (status === 200) assert.is(response.headers.get("content-type"), "text/html; charset=utf-8");
    if (status === 200) assert.is(response.headers.get("cache-control"), "no-cache");
  });

test("without a fallback, a page that is no file is a 404", async () => {
  assert.is(
    (await ask("GET /page", { accept: "text/html" }, createApp({ fallback: undefined }))).status,
    404,
  );
});

test("each coding has a tag of its own, though all are as old and as long", async () => {
  for (const ending of ["", ".br", ".gz"]) put(`public/same.css${ending}`, "same");
  const tags = ["br", "gzip", "identity"].map(async (coding) =>
    (await ask("GET /same.css", { "accept-encoding": coding })).headers.get("etag"),
  );
  assert.is(new Set(await Promise.all(tags)).size, 3);
});

test("a file that is compressed as it is sent has the same headers for HEAD and in a 304", async () => {
  put("public/long.txt", "long ".repeat(1000));
  const base = pathToFileURL(join(ROOT, "framework.toml")).href;
  const files = createFiles({ ...SETTINGS, fallback: undefined }, base);
  const compressing = createHookedApp({}, [], { files, settings: { compression: true } });
  const coded = { "accept-encoding": "br" };
  const { headers } = await ask("GET /long.txt", coded, compressing);
  assert.equal([headers.get("content-encoding"), headers.get("vary")], ["br", "Accept-Encoding"]);
  const tag = headers.get("etag") ?? "";
  assert.match(tag, /^W\//);
  assert.equal([...(await ask("HEAD /long.txt", coded, compressing)).headers], [...headers]);
  const known = await ask("GET /long.txt", { ...coded, "if-none-match": tag }, compressing);
  assert.equal(
    [known.status, known.headers.get("etag"), known.headers.get("vary")],
    [304, tag, "Accept-Encoding"],
  );
});

test("what is immutable is kept for ever, all else is asked for again", async () => {
  const one = await ask("GET /assets/app-1a2b.js");
  assert.is(one.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assert.is((await ask("GET /site.css")).headers.get("cache-control"), "no-cache");
});

const CODINGS: readonly [accepted: string, coding: string | null, body: string][] = [
  ["gzip, deflate, br", "br", "BR"],
  ["gzip", "gzip", "GZIP"],
  ["br;q=0, gzip;q=0.5", "gzip", "GZIP"],
  ["br;q=0.5, gzip", "gzip", "GZIP"],
  ["*", "br", "BR"],
  ["identity", null, "body { color: teal }"],
];

for (const [accepted, coding, body] of CODINGS)
  test(`for ${accepted} the file is sent as ${coding}`, async () => {
    const { headers, ...response } = await receive("GET /site.css", { "accept-encoding": accepted });
    assert.equal([headers["content-encoding"] ?? null, response.body], [coding, body]);
    assert.is(headers.vary, "Accept-Encoding");
    assert.is(headers["content-type"], "text/css; charset=utf-8");
  });

async function receive(line: string, headers: Record<string, string>) {
  const response = await ask(line, headers);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers) as Record<string, string>,
    body: await response.text(),
  };
}

const CONDITIONS: readonly [headers: Record<string, string>, status: number][] = [
  [{ "if-none-match": TAG }, 304],
  [{ "if-none-match": `"x", W/${TAG}` }, 304],
  [{ "if-none-match": "*" }, 304],
  [{ "if-none-match": '"x"' }, 200],
  [{ "if-modified-since": "Tue, 14 Nov 2023 22:13:20 GMT" }, 304],
  [{ "if-modified-since": "Tue, 14 Nov 2023 22:13:19 GMT" }, 200],
  [{ "if-modified-since": "yesterday" }, 200],
  [{ "if-none-match": '"x"', "if-modified-since": "Tue, 14 Nov 2033 22:13:20 GMT" }, 200],
  [{ "if-match": `"x", ${TAG}` }, 200],
  [{ "if-match": "*", "if-unmodified-since": "Tue, 14 Nov 2023 22:13:19 GMT" }, 200],
  [{ "if-unmodified-since": "Tue, 14 Nov 2023 22:13:20 GMT" }, 200],
  [{ "if-unmodified-since": "yesterday" }, 200],
];

for (const headers of [
  { "if-match": '"x"' },
  { "if-match": `W/${TAG}` },
  { "if-match": '"x"', "if-none-match": TAG },
  { "if-unmodified-since": "Tue, 14 Nov 2023 22:13:19 GMT" },
  { "if-match": '"x"', range: "bytes=0-1" },
])
  test(`GET with ${JSON.stringify(headers)} is 412: the file is another one by now`, async () => {
    const response = await receive("GET /site.css", headers as Record<string, string>);
    assert.equal([response.status, response.body], [412, ""]);
  });

for (const method of ["GET", "HEAD"])
  for (const [headers, status] of CONDITIONS)
    test(`${method} with ${JSON.stringify(headers)} is ${status}`, async () => {
      const response = await receive(`${method} /site.css`, headers);
      assert.is(response.status, status);
      assert.is(response.headers.etag, TAG);
      assert.is(response.headers["last-modified"], "Tue, 14 Nov 2023 22:13:20 GMT");
      if (status === 304) assert.is(response.body, "");
    });

const DATE = "Tue, 14 Nov 2023 22:13:20 GMT";
const SIZE = LARGE.length;
const RANGES: readonly [
  headers: Record<string, string>,
  status: number,
  range: string | undefined,
  body: string,
][] = [
  [{ range: "bytes=0-4" }, 206, `bytes 0-4/${SIZE}`, "01234"],
  [{ range: "bytes=499998-" }, 206, `bytes 499998-499999/${SIZE}`, "89"],
  [{ range: "bytes=-3" }, 206, `bytes 499997-499999/${SIZE}`, "789"],
  [{ range: "bytes=499999-9999999" }, 206, `bytes 499999-499999/${SIZE}`, "9"],
  [{ range: "bytes=-9999999" }, 206, `bytes 0-499999/${SIZE}`, LARGE],
  [{ range: "bytes=500000-" }, 416, `bytes */${SIZE}`, ""],
  [{ range: "bytes=-0" }, 416, `bytes */${SIZE}`, ""],
  [{ range: "bytes=5-4" }, 200, undefined, LARGE],
  [{ range: "bytes=0-1,3-4" }, 200, undefined, LARGE],
  [{ range: "lines=0-1" }, 200, undefined, LARGE],
  [{ range: "bytes=-" }, 200, undefined, LARGE],
  [{ range: "bytes=0-4", "if-range": DATE }, 206, `bytes 0-4/${SIZE}`, "01234"],
  [{ range: "bytes=0-4", "if-range": '"x"' }, 200, undefined, LARGE],
  [{ range: "bytes=0-4", "if-range": "bytes" }, 200, undefined, LARGE],
];

for (const path of ["/large.bin", "/download"])
  for (const [headers, status, range, body] of RANGES)
    test(`GET ${path} with ${JSON.stringify(headers)} is ${status}`, async () => {
      const response = await receive(`GET ${path}`, headers);
      assert.equal([response.status, response.headers["content-range"]], [status, range]);
      assert.ok(response.body === body);
    });

for (const header of ["range", "if-match", "if-none-match", "if-unmodified-since"])
  test(`file() for a POST is whole, whatever its ${header} says`, async () => {
    const value =
      { range: "bytes=0-4", "if-none-match": "*", "if-match": '"x"' }[header] ??
      "Tue, 14 Nov 2000 22:13:20 GMT";
    const response = await receive("POST /download", { [header]: value });
    assert.equal([response.status, response.body.length], [200, SIZE]);
  });

test("file() gives a name and a type, and is a 404 where no file is", async () => {
  const { headers } = await receive("GET /download", {});
  assert.is(
    headers["content-disposition"],
    `attachment; filename="_ _1_.pdf"; filename*=UTF-8''%C3%A4%20%221%22.pdf`,
  );
  assert.is(headers["content-type"], "application/pdf");
  assert.is((await receive("GET /typed", {})).headers["content-type"], "text/plain");
  for (const path of ["/lost", "/folder"]) assert.is((await receive(`GET ${path}`, {})).status, 404);
  const replied = await receive("GET /replied", { range: "bytes=0-1" });
  assert.equal([replied.status, replied.headers["x-own"], replied.body], [206, "1", "01"]);
});

test("file() sends neither a type that would split the response, nor half a character in a name", async () => {
  const server = await app.listen();
  const one = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n`;
  const text = await sendRaw(server, `${one("/split")}\r\n${one("/half")}Connection: close\r\n\r\n`);
  await server.close();
  assert.match(text, /^HTTP\/1\.1 500 [\s\S]*HTTP\/1\.1 200 /);
  assert.match(text, `filename="___.pdf"; filename*=UTF-8''%EF%BF%BD%0D%0A.pdf`);
  assert.not.match(text, "Evil");
});

test("the root's middleware runs around files, and around what is none", async () => {
  const middleware = async (_: unknown, next: () => Promise<Response>): Promise<Response> => {
    const response = await next();
    response.headers.set("x-seen", String(response.status));
    return response;
  };
  const hooked = createApp({}, [withMiddleware(middleware)]);
  assert.is((await ask("GET /site.css", {}, hooked)).headers.get("x-seen"), "200");
  assert.is((await ask("GET /large.bin", {}, hooked)).headers.get("x-seen"), "200");
  assert.is((await ask("GET /none", JSON_ONLY, hooked)).headers.get("x-seen"), "404");
});

test("a file that is replaced is never sent with the tag or the length of the one before", async () => {
  for (const [path, size] of [
    ["/kept.txt", 10],
    ["/huge.bin", 2_000_000],
  ] as const) {
    put(`public${path}`, "a".repeat(size));
    const { headers } = await ask(`GET ${path}`);
    put(`public${path}`, "b".repeat(size + 1));
    const part = { range: "bytes=1-3", "if-range": headers.get("etag") ?? "" };
    const [whole, again] = [await ask(`GET ${path}`), await ask(`GET ${path}`, part)];
    const isOld = whole.headers.get("etag") === headers.get("etag");
    assert.is(await whole.text(), isOld ? "a".repeat(size) : "b".repeat(size + 1));
    assert.is(await again.text(), isOld ? "aaa" : "b".repeat(size + 1));
  }
});

test("a change of a file is seen, in dev at once", async () => {
  const base = pathToFileURL(join(ROOT, "framework.toml")).href;
  const live = createHookedApp({}, [], { files: createFiles(SETTINGS, base, true) });
  for (const text of ["one", "another"]) {
    writeFileSync(join(ROOT, "public/changed.txt"), text);
    assert.is(await (await ask("GET /changed.txt", {}, live)).text(), text);
  }
});

test("over a socket, a file keeps its connection, and its length is right", async () => {
  const server = await app.listen();
  const one = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const text = await sendRaw(
    server,
    `${one("/site.css")}${one("/large.bin")}${one("/users")}GET /none HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\nConnection: close\r\n\r\n`,
  );
  assert.equal(text.match(/HTTP\/1\.1 \d+/g), [
    "HTTP/1.1 200",
    "HTTP/1.1 200",
    "HTTP/1.1 200",
    "HTTP/1.1 404",
  ]);
  assert.match(text, `Content-Length: ${SIZE}\r\n`);
  await server.close();
});

test.after(() => rmSync(ROOT, { recursive: true }));
test.run();
