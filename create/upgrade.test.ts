import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packFolder } from "./archive.ts";
import { watchInterruption } from "./interruption.ts";
import { upgrade } from "./upgrade.ts";

const test = suite<{ cwd: string }>("upgrade");
const VARIABLES = ["TMPDIR", "TEMP", "TMP"] as const;
const before = Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]]));

test.before.each((context) => {
  context.cwd = mkdtempSync(join(tmpdir(), "upgrade-"));
  writeFileSync(join(context.cwd, "framework.toml"), "");
  mkdirSync(join(context.cwd, "template"));
  writeFileSync(join(context.cwd, "template/framework.br"), packFolder(join(context.cwd, "template")));
});
test.after.each(({ cwd }) => {
  for (const name of VARIABLES) {
    const value = before[name];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  rmSync(cwd, { recursive: true });
});

test("an error of the system while unpacking is reported as that, and not as a bug of ours", async ({
  cwd,
}) => {
  for (const name of VARIABLES) process.env[name] = join(cwd, "gone");
  const interruption = watchInterruption();
  assert.equal(await upgrade({ source: cwd, cwd, words: ["--upgrade"], interruption }), {
    status: 1,
    problem: `the newer framework could not be unpacked in ${join(cwd, "gone")} (ENOENT)`,
    hint: "Make sure that this folder is writable and has room, or name another one in TMPDIR.",
  });
});

test.run();
