import { rmSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder, writeFiles } from "#convention/folder.fixture";
import { UsageError } from "../command.ts";
import { type Given, given, type Printed, print, type Screen } from "../typed.fixture.ts";
import { routesList } from "./list.ts";

const test = suite<{ root: string }>("routes list");

const SAMPLES = {
  "framework.toml": 'apps = ["users", "products"]\n',
  "apps/products/app.toml": '[app]\nprefix = "/products"\n',
  "apps/products/views.ts": `throw new Error("loaded");
export function get_index() {}
export function post_index() {}
export function get_all() {}
export function get_featured_items() {}
export function delete_item() {}
`,
  "apps/users/app.toml": '[app]\nprefix = "/users"\n',
  "apps/users/views.ts": `import { type Request, type int } from "framework";
export function get_by_id(request: Request, user_id: int) {}
export function get_by_username(request: Request, username: string) {}
`,
  "routes/index.ts": "export const get = () => 1;\n",
  "routes/items.ts": "export function post() {}\nexport function get(item_id: string) {}\n",
};

test.before.each((context) => {
  context.root = createFolder(SAMPLES);
});
test.after.each(({ root }) => rmSync(root, { recursive: true, force: true }));

async function list(cwd: string, options: Given = {}, screen: Screen = {}): Promise<Printed> {
  return print((terminal) => routesList.run({ cwd, words: [], ...given(options), terminal }), screen);
}

async function refusal(run: Promise<unknown>): Promise<UsageError> {
  try {
    await run;
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error("It was not refused.");
}

test("the routes are listed in aligned columns, with a total, and nothing of the project is run", async ({
  root,
}) => {
  const { status, out, err } = await list(root);
  assert.is(
    out,
    `METHOD  PATTERN                        PARAMS         HANDLER             LOCATION
GET     /                                             get                 routes/index.ts:1:14
POST    /items                                        post                routes/items.ts:1:17
GET     /items/<item_id>               item_id: str   get                 routes/items.ts:2:17
GET     /products/                                    get_index           apps/products/views.ts:2:17
POST    /products/                                    post_index          apps/products/views.ts:3:17
GET     /products/all                                 get_all             apps/products/views.ts:4:17
GET     /products/featured/items                      get_featured_items  apps/products/views.ts:5:17
DELETE  /products/item                                delete_item         apps/products/views.ts:6:17
GET     /users/by/id/<user_id>         user_id: int   get_by_id           apps/users/views.ts:2:17
GET     /users/by/username/<username>  username: str  get_by_username     apps/users/views.ts:3:17

10 routes: 7 in 2 apps, 3 under routes/`,
  );
  assert.is(status, 0);
  assert.is(err, "");
});

test("at 80 columns every line fits, and each still tells method, pattern, types, handler, file and line", async ({
  root,
}) => {
  const { out } = await list(root, {}, { columns: 80 });
  assert.is(
    out,
    `METHOD  PATTERN                        PARAMS  HANDLER             LOCATION
GET     /                                      get                 …/index.ts:1
POST    /items                                 post                …/items.ts:1
GET     /items/<item_id>               str     get                 …/items.ts:2
GET     /products/                             get_index           …/views.ts:2
POST    /products/                             post_index          …/views.ts:3
GET     /products/all                          get_all             …/views.ts:4
GET     /products/featured/items               get_featured_items  …/views.ts:5
DELETE  /products/item                         delete_item         …/views.ts:6
GET     /users/by/id/<user_id>         int     get_by_id           …/views.ts:2
GET     /users/by/username/<username>  str     get_by_username     …/views.ts:3

10 routes: 7 in 2 apps, 3 under routes/`,
  );
});

const LABELLED = {
  ...SAMPLES,
  "framework.toml": 'apps = ["users", "stock-items", "products"]\n',
  "apps/users/app.toml": '[app]\nname = "users"\nprefix = "/users"\n',
  "apps/products/app.toml": '[app]\nname = "Wares | <b>*all*</b> 注文"\nprefix = "/products"\n',
  "apps/stock-items/app.toml": '[app]\nname = "Stock\\u202e"\n',
  "apps/stock-items/views.ts": "export function get_index() {}\n",
};

test("the apps with a label of their own follow the total, those of the listed routes", async ({ root }) => {
  writeFiles(root, LABELLED);
  const cases: [Given, columns: number, end: string][] = [
    [
      {},
      120,
      `11 routes: 8 in 3 apps, 3 under routes/
  stock-items  Stock\\u{202e}
  products     Wares | <b>*all*</b> 注文`,
    ],
    [{ app: "products" }, 120, "5 of 11 routes\n  products  Wares | <b>*all*</b> 注文"],
    [{ app: "products" }, 30, "5 of 11 routes\n  products  Wares | <b>*all*<…"],
    [{ app: "users" }, 120, "2 of 11 routes"],
    [{ path: "/items", method: "POST" }, 120, "1 of 11 routes"],
  ];
  for (const [options, columns, end] of cases) {
    const { out } = await list(root, options, { columns });
    assert.is(out.split("\n\n")[1], end);
  }
});

test("--app takes the name of the folder, and no label", async ({ root }) => {
  writeFiles(root, { "apps/products/app.toml": '[app]\nname = "Wares"\n' });
  const error = await refusal(list(root, { app: "Wares" }));
  assert.match(error.hint ?? "", "users, products");
});

test("--json and --jsonl give the app's label beside its folder, and null for a route of no app", async ({
  root,
}) => {
  writeFiles(root, LABELLED);
  for (const format of ["json", "jsonl"]) {
    const { out } = await list(root, { [format]: true });
    assert.not.match(out, "\u202e");
    const routes: { app: unknown; appName: unknown }[] = JSON.parse(
      format === "json" ? out : `[${out.replaceAll("\n", ",")}]`,
    );
    assert.equal(new Set(routes.map(({ app, appName }) => JSON.stringify([app, appName]))).size, 4);
    assert.equal(routes.find(({ app }) => app === "stock-items")?.appName, "Stock\u202e");
    assert.is(routes.find(({ app }) => app === "users")?.appName, "users");
    assert.is(routes.find(({ app }) => app === null)?.appName, null);
  }
});

test("in a narrower terminal the location is shortened first, then params go, then the handler loses its end, and at last the pattern", async ({
  root,
}) => {
  const narrow: [columns: number, last: string][] = [
    [79, "GET     /users/by/username/<username>  get_by_username     …/users/views.ts:3"],
    [66, "GET     /users/by/username/<username>  get_by_user…  …/views.ts:3"],
    [60, "GET     /users/by/username/<userna…  get_by_…  …/views.ts:3"],
    [50, "GET     /users/by/userna…  get_by_…  …/views.ts:3"],
  ];
  for (const [columns, last] of narrow) {
    const { out } = await list(root, {}, { columns });
    assert.is(out.split("\n")[10], last);
  }
});

test("methods are coloured where colours may be written, and the columns stay where they are", async ({
  root,
}) => {
  const plain = await list(root);
  const colored = await list(root, {}, { color: true });
  assert.not.match(plain.out, /\x1b/);
  assert.match(colored.out, "\x1b[32mGET");
  assert.match(colored.out, "\x1b[31mDELETE");
  assert.is(colored.out.replace(/\x1b\[\d+m/g, ""), plain.out);
});

test("--json is an array with exactly the documented fields, in their order", async ({ root }) => {
  const { out, status } = await list(root, { json: true });
  const routes: unknown = JSON.parse(out);
  assert.ok(Array.isArray(routes));
  assert.is(routes.length, 10);
  assert.is(
    JSON.stringify(routes[8]),
    '{"method":"GET","pattern":"/users/by/id/<user_id>","params":[{"name":"user_id","type":"int"}],"takes":[],"middleware":[],"guards":[],"providers":[],"handler":"get_by_id",' +
      '"app":"users","appName":"users","convention":"views","file":"apps/users/views.ts","line":2,"column":17}',
  );
  assert.is(routes[0].app, null);
  assert.is(routes[0].convention, "routes");
  assert.is(status, 0);
});

test("--markdown is a table", async ({ root }) => {
  const { out } = await list(root, { markdown: true, app: "users" });
  assert.is(
    out,
    `| Method | Pattern | Params | Handler | Location |
| --- | --- | --- | --- | --- |
| GET | \`/users/by/id/<user_id>\` | \`user_id: int\` | \`get_by_id\` | \`apps/users/views.ts:2:17\` |
| GET | \`/users/by/username/<username>\` | \`username: str\` | \`get_by_username\` | \`apps/users/views.ts:3:17\` |`,
  );
});

test("--markdown has a column for apps where one of them has a label of its own", async ({ root }) => {
  writeFiles(root, LABELLED);
  const { out } = await list(root, { markdown: true, path: "item" });
  assert.is(
    out,
    `| Method | Pattern | Params | Handler | Location | App |
| --- | --- | --- | --- | --- | --- |
| POST | \`/items\` |  | \`post\` | \`routes/items.ts:1:17\` |  |
| GET | \`/items/<item_id>\` | \`item_id: str\` | \`get\` | \`routes/items.ts:2:17\` |  |
| GET | \`/products/featured/items\` |  | \`get_featured_items\` | \`apps/products/views.ts:5:17\` | Wares \\| \\<b\\>\\*all\\*\\</b\\> 注文 |
| DELETE | \`/products/item\` |  | \`delete_item\` | \`apps/products/views.ts:6:17\` | Wares \\| \\<b\\>\\*all\\*\\</b\\> 注文 |
| GET | \`/stock-items/\` |  | \`get_index\` | \`apps/stock-items/views.ts:1:17\` | Stock\\\\u{202e} |`,
  );
});

const TAKING = {
  ...SAMPLES,
  "apps/products/views.ts": `import type { ApiKey, Bearer, Body, Cookie, Header, int, Max, Query } from "framework";
interface NewProduct {
  name: string;
  parts?: NewProduct[];
}
export function get_index(page: Query<int & Max<9>> = 1, tag: Query<string[]> = []) {}
export function post_index(given: Body<NewProduct>, key: ApiKey<"x-api-key">) {}
export function get_all({ q }: Query<{ q: string; limit?: int }>, if_none_match?: Header<string>) {}
export function delete_item(token: Bearer, theme: Cookie<"dark" | "light">) {}
`,
};

test("what routes take has a column: places but the query's, keys, types, defaults, and a ? for what may be missing", async ({
  root,
}) => {
  writeFiles(root, TAKING);
  const { out } = await list(root, { app: "products" });
  assert.is(
    out,
    `METHOD  PATTERN         PARAMS  TAKES                                                             HANDLER      LOCATION
GET     /products/              page: int = 1, tag?: string[]                                     get_index    apps/products/views.ts:6:17
POST    /products/              body: NewProduct, api-key x-api-key                               post_index   apps/products/views.ts:7:17
GET     /products/all           query: { q: string; limit?: int }, header if-none-match?: string  get_all      apps/products/views.ts:8:17
DELETE  /products/item          bearer, cookie theme: "dark" | "light"                            delete_item  apps/products/views.ts:9:17

4 of 9 routes`,
  );
  const narrow = await list(root, { app: "products" }, { columns: 80 });
  assert.is(
    narrow.out,
    `METHOD  PATTERN         PARAMS  TAKES                 HANDLER      LOCATION
GET     /products/              page?, tag?           get_index    …/views.ts:6
POST    /products/              body, api-key x-api…  post_index   …/views.ts:7
GET     /products/all           query, header if-no…  get_all      …/views.ts:8
DELETE  /products/item          bearer, cookie theme  delete_item  …/views.ts:9

4 of 9 routes`,
  );
  const users = await list(root, { app: "users" });
  assert.not.match(users.out, "TAKES");
  for (let columns = 50; columns < 130; columns++) {
    const lines = (await list(root, {}, { columns })).out.split("\n");
    for (const line of lines) assert.ok([...line].length <= columns, `${columns}: ${line}`);
  }
});

test("--markdown has a column for what routes take, if one takes something", async ({ root }) => {
  writeFiles(root, TAKING);
  const { out } = await list(root, { markdown: true, path: "/products/item" });
  assert.is(
    out,
    `| Method | Pattern | Params | Takes | Handler | Location |
| --- | --- | --- | --- | --- | --- |
| DELETE | \`/products/item\` |  | \`bearer, cookie theme: "dark" \\| "light"\` | \`delete_item\` | \`apps/products/views.ts:9:17\` |`,
  );
});

test("--json gives what a route takes, with JSON Schemas that need nothing around them", async ({ root }) => {
  writeFiles(root, TAKING);
  const { out } = await list(root, { json: true, app: "products" });
  const routes: { method: string; pattern: string; takes: unknown }[] = JSON.parse(out);
  const of = (line: string): unknown =>
    routes.find(({ method, pattern }) => `${method} ${pattern}` === line)?.takes;
  assert.equal(of("GET /products/"), [
    {
      in: "query",
      name: "page",
      key: "page",
      required: false,
      default: 1,
      schema: { type: "integer", maximum: 9 },
    },
    {
      in: "query",
      name: "tag",
      key: "tag",
      required: false,
      schema: { type: "array", items: { type: "string" } },
    },
  ]);
  const ref = { $ref: "#/$defs/NewProduct" };
  const schema = {
    type: "object",
    properties: { name: { type: "string" }, parts: { type: "array", items: ref } },
    required: ["name"],
  };
  assert.equal(of("POST /products/"), [
    { in: "body", name: "given", required: true, schema: { ...ref, $defs: { NewProduct: schema } } },
    { in: "api-key", name: "key", key: "x-api-key", required: true, schema: { type: "string" } },
  ]);
});

test("filters leave the routes that match all of them, and the total says of how many", async ({ root }) => {
  const cases: [Given, string[]][] = [
    [{ app: "users" }, ["GET /users/by/id/<user_id>", "GET /users/by/username/<username>"]],
    [{ method: "DELETE" }, ["DELETE /products/item"]],
    [{ method: "delete" }, ["DELETE /products/item"]],
    [{ path: "featured" }, ["GET /products/featured/items"]],
    [{ path: "/items", method: "post" }, ["POST /items"]],
    [{ app: "products", method: "post" }, ["POST /products/"]],
    [{ path: "nowhere" }, []],
  ];
  for (const [options, expected] of cases) {
    const { out } = await list(root, { ...options, jsonl: true });
    const lines = out === "" ? [] : out.split("\n").map((line) => JSON.parse(line));
    assert.equal(
      lines.map(({ method, pattern }) => `${method} ${pattern}`),
      expected,
    );
    assert.match((await list(root, options)).out, `${expected.length} of 10 routes`);
  }
});

test("--sort orders by a column, and what is equal there stays in the order of the paths", async ({
  root,
}) => {
  const first: [string, string][] = [
    ["pattern", "GET /"],
    ["method", "GET /"],
    ["handler", "DELETE /products/item"],
    ["location", "GET /products/"],
    ["app", "GET /users/by/id/<user_id>"],
  ];
  for (const [sort, expected] of first) {
    const { out } = await list(root, { sort, json: true });
    const routes = JSON.parse(out);
    assert.is(`${routes[0].method} ${routes[0].pattern}`, expected, sort);
    assert.is(routes.length, 10);
  }
});

test("an unknown app, method or order, and two formats are wrong usage, with did-you-mean", async ({
  root,
}) => {
  const cases: [Given, RegExp, RegExp][] = [
    [{ app: "user" }, /no app "user"/, /users/],
    [{ app: "zzz" }, /no app "zzz"/, /users, products/],
    [{ method: "GTE" }, /no method "GTE"/, /GET/],
    [{ sort: "patern" }, /no order "patern"/, /pattern/],
    [{ json: true, markdown: true }, /two formats/, /one/],
  ];
  for (const [options, message, hint] of cases) {
    const error = await refusal(list(root, options));
    assert.match(error.message, message);
    assert.match(error.hint ?? "", hint);
  }
});

test("outside a project that is what is told", async ({ root }) => {
  rmSync(join(root, "framework.toml"));
  assert.match((await refusal(list(root))).message, /framework\.toml/);
});

test("with errors what can be listed is listed, the diagnostics follow on stderr, and the status is 1", async ({
  root,
}) => {
  writeFiles(root, {
    "apps/users/views.ts": "export function get_by_id(...ids: number[]) {}\nexport function getAll() {}\n",
  });
  const { out, err, status } = await list(root);
  assert.is(status, 1);
  assert.match(out, "8 routes: 5 in 1 app, 3 under routes/");
  assert.match(err, "error FW302");
  assert.match(err, "apps/users/views.ts:1:27\n    1 | export function get_by_id(...ids: number[]) {}\n");
  assert.match(err, "warning FW202");
  assert.match(err, "1 error, 1 warning");
  const json = await list(root, { json: true });
  assert.is(JSON.parse(json.out).length, 8);
  assert.is(json.status, 1);
});

test("with warnings only the status is 0", async ({ root }) => {
  writeFiles(root, { "apps/orders/app.toml": "" });
  const { err, status } = await list(root);
  assert.is(status, 0);
  assert.match(err, "warning FW112");
});

test("a project without routes says how to get one", async ({ root }) => {
  rmSync(join(root, "routes"), { recursive: true });
  rmSync(join(root, "apps"), { recursive: true });
  writeFiles(root, {
    "framework.toml": 'apps = ["shop"]',
    "apps/shop/app.toml": "",
    "apps/shop/views.ts": "",
  });
  const withApp = await list(root);
  assert.is(
    withApp.out,
    "No routes yet. Write one with: npx framework generate handler get_index --app shop",
  );
  assert.is(withApp.status, 0);
  rmSync(join(root, "apps"), { recursive: true });
  writeFiles(root, { "framework.toml": "" });
  const { out, status } = await list(root);
  assert.is(out, "No routes yet. Write one with: npx framework generate route index get");
  assert.is(status, 0);
});

test.run();
