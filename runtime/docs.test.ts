import { test } from "uvu";
import * as assert from "uvu/assert";
import { createDocs, type DocsFile } from "./docs.ts";
import { createHookedApp, type HookedApp, type HookedRoute } from "./hooked.fixture.ts";
import { createCors } from "./hooks/cors.ts";

const FILE: DocsFile = {
  text: "{}",
  headers: ["Content-Type", "application/json", "ETag", '"1"'],
  tag: '"1"',
};
let made = 0;
const DOCS = createDocs({
  "/openapi.json": FILE,
  "/page.js": { ...FILE, text: "ü" },
  "/late": async () => {
    made += 1;
    return { ...FILE, text: "late" };
  },
});

function createApp(routes: Readonly<Record<string, HookedRoute>> = {}): HookedApp {
  const cors = createCors({ origins: ["*"], credentials: false, maxAge: 1, expose: [] });
  const hide = { folder: "", middleware: () => new Response("hidden", { status: 418 }) };
  return createHookedApp(routes, [hide], { docs: DOCS, cors });
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
  ["GET /page.js", "", 200, "ü"],
  ["GET /page.js", "", 200, "ü"],
  ["GET /late", "", 200, "late"],
  ["GET /openapi.json/", "", 418, "hidden"],
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

test("a route of the project comes first, with its own methods beside it", async () => {
  for (const [route, method, expected] of [
    ["GET /openapi.json", "GET", "own"],
    ["POST /openapi.json", "POST", "own"],
    ["POST /openapi.json", "GET", "{}"],
  ] as const) {
    const response = await createApp({ [route]: [() => "own"] }).fetch("/openapi.json", { method });
    assert.is(await response.text(), expected, `${method} beside ${route}`);
  }
});

test.run();
