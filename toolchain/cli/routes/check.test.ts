import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder, writeFiles } from "#convention/folder.fixture";
import { UsageError } from "../command.ts";
import { type Given, given, type Printed, print } from "../typed.fixture.ts";
import { routesCheck } from "./check.ts";

const test = suite<{ root: string }>("routes check");

const SOUND = {
  "framework.toml": 'apps = ["users"]\n',
  "apps/users/app.toml": '[app]\nprefix = "/users"\n',
  "apps/users/views.ts": 'throw new Error("loaded");\nexport function get_all() {}\n',
};
const WARNING = { "apps/orders/app.toml": "" };
const ERROR = { "routes/items.ts": "export function get(...ids: number[]) {}\n" };
const INFO = { "routes/silent.ts": "" };

test.before.each((context) => {
  context.root = createFolder(SOUND);
});
test.after.each(({ root }) => rmSync(root, { recursive: true, force: true }));

async function check(cwd: string, options: Given = {}): Promise<Printed> {
  return print((terminal) => routesCheck.run({ cwd, words: [], ...given(options), terminal }));
}

test("a sound project has no diagnostics, and nothing of it is run", async ({ root }) => {
  assert.equal(await check(root), { status: 0, out: "No problems in 1 route.", err: "" });
});

test("every diagnostic is shown with its line and what to do, and counted", async ({ root }) => {
  writeFiles(root, { ...ERROR, ...WARNING });
  const { out, status } = await check(root);
  assert.is(
    out,
    `warning FW112 apps/orders/ looks like an app, but framework.toml does not list it, so nothing in it is served.
  apps/orders/app.toml:1:1
    1 | 
      | ^
  hint: Add "orders" to \`apps\`, or move the folder out of apps/.

error FW302 \`get\` has a rest parameter, but a route has a fixed number of segments.
  routes/items.ts:1:21
    1 | export function get(...ids: number[]) {}
      |                     ^
  hint: Name each param: (request: Request, id: int).

1 error, 1 warning`,
  );
  assert.is(status, 1);
});

test("what is left of an app that was deleted by hand is named", async ({ root }) => {
  writeFiles(root, { "framework.toml": 'apps = ["users", "orders"]\n', "tests/orders.test.ts": "" });
  const { out, status } = await check(root);
  assert.is(status, 1);
  assert.match(out, "framework.toml:1:18");
  assert.match(out, "or remove it from the list, and delete tests/orders.test.ts.");
});

test("files and folders that differ only by case are told, where nothing else is wrong with them", async ({
  root,
}) => {
  if (existsSync(join(root, "FRAMEWORK.TOML"))) return; // such a system has only one of them
  const handler = "export function get() {}\n";
  writeFiles(root, {
    "routes/items.ts": handler,
    "routes/Items.ts": handler,
    "routes/a/x.ts": handler,
    "routes/A/y.ts": handler,
    "apps/users/Views.ts": handler,
    "apps/Users/lib.ts": handler,
  });
  const { out, status } = await check(root);
  assert.is(
    out,
    `warning FW210 apps/Users and apps/users differ only by case, so on macOS and Windows only one of them can exist.
  apps/Users:1:1
  apps/users:1:1
  hint: Rename one of them.

warning FW210 apps/users/Views.ts and apps/users/views.ts differ only by case, so on macOS and Windows only one of them can exist.
  apps/users/Views.ts:1:1
    1 | export function get() {}
      | ^^^^^^
  apps/users/views.ts:1:1
    1 | throw new Error("loaded");
      | ^^^^^
  hint: Rename one of them.

warning FW210 routes/A and routes/a differ only by case, so on macOS and Windows only one of them can exist.
  routes/A:1:1
  routes/a:1:1
  hint: Rename one of them.

warning FW210 routes/Items.ts and routes/items.ts differ only by case, so on macOS and Windows only one of them can exist.
  routes/Items.ts:1:1
    1 | export function get() {}
      | ^^^^^^
  routes/items.ts:1:1
    1 | export function get() {}
      | ^^^^^^
  hint: Rename one of them.

4 warnings`,
  );
  assert.is(status, 0);
});

test("files whose names macOS holds for one are told, which write an accent in two ways", async ({
  root,
}) => {
  const composed = "routes/caf\u00e9.ts";
  const decomposed = "routes/cafe\u0301.ts";
  writeFiles(root, { [composed]: "export function get() {}\n" });
  if (existsSync(join(root, decomposed))) return; // such a system has only one of them
  writeFiles(root, { [decomposed]: "export function get() {}\n" });
  const { out, status } = await check(root);
  const told = `warning FW210 ${decomposed} and ${composed} differ only by case or by how accents are written, so on macOS only one of them can exist.\n`;
  assert.ok(out.includes(told), out);
  assert.is(status, 0);
});

test("a pipe in the place of a file is told, and never waited for", async ({ root }) => {
  if (process.platform === "win32") return;
  writeFiles(root, { "routes/index.ts": "export function get() {}\n" });
  rmSync(join(root, "apps/users/views.ts"));
  execFileSync(
    "mkfifo",
    ["routes/x.ts", "apps/users/views.ts"].map((file) => join(root, file)),
  );
  const { out, status } = await check(root);
  assert.match(out, "error FW113 routes/x.ts can't be read: it is not a file, or it is a link to nothing");
  assert.match(out, "error FW113 apps/users/views.ts can't be read: it is not a file");
  assert.is(status, 1);
});

test("the exit status is 1 with an error, and with a warning where that is asked for", async ({ root }) => {
  const cases: [files: Record<string, string>, strict: boolean, status: number][] = [
    [{}, true, 0],
    [INFO, true, 0],
    [WARNING, false, 0],
    [WARNING, true, 1],
    [ERROR, false, 1],
  ];
  for (const [files, strict, status] of cases) {
    rmSync(root, { recursive: true });
    writeFiles(root, { ...SOUND, ...files });
    const options: Given = strict ? { "warnings-as-errors": true } : {};
    assert.is((await check(root, options)).status, status, JSON.stringify(files));
    assert.is((await check(root, { ...options, json: true })).status, status);
  }
});

test("--json is an array with the code, severity, message, hint and places of each", async ({ root }) => {
  assert.equal(JSON.parse((await check(root, { json: true })).out), []);
  writeFiles(root, ERROR);
  const [diagnostic] = JSON.parse((await check(root, { json: true })).out);
  assert.equal(Object.keys(diagnostic), ["code", "severity", "message", "hint", "locations"]);
  assert.equal([diagnostic.code, diagnostic.severity], ["FW302", "error"]);
  assert.equal(diagnostic.locations, [{ file: "routes/items.ts", line: 1, column: 21 }]);
});

test("a folder outside of any project is wrong usage", async ({ root }) => {
  rmSync(join(root, "framework.toml"));
  assert.instance(await check(root).catch((thrown: unknown) => thrown), UsageError);
});

test.run();
