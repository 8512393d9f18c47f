import { rmSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder, writeFiles } from "#convention/folder.fixture";
import { readProject } from "#convention/project";
import { type Given, given, type Printed, print, type Screen, type } from "../typed.fixture.ts";
import { routesAudit } from "./audit.ts";

const test = suite<{ root: string }>("routes audit");

const SAMPLES = {
  "framework.toml": 'apps = ["users"]\n\n[server]\nhealth = "/healthz"\n',
  "apps/users/app.toml": "",
  "apps/users/views.ts": `import type { Bearer, int } from "framework";
throw new Error("loaded");
export function get_all() {}
export function put_by_id(user_id: int, token: Bearer) {}
`,
  "routes/index.ts": "export function get() {}\n",
  "routes/items.ts": "export function post() {}\nexport function get(item_id: string) {}\n",
};

test.before.each((context) => {
  context.root = createFolder(SAMPLES);
});
test.after.each(({ root }) => rmSync(root, { recursive: true, force: true }));

async function audit(cwd: string, options: Given = {}, screen: Screen = {}): Promise<Printed> {
  return print((terminal) => routesAudit.run({ cwd, words: [], ...given(options), terminal }), screen);
}

test("without [exposure] the open routes come first, and the lines that would list them follow", async ({
  root,
}) => {
  assert.equal(await audit(root), {
    status: 0,
    out: `METHOD  PATTERN                 GUARDED BY  HANDLER    LOCATION
GET     /                       nothing     get        routes/index.ts:1:17
POST    /items                  nothing     post       routes/items.ts:1:17
GET     /items/<item_id>        nothing     get        routes/items.ts:2:17
GET     /users/all              nothing     get_all    apps/users/views.ts:3:17
PUT     /users/by/id/<user_id>  bearer      put_by_id  apps/users/views.ts:4:17

5 routes: 1 guarded, 4 open
The framework itself answers GET /healthz, which is always open: \`health\` in framework.toml.

Add this to framework.toml, and \`framework routes check\` reports any other open route as an error.
Leave out the routes that should be guarded:

[exposure]
open = [
  "GET /",
  "POST /items",
  "GET /items/<item_id>",
  "GET /users/all",
]`,
    err: "",
  });
});

test("in a narrow terminal the location loses its folders, then the handler its end", async ({ root }) => {
  const { out } = await audit(root, {}, { columns: 60 });
  for (const line of out.split("\n").slice(0, 6)) assert.ok(line.length <= 60, line);
  assert.match(out, /^PUT +\/users\/by\/id\/.* bearer +put_by_\S* +…\/views\.ts:\d+$/m);
});

test("guards of folders and providers guard, and each has its file and line", async ({ root }) => {
  writeFiles(root, {
    "auth.ts": `import { type Bearer, type From, HttpError } from "framework";
export function currentUser(token: Bearer) {
  if (token !== "x") throw new HttpError(401, "Sign in");
}
`,
    "routes/admin/_hooks.ts": `import { HttpError, type Request } from "framework";
export function guard(request: Request) {
  if (request.ip !== "::1") throw new HttpError(403, "Not from there");
}
`,
    "routes/admin/index.ts": "export function get() {}\n",
    "routes/me.ts": `import type { From } from "framework";
import type { currentUser } from "../auth.ts";
export function get(user: From<typeof currentUser>) {}
`,
  });
  const { out } = await audit(root, {}, { columns: 120 });
  assert.match(out, /GET +\/admin +guard routes\/admin\/_hooks.ts:2 +get +routes\/admin\/index.ts:1/);
  assert.match(out, /GET +\/me +currentUser auth.ts:2 +get +routes\/me.ts:3/);
  assert.match(out, "7 routes: 3 guarded, 4 open");
  const narrow = await audit(root, {}, { columns: 70 });
  assert.match(narrow.out, /GET +\/admin +guard routes… +get +…\/index\.ts:1\n/);
});

test("open routes are red where colours may be written, and the columns stay where they are", async ({
  root,
}) => {
  const colored = await audit(root, {}, { color: true });
  assert.match(colored.out, "\x1b[31mnothing   \x1b[39m");
  assert.is(colored.out.replace(/\x1b\[\d+m/g, ""), (await audit(root)).out);
});

test("--json is an array with each route, what guards it, and whether it is open", async ({ root }) => {
  const { out, status, err } = await audit(root, { json: true });
  assert.equal([status, err], [0, ""]);
  const routes = JSON.parse(out);
  const place = { file: "apps/users/views.ts", line: 4, column: 17 };
  assert.equal(
    routes.map((one: { pattern: string; openBy: string }) => [one.pattern, one.openBy]),
    [
      ["/", null],
      ["/items", null],
      ["/items/<item_id>", null],
      ["/users/all", null],
      ["/users/by/id/<user_id>", null],
      ["/healthz", "[server] health"],
    ],
  );
  assert.equal(routes[4], {
    method: "PUT",
    pattern: "/users/by/id/<user_id>",
    handler: "put_by_id",
    ...place,
    guardedBy: [{ kind: "credential", name: "bearer", optional: false, ...place }],
    open: false,
    listed: false,
    openBy: null,
  });
  assert.equal([routes[0].guardedBy, routes[0].open], [[], true]);
});

const EXPOSED = `${SAMPLES["framework.toml"]}
[exposure]
open = ["GET /", "/items", "GET /users/al", "PUT /users/by/id/<user_id>"]
`;

test("with [exposure] a route that is neither guarded nor listed is an error, and so is a stale entry", async ({
  root,
}) => {
  writeFiles(root, { "framework.toml": EXPOSED });
  const { status, out, err } = await audit(root);
  assert.is(status, 1);
  assert.is(
    out,
    `METHOD  PATTERN                 GUARDED BY             HANDLER    LOCATION
GET     /items/<item_id>        nothing                get        routes/items.ts:2:17
GET     /users/all              nothing                get_all    apps/users/views.ts:3:17
GET     /                       open framework.toml:7  get        routes/index.ts:1:17
POST    /items                  open framework.toml:7  post       routes/items.ts:1:17
PUT     /users/by/id/<user_id>  bearer                 put_by_id  apps/users/views.ts:4:17

5 routes: 1 guarded, 2 listed as open, 2 open but not listed
The framework itself answers GET /healthz, which is always open: \`health\` in framework.toml.`,
  );
  assert.match(
    err,
    `error FW410 Nothing guards GET /users/all, and \`open\` under \`[exposure]\` does not list it.
  apps/users/views.ts:3:17
    3 | export function get_all() {}
      |                 ^^^^^^^
  hint: Guard it, or add "GET /users/all" to \`open\` in framework.toml if anyone may call it.`,
  );
  assert.match(err, "error FW410 Nothing guards GET /items/<item_id>");
  assert.match(
    err,
    "error FW411 `open` lists GET /users/al, but there is no such route.\n  framework.toml:7:28",
  );
  assert.match(err, 'hint: Did you mean "GET /users/all"?');
  assert.match(err, "error FW411 `open` lists PUT /users/by/id/<user_id>, but `bearer` guards it.");
  assert.match(err, "\n4 errors");
});

test("the lines that are printed, added to framework.toml, leave nothing to complain about", async ({
  root,
}) => {
  const { out } = await audit(root);
  const lines = out.slice(out.indexOf("\n[exposure]"));
  writeFiles(root, { "framework.toml": `${SAMPLES["framework.toml"]}${lines}\n` });
  const { status, out: second, err } = await audit(root);
  assert.equal([status, err], [0, ""]);
  assert.match(second, "5 routes: 1 guarded, 4 listed as open\n");
  assert.not.match(second, "[exposure]");
});

test("what [exposure] includes is shown: methods, and what the framework serves", async ({ root }) => {
  writeFiles(root, {
    "framework.toml":
      'apps = []\n[server]\ndocs = true\n[exposure]\nopen = ["/", "/items", "/items/<item_id>"]\n[files]\n"/" = "public"\n',
    "routes/items.ts":
      "export function post() {}\nexport function get(item_id?: string) {}\nexport function put() {}\n",
    "routes/admin/_hooks.ts":
      'import type { Bearer } from "framework";\nexport function guard(_token: Bearer) {}\n',
    "routes/admin/reports.ts": "export function get() {}\n",
  });
  const { out } = await audit(root);
  assert.match(
    out,
    `5 routes: 1 guarded, 4 listed as open
"/items" in framework.toml:5 opens POST and PUT.
The framework itself answers GET /docs and GET /openapi.json, which are always open: \`docs\` in framework.toml.
Anyone gets the files of public/ at /: no guard holds there. \`[files]\` in framework.toml.`,
  );
  const records = JSON.parse((await audit(root, { json: true })).out);
  const shown = records.map((one: { method: string; pattern: string; openBy: string }) =>
    [one.method, one.pattern, one.openBy].join(" "),
  );
  assert.equal(shown, [
    "GET / /",
    "GET /admin/reports ",
    "POST /items /items",
    "PUT /items /items",
    "GET /items/<item_id> /items/<item_id>",
    "GET /docs [server] docs",
    "GET /openapi.json [server] docs",
    "GET / [files] public",
  ]);
});

test("routes check and doctor report what the audit finds; what serves and generates does not", async ({
  root,
}) => {
  writeFiles(root, { "framework.toml": EXPOSED });
  const found = (printed: string): string[] => printed.match(/FW41\d/g) ?? [];
  assert.equal(found((await type(root, "routes check")).out), ["FW410", "FW411", "FW411", "FW410"]);
  assert.equal(found((await type(root, "doctor")).out).length, 4);
  assert.equal(readProject(root).diagnostics, []);
  assert.is((await type(root, "routes list")).status, 0);
});

test("in a project with errors they follow on stderr, and the status is 1", async ({ root }) => {
  writeFiles(root, { "routes/index.ts": "export function get(...ids: number[]) {}\n" });
  const { status, out, err } = await audit(root);
  assert.is(status, 1);
  assert.match(out, "4 routes: 1 guarded, 3 open");
  assert.match(err, "error FW302");
  assert.match(err, "1 error");
});

test("a project without an open route may list none", async ({ root }) => {
  rmSync(join(root, "routes"), { recursive: true });
  writeFiles(root, { "apps/users/views.ts": "" });
  assert.match((await type(root, "routes audit")).out, "0 routes");
  assert.match((await type(root, "routes audit")).out, /\n\[exposure\]\nopen = \[\]$/);
});

test.run();
