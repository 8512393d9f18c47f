import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { createFolder, writeFiles } from "#convention/folder.fixture";
import { type Printed, type as typeIn } from "../typed.fixture.ts";

const test = suite<{ root: string }>("openapi");

const SAMPLES = {
  "framework.toml": 'apps = ["users"]\n',
  "apps/users/app.toml": '[app]\nprefix = "/users"\n',
  "apps/users/views.ts": `import type { int } from "framework";
throw new Error("loaded");
export function get_by_id(user_id: int) {}
export function get_by_name(name: string) {}
`,
};

test.before.each((context) => {
  context.root = createFolder(SAMPLES);
});
test.after.each(({ root }) => rmSync(root, { recursive: true, force: true }));

/** Without what is inferred: nothing is installed here. */
function type(root: string, line: string): Promise<Printed> {
  return typeIn(root, `${line} --no-infer`);
}

async function failure(run: Promise<unknown>): Promise<Error> {
  const error = await run.catch((thrown: unknown) => thrown);
  if (error instanceof Error) return error;
  throw new Error("It did not fail.");
}

test("the document is printed, and nothing of the project is run", async ({ root }) => {
  const { status, out } = await type(root, "openapi");
  assert.equal(Object.keys(JSON.parse(out).paths), ["/users/by/id/{user_id}", "/users/by/name/{name}"]);
  assert.is(status, 0);
});

test("--yaml prints the same document", async ({ root }) => {
  const [json, yaml] = [await type(root, "openapi"), await type(root, "openapi --yaml")];
  assert.match(yaml.out, /^openapi: "3\.1\.1"\n/);
  assert.equal(parse(yaml.out), JSON.parse(json.out));
});

test("--output writes a file, and leaves one that has the text already as it is", async ({ root }) => {
  const { out } = await type(root, "openapi");
  assert.equal(await type(root, "openapi --output openapi.json"), {
    status: 0,
    out: "openapi.json: 2 routes",
    err: (await type(root, "openapi")).err,
  });
  const path = join(root, "openapi.json");
  assert.is(readFileSync(path, "utf8"), `${out}\n`);
  const { mtimeMs } = statSync(path);
  assert.is((await type(root, "openapi -o openapi.json")).out, "openapi.json: 2 routes, unchanged");
  assert.is(statSync(path).mtimeMs, mtimeMs);
});

test("the name of a file says whether it is YAML", async ({ root }) => {
  await type(root, "openapi --output openapi.yml");
  assert.match(readFileSync(join(root, "openapi.yml"), "utf8"), /^openapi: /);
  assert.is((await type(root, "openapi --check openapi.yml")).status, 0);
});

test("a file that can't be written is a message, and nothing is left beside it", async ({ root }) => {
  const before = readdirSync(root);
  const { message } = await failure(type(root, "openapi --output nowhere/openapi.json"));
  assert.is(message, "nowhere/openapi.json can't be written: there is no such folder.");
  assert.equal(readdirSync(root), before);
});

test("--check says with 1 that a file differs, and from which line, and changes nothing", async ({
  root,
}) => {
  await type(root, "openapi --output openapi.json");
  assert.is((await type(root, "openapi --check openapi.json")).status, 0);
  const path = join(root, "openapi.json");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replaceAll("\n", "\r\n"));
  assert.is((await type(root, "openapi --check openapi.json")).status, 0, "git may write other line ends");
  for (const [other, line] of [
    [text.replace("3.1.1", "3.1.0"), 2],
    [`${text}\n`, text.split("\n").length],
    [text.slice(0, -3), text.split("\n").length - 1],
  ] as const) {
    writeFileSync(path, other);
    const { status, out, err } = await type(root, "openapi --check openapi.json");
    assert.equal([status, out], [1, ""]);
    assert.match(err, `error openapi.json is not what the routes say: line ${line} differs.`);
    assert.is(readFileSync(path, "utf8"), other);
  }
});

test("--check of a file that is not there says how to write it", async ({ root }) => {
  const { status, err } = await type(root, "openapi --check openapi.json");
  assert.is(status, 1);
  assert.match(
    err,
    "error There is no openapi.json.\n  hint: Write it with: npx framework openapi --output openapi.json",
  );
  assert.not.ok(existsSync(join(root, "openapi.json")));
});

test("--output and --check are one or the other", async ({ root }) => {
  const { name } = await failure(type(root, "openapi --output a.json --check a.json"));
  assert.is(name, "UsageError");
});

test("stderr has one line on what is not known, and with --notes each of them with its place", async ({
  root,
}) => {
  writeFiles(root, {
    "apps/users/views.ts": 'import type { int } from "framework";\nexport function get_index(a: int) {}\n',
    "routes/users.ts": "export function get(b: string) {}\n",
  });
  assert.match(
    (await type(root, "openapi")).err,
    /^\d+ notes? on what the document leaves open\. --notes shows them\.$/m,
  );
  const { err, status } = await type(root, "openapi --notes");
  assert.match(
    err,
    "info FW930 In OpenAPI, GET /users/<b> is the same as GET /users/<a>, so the document leaves it out.\n  routes/users.ts:1:17\n",
  );
  assert.is(status, 0);
});

test("a project with errors has no document", async ({ root }) => {
  writeFiles(root, { "routes/a.ts": "export function get(a: Map<string, string>) {}\n" });
  const { name } = await failure(type(root, "openapi --output openapi.json"));
  assert.is(name, "ProjectError");
  assert.not.ok(existsSync(join(root, "openapi.json")));
});

test("a project without routes has a document without paths", async ({ root }) => {
  writeFiles(root, { "framework.toml": "apps = []\n" });
  const { status, out } = await type(root, "openapi");
  assert.equal([status, JSON.parse(out).paths], [0, {}]);
});

test.run();
