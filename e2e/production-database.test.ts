/**
 * What docs/production-database.md says: of Postgres, on a real one, its users and their rights, PgBouncer in transaction mode, and a
 * dump that is restored; of SQLite, its backup and the way to Postgres. The blocks of the page are what runs here.
 */

import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { openDatabase } from "../runtime/database.ts";
import { type Block, readBlocks } from "./docs/blocks.ts";
import { runWell } from "./harness/command.ts";
import { engines, postgresOnce } from "./harness/database.ts";
import { node, sendTo } from "./harness/database-project.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { linkPackages } from "./harness/modules.ts";
import { once } from "./harness/once.ts";
import { unpackOnce } from "./harness/package.ts";
import { hasPgbouncer, startPgbouncer } from "./harness/pgbouncer.ts";
import { openProject, type Project } from "./harness/project.ts";
import { type RunningServer, serve } from "./harness/server.ts";
import { readSqlite } from "./harness/sqlite.ts";
import { createFolder, REPOSITORY } from "./harness/workspace.ts";
import { countStatuses, writeAtOnce } from "./harness/writers.ts";

const WRITERS = 40;
const ROWS_EACH = 5;
const POOL_SIZE = 4;
const PASSWORD = "only-for-this-test";

const postgres = (await engines()).includes("postgres") ? await postgresOnce() : undefined;
const testOnPostgres = postgres ? test : test.skip;
if (!hasPgbouncer()) console.log("Skipped, PgBouncer: it is not installed (apt-get install pgbouncer).");
const testBehindPgbouncer = postgres && hasPgbouncer() ? test : test.skip;

const blocks = readBlocks(readFileSync(join(REPOSITORY, "docs/production-database.md"), "utf8"));

function blockOf(language: string, text: string): Block {
  const found = blocks.find((block) => block.language === language && block.lines.join("\n").includes(text));
  if (found === undefined)
    throw new Error(`docs/production-database.md has no ${language} block with ${text}.`);
  return found;
}

/** A built project with the samples and a database. */
const projectOnce = once("project with a database", async (): Promise<Project> => {
  const cwd = createFolder("app");
  const program = join(await unpackOnce(), "dist/create.cjs");
  const words = [node, program, "app", "--yes", "--no-git", "--database", "postgres"];
  await runWell(words, { cwd, env: isolatedEnvironment() });
  const project = openProject(join(cwd, "app"));
  linkPackages(project, "kysely", "pg", "rolldown");
  await runIn(project, ["vendor/framework", "build"], {});
  return project;
});

/** The database `app` with the two users that the page creates, migrated by its owner. */
const databaseOnce = once("database", async () => {
  let database = "postgres";
  for (const line of blockOf("sql", "CREATE ROLE").lines) {
    const [, other] = /^\\connect (\S+)$/.exec(line) ?? [];
    if (other !== undefined) database = other;
    else await postgres?.sql(database, line);
  }
  for (const role of ["app_owner", "app"])
    await postgres?.sql(database, `alter role ${role} password '${PASSWORD}'`);
  const port = Number(postgres?.port);
  const toUrl = (user: string): string => `postgres://${user}:${PASSWORD}@127.0.0.1:${port}/app`;
  assert.match(await migrate(toUrl("app_owner")), /^Applied /m);
  return { url: toUrl("app"), ownerUrl: toUrl("app_owner"), port };
});

async function runIn(
  { folder }: Project,
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  const env = { ...isolatedEnvironment(), ...settings };
  return (await runWell([node, ...words], { cwd: folder, env })).stdout;
}

/** As in production, where nothing but the URL is different. */
async function migrate(url: string): Promise<string> {
  const settings = { NODE_ENV: "production", DATABASE_URL: url };
  return runIn(await projectOnce(), ["dist/migrate.js"], settings);
}

async function startOn(url: string): Promise<RunningServer> {
  const { folder } = await projectOnce();
  return serve(folder, [node, "dist/server.js"], { NODE_ENV: "production", DATABASE_URL: url });
}

const servedOnce = once("server of the app's user", async () => startOn((await databaseOnce()).url));

async function post({ url }: RunningServer, path: string, value: unknown): Promise<number> {
  const { status, text, json } = await sendTo(url, `POST ${path}`, value);
  assert.is(status, 201, text);
  return (json as { id: number }).id;
}

async function read({ url }: RunningServer, path: string): Promise<string> {
  const { status, text } = await sendTo(url, `GET ${path}`);
  assert.is(status, 200, text);
  return text;
}

testOnPostgres("the owner migrates, and the app's user can do nothing but read and write rows", async () => {
  const server = await servedOnce();
  await post(server, "/categories/", { name: "Stationery" });
  await read(server, "/readyz");
  const forbidden = await postgres?.sql("app", "set role app; create table mine (id int)").catch(String);
  assert.match(String(forbidden), /permission denied for schema public/);
});

const pgbouncerOnce = once("PgBouncer", async () => {
  const { port } = await databaseOnce();
  return startPgbouncer({ port, database: "app", user: "app", password: PASSWORD }, POOL_SIZE);
});

testBehindPgbouncer(
  `${WRITERS} writers share ${POOL_SIZE} connections of Postgres behind PgBouncer in transaction mode, and lose no row`,
  async () => {
    const server = await startOn(await pgbouncerOnce());
    const id = await post(server, "/categories/", { name: "Shared" });
    const written = await writeAtOnce(server.url, WRITERS, (writer, row) => {
      const body = { sku: `${writer}-${row}`, name: "Pencil", price: 1.5, category_id: id };
      return row < ROWS_EACH ? { line: "POST /products/", body } : undefined;
    });
    assert.equal(countStatuses(written), { 201: WRITERS * ROWS_EACH });
    const count = `select count(*) from products where category_id = ${id}`;
    assert.equal(await postgres?.sql("app", count), [String(WRITERS * ROWS_EACH)]);
    assert.is((await server.stop()).status, 0);
  },
);

testBehindPgbouncer(
  "a statement that takes too long is cancelled behind PgBouncer, and PgBouncer stays",
  async () => {
    const url = await pgbouncerOnce();
    const db = openDatabase<object>({ url, statementTimeout: 0.2, connections: POOL_SIZE + 1 });
    const run = (text: string): Promise<unknown> => sql.raw(text).execute(db);
    const sleep = (): Promise<unknown> => run("select pg_sleep(60)").catch(({ kind }) => kind);
    for (let round = 0; round < 3; round += 1) {
      const kinds = await Promise.all(Array.from({ length: POOL_SIZE + 1 }, sleep));
      assert.equal(new Set(kinds), new Set(["unavailable"]));
    }
    await run("select 1");
    await db.destroy();
  },
);

testOnPostgres(
  "a dump is restored into an empty database, and a server accepts it, with a newer migration, too",
  async () => {
    const [project, { ownerUrl }, before] = [await projectOnce(), await databaseOnce(), await servedOnce()];
    const restored = (await postgres?.createDatabase("app_restored")) ?? "";
    const env = { ...isolatedEnvironment(), OWNER_URL: ownerUrl, RESTORED_URL: restored };
    const line = blockOf("sh", "pg_dump").lines.join("\n");
    await runWell(["sh", "-ec", line], { cwd: project.folder, env });
    // As where a later version has been deployed.
    await postgres?.sql("app_restored", "insert into kysely_migration values ('99991231235959_later', '')");
    assert.match(await migrate(restored), /Nothing to apply/);
    const after = await startOn(restored);
    const expected = await read(before, "/categories/");
    assert.match(expected, /Stationery/);
    assert.is(await read(after, "/categories/"), expected);
    await post(after, "/categories/", { name: "Written after the restore" });
    await read(after, "/readyz");
    for (const server of [before, after]) assert.is((await server.stop()).status, 0);
  },
);

test("a copy of the SQLite file alone lacks the newest rows, a backup has them, and so has Postgres once they are copied there", async () => {
  const project = await projectOnce();
  const settings = { DATABASE_URL: "sqlite:data/app.db" };
  await migrate(settings.DATABASE_URL);
  const server = await startOn(settings.DATABASE_URL);
  const ids = [];
  for (const name of ["One", "Two"]) ids.push(await post(server, "/categories/", { name }));
  await post(server, "/products/", { sku: "1", name: "Pencil", price: 1.5, category_id: ids[0] });
  const toPath = (name: string): string => join(project.folder, "data", name);
  copyFileSync(toPath("app.db"), toPath("alone.db"));
  const runBlock = (name: string, words: readonly string[], DATABASE_URL: string): Promise<string> => {
    project.write(name, blockOf("ts", name).lines.join("\n"));
    return runIn(project, ["vendor/framework", "run", name, ...words], { DATABASE_URL });
  };
  await runBlock("database/backup.ts", ["data/backup.db"], settings.DATABASE_URL);
  const count = (name: string): Promise<string[]> =>
    readSqlite(toPath(name), "select count(*) from categories");
  assert.equal(await Promise.all(["alone.db", "backup.db"].map(count)), [["0"], ["2"]]);

  const paths = ["/categories/", "/products/"];
  const rows = await Promise.all(paths.map((path) => read(server, path)));
  for (const text of rows) assert.match(text, /"id":1/);
  assert.is((await server.stop()).status, 0);
  if (postgres === undefined) return;
  const url = await postgres.createDatabase("app_moved");
  await migrate(url);
  await runBlock("database/copy.ts", [], url);
  const moved = await startOn(url);
  assert.equal(await Promise.all(paths.map((path) => read(moved, path))), rows);
  assert.is(await post(moved, "/categories/", { name: "After the move" }), 1 + Number(ids[1]));
  assert.is((await moved.stop()).status, 0);
});

test.run();
