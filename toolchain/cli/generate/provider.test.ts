import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder, readFiles, writeFiles } from "#convention/folder.fixture";
import { UsageError } from "../command.ts";
import { type Printed, type } from "../typed.fixture.ts";

const SAMPLE: Record<string, string> = {
  "framework.toml": 'apps = ["users"]\n',
  "package.json": '{ "imports": { "#*": "./*" } }\n',
  "apps/users/app.toml": '[app]\nprefix = "/users"\n',
  "apps/users/views.ts": "export function get_index() {\n  return { users: [] };\n}\n",
};

const CURRENT_USER = `import { type Bearer, HttpError } from "framework";

// A handler gets what this returns by From<typeof current_user>.
export function current_user(token: Bearer) {
  // Look it up here, such as in a database. The map is empty, so every request
  // is refused until you do.
  const known = new Map<string, { id: number }>();
  const found = known.get(token);
  if (found === undefined) throw new HttpError(401, "The token is not valid");
  return found;
}
`;

const test = suite<{ root: string }>("framework generate provider");

test.before.each((context) => {
  context.root = createFolder(SAMPLE);
});
test.after.each(({ root }) => rmSync(root, { recursive: true }));

function generate(root: string, line: string): Promise<Printed> {
  return type(root, `generate provider ${line}`);
}

function read(root: string, file: string): string {
  return readFileSync(join(root, file), "utf8");
}

test("a provider has a file of its own, and a test that calls it; how to take its value is printed", async ({
  root,
}) => {
  const { status, out } = await generate(root, "current_user");
  assert.is(status, 0);
  assert.is(
    out,
    `created  providers/current_user.ts
created  tests/current_user.test.ts

Until you write the look-up, it refuses every request with 401.
A handler asks for it with a parameter: me: From<typeof current_user>
In apps/users/views.ts, import it with: import type { current_user } from "../../providers/current_user.ts";
All routes of a folder ask for it with: npx framework generate hooks <folder> --guard current_user`,
  );
  assert.is(read(root, "providers/current_user.ts"), CURRENT_USER);
  assert.is(
    read(root, "tests/current_user.test.ts"),
    `import { rejects } from "node:assert/strict";
import { test } from "uvu";
import { current_user } from "../providers/current_user.ts";

test("current_user refuses an unknown token", async () => {
  await rejects(async () => current_user("unknown"), { status: 401 });
});

test.run();
`,
  );
});

test("with --app it goes to the providers of the app, which a handler of the app imports from there", async ({
  root,
}) => {
  const { out } = await generate(root, "articleBySlug slug --app users");
  assert.match(out, "found: From<typeof articleBySlug>");
  assert.match(out, 'import type { articleBySlug } from "./providers.ts";');
  await generate(root, "note id:int line --app users");
  assert.is(
    read(root, "apps/users/providers.ts"),
    `import { HttpError, type int } from "framework";

// A handler gets what this returns by From<typeof articleBySlug>.
export function articleBySlug(slug: string) {
  // Look it up here, such as in a database. The map is empty, so every request
  // is refused until you do.
  const known = new Map<string, { id: number }>();
  const found = known.get(slug);
  if (found === undefined) throw new HttpError(404, "Not found");
  return found;
}

// A handler gets what this returns by From<typeof note>.
export function note(id: int, line: string) {
  // Look it up here, such as in a database. The map is empty, so every request
  // is refused until you do.
  const known = new Map<string, { id: number }>();
  const found = known.get(\`\${id}/\${line}\`);
  if (found === undefined) throw new HttpError(404, "Not found");
  return found;
}
`,
  );
});

test("an import of types alone stays, and the value has an import of its own", async ({ root }) => {
  writeFiles(root, {
    "apps/users/providers.ts":
      "import type { Bearer, Request } from 'framework'\n\nexport const key = (token: Bearer, request: Request) => [token, request.path]\n",
  });
  await generate(root, "user --app users");
  const text = read(root, "apps/users/providers.ts");
  assert.match(
    text,
    "import type { Bearer, Request } from 'framework'\nimport { HttpError } from 'framework'\n",
  );
  assert.match(text, "throw new HttpError(401, 'The token is not valid')\n");
});

test("asked twice, it says where the provider is, and changes nothing", async ({ root }) => {
  await generate(root, "current_user");
  const before = readFiles(root);
  const { status, out } = await generate(root, "current_user");
  assert.is(status, 0);
  assert.match(out, "`current_user` is there already: providers/current_user.ts\n");
  assert.equal(readFiles(root), before);
});

test("a provider that is there in another form counts, unless the params that are named differ", async ({
  root,
}) => {
  const text = "export const order = async (order_id: number) => ({ order_id });\n";
  writeFiles(root, { "providers/order.ts": text });
  for (const line of ["order", "order order_id", "order order_id:int"])
    assert.match((await generate(root, line)).out, "`order` is there already");
  for (const line of ["order slug", "order order_id:str", "order order_id slug"]) {
    const { status, err } = await generate(root, line);
    assert.is(status, 1, line);
    assert.match(err, "FW608 `order` already exists, with another signature: (order_id: int).");
  }
});

test("a dry run prints a diff and writes nothing", async ({ root }) => {
  const { out } = await generate(root, "current_user --dry-run");
  assert.match(out, "--- /dev/null\n+++ b/providers/current_user.ts\n");
  assert.equal(readFiles(root), SAMPLE);
});

test("with --json a program reads what was made", async ({ root }) => {
  const { out } = await generate(root, "current_user --json");
  assert.equal(JSON.parse(out).files, [
    { file: "providers/current_user.ts", change: "created" },
    { file: "tests/current_user.test.ts", change: "created" },
  ]);
});

test("a test of one's own stays, and that is said", async ({ root }) => {
  writeFiles(root, { "tests/current_user.test.ts": "// mine\n" });
  const { out } = await generate(root, "current_user");
  assert.match(out, "tests/current_user.test.ts was left alone because it is there already");
  assert.is(read(root, "tests/current_user.test.ts"), "// mine\n");
});

const REFUSED: readonly (readonly [line: string, status: 1 | 2, says: string])[] = [
  ["current-user", 1, "as in `current_user`."],
  ["current.user", 1, "as in `current_user`."],
  ["1st", 1, "begin with a letter"],
  ["class", 1, "`class` is a reserved word"],
  ["guard", 1, "`guard` is the name of a hook"],
  ["error", 1, "`error` is the name of a hook"],
  ["HttpError", 1, "needs the name `HttpError`"],
  [
    "get_user",
    1,
    "`get_user` is the name of a handler.\n  hint: Name it after what it provides, as in `current_user`.",
  ],
  ["del", 1, "`del` is the name of a handler"],
  ["x".repeat(101), 1, "can't be the name of a function"],
  ["user id:date", 1, "`date` is not a type"],
  ["user HttpError", 1, "needs the name `HttpError`"],
  ["user id id", 1, "`id` is given twice"],
  ["user --app user", 2, "Did you mean `users`?"],
];

for (const [line, status, says] of REFUSED) {
  test(`"${line.slice(0, 40)}" is refused with a reason, and no file changes`, async ({ root }) => {
    const refused = await generate(root, line);
    assert.is(refused.status, status);
    assert.match(refused.err, says);
    assert.equal(readFiles(root), SAMPLE);
  });
}

test("a file with something else of that name is left alone", async ({ root }) => {
  writeFiles(root, { "apps/users/providers.ts": "function user() {}\nuser();\n" });
  const { status, err } = await generate(root, "user --app users");
  assert.is(status, 1);
  assert.match(err, "FW608 apps/users/providers.ts already has an unexported function named `user`.");
});

for (const line of ["", "--app users"]) {
  test(`"generate provider ${line}" is wrong usage, and an example is shown`, async ({ root }) => {
    const error = await generate(root, line.trim()).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.instance(error, UsageError);
    assert.match(String((error as UsageError).hint), "framework generate provider current_user");
  });
}

test("the request is a parameter to add by hand", async ({ root }) => {
  const error = await generate(root, "session request").catch((thrown: unknown) => thrown);
  assert.instance(error, UsageError);
  assert.equal(readFiles(root), SAMPLE);
});

test.run();
