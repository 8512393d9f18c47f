/** A database that is busy, away or silent: 503 in bounded time, all else goes on, and it recovers by itself. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Answer, ask, askUntil } from "./harness/client.ts";
import { engines, postgresOnce } from "./harness/database.ts";
import { openMigrated, serveOn } from "./harness/database-project.ts";
import type { Postgres } from "./harness/postgres.ts";
import { databaseNodes, lockSqlite } from "./harness/sqlite.ts";
import { countStatuses, writeAtOnce } from "./harness/writers.ts";

const node = (await databaseNodes()).at(-1)?.path ?? process.execPath;
const known = await engines();
const testOnPostgres = known.includes("postgres") ? test : test.skip;

/** Seconds. A query waits so long, and no test waits for anything else. */
const OPTIONS = { connections: 1, waitTimeout: 1, statementTimeout: 2 };

/** Milliseconds: far from what would be waited without a limit, and far from the limit on a busy machine. */
const BOUND = 20_000;

let numbers = 0;

function write(url: string, path: string): Promise<Answer> {
  numbers += 1;
  const body = JSON.stringify({ writer: 1, number: numbers, text: "" });
  return ask(url, `POST ${path}`, { body, headers: { "content-type": "application/json" } });
}

/** What needs the database and what does not, asked at once. @returns the statuses of both. */
async function askAll(url: string): Promise<{ withDatabase: number[]; without: number[] }> {
  const began = performance.now();
  const [withDatabase, without] = await Promise.all([
    Promise.all([write(url, "/ledger/"), write(url, "/ledger/held"), ask(url, "GET /readyz")]),
    Promise.all([ask(url, "GET /healthz"), ask(url, "GET /ledger/plain")]),
  ]);
  assert.ok(performance.now() - began < BOUND);
  const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);
  return { withDatabase: statuses(withDatabase), without: statuses(without) };
}

async function checkServes(url: string): Promise<void> {
  assert.equal(await askAll(url), { withDatabase: [201, 201, 200], without: [200, 200] });
}

async function checkRefuses(url: string): Promise<void> {
  assert.equal(await askAll(url), { withDatabase: [503, 503, 503], without: [200, 200] });
}

/** What is asked from now on comes later than the long one. */
async function untilRunning(url: string): Promise<void> {
  await askUntil(url, "GET /ledger/running", ({ text }) => text === '{"running":1}');
}

const QUERIES: readonly [path: string, what: string, status: number][] = [
  ["/ledger/slow?seconds=1.8", "a long query", 200],
  ["/ledger/slow?seconds=1000", "one that is cancelled", 503],
  ["/ledger/held?milliseconds=1800", "a transaction that waits for something else", 200],
];
for (const [path, what, status] of QUERIES) {
  testOnPostgres(
    `postgres: while ${what} has the only connection, others get 503, and then it is theirs`,
    async () => {
      const server = await serveOn({ node, store: await openMigrated("postgres", node), options: OPTIONS });
      await checkServes(server.url);
      const busy = ask(server.url, `GET ${path}`);
      await untilRunning(server.url);
      await checkRefuses(server.url);
      assert.is((await busy).status, status);
      await checkServes(server.url);
      assert.is((await server.stop()).status, 0);
    },
  );
}

test("sqlite: while another process has the right to write, writers get 503 and readers are answered", async () => {
  const store = await openMigrated("sqlite", node);
  const server = await serveOn({ node, store, options: OPTIONS });
  await checkServes(server.url);
  const release = await lockSqlite(store.place);
  assert.equal(await askAll(server.url), { withDatabase: [503, 503, 200], without: [200, 200] });
  const reading = await Promise.all(
    ["GET /ledger/count", "GET /ledger/by/id/1"].map((line) => ask(server.url, line)),
  );
  assert.equal(
    reading.map(({ status }) => status),
    [200, 200],
  );
  const waiting = write(server.url, "/ledger/");
  await release();
  assert.is((await waiting).status, 201, "whoever waits when it is given back, gets it");
  await checkServes(server.url);
  assert.is((await server.stop()).status, 0);
  assert.match(server.output(), /caused by DatabaseError: The database file .* is locked by another process/);
});

test("sqlite: a transaction that waits for something else keeps nobody from reading", async () => {
  const store = await openMigrated("sqlite", node);
  const server = await serveOn({ node, store, options: OPTIONS });
  const held = ask(server.url, "GET /ledger/held?milliseconds=1800");
  await untilRunning(server.url);
  assert.equal(await askAll(server.url), { withDatabase: [503, 503, 200], without: [200, 200] });
  assert.is((await held).status, 200);
  await checkServes(server.url);
  assert.is((await server.stop()).status, 0);
});

test("sqlite: on a full disk, a write is not told to try again, the log says what to do, and readiness ends", async () => {
  const server = await serveOn({ node, store: await openMigrated("sqlite", node), options: OPTIONS });
  await ask(server.url, "POST /ledger/full");
  await checkServes(server.url);
  const body = JSON.stringify({ writer: 2, number: 1, text: "A".repeat(100_000) });
  const headers = { "content-type": "application/json" };
  const answer = await ask(server.url, "POST /ledger/", { body, headers });
  assert.equal([answer.status, answer.text], [503, '{"error":"The database can\'t be used now"}']);
  assert.is(answer.headers["retry-after"], undefined);
  for (const [line, status] of [
    ["GET /readyz", 503],
    ["GET /ledger/count", 200],
    ["GET /healthz", 200],
  ] as const)
    assert.is((await ask(server.url, line)).status, status, line);
  assert.is((await server.stop()).status, 0);
  assert.match(server.output(), /because the disk is full\..*hint: Make room on the disk\./);
});

const ENDS: readonly [what: string, end: (postgres: Postgres) => Promise<void>][] = [
  ["crashes", (postgres) => postgres.kill()],
  ["is stopped", (postgres) => postgres.stop()],
];
for (const [what, end] of ENDS) {
  testOnPostgres(
    `postgres ${what} under load and comes back: 503 meanwhile, and no process ends`,
    async () => {
      const postgres = await postgresOnce();
      if (postgres === undefined) return;
      const store = await openMigrated("postgres", node);
      const server = await serveOn({ node, store });
      const { pid } = server;
      let isOver = false;
      const loading = writeAtOnce(server.url, 20, (writer, number) =>
        isOver
          ? undefined
          : {
              line: number % 2 === 0 ? "POST /ledger/" : "POST /ledger/held",
              body: { writer: 100 + writer, number, text: "single" },
            },
      );
      await askUntil(server.url, "GET /ledger/count", ({ json }) => (json as { count: number }).count > 50);
      await end(postgres);
      await checkRefuses(server.url);
      await checkRefuses(server.url);
      await postgres.restart();
      await askUntil(server.url, "GET /readyz", ({ status }) => status === 200);
      await checkServes(server.url);
      isOver = true;
      const written = await loading;
      assert.equal(Object.keys(countStatuses(written)), ["201", "503"]);
      const stored = new Set(await store.sql("select writer, number from entries"));
      const lost = written.filter(({ body, status }) => {
        const { writer, number } = body as { writer: number; number: number };
        return status === 201 && !stored.has(`${writer}|${number}`);
      });
      assert.equal(lost, []);
      assert.is(JSON.parse((await ask(server.url, "GET /ledger/plain")).text).pid, pid);
      assert.is((await server.stop()).status, 0);
      assert.not.match(server.output(), /nobody handled|not caught/);
      assert.match(server.output(), /DatabaseError.*"The handler failed with a 503/);
    },
  );
}

testOnPostgres(
  "postgres that does not answer any more, as behind a broken network, is given up in bounded time",
  async () => {
    const postgres = await postgresOnce();
    if (postgres === undefined) return;
    const server = await serveOn({ node, store: await openMigrated("postgres", node), options: OPTIONS });
    await checkServes(server.url);
    const wake = postgres.freeze();
    try {
      await checkRefuses(server.url);
      await checkRefuses(server.url);
    } finally {
      wake();
    }
    await askUntil(server.url, "GET /readyz", ({ status }) => status === 200);
    await checkServes(server.url);
    assert.is((await server.stop()).status, 0);
  },
);

test.run();
