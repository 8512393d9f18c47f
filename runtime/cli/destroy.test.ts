import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder } from "../convention/folder.fixture.ts";
import { UsageError } from "./command.ts";
import { type } from "./typed.fixture.ts";

const SAMPLE: Record<string, string> = {
  "framework.toml": 'apps = ["products", "users"]\n',
  "apps/products/app.toml": '[app]\nprefix = "/products"\n',
  "apps/products/views.ts": "export function get_all() {\n  return { products: [] };\n}\n",
  "apps/users/app.toml": '[app]\nprefix = "/users"\n',
  "apps/users/views.ts": "export function get_by_name(name: string) {\n  return { name };\n}\n",
};

const test = suite<{ root: string }>("framework destroy");

test.before.each((context) => {
  context.root = createFolder(SAMPLE);
});
test.after.each(({ root }) => rmSync(root, { recursive: true }));

test("an app: what was removed and changed, and the route that is gone", async ({ root }) => {
  await type(root, "generate app orders");
  const { status, out } = await type(root, "destroy app orders");
  assert.is(status, 0);
  assert.is(
    out,
    `removed  apps/orders/views.ts
removed  tests/orders.test.ts
removed  apps/orders/app.toml
changed  framework.toml

GET /orders/ is served no more.`,
  );
  assert.is(readFileSync(join(root, "framework.toml"), "utf8"), SAMPLE["framework.toml"]);
  assert.not(existsSync(join(root, "apps/orders")));
});

const ABSENT: [line: string, says: string][] = [
  ["destroy app orders", "The app `orders` is not there: framework.toml does not list it."],
  ["destroy handler get_x --app users", "`get_x` is not there: apps/users/views.ts serves no such route."],
  ["destroy handler GET /users/x", "`get_x` is not there: apps/users/views.ts serves no such route."],
  ["destroy route GET /reviews", "GET /reviews is not there: routes/reviews.ts serves no such route."],
];

for (const [line, says] of ABSENT) {
  test(`"${line}" where there is none says so, with status 0`, async ({ root }) => {
    assert.equal(await type(root, line), { status: 0, out: says, err: "" });
  });
}

test("an app and routes are named by methods and path too", async ({ root }) => {
  for (const line of ["app GET /api/orders", "route GET POST /reviews"]) {
    await type(root, `generate ${line}`);
    const { status, out } = await type(root, `destroy ${line}`);
    assert.is(status, 0);
    assert.match(out, "is served no more.");
  }
  assert.not(existsSync(join(root, "apps/orders")) || existsSync(join(root, "routes")));
});

test("a handler is named by its method and path too", async ({ root }) => {
  await type(root, "generate handler GET /products/featured/items");
  const { out } = await type(root, "destroy handler GET /products/featured/items");
  assert.match(out, "GET /products/featured/items is served no more.");
  assert.is(readFileSync(join(root, "apps/products/views.ts"), "utf8"), SAMPLE["apps/products/views.ts"]);
});

test("a dry run prints a diff and takes nothing out", async ({ root }) => {
  await type(root, "generate route reviews get");
  const { out } = await type(root, "destroy route reviews get --dry-run");
  assert.match(
    out,
    `--- a/routes/reviews.ts
+++ /dev/null
@@ -1,4 +0,0 @@
-// GET /reviews
-export function get() {`,
  );
  assert.ok(existsSync(join(root, "routes/reviews.ts")));
});

test("what was edited is shown, with status 1, and stays", async ({ root }) => {
  await type(root, "generate handler get_one id:int --app products");
  const file = join(root, "apps/products/views.ts");
  writeFileSync(file, readFileSync(file, "utf8").replace("{ id }", "{ id, mine: true }"));
  const { status, out, err } = await type(root, "destroy handler get_one --app products");
  assert.is(status, 1);
  assert.is(out, "");
  assert.is(
    err,
    `error FW617 \`get_one\` is not as a generator writes it, so nothing was taken out.
  apps/products/views.ts:7:17
    7 | export function get_one(id: int) {
      |                 ^^^^^^^
  hint: Take it out by hand if it is not needed any more.

From what a generator writes (-) to what is there (+):

--- a/apps/products/views.ts
+++ b/apps/products/views.ts
@@ -5,5 +5,5 @@
 }
 
 export function get_one(id: int) {
-  return { id };
+  return { id, mine: true };
 }`,
  );
});

test("with --json a program reads what is gone, what was not there, and what differs", async ({ root }) => {
  await type(root, "generate route reviews get");
  assert.equal(JSON.parse((await type(root, "destroy route reviews get post --json")).out), {
    gone: ["GET /reviews"],
    absent: ["POST /reviews is not there: routes/reviews.ts serves no such route."],
    notes: [],
    files: [
      { file: "routes/reviews.ts", change: "removed" },
      { file: "tests/reviews.test.ts", change: "removed" },
    ],
  });
  const { status, out } = await type(root, "destroy handler get_all --app products --json");
  assert.is(status, 1);
  assert.match(JSON.parse(out).diff, "-  return { items: [] };\n+  return { products: [] };");
});

const MISUSED: [line: string, words: string][] = [
  ["handler get_x", "--app with one of products, users"],
  ["handler", "framework destroy handler post_index --app products"],
  ["app", "framework destroy app orders"],
  ["app a b", "one name"],
  ["route reviews", "framework destroy route reviews get"],
  ["handler TRACE /products/x", 'no method "TRACE"'],
];

for (const [line, words] of MISUSED) {
  test(`"destroy ${line}" is wrong usage, and an example is shown`, async ({ root }) => {
    const error = await type(root, `destroy ${line}`).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof UsageError)) throw error ?? new Error("It was accepted.");
    assert.match(`${error.message} ${error.hint}`, words);
  });
}

test("what names an app that there is not is wrong usage", async ({ root }) => {
  const { status, err } = await type(root, "destroy handler get_x --app user");
  assert.is(status, 2);
  assert.match(err, "Did you mean `users`?");
});

test.run();
