/**
 * What docs/production-database.md says: of Postgres, on a real one, its users and their rights, PgBouncer in transaction mode, and a
 * dump that is restored; of SQLite, its backup and the way to Postgres. The blocks of the page are what runs here.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Block, readBlocks } from "./docs/blocks.ts";
import { ask } from "./harness/client.ts";
import { runWell } from "./harness/command.ts";
import { isolatedEnvironment, ordinaryEnvironment, withNode } from "./harness/environment.ts";
import { once } from "./harness/once.ts";
import { unpackOnce } from "./harness/package.ts";
import { hasPgbouncer, startPgbouncer } from "./harness/pgbouncer.ts";
import { startPostgres } from "./harness/postgres.ts";
import { openProject, type Project } from "./harness/project.ts";
import { type RunningServer, serve } from "./harness/server.ts";
import { databaseNodes, readSqlite } from "./harness/sqlite.ts";
import { createFolder, REPOSITORY } from "./harness/workspace.ts";

const WRITERS = 40;
const ROWS_EACH = 5;
const POOL_SIZE = 4;
const PASSWORD = "only-for-this-test";

const node = (await databaseNodes()).at(-1)?.path ?? process.execPath;
const postgres = await startPostgres();
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

/** A project with the samples and a database, installed. */
const projectOnce = once("project with a database", async (): Promise<Project> => {
  const cwd = createFolder("app");
  const env = withNode(isolatedEnvironment(), node);
  const program = join(await unpackOnce(), "dist/create.cjs");
  await runWell([node, program, "app", "--yes", "--no-git", "--database", "postgres"], { cwd, env });
  const folder = join(cwd, "app");
  const online = withNode(ordinaryEnvironment(), node);
  await runWell(["npm", "install", "--no-audit", "--no-fund"], { cwd: folder, env: online });
  return openProject(folder);
});

/** The database `app` with the two users that the page creates. */
const databaseOnce = once("database", async () => {
  if (postgres === undefined) throw new Error("There is no Postgres.");
  let database = "postgres";
  for (const line of blockOf("sql", "CREATE ROLE").lines) {
    const [, other] = /^\\connect (\S+)$/.exec(line) ?? [];
    if (other !== undefined) database = other;
    else await postgres.sql(database, line);
  }
  for (const role of ["app_owner", "app"])
    await postgres.sql(database, `alter role ${role} password '${PASSWORD}'`);
  const toUrl = (user: string): string => `postgres://${user}:${PASSWORD}@127.0.0.1:${postgres.port}/app`;
  return { url: toUrl("app"), ownerUrl: toUrl("app_owner"), port: postgres.port };
});

async function type(
  project: Project,
  line: string,
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  const env = { ...withNode(isolatedEnvironment(), node), ...settings };
  const { stdout } = await runWell(["sh", "-ec", line], { cwd: project.folder, env });
  return stdout;
}

/** As in production, where nothing but the URL is different. */
async function startOn(project: Project, url: string): Promise<RunningServer> {
  return serve(project.folder, [node, "dist/server.js"], { NODE_ENV: "production", DATABASE_URL: url });
}

async function post(server: RunningServer, path: string, value: unknown): Promise<{ id: number }> {
  const headers = { "content-type": "application/json" };
  const { status, text } = await ask(server.url, `POST ${path}`, { headers, body: JSON.stringify(value) });
  assert.is(status, 201, text);
  return JSON.parse(text) as { id: number };
}

testOnPostgres("the owner migrates, and the app's user can do nothing but read and write rows", async () => {
  const [project, { url, ownerUrl }] = [await projectOnce(), await databaseOnce()];
  await type(project, "npm run build", {});
  const env = { NODE_ENV: "production" };
  assert.match(await type(project, "node dist/migrate.js", { ...env, DATABASE_URL: ownerUrl }), /Applied/);
  const server = await startOn(project, url);
  await post(server, "/categories/", { name: "Stationery" });
  assert.is((await ask(server.url, "GET /readyz")).status, 200);
  await server.stop();
  const forbidden = await postgres?.sql("app", "set role app; create table mine (id int)").catch(String);
  assert.match(String(forbidden), /permission denied for schema public/);
});

testBehindPgbouncer(
  `${WRITERS} writers share ${POOL_SIZE} connections of Postgres behind PgBouncer in transaction mode, and lose no row`,
  async () => {
    const [project, { port }] = [await projectOnce(), await databaseOnce()];
    const upstream = { port, database: "app", user: "app", password: PASSWORD };
    const url = await startPgbouncer(upstream, POOL_SIZE);
    const servers = await Promise.all([startOn(project, url), startOn(project, url)]);
    const [category] = await Promise.all([post(servers[0], "/categories/", { name: "Shared" })]);
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      const server = servers[writer % 2] ?? servers[0];
      for (let row = 0; row < ROWS_EACH; row += 1) {
        const product = { sku: `${writer}-${row}`, name: "Pencil", price: 1.5, category_id: category.id };
        await post(server, "/products/", product);
      }
    });
    await Promise.all(writers);
    const count = `select count(*) from products where category_id = ${category.id}`;
    assert.equal(await postgres?.sql("app", count), [String(WRITERS * ROWS_EACH)]);
    const open = "select count(*) from pg_stat_activity where datname = 'app' and usename = 'app'";
    const [connections] = (await postgres?.sql("app", open)) ?? [];
    assert.ok(Number(connections) <= POOL_SIZE, `${connections} connections`);
    for (const server of servers) assert.is((await server.stop()).status, 0);
  },
);

testOnPostgres(
  "an old version accepts a database with a newer migration, and its migrate.js does too",
  async () => {
    const [project, { url, ownerUrl }] = [await projectOnce(), await databaseOnce()];
    await postgres?.sql("app", "insert into kysely_migration values ('99991231235959_later', '')");
    const env = { NODE_ENV: "production", DATABASE_URL: ownerUrl };
    assert.match(await type(project, "node dist/migrate.js", env), /Nothing to apply/);
    const server = await startOn(project, url);
    assert.is((await ask(server.url, "GET /readyz")).status, 200);
    await server.stop();
    await postgres?.sql("app", "delete from kysely_migration where name = '99991231235959_later'");
  },
);

testBehindPgbouncer(
  "a statement that takes too long is cancelled behind PgBouncer, and PgBouncer stays",
  async () => {
    const [project, { port }] = [await projectOnce(), await databaseOnce()];
    const upstream = { port, database: "app", user: "app", password: PASSWORD };
    const url = await startPgbouncer(upstream, 2);
    project.write(
      "database/slow.ts",
      `import { openDatabase } from "framework/database";
import { sql } from "kysely";

const url = process.env.DATABASE_URL ?? "";
const db = openDatabase<object>({ url, statementTimeout: 0.2, connections: 3 });
const sleep = () => sql\`select pg_sleep(60)\`.execute(db).catch(({ kind }) => console.log(kind));
for (let round = 0; round < 3; round += 1) await Promise.all([sleep(), sleep(), sleep()]);
console.log((await sql\`select 1 as alive\`.execute(db)).rows);
await db.destroy();
`,
    );
    const printed = await type(project, "node vendor/framework run database/slow.ts", { DATABASE_URL: url });
    assert.equal(printed.match(/unavailable/g)?.length, 9, printed);
    assert.match(printed, /alive: 1/);
  },
);

testOnPostgres("a dump is restored into an empty database, and a server accepts it", async () => {
  const [project, { url, ownerUrl }] = [await projectOnce(), await databaseOnce()];
  const restored = (await postgres?.createDatabase("app_restored")) ?? "";
  await type(project, blockOf("sh", "pg_dump").lines.join("\n"), {
    OWNER_URL: ownerUrl,
    RESTORED_URL: restored,
  });
  const [before, after] = [await startOn(project, url), await startOn(project, restored)];
  const expected = (await ask(before.url, "GET /categories/")).text;
  assert.match(expected, /Stationery/);
  assert.is((await ask(after.url, "GET /categories/")).text, expected);
  await post(after, "/categories/", { name: "Written after the restore" });
  for (const server of [before, after]) await server.stop();
});

test("a copy of the SQLite file alone lacks the newest rows, and a backup has them", async () => {
  const project = await projectOnce();
  project.write("database/backup.ts", blockOf("ts", "database/backup.ts").lines.join("\n"));
  const settings = { DATABASE_URL: "sqlite:data/copied.db" };
  await type(project, "npm run migrate", settings);
  const server = await startOn(project, settings.DATABASE_URL);
  for (const name of ["One", "Two"]) await post(server, "/categories/", { name });
  await type(project, "cp data/copied.db data/alone.db", {});
  await type(project, "node vendor/framework run database/backup.ts data/backup.db", settings);
  const count = (file: string): Promise<string[]> =>
    readSqlite(join(project.folder, "data", file), "select count(*) from categories");
  assert.equal(await Promise.all(["alone.db", "backup.db"].map(count)), [["0"], ["2"]]);
  await server.stop();
});

testOnPostgres("the rows of SQLite are copied to Postgres, and new ones get the next number", async () => {
  const project = await projectOnce();
  const url = (await postgres?.createDatabase("app_moved")) ?? "";
  const { language, lines } = blockOf("ts", "database/copy.ts");
  assert.is(language, "ts");
  project.write("database/copy.ts", lines.join("\n"));
  const file = { DATABASE_URL: "sqlite:data/app.db" };
  await type(project, "npm run migrate && npm run seed", file);
  await type(project, "npm run migrate && node vendor/framework run database/copy.ts", { DATABASE_URL: url });
  const [before, after] = [await startOn(project, file.DATABASE_URL), await startOn(project, url)];
  for (const path of ["/categories/", "/products/"]) {
    const rows = (await ask(before.url, `GET ${path}`)).text;
    assert.match(rows, /"id":1/);
    assert.is((await ask(after.url, `GET ${path}`)).text, rows);
  }
  const last = await postgres?.sql("app_moved", "select max(id) from categories");
  const { id } = await post(after, "/categories/", { name: "After the move" });
  assert.is(id, Number(last?.[0]) + 1);
  for (const server of [before, after]) await server.stop();
});

test.run();
