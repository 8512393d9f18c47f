import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder, writeFiles } from "#convention/folder.fixture";
import { UsageError } from "../command.ts";
import { type } from "../typed.fixture.ts";

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

GET /orders/ is no longer served.`,
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
    assert.match(out, "is no longer served.");
  }
  assert.not(existsSync(join(root, "apps/orders")) || existsSync(join(root, "routes")));
});

test("a handler is named by its method and path too", async ({ root }) => {
  await type(root, "generate handler GET /products/featured/items");
  const { out } = await type(root, "destroy handler GET /products/featured/items");
  assert.match(out, "GET /products/featured/items is no longer served.");
  assert.is(readFileSync(join(root, "apps/products/views.ts"), "utf8"), SAMPLE["apps/products/views.ts"]);
});

test("a route without methods goes with all that its file serves", async ({ root }) => {
  await type(root, "generate route reviews get post");
  const { status, out } = await type(root, "destroy route reviews");
  assert.is(status, 0);
  assert.match(
    out,
    /^removed {2}routes\/reviews\.ts\n[\s\S]*GET \/reviews is [^\n]*\nPOST \/reviews is no longer served\.$/,
  );
  assert.equal(await type(root, "destroy route reviews"), {
    status: 0,
    out: "routes/reviews.ts is not there, or serves no route.",
    err: "",
  });
});

const README = `# shop\r
\r
<!-- routes -->\r
| Method | Pattern | Params | Handler |\r
| --- | --- | --- | --- |\r
| GET | \`/products/all\` |  | \`get_all\` |\r
| GET    |  \`/users/<name>\` | \`name: str\` | mine |\r
| GET | \`/else\` |  | \`get\` |\r
<!-- end of routes -->\r
| GET | \`/products/all\` |  | another table |\r
`;

/** As the manifest that comes with the framework names them. */
function writeSamples(root: string, files: readonly string[]): void {
  const hash = (file: string): string =>
    createHash("sha256")
      .update(readFileSync(join(root, file), "utf8"))
      .digest("hex");
  const samples = Object.fromEntries(files.map((file) => [file, hash(file)]));
  writeFiles(root, { "vendor/framework/manifest.json": JSON.stringify({ template: { samples } }) });
}

const PRODUCTS = ["apps/products/app.toml", "apps/products/views.ts", "tests/products.test.ts"];

function layProducts(root: string): void {
  writeFiles(root, { "README.md": README, "tests/products.test.ts": "// all of its tests\n" });
  writeSamples(root, PRODUCTS);
}

test("an untouched sample app goes with its tests, its name and its rows in README.md, whatever its line ends", async ({
  root,
}) => {
  layProducts(root);
  for (const file of PRODUCTS) {
    const text = readFileSync(join(root, file), "utf8");
    writeFiles(root, { [file]: text.replaceAll("\n", "\r\n") });
  }
  const { status, out } = await type(root, "destroy app products");
  assert.is(status, 0);
  assert.is(
    out,
    `removed  apps/products/views.ts
removed  apps/products/app.toml
removed  tests/products.test.ts
changed  framework.toml
changed  README.md

GET /products/all is no longer served.`,
  );
  assert.is(
    readFileSync(join(root, "README.md"), "utf8"),
    README.replace("| GET | `/products/all` |  | `get_all` |\r\n", ""),
  );
  assert.not(existsSync(join(root, "apps/products")));
});

test("a row that the table in README.md has twice goes twice", async ({ root }) => {
  layProducts(root);
  const row = "| GET | `/products/all` |  | `get_all` |\r\n";
  writeFiles(root, { "README.md": README.replace(row, row + row) });
  const { status } = await type(root, "destroy app products");
  assert.is(status, 0);
  assert.is(readFileSync(join(root, "README.md"), "utf8"), README.replace(row, ""));
});

const ROW = "| GET | `/products/all` |  | `get_all` |\r\n";

const READMES: readonly (readonly [what: string, before: string, after: string])[] = [
  [
    "lines that end with a carriage return alone",
    README.replaceAll("\n", ""),
    README.replace(ROW, "").replaceAll("\n", ""),
  ],
  [
    "an opening mark without an end above the table",
    `<!-- routes -->\r\n${ROW}\r\n${README}`,
    `<!-- routes -->\r\n${ROW}\r\n${README.replace(ROW, "")}`,
  ],
  [
    "such a table as an example in a block of code",
    `\`\`\`md\r\n<!-- routes -->\r\n${ROW}<!-- end of routes -->\r\n\`\`\`\r\n${README}`,
    `\`\`\`md\r\n<!-- routes -->\r\n${ROW}<!-- end of routes -->\r\n\`\`\`\r\n${README.replace(ROW, "")}`,
  ],
];

for (const [what, before, after] of READMES) {
  test(`of a README.md with ${what}, destroy changes the table's rows and nothing else`, async ({ root }) => {
    layProducts(root);
    writeFiles(root, { "README.md": before });
    assert.is((await type(root, "destroy app products")).status, 0);
    assert.is(readFileSync(join(root, "README.md"), "utf8"), after);
  });
}

const SAMPLE_STAYS: readonly (readonly [
  what: string,
  files: Record<string, string>,
  line: string,
  says: RegExp,
])[] = [
  ...PRODUCTS.map(
    (file) =>
      [
        file,
        { [file]: 'prefix = "/p"\n// mine\n' },
        "app products",
        new RegExp(`^error FW626 ${file} is`),
      ] as const,
  ).slice(1),
  [
    "app.toml",
    { "apps/products/app.toml": 'prefix = "/p"\n' },
    "app products",
    /^error FW626 apps\/products\/app\.toml is/,
  ],
  [
    "nothing, but one handler is named",
    {},
    "handler get_all --app products",
    /FW626 `get_all` in [\s\S]*framework destroy app products/,
  ],
  [
    "nothing, but a route needs a handler of it",
    {
      "routes/x.ts":
        'import { get_all } from "../apps/products/views.ts";\nexport const get = () => get_all();\n',
    },
    "app products",
    /FW619 `get_all` can't be removed: routes\/x\.ts uses it/,
  ],
];
for (const [what, files, line, says] of SAMPLE_STAYS) {
  test(`a sample stays where what was edited is: ${what}`, async ({ root }) => {
    layProducts(root);
    writeFiles(root, files);
    const { status, err } = await type(root, `destroy ${line}`);
    assert.is(status, 1);
    assert.match(err, says);
    for (const file of PRODUCTS) assert.ok(existsSync(join(root, file)), file);
  });
}

test("a sample whose tests were deleted goes, too", async ({ root }) => {
  layProducts(root);
  rmSync(join(root, "tests/products.test.ts"));
  assert.is((await type(root, "destroy app products")).status, 0);
});

test("a sample route goes as a whole, and not in part", async ({ root }) => {
  const text = "export const get = () => 1;\nexport const post = () => 2;\n";
  writeFiles(root, { "routes/items.ts": text, "tests/items.test.ts": "// its tests\n" });
  writeSamples(root, ["routes/items.ts", "tests/items.test.ts"]);
  const part = await type(root, "destroy route items get");
  assert.is(part.status, 1);
  assert.match(part.err, /FW626 `get` in routes\/items\.ts is part of a sample[\s\S]*destroy route items`/);
  const { out } = await type(root, "destroy route items get post");
  assert.match(out, /^removed {2}routes\/items\.ts\nremoved {2}tests\/items\.test\.ts\n\n/);
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
    `error FW617 \`get_one\` differs from what a generator writes, so nothing was removed.
  apps/products/views.ts:7:17
    7 | export function get_one(id: int) {
      |                 ^^^^^^^
  hint: Remove it by hand if you no longer need it.

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
  ["route reviews fetch", "framework destroy route reviews get"],
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
