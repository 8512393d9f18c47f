import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder, writeFiles } from "#convention/folder.fixture";
import { takeLock } from "#generators/changes/lock";
import { UsageError } from "../command.ts";
import { type Printed, type } from "../typed.fixture.ts";

const SAMPLE: Record<string, string> = {
  "framework.toml": 'apps = ["products", "users"]\n',
  "apps/products/app.toml": '[app]\nprefix = "/products"\n',
  "apps/products/views.ts": "export function get_all() {\n  return { products: [] };\n}\n",
  "apps/users/app.toml": '[app]\nprefix = "/users"\n',
  "apps/users/views.ts": "export function get_by_name(name: string) {\n  return { name };\n}\n",
};

const test = suite<{ root: string }>("framework generate");

test.before.each((context) => {
  context.root = createFolder(SAMPLE);
});
test.after.each(({ root }) => rmSync(root, { recursive: true }));

/** What a person sees who types the line after `framework generate`. */
function generate(root: string, line: string): Promise<Printed> {
  return type(root, `generate ${line}`);
}

test("a handler: what was written, and the URL and place that now exist", async ({ root }) => {
  const { status, out } = await generate(root, "handler post_index --app products");
  assert.is(status, 0);
  assert.is(
    out,
    `changed  apps/products/views.ts
created  tests/products.test.ts

POST http://localhost:8000/products/  apps/products/views.ts:8:23`,
  );
});

test("an app", async ({ root }) => {
  const { out } = await generate(root, "app orders --prefix /api/orders");
  assert.is(
    out,
    `created  apps/orders/app.toml
created  apps/orders/views.ts
created  tests/orders.test.ts
changed  framework.toml

GET http://localhost:8000/api/orders/  apps/orders/views.ts:2:17`,
  );
  assert.is(readFileSync(join(root, "framework.toml"), "utf8"), 'apps = ["products", "users", "orders"]\n');
});

test("a route, from a folder below the root, at the project's own address", async ({ root }) => {
  writeFiles(root, { "framework.toml": 'apps = []\n[server]\nhost = "::"\nport = 9000\n' });
  const { out } = await generate(join(root, "apps/users"), "route reviews get delete review_id:int");
  assert.is(
    out,
    `created  routes/reviews.ts
created  tests/reviews.test.ts

GET    http://localhost:9000/reviews/<review_id>  routes/reviews.ts:4:17
DELETE http://localhost:9000/reviews/<review_id>  routes/reviews.ts:9:17`,
  );
});

test("an app from the method and path of its first handler", async ({ root }) => {
  const { out } = await generate(root, "app POST /api/v1/orders");
  assert.match(out, "POST http://localhost:8000/api/v1/orders/  apps/orders/views.ts:4:23");
  assert.match(
    (await generate(root, "app POST /api/v1/orders")).out,
    "POST /api/v1/orders/ is there already",
  );
  const other = await generate(root, "app GET /api/v1/orders");
  assert.match(other.out, "Add the route with: npx framework generate handler GET /api/v1/orders/");
});

test("a route from several methods and its path", async ({ root }) => {
  const { out } = await generate(root, "route GET post /reviews/[id] id:int --json");
  const routes = JSON.parse(out).made.map(({ route }: { route: string }) => route);
  assert.equal(routes, ["GET /reviews/<id>", "POST /reviews/<id>"]);
});

test("asked twice, it says that all is there, with status 0", async ({ root }) => {
  await generate(root, "route GET /reviews");
  const { status, out } = await generate(root, "route /reviews GET");
  assert.is(status, 0);
  assert.is(out, "GET /reviews is there already: routes/reviews.ts:2:17");
});

test("a dry run prints a diff and writes nothing", async ({ root }) => {
  writeFiles(root, { "tests/products.test.ts": "// mine\n" });
  const { status, out } = await generate(root, "handler get_one id:int --app products --dry-run");
  assert.is(status, 0);
  assert.is(
    out,
    `--- a/apps/products/views.ts
+++ b/apps/products/views.ts
@@ -1,3 +1,10 @@
+import type { int } from "framework";
+
 export function get_all() {
   return { products: [] };
 }
+
+// GET /products/one/<id>
+export function get_one(id: int) {
+  return { id };
+}`,
  );
  assert.is(readFileSync(join(root, "apps/products/views.ts"), "utf8"), SAMPLE["apps/products/views.ts"]);
});

test("control characters of a file do not reach the terminal with its diff", async ({ root }) => {
  writeFiles(root, { "apps/products/views.ts": `${SAMPLE["apps/products/views.ts"]}// \x1b[2J\tx\r\n` });
  const { out } = await generate(root, "handler get_one --app products --dry-run");
  assert.match(out, "// \\x1b[2J\tx\r\n");
});

test("with --json a program reads what was made", async ({ root }) => {
  const { out } = await generate(root, "route reviews get --json");
  assert.equal(JSON.parse(out), {
    made: [
      {
        route: "GET /reviews",
        url: "http://localhost:8000/reviews",
        file: "routes/reviews.ts",
        line: 2,
        column: 17,
      },
    ],
    present: [],
    files: [
      { file: "routes/reviews.ts", change: "created" },
      { file: "tests/reviews.test.ts", change: "created" },
    ],
    notes: [],
  });
});

test("with --json a program reads why nothing was made", async ({ root }) => {
  const { status, out } = await generate(root, "handler get_x --app product --json");
  assert.is(status, 2);
  assert.is(JSON.parse(out).diagnostics[0].code, "FW602");
});

test("a refusal goes to stderr with its place, reason and suggestion", async ({ root }) => {
  const { status, out, err } = await generate(root, "route products/all get");
  assert.is(status, 1);
  assert.is(out, "");
  assert.is(
    err,
    `error FW610 \`get_all\` in apps/products/views.ts already serves GET /products/all.
  apps/products/views.ts:1:17
    1 | export function get_all() {
      |                 ^^^^^^^
  hint: Choose another path or param type, or change that handler.`,
  );
});

const MISUSED: [line: string, words: string][] = [
  ["handler", "post_index --app products"],
  ["handler get_all", "--app with one of products, users"],
  ["handler GET", "get_all"],
  ["handler get all", "get_all"],
  ["handler /products/all", "GET /products/all"],
  ["app", "framework generate app orders"],
  ["handler TRACE /products/x", 'no method "TRACE". There is GET, POST'],
  ["route x foo", "missing. They are get, post"],
  ["route x id:int", "As in: framework generate route x get"],
  ["handler GTE /products/x", "Did you mean GET?"],
  ["app a b", "one name"],
  ["app GET /", "no segment to name the app after. As in: framework generate app shop --prefix /"],
  ["app GET /x y", "one name"],
  ["app GET /x --prefix /y", "one prefix"],
  ["route", "framework generate route reviews get post"],
  ["route reviews", "framework generate route reviews get"],
  ["handler get_all --ap products", "--app"],
];

for (const [line, words] of MISUSED) {
  test(`"${line}" is wrong usage, and an example is shown`, async ({ root }) => {
    const error = await generate(root, line).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof UsageError)) throw error ?? new Error("It was accepted.");
    assert.match(`${error.message} ${error.hint}`, words);
  });
}

test("a method that is misspelt is refused, with the right one", async ({ root }) => {
  const { err } = await generate(root, "route reviews gte");
  assert.match(err, "Did you mean `get`?");
});

test("a method of HTTP that no route can have is not taken for a param", async ({ root }) => {
  const { status, err } = await generate(root, "route x get TRACE");
  assert.is(status, 2);
  assert.match(err, "FW602 `TRACE` is neither a method nor a param.");
  assert.match(err, "The methods are get, post");
});

test("a path that can't be served is told before its methods are asked for", async ({ root }) => {
  assert.match((await generate(root, "route ..")).err, "dot segment");
});

test("a handler's name with a path is not taken for a method", async ({ root }) => {
  assert.match((await generate(root, "handler get_x /products/x --app products")).err, "FW601");
});

test("`del` is DELETE, as it is in a route file, and with `delete` it is the same", async ({ root }) => {
  for (const [line, route] of [
    ["route x del", "/x"],
    ["route y del delete", "/y"],
    ["route DEL /z", "/z"],
    ["handler DEL /products/x", "/products/x"],
  ] as const) {
    const { status, out } = await generate(root, `${line} --json`);
    assert.is(status, 0);
    const routes = JSON.parse(out).made.map((one: { route: string }) => one.route);
    assert.equal(routes, [`DELETE ${route}`]);
  }
});

test("what names an app or a method that there is not is wrong usage; what the project refuses has failed", async ({
  root,
}) => {
  const cases: [line: string, status: number][] = [
    ["handler get_x --app nope", 2],
    ["route reviews gte", 2],
    ["handler get__x --app users", 1],
    ["route products/all get", 1],
  ];
  for (const [line, status] of cases) assert.is((await generate(root, line)).status, status, line);
  writeFiles(root, { "framework.toml": "apps = [\n" });
  assert.is((await generate(root, "handler get_x --app users")).status, 1);
});

test("JSON that is printed holds nothing that a terminal would obey, and reads back as what was typed", async ({
  root,
}) => {
  const { out } = await generate(root, "handler get_\u202egnp\x9b2J --app products --json");
  assert.not.match(out, /[\x7f-\x9f\u202e]/);
  assert.match(JSON.parse(out).diagnostics[0].message, "\u202egnp\x9b2J");
});

test("a name that differs from another only by case is refused, since not every system tells them apart", async ({
  root,
}) => {
  writeFiles(root, {
    "routes/items.ts": "export function get() {}\n",
    "routes/admin/users.ts": "export function get() {}\n",
    "apps/orders/views.ts": "",
  });
  const lines: [line: string, told: RegExp][] = [
    ["route Items put", /FW601 routes\/Items\.ts .* routes\/items\.ts only by case.*\n.*`items`/],
    ["route Admin/teams get", /FW601 routes\/Admin\/teams\.ts .*\n.*`admin\/teams`/],
    ["app Users", /FW608 .*`users`[\s\S]*Choose another name/],
    ["app Orders", /FW608 .*`orders`/],
  ];
  for (const [line, told] of lines) {
    const { status, err } = await generate(root, line);
    assert.is(status, 1, line);
    assert.match(err, told);
  }
  assert.equal(readdirSync(join(root, "routes")).sort(), ["admin", "items.ts"]);
  assert.equal(readdirSync(join(root, "apps")).sort(), ["orders", "products", "users"]);
  assert.not.ok(existsSync(join(root, "tests")));
});

test("the test of a path that differs from another's only by case goes into that one's file", async ({
  root,
}) => {
  await generate(root, "handler get_index --app products");
  const { out } = await generate(root, "route Products get");
  assert.match(out, "created  routes/Products.ts\nchanged  tests/products.test.ts\n");
  assert.equal(readdirSync(join(root, "tests")), ["products.test.ts"]);
});

const AT_ONCE: readonly (readonly [line: string, message: RegExp])[] = [
  ["generate handler", /^"framework generate handler" needs <name>/],
  ["generate handler /products", /^A path needs its method/],
  ["generate app", /^"framework generate app" needs <name>/],
  ["generate route", /^"framework generate route" needs <path>/],
];
for (const [line, message] of AT_ONCE) {
  test(`\`${line}\` is refused at once, though another command has the project's turn`, async ({ root }) => {
    const lock = await takeLock(root, assert.unreachable);
    assert.ok("release" in lock);
    try {
      await type(root, line);
      assert.unreachable();
    } catch (error) {
      assert.instance(error, UsageError);
      assert.match((error as UsageError).message, message);
    } finally {
      lock.release();
    }
  });
}

test("a param that can't be one is refused at once, too", async ({ root }) => {
  const lock = await takeLock(root, assert.unreachable);
  const { status, err } = await type(root, "generate handler get_x id:float --app products");
  assert.is(status, 1);
  assert.match(err, /float/);
  if ("release" in lock) lock.release();
});

test.run();
