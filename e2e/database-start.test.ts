/** How a project with a database starts: built into files of their own, and what is shown when the database is not what it needs. */

import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { builtCopy } from "./harness/build.ts";
import { ask, askUntil } from "./harness/client.ts";
import { type Outcome, run } from "./harness/command.ts";
import { engines, openStore, type Store } from "./harness/database.ts";
import { createDatabaseProject } from "./harness/database-project.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { once } from "./harness/once.ts";
import type { Project } from "./harness/project.ts";
import { serve } from "./harness/server.ts";
import { databaseNodes } from "./harness/sqlite.ts";
import { createFolder } from "./harness/workspace.ts";

const nodes = await databaseNodes();
const node = nodes.at(-1)?.path ?? process.execPath;

/** Nobody changes it. */
const builtProject = once("built project with a database", async (): Promise<Project> => {
  const project = await createDatabaseProject();
  const { status, stdout, stderr } = await project.framework(["build"]);
  assert.equal([status, stderr], [0, ""], "nothing is warned about");
  assert.match(
    stdout,
    /^dist\/server\.js: \d+ routes, [^\n]*\ndist\/migrate\.js: [\d.]+ kB, applies the migrations\n$/,
  );
  return project;
});

/** A folder with nothing but what the build has made. */
const aloneOnce = once("built files", async (): Promise<string> => {
  const { folder } = await builtProject();
  const alone = createFolder("alone");
  mkdirSync(join(alone, "dist"));
  for (const file of ["dist/server.js", "dist/migrate.js"])
    copyFileSync(join(folder, file), join(alone, file));
  return alone;
});

function runOn(cwd: string, words: readonly string[], url: string): Promise<Outcome> {
  const env = { ...isolatedEnvironment(), DATABASE_URL: url, PORT: "0" };
  return run(words, { cwd, env });
}

for (const engine of await engines()) {
  for (const { name, path } of engine === "sqlite" ? nodes : nodes.slice(-1)) {
    test(`${engine} on ${name}: dist/migrate.js and dist/server.js run with nothing beside them`, async () => {
      const cwd = await aloneOnce();
      const { url } = await openStore(engine);
      const migrated = await runOn(cwd, [path, "dist/migrate.js"], url);
      assert.equal([migrated.status, migrated.stderr], [0, ""]);
      assert.is(migrated.stdout.match(/^Applied 2026/gm)?.length, 3);
      const listed = await runOn(cwd, [path, "dist/migrate.js", "status"], url);
      assert.is(listed.stdout.match(/^applied {2}2026/gm)?.length, 3);

      const server = await serve(cwd, [path, "dist/server.js"], { DATABASE_URL: url });
      const body = JSON.stringify({ writer: 1, number: 1, text: "a" });
      const headers = { "content-type": "application/json" };
      assert.is((await ask(server.url, "POST /ledger/", { headers, body })).status, 201);
      assert.is((await ask(server.url, "POST /ledger/", { headers, body })).status, 409);
      assert.equal((await ask(server.url, "GET /ledger/count")).json, { count: 1 });
      assert.is((await server.stop()).status, 0);
      assert.not.match(server.output(), /Warning/, "nothing is warned about");
    });
  }
}

test("a migration is part of what a build was made from, and its lines are in the source map", async () => {
  const project = await builtProject();
  const inputs = Object.keys(JSON.parse(project.read("dist/server.inputs.json")));
  for (const file of ["database/migrate.ts", "database/migrations/20260101120000_entries.ts"])
    assert.ok(inputs.includes(file), file);
  const { sources } = JSON.parse(project.read("dist/migrate.js.map"));
  assert.ok(sources.includes("../database/migrations/20260102120000_halves.ts"), sources.join("\n"));
});

test("a build of a project that has no database any more takes dist/migrate.js away, but no file of another tool", async () => {
  const before = { "dist/migrate.js": "", "dist/migrate.js.map": "" };
  const record = JSON.stringify({ "database/migrate.ts": "" });
  const project = await builtCopy({ ...before, "dist/server.inputs.json": record });
  const hasOld = (): boolean[] => Object.keys(before).map((file) => project.has(file));
  assert.equal(hasOld(), [false, false]);
  for (const file of Object.keys(before)) project.write(file, "");
  assert.is((await project.framework(["build"])).status, 0);
  assert.equal(hasOld(), [true, true]);
});

const FRAMEWORK = [node, "vendor/framework"];
const WAYS: readonly [what: string, isBuilt: boolean, words: readonly string[]][] = [
  ["framework start", false, [...FRAMEWORK, "start"]],
  ["framework start --workers 2", false, [...FRAMEWORK, "start", "--workers", "2"]],
  ["framework start of a build", true, [...FRAMEWORK, "start"]],
  ["framework start --workers 2 of a build", true, [...FRAMEWORK, "start", "--workers", "2"]],
  ["node dist/server.js", true, [node, "dist/server.js"]],
];

/** An SQLite file that nobody has migrated. */
const emptyOnce: () => Promise<Store> = once("empty database", () => openStore("sqlite"));

const REFUSED: readonly [what: string, toUrl: () => Promise<string>, says: RegExp][] = [
  [
    "that lacks migrations",
    async () => (await emptyOnce()).url,
    /^(?:error )?The database lacks 3 migrations: 2026[^\n]*\n {2}hint: Run `npm run migrate`[^\n]*\n$/,
  ],
  [
    "of another kind",
    async () => "mysql://root:secret@localhost/app",
    /^(?:error )?The database URL begins with mysql:, [^\n]*\n {2}hint: [^\n]*\n$/,
  ],
];

const sourceOnce = once("project with a database, not built", createDatabaseProject);

for (const [what, isBuilt, words] of WAYS) {
  test(`${what} ends with 1 and one message, without a stack, if the database is not what it needs`, async () => {
    const { folder } = await (isBuilt ? builtProject() : sourceOnce());
    await Promise.all(
      REFUSED.map(async ([kind, toUrl, says]) => {
        const { status, stdout, stderr } = await runOn(folder, words, await toUrl());
        assert.match(stderr, says, kind);
        assert.equal([status, stdout], [1, ""], kind);
      }),
    );
  });
}

test("framework dev answers with what is wrong with the database, and serves as soon as that is corrected", async () => {
  const project = await createDatabaseProject();
  const { url } = await emptyOnce();
  project.write(".env", "DATABASE_URL=postgres://127.0.0.1:1/app\n");
  const server = await serve(project.folder, [...FRAMEWORK, "dev"]);
  const { status, json } = await ask(server.url, "GET /ledger/count");
  const detail =
    "error The database server at 127.0.0.1:1 can't be reached (ECONNREFUSED).\n  hint: Check that it runs, and that DATABASE_URL names it.";
  assert.equal([status, json], [500, { error: "The project is not served.", detail }]);
  assert.ok(server.output().includes(detail));

  project.write(".env", `DATABASE_URL=${url}\n`);
  await askUntil(server.url, "GET /ledger/count", ({ text }) => text === '{"count":0}');
  assert.is(server.output().match(/^Applied 2026/gm)?.length, 3);
  assert.is((await server.stop()).status, 0);
});

test.run();
