/** A database that is busy, away or silent: 503 in bounded time, all else goes on, and it recovers by itself. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Answer, askUntil } from "./harness/client.ts";
import { engines, postgresOnce } from "./harness/database.ts";
import { type Ledger, openMigrated, startLedger } from "./harness/database-project.ts";
import { once } from "./harness/once.ts";
import { lockSqlite } from "./harness/sqlite.ts";
import { countStatuses, writeAtOnce } from "./harness/writers.ts";

const postgres = (await engines()).includes("postgres") ? await postgresOnce() : undefined;
const testOnPostgres = postgres ? test : test.skip;

/** Seconds. A query waits so long, and no test waits for anything else. What is long below is far from both, on a busy machine too. */
const OPTIONS = { connections: 2, waitTimeout: 1, statementTimeout: 4 };

/** Milliseconds: far from what would be waited without a limit, and far from the limit on a busy machine. */
const BOUND = 20_000;

/** One server for all tests of an engine: each leaves it well. */
const sqliteOnce = once("server on SQLite", async () => startLedger(await openMigrated("sqlite"), OPTIONS));
const servedOnce = once("server on Postgres", async () =>
  startLedger(await openMigrated("postgres"), OPTIONS),
);

let numbers = 0;

function write({ send }: Ledger, path: string, text = ""): Promise<Answer> {
  numbers += 1;
  return send(`POST ${path}`, { writer: 1, number: numbers, text });
}

/** What needs the database and what does not, asked at once. @returns the statuses of both. */
async function askAll(ledger: Ledger): Promise<{ withDatabase: number[]; without: number[] }> {
  const { send } = ledger;
  const began = performance.now();
  const [withDatabase, without] = await Promise.all([
    Promise.all([write(ledger, "/ledger/"), write(ledger, "/ledger/held"), send("GET /readyz")]),
    Promise.all([send("GET /healthz"), send("GET /ledger/plain")]),
  ]);
  assert.ok(performance.now() - began < BOUND);
  const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);
  return { withDatabase: statuses(withDatabase), without: statuses(without) };
}

async function checkServes(ledger: Ledger): Promise<void> {
  assert.equal(await askAll(ledger), { withDatabase: [201, 201, 200], without: [200, 200] });
}

async function checkRefuses(ledger: Ledger): Promise<void> {
  assert.equal(await askAll(ledger), { withDatabase: [503, 503, 503], without: [200, 200] });
}

/** In SQLite, whoever reads needs nothing that a writer has. */
async function checkReads(ledger: Ledger): Promise<void> {
  assert.equal(await askAll(ledger), { withDatabase: [503, 503, 200], without: [200, 200] });
  for (const line of ["GET /ledger/count", "GET /ledger/by/id/1"])
    assert.is((await ledger.send(line)).status, 200, line);
}

/** What is asked from now on comes later than the long ones. */
async function untilRunning({ url }: Ledger, count: number): Promise<void> {
  await askUntil(url, "GET /ledger/running", ({ text }) => text === `{"running":${count}}`);
}

const QUERIES: readonly [path: string, what: string, status: number][] = [
  ["/ledger/slow?seconds=3", "a long query", 200],
  ["/ledger/slow?seconds=1000", "one that is cancelled", 503],
  ["/ledger/held?milliseconds=3000", "a transaction that waits for something else", 200],
];
for (const [path, what, status] of QUERIES) {
  testOnPostgres(
    `postgres: while ${what} has each connection, others get 503, and then it is theirs`,
    async () => {
      const ledger = await servedOnce();
      await checkServes(ledger);
      const busy = [ledger.send(`GET ${path}`), ledger.send(`GET ${path}`)];
      await untilRunning(ledger, busy.length);
      await checkRefuses(ledger);
      for (const one of busy) assert.is((await one).status, status);
      await checkServes(ledger);
    },
  );
}

test("sqlite: while another process has the right to write, writers get 503 and readers are answered", async () => {
  const ledger = await sqliteOnce();
  await checkServes(ledger);
  const release = await lockSqlite(ledger.store.place);
  await checkReads(ledger);
  const waiting = write(ledger, "/ledger/");
  await release();
  assert.is((await waiting).status, 201, "whoever waits when it is given back, gets it");
  await checkServes(ledger);
  assert.match(ledger.output(), /caused by DatabaseError: The database file .* is locked by another process/);
});

test("sqlite: a transaction that waits for something else keeps nobody from reading", async () => {
  const ledger = await sqliteOnce();
  const held = ledger.send("GET /ledger/held?milliseconds=3000");
  await untilRunning(ledger, 1);
  await checkReads(ledger);
  assert.is((await held).status, 200);
  await checkServes(ledger);
});

test("sqlite: on a full disk, a write is not told to try again, the log says what to do, and readiness ends", async () => {
  const ledger = await sqliteOnce();
  await ledger.send("POST /ledger/full");
  await checkServes(ledger);
  const answer = await write(ledger, "/ledger/", "A".repeat(100_000));
  assert.equal([answer.status, answer.text], [503, '{"error":"The database can\'t be used now"}']);
  assert.is(answer.headers["retry-after"], undefined);
  for (const [line, status] of [
    ["GET /readyz", 503],
    ["GET /ledger/count", 200],
    ["GET /healthz", 200],
  ] as const)
    assert.is((await ledger.send(line)).status, status, line);
  assert.is((await ledger.stop()).status, 0);
  assert.match(ledger.output(), /because the disk is full\..*hint: Make room on the disk\./);
});

/** Writers on all sides, while the database goes and comes back. @returns what is lost of what was acknowledged. */
async function loseUnderLoad(ledger: Ledger, first: number, end: () => Promise<void>): Promise<string[]> {
  const [before] = await ledger.store.sql("select count(*) from entries");
  let isOver = false;
  const loading = writeAtOnce(ledger.url, 20, (writer, number) =>
    isOver
      ? undefined
      : {
          line: number % 2 === 0 ? "POST /ledger/" : "POST /ledger/held",
          body: { writer: first + writer, number, text: "single" },
        },
  );
  await askUntil(
    ledger.url,
    "GET /ledger/count",
    ({ json }) => (json as { count: number }).count > Number(before) + 50,
  );
  await end();
  await checkRefuses(ledger);
  await checkRefuses(ledger);
  await postgres?.restart();
  await askUntil(ledger.url, "GET /readyz", ({ status }) => status === 200);
  isOver = true;
  const written = await loading;
  await checkServes(ledger);
  assert.equal(Object.keys(countStatuses(written)), ["201", "503"]);
  const stored = new Set(await ledger.store.sql("select writer, number from entries"));
  return written
    .filter(({ status }) => status === 201)
    .map(({ body }) =>
      Object.values(body as object)
        .slice(0, 2)
        .join("|"),
    )
    .filter((key) => !stored.has(key));
}

testOnPostgres(
  "postgres crashes or is stopped under load and comes back: 503 meanwhile, and no process ends",
  async () => {
    const ledger = await servedOnce();
    assert.equal(await loseUnderLoad(ledger, 100, async () => postgres?.kill()), []);
    assert.equal(await loseUnderLoad(ledger, 200, async () => postgres?.stop()), []);
    assert.is(((await ledger.send("GET /ledger/plain")).json as { pid: number }).pid, ledger.pid);
  },
);

testOnPostgres(
  "postgres that does not answer any more, as behind a broken network, is given up in bounded time",
  async () => {
    const ledger = await servedOnce();
    const wake = postgres?.freeze();
    try {
      await checkRefuses(ledger);
      await checkRefuses(ledger);
    } finally {
      wake?.();
    }
    await askUntil(ledger.url, "GET /readyz", ({ status }) => status === 200);
    await checkServes(ledger);
    assert.is((await ledger.stop()).status, 0);
    assert.not.match(ledger.output(), /nobody handled|not caught/);
    assert.match(ledger.output(), /DatabaseError.*"The handler failed with a 503/);
  },
);

test.run();
