import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";

import { type CommandInput, UsageError } from "./command.ts";
import { routesCheck } from "./routes-check.ts";

const test = suite<{ root: string }>("routes check");

const SOUND = {
  "framework.toml": 'apps = ["users"]\n',
  "apps/users/app.toml": 'prefix = "/users"\n',
  "apps/users/views.ts": 'throw new Error("loaded");\nexport function get_all() {}\n',
};
const WARNING = { "apps/orders/app.toml": "" };
const ERROR = { "routes/items.ts": "export function get(...ids: number[]) {}\n" };
const INFO = { "routes/silent.ts": "" };

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}

test.before.each((context) => {
  context.root = realpathSync(mkdtempSync(join(tmpdir(), "framework-routes-check-")));
  write(context.root, SOUND);
});
test.after.each(({ root }) => rmSync(root, { recursive: true, force: true }));

interface Printed {
  readonly status: number;
  readonly out: string;
}

async function check(cwd: string, options: CommandInput["options"] = {}): Promise<Printed> {
  const out: string[] = [];
  const print = (text: string): void => void out.push(text);
  const terminal = { columns: 80, color: false, interactive: false, print, printError: print };
  const status = await routesCheck.run({ cwd, words: [], options, terminal });
  return { status, out: out.join("\n") };
}

test("a sound project has no findings, and nothing of it is run", async ({ root }) => {
  assert.equal(await check(root), { status: 0, out: "No findings: 1 route." });
});

test("every finding is shown with its line and what to do, and counted", async ({ root }) => {
  write(root, { ...ERROR, ...WARNING });
  const { out, status } = await check(root);
  assert.is(
    out,
    `warning FW112 apps/orders/ looks like an app, but framework.toml does not list it, so nothing in it is served.
  apps/orders/app.toml:1:1
    1 | 
      | ^
  hint: Add "orders" to \`apps\`, or move the folder out of apps/.

error FW302 \`get\` has a rest parameter, and a route has a fixed number of segments.
  routes/items.ts:1:21
    1 | export function get(...ids: number[]) {}
      |                     ^
  hint: Name each param: (request: Request, id: int).

1 error, 1 warning`,
  );
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
    write(root, { ...SOUND, ...files });
    const options = strict ? { "warnings-as-errors": true } : {};
    assert.is((await check(root, options)).status, status, JSON.stringify(files));
    assert.is((await check(root, { ...options, json: true })).status, status);
  }
});

test("--json is an array with the code, severity, message, hint and places of each", async ({ root }) => {
  assert.equal(JSON.parse((await check(root, { json: true })).out), []);
  write(root, ERROR);
  const [finding] = JSON.parse((await check(root, { json: true })).out);
  assert.equal(Object.keys(finding), ["code", "severity", "message", "hint", "locations"]);
  assert.equal([finding.code, finding.severity], ["FW302", "error"]);
  assert.equal(finding.locations, [{ file: "routes/items.ts", line: 1, column: 21 }]);
});

test("a folder outside of any project is wrong usage", async ({ root }) => {
  rmSync(join(root, "framework.toml"));
  assert.instance(await check(root).catch((thrown: unknown) => thrown), UsageError);
});

test.run();
