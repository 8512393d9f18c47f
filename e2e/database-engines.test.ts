/**
 * What `framework/database` promises, on SQLite of each Node that has it, and on a Postgres server. A commit is tried on one of them and
 * on Postgres.
 */

import { cpSync, existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { sample } from "../runtime/random.fixture.ts";
import { run } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { FIRST_WITH_SQLITE, NODES, nodePath, whyNoNodes } from "./harness/nodes.ts";
import { once } from "./harness/once.ts";
import { packOnce } from "./harness/package.ts";
import { startPostgres } from "./harness/postgres.ts";
import { createFolder, REPOSITORY } from "./harness/workspace.ts";
import { writeWhole } from "./harness/write.ts";

const why = await whyNoNodes();
if (why !== undefined) console.log(`Skipped, other versions of Node: ${why}.`);

const ON_POSTGRES = "node24";

/** A project with what the checks import, and no app. */
const projectOnce = once("checked project", async () => {
  const folder = createFolder("engines");
  await packOnce();
  cpSync(join(REPOSITORY, "dist/framework"), join(folder, "vendor/framework"), { recursive: true });
  symlinkSync(join(REPOSITORY, "node_modules"), join(folder, "node_modules"));
  cpSync(join(REPOSITORY, "e2e/database-engines/checks.mjs"), join(folder, "checks.mjs"));
  writeWhole(join(folder, "framework.toml"), "");
  return folder;
});

/** @param place the URL of a server, or a folder. */
async function requirePromises(node: string, place: string): Promise<void> {
  const cwd = await projectOnce();
  const env = { ...isolatedEnvironment(), NODE_ENV: "production" };
  const words = [node, "--import", "./vendor/framework/test.js", "checks.mjs", place];
  const { status, stdout, stderr } = await run(words, { cwd, env });
  assert.is(stderr, "", "nothing is warned about");
  assert.is(status, 0, stdout);
  const kept = stdout.split("\n").filter((line) => line.startsWith("ok "));
  assert.ok(kept.length >= 30, stdout);
}

const [, ...newer] = NODES;
for (const name of sample("Nodes with SQLite", [FIRST_WITH_SQLITE, ...newer] as const, 1)) {
  const node = nodePath(name);
  const testOnNode = existsSync(node) ? test : test.skip;

  testOnNode(`SQLite of ${name} keeps what is promised`, async () => {
    await requirePromises(node, createFolder("files"));
  });
}

const node = nodePath(ON_POSTGRES);
const postgres = existsSync(node) ? await startPostgres() : undefined;
const testOnPostgres = postgres ? test : test.skip;

testOnPostgres("Postgres keeps what is promised", async () => {
  await requirePromises(node, postgres?.url ?? "");
});

test.run();
