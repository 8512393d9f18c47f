/**
 * A project with a database, and `framework/database` itself, on SQLite and on Postgres: each text is data, and many writers at once, a
 * stop and a kill lose no row. LONG=1 writes and kills far more, and takes each Node that has SQLite.
 */

import { cpSync, readdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createRandom, IS_LONG, runs, SEED } from "../runtime/random.fixture.ts";
import { askUntil } from "./harness/client.ts";
import { run } from "./harness/command.ts";
import { type EngineName, engines, postgresOnce, type Store } from "./harness/database.ts";
import { type Ledger, openMigrated, startLedger } from "./harness/database-project.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { FIRST_WITH_SQLITE, findNode, type NodeName, triedWithSqlite } from "./harness/nodes.ts";
import { once } from "./harness/once.ts";
import { packOnce } from "./harness/package.ts";
import { createFolder, limitRun, REPOSITORY } from "./harness/workspace.ts";
import { writeWhole } from "./harness/write.ts";
import { countStatuses, type Write, type Written, writeAtOnce } from "./harness/writers.ts";

limitRun(60);
const known = await engines();

/** Seconds: on a slow machine a writer waits long for its turn. */
const PATIENT = { waitTimeout: 120 };
const WRITERS = 200;
const EACH = runs(1, 100);
const KILLS = runs(1, 30);

/** Those who write at once have lower numbers. */
const [OF_TEXTS, OF_NUMBERS, OF_ENDED, OF_ROWS, OF_ORDERS] = [1_001, 1_002, 1_003, 1_004, 2_000];
const ROWS = 20_000;
/** A commit makes one of so many parts of the checks on Postgres, where each has to create a database. */
const PARTS = 3;
const AT_ONCE = "writer < 1000";

interface Entry {
  readonly id: number;
  readonly writer: number;
  readonly number: number;
  readonly text: string;
}

/** Each is stored as it is. */
const TEXTS: readonly string[] = [
  "'; drop table entries; --",
  "' or '1'='1",
  '" or ""="',
  "`; [entries]",
  "$1 ?1 :a @a ?",
  "$$; select 1; $$",
  "E'\\x27' \\'; --",
  "/* */ -- ;",
  "%",
  "_",
  "100%_\\%\\",
  "\\",
  "''''",
  "null",
  "0",
  "{}",
  "",
  " ",
  "\r\n\t\u0001\u001f\u007f",
  "\u2028\u200b\ufeff",
  "Ärger, ß, İ, é, e\u0301, 漢字, 😀",
  "x".repeat(500_000),
  "'".repeat(100_000),
];

/** No text of both engines: each is refused. */
const NO_TEXTS: readonly string[] = ["\0", "a\0b", "\ud800", "a\udc00b"];

/** A path and a query have a limit of their own. */
const LONGEST_IN_URL = 2_000;

async function storeTexts({ send }: Ledger): Promise<readonly Entry[]> {
  const made: Entry[] = [];
  for (const [number, text] of TEXTS.entries()) {
    const { status, json } = await send("POST /ledger/", { writer: OF_TEXTS, number, text });
    const entry = json as Entry;
    assert.equal([status, entry.text], [201, text]);
    const changed = await send(`PUT /ledger/by/id/${entry.id}`, { text });
    assert.equal([changed.status, (changed.json as Entry).text], [200, text]);
    made.push(entry);
  }
  return made;
}

async function checkFound({ send }: Ledger, made: readonly Entry[]): Promise<void> {
  const find = async (line: string): Promise<number[]> => {
    const { status, json, text } = await send(line);
    assert.is(status, 200, `${line.slice(0, 200)}: ${text}`);
    const { entries } = json as { entries: Entry[] };
    return entries.filter(({ writer }) => writer === OF_TEXTS).map(({ id }) => id);
  };
  for (const { id, text } of made.filter((one) => one.text.length < LONGEST_IN_URL)) {
    assert.is(((await send(`GET /ledger/by/id/${id}`)).json as Entry).text, text);
    const encoded = encodeURIComponent(text);
    if (text !== "") assert.equal(await find(`GET /ledger/by/text/${encoded}`), [id]);
    // Upper and lower case alike; nothing else is.
    const containing = made.filter((one) => one.text.toLowerCase().includes(text.toLowerCase()));
    const ids = containing.map((one) => one.id);
    assert.equal(await find(`GET /ledger/search?q=${encoded}`), ids, JSON.stringify(text));
  }
  for (const long of ["y".repeat(12_000), "%C3%9F".repeat(2_000)])
    assert.equal(await find(`GET /ledger/search?q=${long}`), []);
}

const NUMBERS = [
  "0",
  "-1",
  "9007199254740991",
  "-9007199254740991",
  "9007199254740992",
  "1e21",
  "1e400",
  "0.5",
];
const NO_IDS = ["9007199254740991", "9223372036854775808", "1e3", "1;--", "0x1", "%00"];

const ENDED = [
  { commit: true, fail: false, status: 201 },
  { commit: true, fail: true, status: 409 },
  { commit: false, fail: false, status: 201 },
  { commit: false, fail: true, status: 409 },
];

/** Every second one is a transaction that holds over an await, and every fourth one is rolled back at its end. */
function toWrite(writer: number, number: number): Write {
  const isRefused = (writer + number) % 4 === 3;
  return (writer + number) % 2 === 0
    ? { line: "POST /ledger/", body: { writer, number, text: "single" } }
    : { line: "POST /ledger/held", body: { writer, number, text: "", isRefused } };
}

const toKey = ({ body }: Written): string => `${(body as Entry).writer}|${(body as Entry).number}`;

/** All that was acknowledged is there, what is there was written once, and no transaction is there by half. */
async function checkRows(store: Store, written: readonly Written[]): Promise<void> {
  const stored = await store.sql(`select writer, number from entries where ${AT_ONCE}`);
  const keysOf = (isSo: (status: number) => boolean): string[] =>
    written.filter(({ status }) => isSo(status)).map(toKey);
  const lost = keysOf((status) => status === 201).filter((key) => !stored.includes(key));
  assert.equal(lost, []);
  assert.is(new Set(stored).size, stored.length);
  // Where the connection broke, it may be there or not.
  const possible = new Set(keysOf((status) => status === 201 || status === 0));
  const others = stored.filter((key) => !possible.has(key));
  assert.equal(others, []);
  const isHeld = `${AT_ONCE} and text <> 'single'`;
  const [held] = await store.sql(`select count(*) from entries where ${isHeld}`);
  const whole = `select count(*) from entries e where ${isHeld} and (select count(*) from halves h where h.entry_id = e.id) = 2`;
  for (const statement of [
    whole,
    "select value from counters",
    `select count(distinct text) from entries where ${isHeld}`,
  ])
    assert.equal(await store.sql(statement), [held], statement);
  if (store.engine === "sqlite") assert.equal(await store.sql("pragma integrity_check"), ["ok"]);
}

/** Until Postgres has noticed the end of a server: it may have had a commit on its way. */
async function untilLeft({ engine, place }: Store): Promise<void> {
  const postgres = engine === "postgres" ? await postgresOnce() : undefined;
  const left = `select count(*) from pg_stat_activity, pg_sleep(0.02) where datname = '${place}'`;
  while (postgres && (await postgres.sql("postgres", left))[0] !== "0");
}

function checkStatuses(written: readonly Written[], ...statuses: readonly number[]): void {
  const others = written.filter(({ status }) => !statuses.includes(status));
  assert.equal(others.slice(0, 3), [], JSON.stringify(countStatuses(written)));
  // A row that was written twice would be refused, too.
  for (const { answer } of written.filter(({ status }) => status === 409))
    assert.is(answer, '{"error":"refused"}');
}

for (const engine of known) {
  const ledgerOnce = once(`server on ${engine}`, async () =>
    startLedger(await openMigrated(engine), PATIENT),
  );

  test(`${engine}: SQL in a body, a query and a path is data`, async () => {
    const ledger = await ledgerOnce();
    const { store, send } = ledger;
    const schema = await store.schema();
    const made = await storeTexts(ledger);
    await checkFound(ledger, made);
    for (const text of NO_TEXTS)
      for (const line of ["POST /ledger/", `PUT /ledger/by/id/${made[0]?.id}`]) {
        const { status } = await send(line, { writer: OF_TEXTS, number: 1_000, text });
        assert.is(status, 422, JSON.stringify(text));
      }
    for (const line of ["by/text/a%00b", "search?q=%00", "by/text/%ED%A0%80"]) {
      const { status } = await send(`GET /ledger/${line}`);
      assert.ok(status === 400 || status === 422, `${line}: ${status}`);
    }
    const count = `select count(*) from entries where writer = ${OF_TEXTS}`;
    assert.equal(await store.sql(count), [String(TEXTS.length)]);
    assert.equal(await store.schema(), schema);
  });

  test(`${engine}: a number of any size is stored as it is, or refused`, async () => {
    const { send } = await ledgerOnce();
    for (const number of NUMBERS) {
      const body = `{"writer":${OF_NUMBERS},"number":${number},"text":""}`;
      const { status, json } = await send("POST /ledger/", body);
      const isSafe = Number.isSafeInteger(Number(number));
      assert.is(status, isSafe ? 201 : 422, number);
      if (isSafe) assert.is((json as Entry).number, Number(number));
    }
    for (const id of NO_IDS) assert.is((await send(`GET /ledger/by/id/${id}`)).status, 404, id);
  });

  test(`${engine}: a handler may end its transaction itself`, async () => {
    const { send, store } = await ledgerOnce();
    for (const [number, { status, ...ended }] of ENDED.entries()) {
      const answer = await send("POST /ledger/ended", { writer: OF_ENDED, number, text: "", ...ended });
      assert.is(answer.status, status, JSON.stringify(ended));
    }
    const statement = `select number from entries where writer = ${OF_ENDED} order by number`;
    assert.equal(await store.sql(statement), ["0", "1"]);
  });

  test(`${engine}: 40 requests at once with a transaction and the database need a connection each, in either order`, async () => {
    const { url } = await ledgerOnce();
    for (const path of ["/ledger/early", "/ledger/late"]) {
      const written = await writeAtOnce(url, 40, (writer, number) =>
        number === 0
          ? { line: `POST ${path}`, body: { writer: OF_ORDERS + writer, number: path.length, text: path } }
          : undefined,
      );
      assert.equal(countStatuses(written), { 201: 40 }, path);
      // What the one has written and not committed, the other one sees.
      for (const { answer } of written) assert.is(JSON.parse(answer).seen.text, path);
    }
  });

  test(`${engine}: a client that does not read on its ${ROWS} rows keeps nobody from writing`, async () => {
    const { url, send, store, waitFor } = await ledgerOnce();
    const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS}) select ${OF_ROWS}, i, 'row' from n`;
    await store.sql(`insert into entries (writer, number, text) ${numbers}`);
    // Its answer begins with the first rows: from here on its rows are settled. They are more than the system keeps for a client.
    const { body: rows } = await fetch(new URL(`/ledger/export?writer=${OF_ROWS}`, url));
    for (let number = 1; number <= 20; number++) {
      const body = { writer: OF_ROWS, number: ROWS + number, text: "while" };
      const { status } = await send(number % 2 === 0 ? "POST /ledger/" : "POST /ledger/early", body);
      assert.is(status, 201);
    }
    assert.equal((await send("GET /ledger/running")).json, { running: 1 });
    let lines = 0;
    for await (const chunk of rows ?? []) lines += chunk.filter((byte: number) => byte === 10).length;
    assert.is(lines, ROWS);
    assert.is((await send("GET /ledger/exported")).status, 500);
    await waitFor(/A stream can't run in a transaction/);
  });

  test(`${engine}: ${WRITERS} writers at once lose no row and double none, nor do they when the server is stopped`, async () => {
    const { url, store, signal, waitForEnd, output } = await ledgerOnce();
    const written = await writeAtOnce(url, WRITERS, (writer, number) =>
      number < EACH ? toWrite(writer, number) : undefined,
    );
    assert.is(written.length, WRITERS * EACH);
    checkStatuses(written, 201, 409);
    await checkRows(store, written);
    let isStopping = false;
    const last = await writeAtOnce(url, 50, (writer, number) => {
      if (number === 2 && !isStopping) {
        isStopping = true;
        signal("SIGTERM");
      }
      return toWrite(WRITERS + writer, number);
    });
    const ended = await waitForEnd();
    assert.equal([ended.status, ended.signal], [0, null], output());
    // Who comes later is not let in: refused, reset, or closed at the moment of asking.
    checkStatuses(last, 201, 409, 0);
    const broken = last.filter(({ status, answer }) => status === 0 && !/ECONN|socket hang up/.test(answer));
    assert.equal(broken.slice(0, 3), []);
    await untilLeft(store);
    await checkRows(store, [...written, ...last]);
    if (engine === "sqlite") assert.equal(readdirSync(dirname(store.place)), ["app.db"], "it was closed");
    assert.not.match(
      output().replace(/^.*A stream can't run in a transaction.*$/gm, ""),
      /Warning|"level":"error"/,
    );
  });

  test(`${engine}: nor do two processes, when they are killed under load`, async () => {
    const store = await openMigrated(engine);
    const written: Written[] = [];
    for (let kill = 0; kill < KILLS; kill++) written.push(...(await writeByTwo(store, kill)));
    await untilLeft(store);
    await checkRows(store, written);
  });
}

/** Two processes write, one transaction after the other, until they are killed. */
async function writeByTwo(store: Store, kill: number): Promise<Written[]> {
  const server = await startLedger(store, PATIENT, "--workers", "2");
  const found = new Set<string>();
  await askUntil(server.url, "GET /ledger/plain", ({ text }) => found.add(text).size === 2);
  const written: Written[] = [];
  let numbers = kill * 1_000_000;
  // Both accept from one socket, and at times one of them takes all connections of a round.
  for (let round = 0; countProcesses(written) < 2 && round < 50; round++)
    written.push(
      ...(await writeAtOnce(server.url, 24, (writer, number) =>
        number < 4 ? { line: "POST /ledger/held", body: { writer, number: numbers++, text: "" } } : undefined,
      )),
    );
  checkStatuses(written, 201);
  assert.is(countProcesses(written), 2);
  let answers = 0;
  // After the first answers of all, somewhere among those that follow.
  const at = 100 + createRandom(SEED + kill)(300);
  const last = await writeAtOnce(server.url, 50, (writer, number) => {
    if (answers++ === at) server.signalGroup("SIGKILL");
    const body = { writer, number: numbers++, text: "single" };
    return { line: number % 2 === 0 ? "POST /ledger/" : "POST /ledger/held", body };
  });
  await server.waitForEnd();
  checkStatuses(last, 201, 0);
  return [...written, ...last];
}

function countProcesses(written: readonly Written[]): number {
  return new Set(written.map(({ answer }) => (JSON.parse(answer) as { pid: number }).pid)).size;
}

/** A project with what the checks import, and no app. */
const projectOnce = once("checked project", async () => {
  const folder = createFolder("engines");
  await packOnce();
  cpSync(join(REPOSITORY, "dist/framework"), join(folder, "vendor/framework"), { recursive: true });
  symlinkSync(join(REPOSITORY, "node_modules"), join(folder, "node_modules"));
  cpSync(join(REPOSITORY, "e2e/database/checks.mjs"), join(folder, "checks.mjs"));
  writeWhole(join(folder, "framework.toml"), "");
  return folder;
});

const checkedOn: readonly { readonly engine: EngineName; readonly name: NodeName }[] = [
  ...(IS_LONG ? [{ engine: "sqlite", name: FIRST_WITH_SQLITE } as const] : []),
  ...triedWithSqlite.map((name) => ({ engine: "sqlite", name }) as const),
  ...(known.includes("postgres")
    ? [{ engine: "postgres", name: triedWithSqlite[0] ?? "node24" } as const]
    : []),
];
for (const { engine, name } of checkedOn) {
  const program = await findNode(name);
  (program === undefined ? test.skip : test)(`${engine} on ${name} keeps what is promised`, async () => {
    const cwd = await projectOnce();
    const place = engine === "sqlite" ? createFolder("files") : ((await postgresOnce())?.url ?? "");
    const env = { ...isolatedEnvironment(), NODE_ENV: "production" };
    const part = engine === "sqlite" || IS_LONG ? 1 : PARTS;
    const checks = ["checks.mjs", place, String(SEED % part), String(part)];
    const words = [program ?? "", "--import", "./vendor/framework/test.js", ...checks];
    const { status, stdout, stderr } = await run(words, { cwd, env });
    assert.equal([status, stderr], [0, ""], stdout);
    assert.ok((stdout.match(/^ok /gm)?.length ?? 0) >= 30 / part, stdout);
  });
}

test.run();
