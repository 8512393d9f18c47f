import { rmSync } from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder, writeFiles } from "#convention/folder.fixture";
import { UsageError } from "../command.ts";
import { type Given, given, type Printed, print } from "../typed.fixture.ts";
import { routesMatch } from "./match.ts";

const test = suite<{ root: string }>("routes match");

const SAMPLES = {
  "framework.toml": 'apps = ["users"]\n',
  "apps/users/app.toml": '[app]\nname = "People"\nprefix = "/users"\n',
  "apps/users/views.ts": `import { type Request, type int } from "framework";
throw new Error("loaded");
export function get_by_id(request: Request, user_id: int) {}
export function get_by_username(request: Request, username: string) {}
`,
  "routes/items.ts": "export function post() {}\nexport function get(item_id: string) {}\n",
};

test.before.each((context) => {
  context.root = createFolder(SAMPLES);
});
test.after.each(({ root }) => rmSync(root, { recursive: true, force: true }));

/** @param typed the words after `framework routes match`. */
async function match(
  cwd: string,
  typed: string,
  { options = {} as Given, color = false } = {},
): Promise<Printed> {
  const words = typed.split(" ").filter(Boolean);
  return print((terminal) => routesMatch.run({ cwd, words, ...given(options), terminal }), { color });
}

test("a match is the route as the list shows it, with the values that the handler gets", async ({ root }) => {
  assert.equal(await match(root, "GET /users/by/id/007"), {
    status: 0,
    out: `METHOD  PATTERN                 PARAMS        HANDLER    LOCATION
GET     /users/by/id/<user_id>  user_id: int  get_by_id  apps/users/views.ts:3:17

user_id = 7 (int)`,
    err: "",
  });
});

const TAKING = {
  ...SAMPLES,
  "routes/items.ts": `import type { Bearer, Body, Form, Header, int, Query } from "framework";
interface NewItem {
  name: string;
  price?: number;
}
export function post(body: Body<NewItem>, page: Query<int> = 1, if_match?: Header<string>) {}
export function put(form?: Form<{ title: string }>) {}
export function get(item_id: string, token: Bearer) {}
`,
};

test("what the handler wants is listed: its place and key, its type, and whether a request has to have it", async ({
  root,
}) => {
  writeFiles(root, TAKING);
  const { out, status } = await match(root, "POST /items?page=2");
  assert.is(status, 0);
  assert.is(
    out,
    `METHOD  PATTERN  PARAMS  HANDLER  LOCATION
POST    /items           post     routes/items.ts:6:17

body             NewItem { name: string; price?: number }  required
query page       int                                       optional, 1 by default
header if-match  string                                    optional`,
  );
  assert.match((await match(root, "PUT /items")).out, "\n\nform  { title: string }  optional");
  assert.match((await match(root, "GET /items/7")).out, 'item_id = "7" (str)\n\nbearer  required');
});

test("in a narrow terminal the types that a handler wants are cut", async ({ root }) => {
  writeFiles(root, TAKING);
  const words = ["POST", "/items"];
  const run = (columns: number): Promise<Printed> =>
    print((terminal) => routesMatch.run({ cwd: root, words, ...given(), terminal }), { columns });
  assert.match((await run(72)).out, "\nbody             NewItem { name: string; …  required\n");
});

test("with --json the route has what it takes, and so has one that comes near", async ({ root }) => {
  writeFiles(root, TAKING);
  const read = async (line: string): Promise<{ route: object; near: { route: object }[] }> =>
    JSON.parse((await match(root, line, { options: { json: true } })).out);
  const takes = [{ in: "bearer", name: "token", required: true, schema: { type: "string" } }];
  const { route } = await read("GET /items/7");
  assert.equal("takes" in route && route.takes, takes);
  const { near } = await read("DELETE /items/7");
  assert.equal(near[0] && "takes" in near[0].route && near[0].route.takes, takes);
});

const SHARING = {
  ...SAMPLES,
  "auth.ts": `import { type Bearer, type From, HttpError, type int, type Query } from "framework";
export const currentUser = (token: Bearer) => { if (token === "") throw new HttpError(401, ""); return 1; };
export const item = (item_id: string, user: From<typeof currentUser>, page: Query<int> = 1) => item_id;
`,
  "routes/items.ts": `import type { Body, From, Query, int } from "framework";
import type { currentUser, item } from "../auth.ts";
export function post(body: Body<{ name: string }>, user: From<typeof currentUser>) {}
export function get(one: From<typeof item>, page: Query<int> = 1) {}
`,
};

test("what runs is listed in its order, and what all of it wants once", async ({ root }) => {
  writeFiles(root, SHARING);
  assert.is(
    (await match(root, "GET /items/7")).out,
    `METHOD  PATTERN           PARAMS        HANDLER  LOCATION
GET     /items/<item_id>  item_id: str  get      routes/items.ts:4:17

item_id = "7" (str)

bearer           required
query page  int  optional, 1 by default

It runs, in this order:
  provider currentUser  auth.ts:2:14
  provider item         auth.ts:3:14
  handler get           routes/items.ts:4:17`,
  );
});

const HOOKS = {
  ...SHARING,
  "_hooks.ts": `import type { From, Next, Request } from "framework";
import type { currentUser } from "./auth.ts";
export function middleware(request: Request, next: Next) { return next(); }
export function guard(user: From<typeof currentUser>) {}
`,
  "routes/_hooks.ts": "export async function middleware(request, next) { return next(); }\n",
};

test("middleware comes first and guards with what they need next, and --json has the places of all", async ({
  root,
}) => {
  writeFiles(root, HOOKS);
  const { out } = await match(root, "GET /items/7");
  assert.is(
    out.slice(out.indexOf("It runs")),
    `It runs, in this order:
  middleware            _hooks.ts:3:17
  middleware            routes/_hooks.ts:1:23
  provider currentUser  auth.ts:2:14
  guard                 _hooks.ts:4:17
  provider item         auth.ts:3:14
  handler get           routes/items.ts:4:17`,
  );
  const { route } = JSON.parse((await match(root, "GET /items/7", { options: { json: true } })).out);
  assert.equal(
    [route.middleware, route.guards, route.providers],
    [
      [
        { name: "middleware", file: "_hooks.ts", line: 3, column: 17 },
        { name: "middleware", file: "routes/_hooks.ts", line: 1, column: 23 },
      ],
      [{ name: "guard", file: "_hooks.ts", line: 4, column: 17 }],
      [
        { name: "currentUser", file: "auth.ts", line: 2, column: 14 },
        { name: "item", file: "auth.ts", line: 3, column: 14 },
      ],
    ],
  );
});

test("the method is taken in any case, and a query does not count", async ({ root }) => {
  const { out, status } = await match(root, "get /users/by/username/a%20b?page=/2");
  assert.match(out, 'username = "a b" (str)');
  assert.is(status, 0);
});

test("that the GET answers a HEAD is told", async ({ root }) => {
  assert.match((await match(root, "HEAD /items/7")).out, "HEAD is answered by the GET of the same path");
});

test("a route for every method is the match of any method, with a body", async ({ root }) => {
  writeFiles(root, { "routes/rpc/[...path].ts": "export function all() {}\n" });
  for (const method of ["GET", "OPTIONS", "PROPFIND"]) {
    const { out, status } = await match(root, `${method} /rpc/a/b`);
    assert.match(out, /^ALL +\/rpc\/\*path/m);
    assert.not.match(out, "without a body");
    assert.is(status, 0);
  }
  assert.is((await match(root, "PROPFIND /items")).status, 1);
  assert.match((await match(root, "GET /rpc")).out, "The route has one segment more, `*path`.");
});

test("OPTIONS is served though no handler does it", async ({ root }) => {
  assert.equal(await match(root, "OPTIONS /items"), {
    status: 0,
    out: "No handler serves OPTIONS /items, so the server answers without one: 204, Allow: POST, OPTIONS.",
    err: "",
  });
});

test("OPTIONS of `*` is served with every method of the server, and `*` is for OPTIONS alone", async ({
  root,
}) => {
  assert.equal(await match(root, "OPTIONS *"), {
    status: 0,
    out: "OPTIONS * asks about the whole server, which answers without a handler: 204, Allow: GET, POST, HEAD, OPTIONS.",
    err: "",
  });
  const json = JSON.parse((await match(root, "options *", { options: { json: true } })).out);
  assert.equal([json.status, json.path, json.allow], [204, "*", ["GET", "POST", "HEAD", "OPTIONS"]]);
});

test("the health path is answered by the server itself, before any route, and only what reads it", async ({
  root,
}) => {
  const answered = (health: string): Printed => ({
    status: 0,
    out: `\`health = "${health}"\` in framework.toml answers GET ${health} before any route: 200, or 503 while the server stops.`,
    err: "",
  });
  for (const health of ["/healthz", "/items/7"]) {
    writeFiles(root, { "framework.toml": `apps = ["users"]\n[server]\nhealth = "${health}"\n` });
    assert.equal(await match(root, `GET ${health}?full`), answered(health));
    assert.match((await match(root, `HEAD ${health}`)).out, "before any route");
    const { status, outcome, route } = JSON.parse(
      (await match(root, `GET ${health}`, { options: { json: true } })).out,
    );
    assert.equal([status, outcome, route], [200, "health", null]);
    assert.is((await match(root, `POST ${health}`)).status, 1);
  }
  const other = await match(root, "GET /items/7/");
  assert.match(other.out, "routes/items.ts:2:17");
});

test("a `#` is a 400 as it is to the server, in the path and in the query", async ({ root }) => {
  for (const target of ["/items/a?x=1#y", "/items/a#y"]) {
    assert.equal(await match(root, `GET ${target}`), {
      status: 1,
      out: "The server can't read the target: a client never sends a `#` or what follows it.\nDid you mean /items/a?",
      err: "",
    });
  }
});

test("a miss tells the near routes, each with its place and the reason", async ({ root }) => {
  assert.equal(await match(root, "GET /users/by/id/abc"), {
    status: 1,
    out: `No route serves GET /users/by/id/abc.

  GET /users/by/id/<user_id>  apps/users/views.ts:3:17
    \`abc\` is not digits, and \`user_id\` is int.

  GET /users/by/username/<username>  apps/users/views.ts:4:17
    \`id\` is not \`username\`.`,
    err: "",
  });
});

test("a wrong method tells what is served", async ({ root }) => {
  const { out, status } = await match(root, "PUT /items");
  assert.match(out, "No route serves PUT /items: only POST and OPTIONS are served there.");
  assert.match(out, "POST /items  routes/items.ts:1:17\n");
  assert.is(status, 1);
});

test("a path that nothing is near to, one with an empty segment and one that can't be read are misses", async ({
  root,
}) => {
  const cases: [typed: string, out: string][] = [
    ["GET /zzz", "No route serves GET /zzz.\n\nNo route comes near: framework routes list shows them all."],
    ["POST //items", "The path has an empty segment (`//`), and no route has one.\nDid you mean /items?"],
    ["POST /users/../items", "The path can't be read: it holds a dot segment.\nDid you mean /items?"],
  ];
  for (const [typed, out] of cases) assert.equal(await match(root, typed), { status: 1, out, err: "" });
});

test("--json is one object, with the same fields for a match and a miss", async ({ root }) => {
  const json = { options: { json: true } as const };
  const served = JSON.parse((await match(root, "GET /users/by/id/7", json)).out);
  const missed = JSON.parse((await match(root, "GET /users/by/id/x", json)).out);
  const wrong = JSON.parse((await match(root, "PUT /items", json)).out);
  assert.equal(Object.keys(served), Object.keys(missed));
  assert.is(served.outcome, "match");
  assert.is(served.route.handler, "get_by_id");
  for (const { route } of [served, ...missed.near])
    assert.equal([route.app, route.appName], ["users", "People"]);
  assert.equal(served.values, [{ name: "user_id", type: "int", value: 7 }]);
  assert.equal([missed.outcome, missed.status, missed.route], ["no-match", 404, null]);
  assert.is(missed.near[0].route.pattern, "/users/by/id/<user_id>");
  assert.is(missed.near[0].reason, "`x` is not digits, and `user_id` is int.");
  assert.equal([wrong.outcome, wrong.status, wrong.allow], ["wrong-method", 405, ["POST", "OPTIONS"]]);
});

test("what is no method and path is wrong usage, and what was meant is told", async ({ root }) => {
  const cases: [typed: string, message: RegExp, hint: RegExp][] = [
    ["GTE /items", /no method "GTE"/, /Did you mean GET\?/],
    ["fetch /items", /no method "fetch"/, /GET, POST/],
    ["POST items", /begins with a slash/, /routes match POST \/items/],
    ["POST http://localhost:8000/items?a=b", /begins with a slash/, /the path alone/],
    ["GET *", /begins with a slash/, /the path alone/],
  ];
  for (const [typed, message, hint] of cases) {
    const error = await match(root, typed).catch((thrown: unknown) => thrown);
    assert.instance(error, UsageError, typed);
    if (!(error instanceof UsageError)) continue;
    assert.match(error.message, message);
    assert.match(error.hint ?? "", hint);
  }
});

test("what the project's files and the path hold is never printed raw", async ({ root }) => {
  const { out } = await match(root, "GET /users/by/id/\x1b[31m%1b");
  const decoded = await match(root, "GET /users/by/username/%1b[31m", { color: false });
  assert.not.match(out + decoded.out, /\x1b/);
  assert.match(decoded.out, "\\u001b[31m");
});

test("colours are written only where they may be", async ({ root }) => {
  const plain = await match(root, "GET /users/by/id/abc");
  const colored = await match(root, "GET /users/by/id/abc", { color: true });
  assert.match(colored.out, "\x1b[32mGET");
  assert.is(colored.out.replace(/\x1b\[\d+m/g, ""), plain.out);
});

test("in a project with errors that is told: the handler may be missing for that reason", async ({
  root,
}) => {
  writeFiles(root, { "routes/items.ts": "export function get(...ids: number[]) {}\n" });
  const { err, status } = await match(root, "GET /items/1");
  assert.is(status, 1);
  assert.match(err, "framework routes check");
});

test("the limits of a route's folders are shown, and --json has them by their names", async ({ root }) => {
  writeFiles(root, { ...HOOKS, "routes/_hooks.ts": 'export const limits = { body: "2 MB", timeout: 0 };\n' });
  const { out } = await match(root, "GET /items/7");
  assert.match(out, /\nThe limits of its folder: a body of at most 2000000 bytes, any time\.$/);
  const { route } = JSON.parse((await match(root, "GET /items/7", { options: { json: true } })).out);
  assert.equal(route.limits, { body: 2_000_000, timeout: 0 });
});

test.run();
