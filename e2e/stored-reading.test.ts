/** What the commands keep of a large project in the user's cache folder: it is never noticed, but for the time that it saves. */

import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { isolatedEnvironment } from "./harness/environment.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { createFolder } from "./harness/workspace.ts";

const VIEWS = "apps/products/views.ts";
/** Enough that it is worth a file. */
const HANDLERS = 600;

interface Large {
  readonly project: Project;
  /** The folder with what is kept. */
  readonly store: string;
  run(...words: string[]): Promise<string>;
}

async function createLarge(): Promise<Large> {
  const project = await copyProject();
  const cache = createFolder("cache");
  const lines = Array.from(
    { length: HANDLERS },
    (_, at) => `export function get_thing${at}(request: Request, id: int) {\n  return { id };\n}\n`,
  );
  project.write(VIEWS, `import type { int, Request } from "framework";\n${lines.join("")}`);
  return {
    project,
    store: join(cache, "convention-app"),
    async run(...words) {
      const env = { ...isolatedEnvironment(), XDG_CACHE_HOME: cache };
      const { status, stdout, stderr } = await project.framework(words, { env });
      return `${status}\n${stdout}${stderr}`;
    },
  };
}

test("the second command prints what the first one does, and one file is kept, for the user alone", async () => {
  const { store, run } = await createLarge();
  const listed = await run("routes", "list");
  assert.match(listed, "thing599");
  const [kept = "", ...others] = readdirSync(store).map((name) => join(store, name));
  assert.equal(others, []);
  assert.is(statSync(kept).mode & 0o777, 0o600);
  const { mtimeMs } = statSync(kept);
  assert.is(await run("routes", "list"), listed);
  assert.is(await run("routes", "list", "--json"), await run("routes", "list", "--json"));
  assert.is(statSync(kept).mtimeMs, mtimeMs, "what has not changed is not written again");
});

test("an edit, in the file or in what it imports, is seen by the next command", async () => {
  const { project, run } = await createLarge();
  project.write("lib/id.ts", "export type Id = string;\n");
  project.edit(VIEWS, "id: int", 'id: import("../../lib/id.ts").Id');
  assert.match(await run("routes", "match", "GET", "/products/thing0/a"), /^0/);
  project.edit("lib/id.ts", "string", "number");
  assert.match(await run("routes", "match", "GET", "/products/thing0/a"), /^1/);
  project.edit(VIEWS, "get_thing1(", "get_other(");
  const listed = await run("routes", "list");
  assert.match(listed, "/products/other");
  assert.not.match(listed, "/products/thing1/");
  project.edit(VIEWS, "export function get_other(", "export function (");
  assert.match(await run("routes", "check"), "FW301");
});

test("a generator adds to a file that was kept", async () => {
  const { project, run } = await createLarge();
  await run("routes", "list");
  assert.match(await run("generate", "handler", "get_made", "--app", "products"), "/products/made");
  assert.match(await run("generate", "handler", "get_made", "--app", "products"), "is there");
  assert.match(project.read(VIEWS), "get_made");
  assert.match(await run("routes", "list"), "thing599");
});

test("a file that is not whole is not used, and is replaced", async () => {
  const { store, run } = await createLarge();
  const listed = await run("routes", "list");
  const kept = join(store, readdirSync(store)[0] ?? "");
  const whole = readFileSync(kept);
  for (const broken of [
    whole.subarray(0, whole.length - 1),
    Buffer.alloc(0),
    Buffer.concat([whole.subarray(0, 40), Buffer.alloc(whole.length - 40)]),
  ]) {
    writeFileSync(kept, broken);
    assert.is(await run("routes", "list"), listed);
    assert.equal(readFileSync(kept).length, whole.length);
  }
});

test("an edit of the vendored framework counts at once", async () => {
  const { project, run } = await createLarge();
  project.edit(VIEWS, "id: int", "{ id }: { id: int }");
  assert.match(await run("routes", "check"), "hint: Name the parameter");
  project.edit("vendor/framework/convention.js", "Name the parameter,", "My own hint,");
  assert.match(await run("routes", "check"), "hint: My own hint");
});

test("a cache folder that can't be written is no mistake", async () => {
  const { store, run } = await createLarge();
  writeFileSync(store, "");
  assert.match(await run("routes", "list"), "thing599");
});

test("when something is kept, what was kept long ago goes", async () => {
  const { project, store, run } = await createLarge();
  await run("routes", "list");
  const old = join(store, "old");
  writeFileSync(old, "");
  utimesSync(old, 0, 0);
  await run("routes", "list");
  assert.ok(existsSync(old));
  project.edit(VIEWS, "get_thing0(", "get_other(");
  await run("routes", "list");
  assert.not.ok(existsSync(old));
  assert.is(readdirSync(store).length, 1);
});

test("of a small project nothing is kept", async () => {
  const project = await copyProject();
  const cache = createFolder("cache");
  await project.framework(["routes", "list"], { env: { ...isolatedEnvironment(), XDG_CACHE_HOME: cache } });
  assert.equal(readdirSync(cache), []);
});

test.run();
