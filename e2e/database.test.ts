/**
 * A project with a database under many writers, on SQLite by each Node that has it and on Postgres. In short by default; LONG=1
 * writes fifty times as much.
 */

import { copyFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { IS_LONG, sample } from "../runtime/random.fixture.ts";
import { ask, askUntil } from "./harness/client.ts";
import { run, runWell } from "./harness/command.ts";
import { engines, openStore, type Store } from "./harness/database.ts";
import { createDatabaseProject, migrate, openMigrated, serveOn } from "./harness/database-project.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { once } from "./harness/once.ts";
import { type RunningServer, serve } from "./harness/server.ts";
import { databaseNodes } from "./harness/sqlite.ts";
import { createFolder, limitRun } from "./harness/workspace.ts";
import { countStatuses, type Write, type Written, writeAtOnce } from "./harness/writers.ts";

const WRITERS = 200;
const EACH = IS_LONG ? 100 : 1;
if (IS_LONG) limitRun(60);

const nodes = await databaseNodes();
const newest = nodes.at(-1);
const known = await engines();
const PLACES = known.flatMap((engine) =>
  nodes.filter((node) => engine === "sqlite" || node === newest).map((node) => ({ engine, node })),
);

interface Entry {
  readonly writer: number;
  readonly number: number;
}

/** Every second one is a transaction that holds over an await, and every fourth one is rolled back at its end. */
function toWrite(writer: number, number: number): Write {
  const isRefused = (writer + number) % 4 === 3;
  return (writer + number) % 2 === 0
    ? { line: "POST /ledger/", body: { writer, number, text: "single" } }
    : { line: "POST /ledger/held", body: { writer, number, text: "", isRefused } };
}

const isHeld = ({ answer }: Written): boolean => !answer.includes('"single"');

/** All that was acknowledged is there once, and nothing else: in the table, in the halves of each transaction, and in the counter. */
async function checkRows(store: Store, written: readonly Written[]): Promise<void> {
  const stored = written.filter(({ status }) => status === 201);
  const keys = stored.map(({ body }) => `${(body as Entry).writer}|${(body as Entry).number}`);
  assert.equal((await store.sql("select writer, number from entries")).sort(), keys.sort());
  const held = String(stored.filter(isHeld).length);
  assert.equal(await store.sql("select value from counters"), [held]);
  const whole =
    "select count(*) from entries e where (select count(*) from halves h where h.entry_id = e.id) = 2";
  assert.equal(await store.sql(whole), [held]);
  assert.equal(await store.sql("select count(distinct text) from entries where text <> 'single'"), [held]);
}

function checkAnswers(written: readonly Written[]): void {
  assert.is(written.length, WRITERS * EACH);
  const refused = written.filter(({ status }) => status !== 201 && status !== 409);
  assert.equal(refused.slice(0, 3), [], JSON.stringify(countStatuses(written)));
  // A row that was written twice would be refused, too.
  for (const { answer } of written.filter(({ status }) => status === 409))
    assert.is(answer, '{"error":"refused"}');
}

for (const { engine, node } of sample("engines on a Node", PLACES, 2)) {
  test(`${engine} on ${node.name}: ${WRITERS} writers at once lose no row and double none`, async () => {
    const store = await openStore(engine);
    const on = { node: node.path, store };
    const applied = await migrate(on);
    assert.is(applied.status, 0, applied.stderr);
    assert.is(applied.stdout.match(/^Applied /gm)?.length, 3);
    const server = await serveOn(on);
    const written = await writeAtOnce(server.url, WRITERS, (writer, number) =>
      number < EACH ? toWrite(writer, number) : undefined,
    );
    checkAnswers(written);
    await checkRows(store, written);
    const { status } = await server.stop();
    assert.is(status, 0);
    assert.not.match(server.output(), /Warning|rror/);
  });
}

const node = newest?.path ?? process.execPath;

/** Two processes, each of which has answered. */
async function serveByTwo(
  store: Store,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const server = await serveOn({ node, store, settings }, "start", "--workers", "2");
  const found = new Set<string>();
  await askUntil(server.url, "GET /ledger/plain", ({ text }) => found.add(text).size === 2);
  return server;
}

for (const engine of known) {
  test(`${engine}: nor do they by two processes`, async () => {
    const store = await openMigrated(engine, node);
    const server = await serveByTwo(store);
    const written = await writeAtOnce(server.url, WRITERS, (writer, number) =>
      number < EACH ? toWrite(writer, number) : undefined,
    );
    checkAnswers(written);
    await checkRows(store, written);
    assert.is((await server.stop()).status, 0);
  });

  test(`${engine}: a stop under load finishes what is in flight, and closes the database`, async () => {
    const store = await openMigrated(engine, node);
    const server = await serveOn({ node, store });
    let isStopping = false;
    const written = await writeAtOnce(server.url, 50, (writer, number) => {
      if (number === 2 && !isStopping) {
        isStopping = true;
        server.signal("SIGTERM");
      }
      return toWrite(writer, number);
    });
    const { status, signal } = await server.waitForEnd();
    assert.equal([status, signal], [0, null], server.output());
    // Whoever comes later is not let in.
    const broken = written.filter((one) => ![201, 409].includes(one.status));
    assert.equal(broken.filter(({ answer }) => !/ECONN/.test(answer)).slice(0, 3), []);
    await checkRows(store, written);
    if (engine === "sqlite") assert.equal(readdirSync(dirname(store.place)), ["app.db"]);
    else {
      const others =
        "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
      assert.equal(await store.sql(others), ["0"]);
    }
  });
}

test("sqlite: two processes whose transactions follow on each other at once lose none", async () => {
  const store = await openMigrated("sqlite", node);
  const server = await serveByTwo(store, { HOLD: "20" });
  const written: Written[] = [];
  // Both accept from one socket, and at times one of them takes all connections of a round.
  for (let round = 0; countProcesses(written) < 2 && round < 50; round++) {
    const more = await writeAtOnce(server.url, 24, (writer, number) =>
      number < 4
        ? { line: "POST /ledger/held", body: { writer: round * 24 + writer, number, text: "" } }
        : undefined,
    );
    written.push(...more);
  }
  assert.is(countProcesses(written), 2);
  await checkRows(store, written);
  assert.is((await server.stop()).status, 0);
});

function countProcesses(written: readonly Written[]): number {
  return new Set(written.map(({ answer }) => (JSON.parse(answer) as { pid: number }).pid)).size;
}

const builtFiles = once("built project with a database", async (): Promise<string> => {
  const { folder } = await createDatabaseProject();
  await runWell([node, "vendor/framework", "build"], { cwd: folder, env: isolatedEnvironment() });
  const alone = createFolder("alone");
  for (const file of ["server.js", "migrate.js"]) copyFileSync(join(folder, "dist", file), join(alone, file));
  return alone;
});

for (const engine of known) {
  test(`${engine}: what is built migrates and serves in a folder with nothing else`, async () => {
    const cwd = await builtFiles();
    const store = await openStore(engine);
    const settings = { DATABASE_URL: store.url };
    const env = { ...isolatedEnvironment(), ...settings };
    const early = await run([node, "server.js"], { cwd, env });
    assert.is(early.status, 1);
    assert.match(early.stderr, /The database lacks 3 migrations: .*\n.*`node dist\/migrate\.js`/);
    const { status, stdout, stderr } = await run([node, "migrate.js"], { cwd, env });
    assert.equal([status, stderr, stdout.match(/^Applied /gm)?.length], [0, "", 3]);
    const server = await serve(cwd, [node, "server.js"], settings);
    const written = await writeAtOnce(server.url, 20, (writer, number) =>
      number < 2 ? toWrite(writer, number) : undefined,
    );
    await checkRows(store, written);
    assert.is((await server.stop()).status, 0);
    assert.not.match(server.output(), /Warning|rror/);
  });
}

for (const engine of known)
  test(`${engine}: 40 requests at once with a transaction and the database need a connection each, in either order`, async () => {
    const store = await openMigrated(engine, node);
    const server = await serveOn({ node, store, options: { connections: 10 } });
    for (const [order, path] of ["/ledger/early", "/ledger/late"].entries()) {
      const written = await writeAtOnce(server.url, 40, (writer, number) =>
        number === 0 ? { line: `POST ${path}`, body: { writer, number: order, text: path } } : undefined,
      );
      assert.equal(countStatuses(written), { 201: 40 }, path);
      // What the one has written and not committed, the other one sees.
      for (const { answer } of written) assert.is(JSON.parse(answer).seen.text, path);
    }
    assert.equal(await store.sql("select count(*) from entries"), ["80"]);
    assert.is((await server.stop()).status, 0);
  });

for (const engine of known)
  test(`${engine}: a handler may end its transaction itself`, async () => {
    const store = await openMigrated(engine, node);
    const server = await serveOn({ node, store });
    const statuses = [];
    for (const [number, [commit, fail]] of [
      [true, false],
      [true, true],
      [false, false],
      [false, true],
    ].entries()) {
      const body = JSON.stringify({ writer: 1, number, text: "", commit, fail });
      const headers = { "content-type": "application/json" };
      statuses.push((await ask(server.url, "POST /ledger/ended", { body, headers })).status);
    }
    assert.equal(statuses, [201, 409, 201, 409]);
    assert.equal(await store.sql("select number from entries order by number"), ["0", "1"]);
    assert.is((await server.stop()).status, 0);
  });

test("readiness knows the database, and health does not ask it", async () => {
  const store = await openMigrated("sqlite", node);
  const server = await serveOn({ node, store });
  for (const path of ["/readyz", "/healthz"]) assert.is((await ask(server.url, `GET ${path}`)).status, 200);
  await server.stop();
});

test.run();
