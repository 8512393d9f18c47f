/**
 * How a project with a database starts: built into files of their own, what is shown when the database is not what it needs, and what a
 * migration leaves that dies. A commit tries some of it; LONG=1 strikes at every statement in every way, on each engine and Node.
 */

import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { runs, sample } from "../runtime/random.fixture.ts";
import { buildableCopy } from "./harness/build.ts";
import { askUntil } from "./harness/client.ts";
import { type Outcome, run } from "./harness/command.ts";
import { engines, openStore, type Store } from "./harness/database.ts";
import { createDatabaseProject, databaseProject, migrate, node, sendTo } from "./harness/database-project.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { findNode, tried } from "./harness/nodes.ts";
import { once } from "./harness/once.ts";
import type { Project } from "./harness/project.ts";
import { serve } from "./harness/server.ts";
import { databaseNodes } from "./harness/sqlite.ts";
import { createFolder, limitRun } from "./harness/workspace.ts";

limitRun(60);
const known = await engines();

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

function runOn(cwd: string, words: readonly string[], url: string): Promise<Outcome> {
  const env = { ...isolatedEnvironment(), DATABASE_URL: url, PORT: "0" };
  return run(words, { cwd, env });
}

const LACKS =
  /^(?:error )?The database lacks 3 migrations: 20260101120000_entries, [^\n]*\n {2}hint: Run `npm run migrate`[^\n]*\n$/;

const nodes = await databaseNodes();
const places = [
  ...nodes.map((path) => ({ engine: "sqlite", path }) as const),
  ...(known.includes("postgres") ? [{ engine: "postgres", path: node } as const] : []),
];
for (const { engine, path } of places)
  test(`${engine}: dist/migrate.js and dist/server.js run with nothing beside them`, async () => {
    const { folder } = await builtProject();
    const cwd = createFolder("alone");
    mkdirSync(join(cwd, "dist"));
    for (const file of ["dist/server.js", "dist/migrate.js"])
      copyFileSync(join(folder, file), join(cwd, file));
    const { url } = await openStore(engine);
    const early = await runOn(cwd, [path, "dist/server.js"], url);
    assert.match(early.stderr, LACKS);
    assert.equal([early.status, early.stdout], [1, ""]);
    const migrated = await runOn(cwd, [path, "dist/migrate.js"], url);
    assert.equal([migrated.status, migrated.stderr], [0, ""]);
    assert.is(migrated.stdout.match(/^Applied 2026/gm)?.length, 3);
    const listed = await runOn(cwd, [path, "dist/migrate.js", "status"], url);
    assert.is(listed.stdout.match(/^applied {2}2026/gm)?.length, 3);

    const server = await serve(cwd, [path, "dist/server.js"], { DATABASE_URL: url });
    const entry = { writer: 1, number: 1, text: "a" };
    for (const status of [201, 409])
      assert.is((await sendTo(server.url, "POST /ledger/", entry)).status, status);
    assert.equal((await sendTo(server.url, "GET /ledger/count")).json, { count: 1 });
    assert.is((await server.stop()).status, 0);
    assert.not.match(server.output(), /Warning|rror/, "nothing is warned about");
  });

test("a migration is part of what a build was made from, and its lines are in the source map", async () => {
  const project = await builtProject();
  const inputs = Object.keys(JSON.parse(project.read("dist/server.inputs.json")).inputs);
  for (const file of ["database/migrate.ts", "database/migrations/20260101120000_entries.ts"])
    assert.ok(inputs.includes(file), file);
  const { sources } = JSON.parse(project.read("dist/migrate.js.map"));
  assert.ok(sources.includes("../database/migrations/20260102120000_halves.ts"), sources.join("\n"));
});

const BUILT_BEFORE = [
  { made: ["dist/migrate.js", "dist/migrate.js.map"], isLeft: false },
  { made: ["dist/server.js"], isLeft: true },
];
for (const { made, isLeft } of sample("builds before", BUILT_BEFORE, 1))
  test(`a build without a database ${isLeft ? "leaves dist/migrate.js of another tool" : "takes the dist/migrate.js of an earlier one away"}`, async () => {
    const files = { "dist/migrate.js": "", "dist/migrate.js.map": "" };
    const project = await buildableCopy({
      ...files,
      "dist/server.inputs.json": JSON.stringify({ inputs: {}, made }),
    });
    assert.is((await project.framework(["build"])).status, 0);
    for (const file of Object.keys(files)) assert.is(project.has(file), isLeft, file);
  });

const FRAMEWORK = [node, "vendor/framework"];
const WAYS: readonly [what: string, isBuilt: boolean, words: readonly string[]][] = [
  ["framework start", false, [...FRAMEWORK, "start"]],
  ["framework start --workers 2", false, [...FRAMEWORK, "start", "--workers", "2"]],
  ["framework start of a build", true, [...FRAMEWORK, "start"]],
  ["framework start --workers 2 of a build", true, [...FRAMEWORK, "start", "--workers", "2"]],
  ["node dist/server.js", true, [node, "dist/server.js"]],
  ["framework run database/migrate.ts", false, [...FRAMEWORK, "run", "database/migrate.ts"]],
];

/** An SQLite file that nobody has migrated. */
const emptyOnce: () => Promise<Store> = once("empty database", () => openStore("sqlite"));

const REFUSED: readonly [what: string, toUrl: () => Promise<string>, says: RegExp][] = [
  ["that lacks migrations", async () => (await emptyOnce()).url, LACKS],
  [
    "of another kind",
    async () => "mysql://root:secret@localhost/app",
    /^(?:error )?The database URL begins with mysql:, [^\n]*\n {2}hint: [^\n]*\n$/,
  ],
  [
    "that is not there",
    async () => "postgres://ada:secret@127.0.0.1:1/shop",
    /^(?:error )?The database server at 127\.0\.0\.1:1 can't be reached \(ECONNREFUSED\)\.\n {2}hint: [^\n]*DATABASE_URL[^\n]*\n$/,
  ],
];

const WRONG = WAYS.flatMap((way) => REFUSED.map((refused) => ({ way, refused })));
// Whoever migrates is the one to ask for that.
const wrong = WRONG.filter(({ way, refused }) => !(way[0].includes("migrate") && refused[2] === LACKS));
/** What a deployment forgets first: each commit tries it. */
const forgotten = wrong.filter(({ way, refused }) => way[0] === WAYS[0]?.[0] && refused[2] === LACKS);
const others = wrong.filter((one) => !forgotten.includes(one));
for (const { way, refused } of [...forgotten, ...sample("ways to start, and databases", others, 2)]) {
  const [[what, isBuilt, words], [kind, toUrl, says]] = [way, refused];
  test(`${what} ends with 1 and one message, without a stack, if the database is one ${kind}`, async () => {
    const { folder } = await (isBuilt ? builtProject() : databaseProject());
    const { status, stdout, stderr } = await runOn(folder, words, await toUrl());
    assert.match(stderr, says);
    assert.equal([status, stdout], [1, ""]);
  });
}

const withoutSqlite = tried.includes("node20") ? await findNode("node20") : undefined;
(withoutSqlite === undefined ? test.skip : test)(
  "a Node without SQLite is a message that names the first one with it",
  async () => {
    const { folder } = await databaseProject();
    const words = [withoutSqlite ?? "", "vendor/framework", "start"];
    const { status, stderr } = await runOn(folder, words, "sqlite:data/app.db");
    assert.is(status, 1);
    assert.match(stderr, /SQLite needs Node 22\.13 or newer, and this is Node 20\.\d+\.\d+\.\n.*newer Node/);
  },
);

test("framework dev answers with what is wrong with the database, and serves as soon as that is corrected", async () => {
  const project = await createDatabaseProject();
  const { url } = await openStore("sqlite");
  project.write(".env", "DATABASE_URL=postgres://127.0.0.1:1/app\n");
  const server = await serve(project.folder, [...FRAMEWORK, "dev"]);
  const { status, json } = await sendTo(server.url, "GET /ledger/count");
  const detail =
    "error The database server at 127.0.0.1:1 can't be reached (ECONNREFUSED).\n  hint: Check that it runs, and that DATABASE_URL names it.";
  assert.equal([status, json], [500, { error: "The project is not served.", detail }]);
  assert.ok(server.output().includes(detail));

  project.write(".env", `DATABASE_URL=${url}\n`);
  await askUntil(server.url, "GET /ledger/count", ({ text }) => text === '{"count":0}');
  assert.is(server.output().match(/^Applied 2026/gm)?.length, 3);
  assert.is((await server.stop()).status, 0);
});

const STRIKES = ["before", "after", "error"] as const;

/** As e2e/faults/statements.cjs has it. */
function strike(store: Store, kind: string, at: number): Promise<Outcome> {
  const striker = fileURLToPath(new URL("faults/statements.cjs", import.meta.url));
  return migrate(store, { NODE_OPTIONS: `--require=${striker}`, STRIKE: kind, STRIKE_AT: String(at) });
}

for (const engine of sample("engines whose migrations die", known, 1))
  test(`${engine}: a migration that is killed or fails at a statement leaves the schema before or after`, async () => {
    const reference = await openStore(engine);
    const before = await reference.schema();
    const { stdout, stderr } = await strike(reference, "count", 0);
    const after = await reference.schema();
    const count = Number(/(\d+) statements/.exec(stdout)?.[1]);
    assert.ok(count > 10, stdout + stderr);
    assert.is(after.filter((line) => line.startsWith("applied ")).length, 3);

    const points = Array.from({ length: count }, (_, index) => index + 1).flatMap((at) =>
      STRIKES.map((kind) => ({ kind, at })),
    );
    // The last one is the commit.
    const last = points.splice(-STRIKES.length).filter(({ kind }) => runs(0, 1) || kind === "after");
    const found = { before: 0, after: 0 };
    for (const { kind, at } of [...sample(`points of a migration on ${engine}`, points, 1), ...last]) {
      const store = await openStore(engine);
      const title = `${kind} ${at} of ${count}`;
      const { status, signal, stderr } = await strike(store, kind, at);
      const schema = await store.schema();
      const isAfter = schema.some((line) => line.startsWith("applied "));
      assert.equal(schema, isAfter ? after : before, title);
      if (kind !== "error") assert.is(signal, "SIGKILL", title);
      // What follows the commit may fail without a word.
      else if (!isAfter) assert.is(status, 1, `${title}: ${stderr}`);
      found[isAfter ? "after" : "before"] += 1;
      const again = await migrate(store);
      assert.is(again.status, 0, `${title}, and again: ${again.stderr}`);
      assert.equal(await store.schema(), after, `${title}, and again`);
    }
    assert.ok(found.before > 0 && found.after > 0, JSON.stringify(found));
  });

test.run();
