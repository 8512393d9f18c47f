import { test } from "uvu";
import * as assert from "uvu/assert";
import { createCall, createRoute, createShared } from "#convention/typed-routes.fixture";
import { formatColumns, formatMarkdown } from "./route-formats.ts";

const user = createCall("provider", "currentUser", "lib/users.ts:9", { takes: ["bearer"] });
const admin = createCall("provider", "requireAdmin", "lib/users.ts:20", { provided: [0] });
const guard = createCall("guard", "guard", "routes/admin/_hooks.ts:4", { provided: [1] });
const outer = createCall("guard", "guard", "_hooks.ts:2", { takes: ["header x-tenant"] });
const middleware = createShared("middleware", "_hooks.ts:8");

const ROUTES = [
  createRoute("GET /", { hooks: [{ folder: "", middleware }] }),
  createRoute("GET /admin", { calls: [outer, user, admin, guard] }),
  createRoute("POST /notes", { calls: [outer, user], takes: ["body", "header x-tenant"] }),
];

test("guards are shown by their folders, providers by their names, and what is taken twice is shown once", () => {
  assert.is(
    formatColumns(ROUTES, 10_000, false),
    `METHOD  PATTERN  PARAMS  TAKES                                          GUARDS             PROVIDERS                  HANDLER  LOCATION
GET     /                                                                                                             get      routes/index.ts:1:17
GET     /admin           header x-tenant: string, bearer                ./, routes/admin/  currentUser, requireAdmin  get      routes/admin.ts:1:17
POST    /notes           header x-tenant: string, bearer, body: string  ./                 currentUser                post     routes/notes.ts:1:17`,
  );
});

test("in a narrower terminal providers give way before guards and what is taken, and no line is too wide", () => {
  assert.is(
    formatColumns(ROUTES, 90, false),
    `METHOD  PATTERN  PARAMS  TAKES                          GUARDS      HANDLER  LOCATION
GET     /                                                           get      …/index.ts:1
GET     /admin           header x-tenant, bearer        ./, route…  get      …/admin.ts:1
POST    /notes           header x-tenant, bearer, body  ./          post     …/notes.ts:1`,
  );
  for (let columns = 50; columns < 160; columns++) {
    const lines = formatColumns(ROUTES, columns, false).split("\n");
    for (const line of lines) assert.ok([...line].length <= columns, `${columns}: ${line}`);
  }
});

test("method, pattern, handler and location are there however much each route takes, and the rest gets what is left", () => {
  const call = createCall("provider", "current_user_of_the_tenant", "lib/users.ts:9", { takes: ["bearer"] });
  const route = createRoute("GET /organizations/settings/members", { calls: [outer, call] });
  for (const columns of [50, 60, 80, 100, 140]) {
    const [headings = "", row = ""] = formatColumns([route], columns, false).split("\n");
    assert.match(headings, /^METHOD +PATTERN +.*HANDLER +LOCATION$/);
    assert.match(row, /^GET +\/org.* get +….*\/?members\.ts:1$/);
    assert.is(/TAKES/.test(headings), columns >= 100, headings);
  }
});

test("a column is there only if a route has something in it", () => {
  const headings = (routes: typeof ROUTES): string =>
    formatColumns(routes, 10_000, false).split(/ *\n/)[0] ?? "";
  assert.is(headings(ROUTES.slice(0, 1)), "METHOD  PATTERN  PARAMS  HANDLER  LOCATION");
  const guarded = createRoute("GET /a", { calls: [createCall("guard", "guard", "apps/_hooks.ts:1")] });
  assert.is(headings([guarded]), "METHOD  PATTERN  PARAMS  GUARDS  HANDLER  LOCATION");
});

test("Markdown has the same columns", () => {
  assert.is(
    formatMarkdown(ROUTES.slice(1, 2), new Map()),
    `| Method | Pattern | Params | Takes | Guards | Providers | Handler | Location |
| --- | --- | --- | --- | --- | --- | --- | --- |
| GET | \`/admin\` |  | \`header x-tenant: string, bearer\` | \`./, routes/admin/\` | \`currentUser, requireAdmin\` | \`get\` | \`routes/admin.ts:1:17\` |`,
  );
});

test("what one function requires is required, though another one can do without", () => {
  const optional = createCall("provider", "page", "a.ts:1", { takes: ["query page?"] });
  const route = createRoute("GET /a", { calls: [optional], takes: ["query page"] });
  assert.match(formatColumns([route], 10_000, false), "page: string  page");
  assert.not.match(formatColumns([route], 10_000, false), "page?");
});

test.run();
