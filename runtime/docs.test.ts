import { test } from "uvu";
import * as assert from "uvu/assert";
import { type App, type BoundRoute, createCoreApp } from "./app.ts";
import { createDocs, type DocsFile } from "./docs.ts";
import { createCors } from "./hooks/cors.ts";
import { toAround } from "./hooks/hooks.ts";
import type { Method, Route } from "./routing/route.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";

const FILE: DocsFile = {
  text: "{}",
  headers: ["Content-Type", "application/json", "ETag", '"1"'],
  tag: '"1"',
};
let made = 0;
const DOCS = createDocs({
  "/openapi.json": FILE,
  "/late": async () => {
    made += 1;
    return { ...FILE, text: "late" };
  },
});

function bind(method: Method, path: string): BoundRoute {
  const route: Route = {
    method,
    pattern: path,
    segments: path.slice(1).split("/"),
    arguments: [],
    handler: method.toLowerCase(),
    module: "routes/own.ts",
    app: null,
    convention: "routes",
    location: { file: "routes/own.ts", line: 1, column: 1 },
  };
  return { route, handler: () => "own" };
}

function createApp(...routes: readonly BoundRoute[]): App {
  const cors = createCors({ origins: ["*"], credentials: false, maxAge: 1, expose: [] });
  const hide = { folder: "", middleware: () => new Response("hidden", { status: 418 }) };
  return createCoreApp(routes, {
    settings: DEFAULT_SETTINGS,
    docs: DOCS,
    cors,
    unmatched: toAround([hide]),
  });
}

const CASES: readonly (readonly [line: string, etag: string, status: number, text: string])[] = [
  ["GET /openapi.json", "", 200, "{}"],
  ["GET /openapi.json?v=1", "", 200, "{}"],
  ["HEAD /openapi.json", "", 200, ""],
  ["GET /openapi.json", '"1"', 304, ""],
  ["HEAD /openapi.json", 'W/"0", W/"1"', 304, ""],
  ["GET /openapi.json", "*", 304, ""],
  ["GET /openapi.json", '"10"', 200, "{}"],
  ["POST /openapi.json", "", 405, '{"error":"Method Not Allowed"}'],
  ["OPTIONS /openapi.json", "", 204, ""],
  ["GET /late", "", 200, "late"],
  ["GET /openapi.json/", "", 418, "hidden"],
  ["GET /toString", "", 418, "hidden"],
];

for (const [line, etag, status, text] of CASES) {
  test(`${line}${etag === "" ? "" : ` with ${etag}`} is answered with ${status}`, async () => {
    const [method = "", path = ""] = line.split(" ");
    const headers: Record<string, string> = etag === "" ? {} : { "if-none-match": etag };
    const response = await createApp().fetch(path, { method, headers });
    assert.equal([response.status, await response.text()], [status, text]);
    assert.is(response.headers.get("access-control-allow-origin"), "*");
    if (status === 200 || status === 304) assert.is(response.headers.get("etag"), '"1"');
    if (status === 405) assert.is(response.headers.get("allow"), "GET, HEAD, OPTIONS");
  });
}

test("a file is made when somebody asks to read it", async () => {
  made = 0;
  await createApp().fetch("/late", { method: "DELETE" });
  assert.is(made, 0);
  await createApp().fetch("/late");
  assert.is(made, 1);
});

test("a text is encoded once, and not for each answer", async () => {
  const docs = createDocs({ "/page.js": { ...FILE, text: "ü" } });
  const ask = async (): Promise<unknown> =>
    (await docs({ method: "GET", path: "/page.js", header: () => undefined }))?.body;
  assert.equal(await ask(), new TextEncoder().encode("ü"));
  assert.is(await ask(), await ask());
});

test("a route of the project comes first, with its own methods beside it", async () => {
  const ask = async (app: App, method: string): Promise<string> =>
    (await app.fetch("/openapi.json", { method })).text();
  assert.is(await ask(createApp(bind("GET", "/openapi.json")), "GET"), "own");
  const posted = createApp(bind("POST", "/openapi.json"));
  assert.equal([await ask(posted, "POST"), await ask(posted, "GET")], ["own", "{}"]);
});

test.run();
