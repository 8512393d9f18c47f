/**
 * One project with all that a request and a route can have, in each way of running it: `dev`, `start` and the built server answer
 * alike, run its modules in the same order, and dev serves what changes in it.
 */

import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { build, buildableCopy } from "./harness/build.ts";
import { type Answer, ask, askUntil } from "./harness/client.ts";
import { run } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { once } from "./harness/once.ts";
import type { Project } from "./harness/project.ts";
import { DEV, type RunningServer, START, serve } from "./harness/server.ts";
import { SHARED_CASES, SHARED_FILES } from "./harness/shared.ts";
import { WIRE_CASES, WIRE_FILES } from "./harness/wire.ts";

const SHOP = "https://shop.example";
const EVIL = ["https://evil.example", "null", `${SHOP}.evil.example`];

const CORS_FILES: Readonly<Record<string, string>> = {
  "framework.toml": `${SHARED_FILES["framework.toml"]}credentials = true\nexpose = ["X-Total-Count"]\n
[files]
"/" = "public"
fallback = "index.html"
`.replace("[server]", '[server]\ntrust_proxy = ["loopback"]\ncompression = true'),
  "public/index.html": "<h1>shop</h1>\n",
  "public/large.css": "a".repeat(5000),
  "public/.env": "SECRET=1\n",
  "routes/client.ts": `import { file, type Request } from "framework";

export function get(request: Request) {
  const { id, ip, url } = request;
  return { id, ip, url };
}
export const put = () => file("package.json", { type: "text/plain" });
`,
  "routes/paged.ts": `import { reply, type Request } from "framework";

export function get(request: Request) {
  return reply({ cookie: request.cookies.session ?? null }, 200, { "X-Total-Count": "3", "X-Secret": "1" });
}

export function put() {
  throw new Error("broken");
}
`,
};

/** Each module notes its name when it runs. */
const ORDER_FILES: Readonly<Record<string, string>> = {
  "app.ts": `// @ts-nocheck
import "./lib/setup.ts";
import { createApp } from "framework";
note("app.ts");
process.env.SET_BY = "app.ts";
export const app = await createApp();
note("created");
await app.listen();
`,
  "lib/setup.ts": `// @ts-nocheck
globalThis.order = [];
globalThis.note = (name) => order.push(name);
note("setup");
`,
  "lib/set.ts": '// @ts-nocheck\nnote("shared");\nexport const setBy = process.env.SET_BY;\n',
  "apps/users/views.ts": `// @ts-nocheck
note("users");
await new Promise((resolve) => setTimeout(resolve, 50));
note("users, after its await");
export const helper = 1;
`,
  "routes/a.ts": `// @ts-nocheck
import { HttpError } from "framework";
import { setBy } from "../lib/set.ts";
note("a");
export const get = () => { if (!setBy) throw new HttpError(500); return { order, setBy }; };
`,
  "routes/b.ts":
    '// @ts-nocheck\nnote("b");\nexport const get = async () => (await import("../lib/set.ts")).setBy;\n',
};

const ORDER = {
  order: ["setup", "app.ts", "users", "users, after its await", "shared", "a", "b", "created"],
  setBy: "app.ts",
};

const FILES = { ...WIRE_FILES, ...SHARED_FILES, ...CORS_FILES, ...ORDER_FILES };

const sourceProject = once("project", () => buildableCopy(FILES));
const builtProject = once("built project", async (): Promise<Project> => {
  const project = await buildableCopy(FILES);
  const { status, stderr } = await build(project);
  assert.equal([status, stderr], [0, ""]);
  return project;
});

const BUILT: readonly string[] = [process.execPath, "dist/server.js"];

const devServer = once("framework dev", async () => serve((await sourceProject()).folder, DEV));

const SERVERS: readonly (readonly [name: string, server: () => Promise<RunningServer>])[] = [
  ["framework dev", devServer],
  ["framework start", once("framework start", async () => serve((await sourceProject()).folder, START))],
  ["dist/server.js", once("built server", async () => serve((await builtProject()).folder, BUILT))],
];

/** The origin that may read an answer, whether with credentials, and the headers that it may read besides the usual ones. */
function sharedBy(headers: Answer["headers"]): readonly unknown[] {
  return ["allow-origin", "allow-credentials", "expose-headers"].map(
    (name) => headers[`access-control-${name}`],
  );
}

/** Without what only `dev` tells: the stack, and why no route matched. */
function contentOf({ text }: Answer): unknown {
  const content: unknown = text.startsWith("{") ? JSON.parse(text) : text;
  if (typeof content !== "object") return content;
  const { stack: _, detail: __, ...rest } = content as Readonly<Record<string, unknown>>;
  return rest;
}

for (const [name, server] of SERVERS) {
  const when = server === devServer ? "when a request needs them" : "when it calls createApp()";
  test(`${name}: app.ts and what it imports run first, and the handlers ${when}`, async () => {
    const { url } = await server();
    // `framework dev` has its address before it has loaded anything.
    const answers = await askUntil(url, "GET /a", ({ status }) => status === 200);
    const { order = [], setBy } = (answers.at(-1)?.json ?? {}) as Partial<typeof ORDER>;
    assert.is(setBy, ORDER.setBy);
    if (server !== devServer) assert.equal(order, ORDER.order);
    else assert.equal(order.slice(0, 3), ["setup", "app.ts", "created"]);
  });

  test(`${name} sends files where no route is, compresses, and gets the client from a trusted proxy`, async () => {
    const { url } = await server();
    const page = await ask(url, "GET /shop/7", { headers: { accept: "text/html" } });
    assert.equal(
      [page.status, page.text, page.headers["x-seen"]],
      [200, "<h1>shop</h1>\n", "GET /shop/7 200"],
    );
    assert.is((await ask(url, "GET /shop/7", { headers: { accept: "application/json" } })).status, 404);
    assert.is((await ask(url, "GET /.env", { headers: { accept: "application/json" } })).status, 404);
    const part = await ask(url, "GET /large.css", { headers: { range: "bytes=-3" } });
    assert.equal([part.status, part.text], [206, "aaa"]);
    const known = { "if-none-match": String(part.headers.etag) };
    assert.is((await ask(url, "GET /large.css", { headers: known })).status, 304);
    const coded = await ask(url, "GET /large.css", { headers: { "accept-encoding": "gzip" } });
    assert.is(coded.headers["content-encoding"], "gzip");
    const headers = {
      "x-forwarded-for": "6.6.6.6, 203.0.113.7",
      "x-forwarded-proto": "https",
      "x-request-id": "r-1",
    };
    const { host } = new URL(url);
    const client = await ask(url, "GET /client", { headers });
    assert.equal(client.json, { id: "r-1", ip: "203.0.113.7", url: `https://${host}/client` });
    assert.is(client.headers["x-request-id"], "r-1");
    assert.is((await ask(url, "PUT /client")).headers["content-type"], "text/plain");
  });

  const cases = [...WIRE_CASES, ...SHARED_CASES];
  test(`${name} answers ${cases.length} requests to handlers with marks, and to routes that share`, async () => {
    const { url } = await server();
    for (const { line, question, status, answer, headers = {} } of cases) {
      const answered = await ask(url, line, question);
      assert.equal([answered.status, contentOf(answered)], [status, answer], line);
      for (const [header, value] of Object.entries(headers))
        assert.is(answered.headers[header], value, `${header} of ${line}`);
    }
  });

  test(`${name} shares answers with a listed origin and credentials, and with no other one`, async () => {
    const { url } = await server();
    for (const line of ["GET /paged", "PUT /paged", "DELETE /nowhere"]) {
      const { headers } = await ask(url, line, { headers: { origin: SHOP } });
      assert.equal(sharedBy(headers), [SHOP, "true", "X-Total-Count"], line);
      for (const origin of EVIL)
        assert.is(sharedBy((await ask(url, line, { headers: { origin } })).headers)[0], undefined, line);
    }
  });

  if (server !== devServer)
    test(`${name} ends`, async () => assert.is((await (await server()).stop()).status, 0));
}

test("a test of the project runs its modules in that order, too", async () => {
  const { folder, write } = await builtProject();
  write(
    "tests/order.js",
    `import { app } from "../app.ts";
console.log(await (await app.fetch(new Request("http://a.example/a"))).text());
process.exit();
`,
  );
  const words = [process.execPath, "--import", "./vendor/framework/test.js", join("tests", "order.js")];
  const { stdout } = await run(words, { cwd: folder, env: isolatedEnvironment() });
  assert.equal(JSON.parse(stdout.split("\n").find((line) => line.startsWith("{")) ?? stdout), ORDER);
});

const GUARD = `import { HttpError } from "framework";

export function guard() {
  throw new HttpError(403, "closed");
}
`;

test("a new _hooks.ts makes a built server out of date, and start says so and serves from source then", async () => {
  const project = await builtProject();
  project.write("routes/_hooks.ts", GUARD);
  const server = await serve(project.folder, START);
  assert.is((await ask(server.url, "GET /")).status, 403);
  await server.stop();
  assert.match(
    server.output(),
    "dist/server.js is out of date (routes/_hooks.ts has changed): serving the source.",
  );
});

test("no route is listed for preflights", async () => {
  const { stdout } = await (await sourceProject()).framework(["routes", "list"]);
  assert.not.match(stdout, "OPTIONS");
});

test("dev names undeclared keys and the nearest declared one, in one line without values", async () => {
  const { url, waitFor, output } = await devServer();
  const body = JSON.stringify({ nmae: "hushed", lines: [{ sku: "a", qty: 1, "a\x1b[2J": "hushed" }] });
  const headers = { "content-type": "application/json" };
  await ask(url, "POST /orders?pgae=2", { body, headers });
  const [line] = await waitFor(/.*nmae.*/);
  assert.is(
    line.trim(),
    'POST /orders: nmae in the body is not declared (did you mean name?), lines[0]["a\\u001b[2J"] in the body is not declared, pgae in the query is not declared (did you mean page?)',
  );
  assert.not.match(output(), "hushed");
});

test("dev serves a change in a file with types, in a provider, and a _hooks.ts that appears, breaks and goes", async () => {
  const { url, waitFor } = await devServer();
  const project = await sourceProject();
  const untilOrders = (status: number, body: string): Promise<unknown> =>
    askUntil(url, "POST /orders", (answer) => answer.status === status, {
      body,
      headers: { "content-type": "application/json" },
    });
  const untilNote = (status: number, text: string): Promise<unknown> =>
    askUntil(url, "GET /notes/1", (answer) => answer.status === status && answer.text.includes(text), {
      headers: { authorization: "Bearer ada-token" },
    });
  await untilOrders(422, '{"name":"","lines":[]}');
  project.edit("lib/orders.ts", "name: string & MinLength<1>", "name: string");
  await untilOrders(201, '{"name":"","lines":[]}');
  project.edit("lib/notes.ts", "Call Charles", "Call Mary");
  await untilNote(200, "Call Mary");
  const hooks = project.read("apps/notes/_hooks.ts");
  project.write("apps/notes/_hooks.ts", GUARD);
  await untilNote(403, "closed");
  project.edit("apps/notes/_hooks.ts", "throw", "throw throw");
  await untilNote(500, "apps/notes/_hooks.ts:4:9");
  await waitFor(/4 \| +throw throw new HttpError/);
  project.write("apps/notes/_hooks.ts", hooks);
  await untilNote(200, "Call Mary");
});

test("dev shares by the new origins once framework.toml is saved, and shows them alone why it can't serve", async () => {
  const { url, waitFor, stop } = await devServer();
  const project = await sourceProject();
  const origin = "https://new.example";
  project.edit("framework.toml", SHOP, origin);
  await waitFor(/framework\.toml/);
  const isSharedWith = async (asking: string, status: number): Promise<boolean> => {
    const answer = await ask(url, "GET /", { headers: { origin: asking } });
    assert.is(answer.status, status);
    assert.is(answer.headers.vary, "Origin");
    return sharedBy(answer.headers)[0] === asking;
  };
  assert.equal([await isSharedWith(origin, 200), await isSharedWith(SHOP, 200)], [true, false]);
  project.write("routes/broken.ts", "export function (");
  await askUntil(url, "GET /", ({ status }) => status === 500);
  assert.equal([await isSharedWith(origin, 500), await isSharedWith(SHOP, 500)], [true, false]);
  const preflight = { origin, "access-control-request-method": "DELETE" };
  const asked = await ask(url, "OPTIONS /items", { headers: preflight });
  assert.equal([asked.status, sharedBy(asked.headers)[0]], [204, origin]);
  assert.is((await stop()).status, 0);
});

test.run();
