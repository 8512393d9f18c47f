/**
 * What `framework/database` promises, checked on one engine: `node checks.mjs <url of a server, or the folder for files> <part> <parts>`
 * makes every so-manieth check, from that one on. It runs in a project, so that it imports what a project imports. It prints a line for each check, and what has failed.
 */

import * as assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  checkDatabase,
  containsText,
  DatabaseError,
  forRequest,
  inTransaction,
  joinTransaction,
  openDatabase,
  openTestDatabase,
  prepareDatabase,
  runMigrations,
  seedDatabase,
} from "framework/database";
import { CamelCasePlugin, sql } from "kysely";

const [place = "", part = "0", parts = "1"] = process.argv.slice(2);
const isPostgres = /^postgres(?:ql)?:/.test(place);
const here = fileURLToPath(import.meta.url);

/** By what they promise. Each gets a URL of an empty database. */
const checks = new Map();

function check(promise, run, engine = undefined) {
  if (engine === undefined || (engine === "postgres") === isPostgres) checks.set(promise, run);
}

/** Milliseconds: far from what would be waited without a limit, and far from the limit on a busy machine. */
const BOUND = 20_000;

let databases = 0;

async function emptyDatabase() {
  databases += 1;
  if (!isPostgres) return `sqlite:${join(place, `check-${databases}.db`)}`;
  const name = `check_${process.pid}_${databases}`;
  const admin = openDatabase({ url: place });
  await sql.raw(`create database "${name}" ${await readStrategy(admin)}`).execute(admin);
  await admin.destroy();
  return Object.assign(new URL(place), { pathname: `/${name}` }).href;
}

/** What PostgreSQL 15 and newer ones do by themselves takes three times as long. */
async function readStrategy(admin) {
  const { rows } = await sql`select current_setting('server_version_num')::int as version`.execute(admin);
  return rows[0].version >= 150_000 ? "strategy file_copy" : "";
}

const opened = [];

function open(url, options = {}) {
  const db = openDatabase({ url, ...options });
  opened.push(db);
  return db;
}

/** @param options hold for what a check does: not for making the tables, nor for the first connection, which takes long on a busy machine. */
async function withBooks(url, options) {
  const db = open(url, options);
  await createBooks(url === "sqlite::memory:" ? db : open(url));
  let isConnected = false;
  while (!isConnected)
    isConnected = await sql`select 1`.execute(db).then(
      () => true,
      ({ kind }) => kind !== "unavailable",
    );
  return db;
}

async function createBooks(db) {
  await db.schema
    .createTable("authors")
    .addColumn("id", "bigint", (column) => column.generatedByDefaultAsIdentity().primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("books")
    .addColumn("id", "bigint", (column) => column.generatedByDefaultAsIdentity().primaryKey())
    .addColumn("title", "text", (column) => column.notNull().unique())
    .addColumn("pages", "bigint", (column) => column.check(sql`pages >= 0`))
    .addColumn("price", "double precision")
    .addColumn("sold", "boolean", (column) => column.notNull().defaultTo(false))
    .addColumn("added", "timestamptz", (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn("author_id", "bigint", (column) => column.references("authors.id"))
    .execute();
}

const addBooks = (db, values) => db.insertInto("books").values(values).execute();
const addAuthors = (db, values) => db.insertInto("authors").values(values).execute();

const countBooks = async (db) => (await db.selectFrom("books").selectAll().execute()).length;

async function titlesOf(db) {
  const rows = await db.selectFrom("books").select("title").orderBy("id").execute();
  return rows.map(({ title }) => title);
}

async function failure(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new assert.AssertionError({ message: "It did not fail." });
}

async function refusal(promise) {
  const error = await failure(promise);
  assert.ok(error instanceof DatabaseError, `It is no DatabaseError: ${error?.stack}`);
  return { kind: error.kind, table: error.table, columns: [...error.columns], message: error.message };
}

/** Runs this file again, for one task of those at its end. */
function runTask(name, words, environment = {}) {
  const child = spawn(process.execPath, [...process.execArgv, here, "--task", name, ...words], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const ended = new Promise((resolve) =>
    child.on("close", (status, signal) => resolve({ status, signal, output })),
  );
  return { child, ended };
}

async function runTasks(count, name, words) {
  const ends = await Promise.all(Array.from({ length: count }, () => runTask(name, words).ended));
  for (const { status, output } of ends) assert.equal(status, 0, output);
  return ends.map(({ output }) => output);
}

/** A database in memory is one of tests. */
function everyPlace(url) {
  return isPostgres ? [url] : [url, "sqlite::memory:"];
}

function countFiles() {
  return existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0;
}

check("values come back as they went in", async (url) => {
  const db = await withBooks(url);
  const row = {
    title: 'Krieg & "Frieden" \'; drop table books; -- 😀\n',
    pages: 1_200,
    price: 9.5,
    sold: true,
  };
  const added = new Date("2026-11-23T12:00:00.123Z");
  const stored = await db
    .insertInto("books")
    .values({ ...row, added })
    .returningAll()
    .executeTakeFirstOrThrow();
  assert.deepEqual(stored, { id: 1, ...row, added: "2026-11-23T12:00:00.123Z", author_id: null });
  assert.deepEqual(await db.selectFrom("books").selectAll().execute(), [stored]);
  assert.deepEqual(await db.selectFrom("books").select(["sold as isSold", "added as since"]).execute(), [
    { isSold: true, since: "2026-11-23T12:00:00.123Z" },
  ]);
  assert.deepEqual(
    await db.selectFrom("books").select("id").where("sold", "=", true).where("added", "=", added).execute(),
    [{ id: 1 }],
  );
  const whole = await db
    .insertInto("books")
    .values({ title: "5", price: 5, pages: null })
    .returning(["price", "sold", "pages"])
    .execute();
  assert.deepEqual(whole, [{ price: 5, sold: false, pages: null }]);
});

check("a number in a text column is its digits", async (url) => {
  const db = await withBooks(url);
  await sql`insert into books (title) values (${"7"}), (cast(${8} as text))`.execute(db);
  assert.deepEqual(await titlesOf(db), ["7", "8"]);
});

check("undefined is a column that is not given", async (url) => {
  const db = await withBooks(url);
  const stored = await db
    .insertInto("books")
    .values({ title: "A", pages: undefined, sold: undefined })
    .returning(["pages", "sold"])
    .execute();
  assert.deepEqual(stored, [{ pages: null, sold: false }]);
});

check("now() is the time in UTC, as a Date is stored", async (url) => {
  const db = await withBooks(url);
  const before = new Date(Date.now() - 60_000);
  const { added } = await db
    .insertInto("books")
    .values({ title: "A" })
    .returning("added")
    .executeTakeFirstOrThrow();
  assert.match(added, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z$/);
  assert.ok(Math.abs(Date.parse(added) - Date.now()) < 60_000, added);
  const found = await db
    .selectFrom("books")
    .select("id")
    .where("added", ">", before)
    .where("added", "<=", added)
    .execute();
  assert.equal(found.length, 1);
});

check("an integer that a number can't hold is a bigint", async (url) => {
  const db = await withBooks(url);
  const large = 2n ** 63n - 1n;
  await addBooks(db, [
    { title: "large", pages: large },
    { title: "small", pages: 2 ** 53 - 1 },
  ]);
  assert.deepEqual(await db.selectFrom("books").select("pages").orderBy("id").execute(), [
    { pages: large },
    { pages: 2 ** 53 - 1 },
  ]);
  assert.deepEqual(
    await db.selectFrom("books").select(["id", "pages"]).where("title", "=", "small").execute(),
    [{ id: 2, pages: 2 ** 53 - 1 }],
  );
  const raised = await db
    .updateTable("books")
    .set({ sold: true })
    .where("pages", "=", large)
    .returning(["id", "pages"])
    .execute();
  assert.deepEqual(raised, [{ id: 1, pages: large }]);
});

check("numbers of rows are numbers", async (url) => {
  const db = await withBooks(url);
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("books")
    .values([{ title: "A" }, { title: "B" }])
    .executeTakeFirstOrThrow();
  assert.equal(numInsertedOrUpdatedRows, 2n);
  assert.equal((await db.updateTable("books").set({ pages: 1 }).executeTakeFirst()).numUpdatedRows, 2n);
  const { count } = await db
    .selectFrom("books")
    .select(({ fn }) => fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  assert.equal(count, 2);
  assert.equal((await db.deleteFrom("books").where("title", "=", "A").executeTakeFirst()).numDeletedRows, 1n);
});

/** The same moment. */
const SAME = ["2030-03-10T02:30:00Z", "2030-03-10T02:30:00.000Z", "2030-03-10T04:30:00+02:00"];
const LATER = ["2030-03-10T02:30:00.500Z", "2030-03-10T02:30:00.5Z", "2030-03-10 04:30:00.50+0200"];

check("times compare and order as times, in whatever form they are given", async (url) => {
  const db = await withBooks(url);
  const given = ["2030-03-10T04:30:00+05:00", ...SAME, new Date(SAME[0]), ...LATER, new Date(LATER[0])];
  await addBooks(
    db,
    given.map((added, index) => ({ title: String(9 - index), added })),
  );
  const find = async (...where) => {
    const rows = await db
      .selectFrom("books")
      .select("title")
      .where("added", ...where)
      .orderBy("title")
      .execute();
    return rows.map(({ title }) => title).join("");
  };
  for (const time of [...SAME, new Date(SAME[0])]) {
    assert.equal(await find("=", time), "5678", String(time));
    assert.equal(await find("<", time), "9");
    assert.equal(await find(">", time), "1234");
    assert.equal(await find("in", [time]), "5678");
  }
  for (const time of [...LATER, new Date(LATER[0])])
    assert.equal(await find(">=", time), "1234", String(time));
  const ordered = await db.selectFrom("books").select("added").distinct().orderBy("added").execute();
  const times = ["2030-03-09T23:30:00.000Z", "2030-03-10T02:30:00.000Z", "2030-03-10T02:30:00.500Z"];
  assert.deepEqual(
    ordered.map(({ added }) => added),
    times,
  );
  const aliased = db
    .selectFrom("books as b")
    .innerJoin("books as other", "b.id", "other.id")
    .select("b.title")
    .where(({ eb, between }) =>
      eb.and([between("b.added", SAME[2], SAME[0]), eb(eb.val(SAME[2]), "=", eb.ref("other.added"))]),
    );
  assert.equal((await aliased.execute()).length, 4);
  await db.updateTable("books").set({ added: LATER[2] }).where("added", "<=", SAME[2]).execute();
  assert.equal(await find("=", LATER[1]), "123456789");
  await db
    .insertInto("books")
    .values({ title: "1", added: SAME[0] })
    .onConflict((conflict) => conflict.column("title").doUpdateSet({ added: "2031-01-01T01:00:00+01:00" }))
    .execute();
  assert.equal(await find("=", "2031-01-01T00:00:00Z"), "1");
  const named = db
    .with("found", (query) => query.selectFrom("books").select(["title", "added"]))
    .selectFrom("found");
  for (const column of ["added", "found.added"])
    assert.equal(
      (await named.select("title").where(column, "=", "2031-01-01T01:00:00+01:00").execute()).length,
      1,
    );
  const last = db.selectFrom("books").select(({ fn }) => fn.max("added").as("last"));
  assert.deepEqual(
    await last.having(({ fn }) => fn.max("added"), "=", "2031-01-01T01:00:00+01:00").execute(),
    [{ last: "2031-01-01T00:00:00.000Z" }],
  );
  const year = isPostgres ? sql`to_char(added, 'YYYY')` : sql`strftime('%Y', added)`;
  const years = db
    .with("years", (query) => query.selectFrom("books").select(year.as("added")))
    .selectFrom("years");
  assert.equal((await years.selectAll().where("added", "=", "2031").execute()).length, 1);
  // A text is one of a column of times only.
  await addBooks(db, { title: SAME[2] });
  assert.equal((await db.selectFrom("books").select("id").where("title", "=", SAME[2]).execute()).length, 1);
});

check("a time without a zone, or that does not exist, is refused", async (url) => {
  const db = await withBooks(url);
  for (const added of [
    "2030-03-10T02:30:00",
    "2030-03-10 02:30",
    "2030-03-10",
    "10 March 2030",
    "2030-02-30T00:00:00Z",
    "2030-03-10T25:00:00Z",
    "",
  ]) {
    assert.equal((await refusal(addBooks(db, { title: "A", added }))).kind, "bad_value", added);
    const found = db.selectFrom("books").selectAll().where("added", ">", added).execute();
    assert.equal((await refusal(found)).kind, "bad_value", added);
    const inside = db
      .with("found", (query) => query.selectFrom("books").select("id").where("added", ">", added))
      .selectFrom("found");
    assert.equal((await refusal(inside.selectAll().execute())).kind, "bad_value", added);
  }
});

check("a list without values finds nothing", async (url) => {
  const db = await withBooks(url);
  await addBooks(db, { title: "A" });
  const find = (operator) => db.selectFrom("books").select("title").where("id", operator, []).execute();
  assert.deepEqual(await find("in"), []);
  assert.deepEqual(await find("not in"), [{ title: "A" }]);
  assert.deepEqual(
    await forRequest(db).selectFrom("books").select("id").where("title", "in", []).execute(),
    [],
  );
});

check("a sum of whole numbers is a number", async (url) => {
  const db = await withBooks(url);
  await addBooks(db, [
    { title: "A", pages: 1, price: 1.5 },
    { title: "B", pages: 2, price: 1 },
  ]);
  const sums = db
    .selectFrom("books")
    .select(({ fn }) => [
      fn.sum("pages").as("pages"),
      fn.sum("price").as("price"),
      fn.max("pages").as("most"),
    ]);
  assert.deepEqual(await sums.execute(), [{ pages: 3, price: 2.5, most: 2 }]);
  assert.deepEqual(await sums.where("id", "=", 0).execute(), [{ pages: null, price: null, most: null }]);
});

check("what differs between the engines is what the docs list", async (url) => {
  const db = await withBooks(url);
  const added = "2030-03-10T02:30:00.123456Z";
  await addBooks(db, [
    { title: "a", pages: 1, added, price: 1 },
    { title: "B", pages: 2, added },
  ]);
  const [{ average, first }] = await db
    .selectFrom("books")
    .select(({ fn }) => [fn.avg("pages").as("average"), fn.min("added").as("first")])
    .execute();
  assert.equal(average, isPostgres ? "1.5000000000000000" : 1.5);
  assert.equal(first, isPostgres ? added : "2030-03-10T02:30:00.123Z");
  const raw = sql`insert into books (title, pages) values ('C', ${"many"})`.execute(db);
  if (isPostgres) assert.equal((await refusal(raw)).kind, "bad_value");
  else await raw;
  const inRaw =
    await sql`select title from books where added = ${"2030-03-10T04:30:00.123456+02:00"}`.execute(db);
  assert.equal(inRaw.rows.length, isPostgres ? 2 : 0);
  const renamed = db
    .selectFrom((eb) =>
      eb.selectFrom("books").select("added as at").where("added", "is not", null).as("found"),
    )
    .select("at")
    .where("at", "=", "2030-03-10T04:30:00.123456+02:00");
  assert.equal((await renamed.execute()).length, isPostgres ? 2 : 0);
  const byPrice = await db
    .selectFrom("books")
    .select(({ eb, exists }) => ["title", exists(eb.selectFrom("authors").select("id")).as("any")])
    .orderBy("price")
    .execute();
  assert.equal(byPrice.at(isPostgres ? 0 : -1).title, "a");
  assert.equal(byPrice[0].any, isPostgres ? false : 0);
  // The server of these tests has no collation of a language unless it is asked for one.
  const order = isPostgres ? sql`title collate "und-x-icu"` : sql`title`;
  const ordered = await db
    .selectFrom("books")
    .select("title")
    .where("title", "!=", "C")
    .orderBy(order)
    .execute();
  assert.equal(ordered.map(({ title }) => title).join(""), isPostgres ? "aB" : "Ba");
  await db.schema
    .createTable("others")
    .addColumn("amount", "numeric")
    .addColumn("data", isPostgres ? "jsonb" : "text")
    .execute();
  const other = { amount: 5.5, data: JSON.stringify({ a: [1] }) };
  const stored = await db.insertInto("others").values(other).returningAll().executeTakeFirst();
  assert.deepEqual(stored, isPostgres ? { amount: "5.5", data: { a: [1] } } : other);
  const addUp = () =>
    db
      .selectFrom("others")
      .select(({ fn }) => fn.sum("amount").as("sum"))
      .executeTakeFirst();
  assert.equal((await addUp()).sum, isPostgres ? "5.5" : 5.5);
  await db.updateTable("others").set({ amount: 5 }).execute();
  assert.equal((await addUp()).sum, 5);
});

check("after an error, a transaction of Postgres is over, and one of SQLite goes on", async (url) => {
  const db = await withBooks(url);
  const work = async (open) => {
    await addBooks(open, { title: "A" });
    assert.equal((await refusal(addBooks(open, { title: "A" }))).kind, "unique");
    await addBooks(open, { title: "B" });
  };
  await db
    .transaction()
    .execute(work)
    .catch((error) => assert.match(error.message, /current transaction is aborted/));
  assert.deepEqual(await titlesOf(db), isPostgres ? [] : ["A", "B"]);
});

check(
  "in a transaction of Postgres, others' changes are seen; on SQLite, nobody else writes meanwhile",
  async (url) => {
    const db = await withBooks(url, isPostgres ? {} : { waitTimeout: 0.2 });
    await db.transaction().execute(async (open) => {
      assert.equal(await countBooks(open), 0);
      const adding = addBooks(db, { title: "A" });
      if (isPostgres) await adding;
      else assert.equal((await refusal(adding)).kind, "unavailable");
      assert.equal(await countBooks(open), isPostgres ? 1 : 0);
    });
  },
);

check("an integer beyond its column's range is refused, or finds nothing", async (url) => {
  const db = await withBooks(url);
  const find = db
    .selectFrom("books")
    .select("id")
    .where("pages", "=", 2 ** 60)
    .execute();
  if (isPostgres) assert.deepEqual(await find, []);
  await db.schema.createTable("small").addColumn("id", "integer").execute();
  const small = db
    .selectFrom("small")
    .select("id")
    .where("id", "=", 2 ** 40)
    .execute();
  if (isPostgres) assert.equal((await refusal(small)).kind, "bad_value");
  else assert.deepEqual(await small, []);
});

check("a long stream that is read slowly keeps nobody from writing", async (url) => {
  const db = await withBooks(url, { connections: 2, waitTimeout: BOUND / 1_000 });
  const count = 20_000;
  const titles = Array.from({ length: count }, (_, index) => ({ title: String(index) }));
  for (let start = 0; start < count; start += 1_000) await addBooks(db, titles.slice(start, start + 1_000));
  let seen = 0;
  for await (const _ of forRequest(db).selectFrom("books").select("title").stream(1_000)) {
    if (++seen % 2_000 !== 0) continue;
    await new Promise((resolve) => setTimeout(resolve, 20));
    await db.transaction().execute((open) => addBooks(open, { title: `while ${seen}` }));
  }
  assert.equal(seen, count);
});

check("a refusal says which table and columns, and shows no value", async (url) => {
  const db = await withBooks(url);
  await db.schema.createIndex("books_by_pages").unique().on("books").columns(["pages", "price"]).execute();
  await addAuthors(db, { name: "Tolstoy" });
  await addBooks(db, { title: "secret", pages: 4711, price: 2, author_id: 1 });
  const refusals = [
    await refusal(addBooks(db, { title: "secret" })),
    await refusal(addBooks(db, { title: "B", pages: 4711, price: 2 })),
    await refusal(addBooks(db, { title: null })),
    await refusal(addBooks(db, { title: "B", author_id: 4711 })),
    await refusal(db.updateTable("books").set({ author_id: 4711 }).execute()),
    await refusal(db.deleteFrom("authors").where("id", "=", 1).execute()),
    await refusal(db.updateTable("authors").set({ id: 4711 }).execute()),
    await refusal(addBooks(db, { title: "B", pages: -4711 })),
  ];
  assert.deepEqual(
    refusals.map(({ kind, table, columns }) => [
      kind,
      kind === "still_referenced" ? "" : table,
      kind === "check" || kind === "still_referenced" ? [] : columns,
    ]),
    [
      ["unique", "books", ["title"]],
      ["unique", "books", ["pages", "price"]],
      ["not_null", "books", ["title"]],
      ["missing_reference", "books", ["author_id"]],
      ["missing_reference", "books", ["author_id"]],
      ["still_referenced", "", []],
      ["still_referenced", "", []],
      ["check", "books", []],
    ],
  );
  for (const { message } of refusals) assert.doesNotMatch(message, /4711|secret/);
  assert.equal(refusals[0].message, "Another row of books has the same title.");
});

check("a value that does not fit is refused", async (url) => {
  const db = await withBooks(url);
  assert.equal((await refusal(addBooks(db, { title: "a\0b" }))).kind, "bad_value");
  assert.equal((await refusal(addBooks(db, { title: "a", pages: 2n ** 70n }))).kind, "bad_value");
  for (const added of [new Date(Number.NaN), new Date(8.64e15), new Date("0000-12-31T00:00:00Z")])
    assert.equal((await refusal(addBooks(db, { title: "a", added }))).kind, "bad_value");
  const price = Number.NaN;
  assert.equal((await refusal(addBooks(db, { title: "a", price }))).kind, "bad_value");
  assert.deepEqual(await db.selectFrom("books").selectAll().execute(), []);
});

check("a mistake in a query is no refusal", async (url) => {
  const db = await withBooks(url);
  const error = await failure(db.selectFrom("nothing").selectAll().execute());
  assert.ok(!(error instanceof DatabaseError));
  assert.match(error.message, /nothing/);
});

check("a transaction that a query begins by itself has no other query in it", async (url) => {
  const db = await withBooks(url, { connections: 1 });
  const begins = ["begin", "BEGIN", "/* now */ begin", "-- now\nbegin", "-- now\r\nbegin", ";begin"];
  for (const title of begins) {
    await sql
      .raw(title)
      .execute(db)
      .catch(() => {});
    await addBooks(db, { title });
  }
  assert.deepEqual(await titlesOf(open(url)), begins);
});

check("several statements in one query are a mistake", async (url) => {
  const db = await withBooks(url);
  await failure(sql`insert into books (title) values (${"A"}); delete from books`.execute(db));
  assert.deepEqual(await db.selectFrom("books").selectAll().execute(), []);
});

check("a transaction is all or nothing", async (url) => {
  const db = await withBooks(url);
  await db.transaction().execute((transaction) => addBooks(transaction, { title: "kept" }));
  await failure(
    db.transaction().execute(async (transaction) => {
      await addBooks(transaction, { title: "lost" });
      throw new Error("no");
    }),
  );
  const controlled = await db.startTransaction().execute();
  await addBooks(controlled, { title: "before" });
  const after = await controlled.savepoint("half").execute();
  await addBooks(after, { title: "taken back" });
  await after.rollbackToSavepoint("half").execute();
  await addBooks(controlled, { title: "after" });
  await controlled.commit().execute();
  const given = await db.startTransaction().execute();
  await addBooks(given, { title: "given up" });
  await given.rollback().execute();
  assert.deepEqual(await titlesOf(db), ["kept", "before", "after"]);
});

check("while a transaction is open, others read, and do not see it", async (url) => {
  const db = await withBooks(url);
  const open = await db.startTransaction().execute();
  await addBooks(open, { title: "A" });
  assert.deepEqual(await db.selectFrom("books").selectAll().execute(), []);
  await open.commit().execute();
  assert.equal(await countBooks(db), 1);
});

check("several processes write at once, without a lost row", async (url) => {
  const db = await withBooks(url);
  await addAuthors(db, { name: "0" });
  await runTasks(2, "write", [url, "25"]);
  assert.equal(await countBooks(db), 2 * 25);
  assert.deepEqual(await db.selectFrom("authors").select("name").execute(), [{ name: "50" }]);
});

check("what waits for too long is unavailable, in bounded time", async (url) => {
  const db = await withBooks(url, { waitTimeout: 1, statementTimeout: 1, connections: 2 });
  await addBooks(db, { title: "A" });
  const open = [
    await db.startTransaction().execute(),
    ...(isPostgres ? [await db.startTransaction().execute()] : []),
  ];
  await open[0].updateTable("books").set({ pages: 1 }).execute();
  const start = performance.now();
  const kinds = await Promise.all([
    refusal(db.updateTable("books").set({ pages: 2 }).execute()),
    refusal(db.transaction().execute(async () => {})),
    refusal(addBooks(db, { title: "B" })),
  ]);
  assert.ok(performance.now() - start < BOUND);
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ["unavailable", "unavailable", "unavailable"],
  );
  for (const transaction of open) await transaction.commit().execute();
  await addBooks(db, { title: "C" });
  assert.deepEqual(await db.selectFrom("books").select(["title", "pages"]).orderBy("id").execute(), [
    { title: "A", pages: 1 },
    { title: "C", pages: null },
  ]);
});

check("what may wait for ever waits", async (url) => {
  const forEver = Number.POSITIVE_INFINITY;
  const db = await withBooks(url, { waitTimeout: forEver, statementTimeout: forEver, connections: 1 });
  const open = await db.startTransaction().execute();
  const waiting = addBooks(db, { title: "A" });
  const slow = isPostgres ? sql`select pg_sleep(0.2)` : sql`select 1`;
  await slow.execute(open);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await open.commit().execute();
  await waiting;
});

check("a stream gives all rows, may be left, and keeps nobody from writing", async (url) => {
  const db = await withBooks(url);
  for (let start = 0; start < 1_000; start += 100)
    await addBooks(
      db,
      Array.from({ length: 100 }, (_, index) => ({ title: String(start + index) })),
    );
  let seen = 0;
  for await (const { title, sold } of db
    .selectFrom("books")
    .select(["title", "sold"])
    .orderBy("id")
    .stream(50)) {
    assert.deepEqual([title, sold], [String(seen), false]);
    seen += 1;
    if (seen % 100 === 0) await addBooks(db, { title: `while ${seen}` });
  }
  assert.equal(seen, 1_000);
  for await (const { id } of db.selectFrom("books").select("id").orderBy("id").stream(10))
    if (id === 15) break;
  const failed = db.selectFrom("nothing").selectAll().stream();
  await failure(failed.next());
  assert.equal(await countBooks(db), 1_010);
});

check("a stream is refused in a transaction, which its reader would keep open", async (url) => {
  for (const place of everyPlace(url)) {
    const db = await withBooks(place);
    await addBooks(db, { title: "A" });
    const request = forRequest(db);
    const started = await request.startTransaction().execute();
    joinTransaction(request, started);
    for (const open of [started, request, started.withPlugin(new CamelCasePlugin())]) {
      const { message, hint } = await failure(open.selectFrom("books").selectAll().stream().next());
      assert.match(message, /^A stream can't run in a transaction/);
      assert.match(hint, /without a transaction/);
    }
    await addBooks(started, { title: "B" });
    await started.commit().execute();
    assert.deepEqual(await titlesOf(db), ["A", "B"]);
  }
});

check("when a transaction ends, what still waits for its turn in it does not run", async (url) => {
  for (const place of everyPlace(url)) {
    const db = await withBooks(place);
    await addBooks(db, { title: "A" });
    const insert = (open, title) => addBooks(open, { title });
    const titles = ["A", "B", "C", "D", "E"];
    const error = await failure(
      db.transaction().execute((open) => Promise.all(titles.map((title) => insert(open, title)))),
    );
    assert.equal(error.kind, "unique");
    const read = async (open) => {
      for await (const _ of open.selectFrom("books").selectAll().stream());
    };
    for (const late of [insert, read])
      for (let turns = 0; turns < 12; turns++) {
        let running;
        const run = async (open) => {
          for (let turn = 0; turn < turns; turn++) await undefined;
          await late(open, "late");
        };
        await db
          .transaction()
          .execute(async (open) => {
            running = run(open).catch(() => {});
            throw new Error("no");
          })
          .catch(() => {});
        await insert(db, `${late.name} ${turns}`);
        await running;
      }
    const kept = (await titlesOf(db)).filter((title) => titles.includes(title) || title === "late");
    assert.deepEqual(kept, ["A"]);
  }
});

check("a connection that is held is used before, in and after a transaction", async (url) => {
  for (const place of everyPlace(url)) {
    const db = await withBooks(place);
    const schema = place.startsWith("sqlite:") ? "main" : "public";
    const titles = async (open) => {
      const found = [];
      for await (const { title } of open.selectFrom("books").select("title").orderBy("id").stream(1))
        found.push(title);
      return found;
    };
    await db.connection().execute(async (held) => {
      const other = held.withSchema(schema);
      for (const open of [held, other, held]) {
        await open.transaction().execute((inside) => addBooks(inside, { title: "A" }));
        assert.deepEqual(await titles(open), ["A"]);
        const controlled = await held.startTransaction().execute();
        await controlled.deleteFrom("books").execute();
        await controlled.commit().execute();
        await addBooks(other, { title: "B" });
        assert.deepEqual(await titles(held), ["B"]);
        await held.deleteFrom("books").execute();
      }
    });
  }
});

check("whoever waits for a lock does not keep the process from doing other things", async (url) => {
  const db = await withBooks(url, { waitTimeout: 2, statementTimeout: 2 });
  await addBooks(db, { title: "A" });
  const other = open(url);
  const held = await other.startTransaction().execute();
  await held.updateTable("books").set({ pages: 1 }).execute();
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  const waiting = Array.from({ length: 5 }, () =>
    refusal(db.updateTable("books").set({ pages: 2 }).execute()),
  );
  for (const { kind } of await Promise.all(waiting)) assert.equal(kind, "unavailable");
  clearInterval(timer);
  assert.ok(longest < 1_000, `${longest} ms`);
  await held.rollback().execute();
});

check("a stream that fails gives back what it has", async (url) => {
  for (const place of everyPlace(url)) {
    const db = await withBooks(place, { connections: 2 });
    const files = countFiles();
    for (let number = 0; number < 20; number++)
      await failure(db.selectFrom("nothing").selectAll().stream().next());
    assert.ok(countFiles() - files < 5);
    await addBooks(db, { title: "A" });
    const rows = db.selectFrom("books").select("title").stream(0);
    assert.deepEqual((await rows.next()).value, { title: "A" });
    assert.equal((await rows.next()).done, true);
  }
});

check("a query that is given up leaves its connection to others", async (url) => {
  for (const place of everyPlace(url)) {
    const db = await withBooks(place, { connections: 1 });
    // Kysely prints what becomes of a query that was given up.
    const { error: print } = console;
    console.error = () => {};
    for (const inflightQueryAbortStrategy of ["ignore query", "cancel query"])
      for (let number = 0; number < 10; number++) {
        const leave = new AbortController();
        const options = { signal: leave.signal, inflightQueryAbortStrategy };
        const query = db.selectFrom("books").selectAll().execute(options);
        setTimeout(() => leave.abort(), number / 2);
        await query.catch(({ name }) => assert.equal(name, "AbortError"));
        await addBooks(db, { title: `${inflightQueryAbortStrategy} ${number}` });
      }
    console.error = print;
    assert.equal(await countBooks(db), 20);
    const open = await db.startTransaction().execute();
    await addBooks(open, { title: "A" });
    const start = performance.now();
    const waiting = Array.from({ length: 5 }, (_, number) =>
      failure(
        db
          .insertInto("books")
          .values({ title: `B ${number}` })
          .execute({ signal: AbortSignal.timeout(50) }),
      ),
    );
    for (const { name } of await Promise.all(waiting)) assert.equal(name, "TimeoutError");
    assert.ok(performance.now() - start < BOUND);
    await open.commit().execute();
    await addBooks(db, { title: "C" });
  }
});

check("a transaction that only reads sees one state, and can't write", async (url) => {
  const db = await withBooks(url);
  const reading = await db
    .startTransaction()
    .setAccessMode("read only")
    .setIsolationLevel("repeatable read")
    .execute();
  assert.deepEqual(await reading.selectFrom("books").selectAll().execute(), []);
  await addBooks(db, { title: "A" });
  assert.deepEqual(await reading.selectFrom("books").selectAll().execute(), []);
  assert.equal((await refusal(addBooks(reading, { title: "B" }))).kind, "broken");
  await reading.rollback().execute();
  // That was the mistake of a query. The database is well.
  await checkDatabase(db);
  await addBooks(db, { title: "C" });
});

check("once a request has a transaction, all its queries are part of it", async (url) => {
  for (const place of everyPlace(url)) {
    const db = await withBooks(place, { connections: 1 });
    for (const end of ["rollback", "commit"]) {
      const request = forRequest(db);
      const insert = (target, title) => addBooks(target, { title: `${end} ${title}` });
      const built = request.selectFrom("books").select("title").where("title", "like", `${end}%`);
      const plugged = request.withPlugin(new CamelCasePlugin());
      await insert(request, "before");
      const transaction = await request.startTransaction().execute();
      joinTransaction(request, transaction);
      await Promise.all([insert(transaction, "A"), insert(request, "B"), insert(plugged, "C")]);
      for (const { title } of await built.execute())
        await request.updateTable("books").set({ pages: 1 }).where("title", "=", title).execute();
      for (const { authorId } of await plugged.selectFrom("books").selectAll().execute())
        assert.equal(authorId, null);
      const others = [
        request.transaction().execute(async () => {}),
        request.startTransaction().execute(),
        inTransaction(request, async () => {}),
      ];
      for (const other of others) assert.match((await failure(other)).message, /part of its transaction/);
      await transaction[end]().execute();
      for (const late of [
        insert(request, "late"),
        built.execute(),
        plugged.selectFrom("books").stream().next(),
        inTransaction(request, async () => {}),
      ])
        assert.match((await failure(late)).message, /Transaction is already (?:committed|rolled back)/);
      const kept = (await titlesOf(db)).filter((title) => title.startsWith(end));
      assert.deepEqual(
        kept.map((title) => title.split(" ")[1]),
        end === "commit" ? ["before", "A", "B", "C"] : ["before"],
      );
      assert.throws(() => joinTransaction(db, transaction), /forRequest\(\)/);
    }
  }
});

check("closing waits for what is open, and then nothing runs", async (url) => {
  const db = await withBooks(url);
  const open = await db.startTransaction().execute();
  await addBooks(open, { title: "A" });
  const closed = db.destroy();
  await open.commit().execute();
  await closed;
  await failure(db.selectFrom("books").selectAll().execute());
  assert.equal((await openDatabase({ url }).selectFrom("books").selectAll().execute()).length, 1);
});

check("closing does not wait for ever", async (url) => {
  const db = await withBooks(url, { waitTimeout: 1 });
  const open = await db.startTransaction().execute();
  await addBooks(open, { title: "A" });
  await db.destroy();
  assert.equal((await refusal(addBooks(open, { title: "B" }))).kind, "unavailable");
  await open
    .rollback()
    .execute()
    .catch(() => {});
  assert.deepEqual(await openDatabase({ url }).selectFrom("books").selectAll().execute(), []);
});

check("text is found in any case, and its %, _ and \\ are characters", async (url) => {
  const db = await withBooks(url);
  const titles = ["War & Peace", "100% cotton", "snake_case", "C:\\dir", "ÉTUDE", "Straße", "a.b*c"];
  await addBooks(
    db,
    titles.map((title) => ({ title })),
  );
  const find = async (text) => {
    const rows = await db
      .selectFrom("books")
      .select("title")
      .where(({ ref }) => containsText(ref("title"), text))
      .orderBy("id")
      .execute();
    return rows.map(({ title }) => title);
  };
  assert.deepEqual(await find("wAR"), ["War & Peace"]);
  assert.deepEqual(await find("%"), ["100% cotton"]);
  assert.deepEqual(await find("_"), ["snake_case"]);
  assert.deepEqual(await find("\\"), ["C:\\dir"]);
  assert.deepEqual(await find("straße"), ["Straße"]);
  assert.deepEqual(await find(".b*"), ["a.b*c"]);
  assert.deepEqual(await find(""), titles);
  assert.deepEqual(await find("'; drop table books; --"), []);
  if (!isPostgres) assert.deepEqual(await find("étude"), ["ÉTUDE"]);
  if (isPostgres) assert.deepEqual(await find("y".repeat(60_000)), []);
  else assert.equal((await refusal(find("y".repeat(60_000)))).kind, "bad_value");
});

check(
  "ilike ignores the case of all letters, and like that of A to Z",
  async (url) => {
    const db = await withBooks(url);
    const texts = ["Ärgernis", "ähs und äs", "ééxé", "😀", "100%", "a(é+)*$b", "é\né"];
    await addBooks(
      db,
      texts.map((title) => ({ title })),
    );
    for (const [pattern, index] of [
      ["ärger%", 0],
      ["%GERNIS", 0],
      ["_RGERNIS", 0],
      ["Ä%S%S", 1],
      ["%É_É", 2],
      ["😀", 3],
      ["100\\%", 4],
      ["%(É+)*$%", 5],
      ["É\n%", 6],
      ["ärger", -1],
    ]) {
      const query = db.selectFrom("books").select("title").where("title", "ilike", pattern).orderBy("id");
      assert.equal((await query.executeTakeFirst())?.title, texts[index], pattern);
    }
    assert.equal(
      (await db.selectFrom("books").select("id").where("title", "like", "%GER%").execute()).length,
      1,
    );
    assert.equal(
      (await db.selectFrom("books").select("id").where("title", "like", "ä%").execute()).length,
      1,
    );
  },
  "sqlite",
);

/** @returns migrations that make a table each, and fill it. */
function migrationsOf(...names) {
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        async up(db) {
          await db.schema.createTable(`table_${name}`).addColumn("id", "bigint").execute();
          await sql`insert into ${sql.table(`table_${name}`)} (id) values (1)`.execute(db);
        },
        async down(db) {
          await db.schema.dropTable(`table_${name}`).execute();
        },
      },
    ]),
  );
}

const FAILING = {
  async up(db) {
    await db.schema.createTable("half").addColumn("id", "bigint").execute();
    await db.schema.createTable("half").addColumn("id", "bigint").execute();
  },
};

/** What a command prints, with its exit status. */
async function said(run) {
  const lines = [];
  const { log, error } = console;
  console.log = (line) => lines.push(line);
  console.error = (line) => lines.push(line);
  try {
    await run();
  } finally {
    Object.assign(console, { log, error });
  }
  const status = process.exitCode ?? 0;
  process.exitCode = undefined;
  return [...lines, status];
}

const migrate = (url, migrations, ...words) =>
  said(() => runMigrations(openDatabase({ url }), migrations, words));

check("migrations are applied, listed and reverted", async (url) => {
  const two = migrationsOf("1_first", "2_second");
  assert.deepEqual(await migrate(url, two, "status"), ["pending  1_first", "pending  2_second", 0]);
  assert.deepEqual(await migrate(url, two), ["Applied 1_first.", "Applied 2_second.", 0]);
  assert.deepEqual(await migrate(url, two, "up"), ["Nothing to apply: 2 migrations are in place.", 0]);
  assert.deepEqual(await migrate(url, two, "down"), ["Reverted 2_second.", 0]);
  assert.deepEqual(await migrate(url, two, "status"), ["applied  1_first", "pending  2_second", 0]);
  // One that a colleague made earlier and merged later.
  const three = { ...migrationsOf("1_between"), ...two };
  assert.deepEqual(await migrate(url, three), ["Applied 1_between.", "Applied 2_second.", 0]);
  assert.deepEqual(await migrate(url, three, "sideways"), [
    "error Unexpected argument `sideways`.\n  hint: There are up, down and status.",
    1,
  ]);
  assert.deepEqual(await migrate(url, {}, "status"), [
    "applied  1_between (its file is missing)",
    "applied  1_first (its file is missing)",
    "applied  2_second (its file is missing)",
    0,
  ]);
});

check("a migration that fails is named, and leaves nothing of its run", async (url) => {
  const lines = await migrate(url, { ...migrationsOf("1_first"), "2_bad": FAILING });
  assert.match(lines[0], /^error 2_bad has failed: .*half.* already exists/);
  assert.match(lines[0], /The database is as it was before\.$/);
  assert.equal(lines.at(-1), 1);
  assert.deepEqual(await migrate(url, migrationsOf("1_first", "2_bad")), [
    "Applied 1_first.",
    "Applied 2_bad.",
    0,
  ]);
});

check("a migration without a way back is left as it is", async (url) => {
  const migrations = { "1_first": { up: migrationsOf("1_first")["1_first"].up } };
  await migrate(url, migrations);
  const [line, status] = await migrate(url, migrations, "down");
  assert.match(line, /^error 1_first can't be reverted: it has no function `down`\./);
  assert.equal(status, 1);
  assert.deepEqual(await migrate(url, migrations, "status"), ["applied  1_first", 0]);
});

check("a migration that nobody has listed is pointed out", async (url) => {
  const folder = mkdtempSync(join(tmpdir(), "project-"));
  const start = process.cwd();
  try {
    mkdirSync(join(folder, "database/migrations"), { recursive: true });
    for (const file of [
      "framework.toml",
      ...["index", "1_first", "2_second"].map((name) => `database/migrations/${name}.ts`),
    ])
      writeFileSync(join(folder, file), "");
    process.chdir(join(folder, "database"));
    const warning = "warning database/migrations/2_second.ts is not listed in database/migrations/index.ts.";
    assert.deepEqual(await migrate(url, migrationsOf("1_first")), [warning, "Applied 1_first.", 0]);
  } finally {
    process.chdir(start);
    rmSync(folder, { recursive: true });
  }
});

check("a migration that the code lacks is named", async (url) => {
  await migrate(url, migrationsOf("1_first"));
  const lines = await migrate(url, migrationsOf("2_second"));
  assert.match(lines[0], /^error The database has migrations that this code lacks: 1_first\./);
  assert.equal(lines.at(-1), 1);
});

check("processes that migrate at once apply each migration once", async (url) => {
  const outputs = await runTasks(process.env.LONG === "1" ? 8 : 2, "migrate", [url]);
  const applied = outputs
    .flatMap((output) => output.split("\n"))
    .filter((line) => line.startsWith("Applied"));
  assert.deepEqual(applied.sort(), ["Applied 1_first.", "Applied 2_second.", "Applied 3_third."]);
});

check("a process that is killed in its migrations leaves the schema before or after", async (url) => {
  const { child, ended } = runTask("hang in a migration", [url]);
  await new Promise((resolve) => child.stdout.once("data", resolve));
  child.kill("SIGKILL");
  await ended;
  const db = open(url);
  await failure(sql`select 1 from half`.execute(db));
  assert.deepEqual(await migrate(url, migrationsOf("1_first")), ["Applied 1_first.", 0]);
});

check(
  "a table is made again in a migration, and what refers to it stays",
  async (url) => {
    const db = await withBooks(url);
    await sql`insert into authors (name) values ('A')`.execute(db);
    await sql`insert into books (title, author_id) values ('B', 1)`.execute(db);
    const rebuild = {
      async up(db) {
        await db.schema
          .createTable("authors_new")
          .addColumn("id", "bigint", (column) => column.generatedByDefaultAsIdentity().primaryKey())
          .addColumn("name", "text")
          .addColumn("born", "bigint")
          .execute();
        await sql`insert into authors_new (id, name) select id, name from authors`.execute(db);
        await db.schema.dropTable("authors").execute();
        await db.schema.alterTable("authors_new").renameTo("authors").execute();
      },
    };
    assert.deepEqual(await migrate(url, { "1_rebuild": rebuild }), ["Applied 1_rebuild.", 0]);
    assert.deepEqual(await db.selectFrom("books").select(["title", "author_id"]).execute(), [
      { title: "B", author_id: 1 },
    ]);
    assert.equal((await refusal(addBooks(db, { title: "C", author_id: 9 }))).kind, "missing_reference");
    const empty = { up: (db) => sql`delete from authors`.execute(db) };
    const [line] = await migrate(url, { "1_rebuild": rebuild, "2_empty": empty });
    assert.equal(
      line,
      "error The migrations leave rows of books that refer to missing rows of authors.\n  hint: The database is as it was before.",
    );
  },
  "sqlite",
);

check("a server applies migrations in development, and elsewhere asks for them", async (url) => {
  const migrations = migrationsOf("1_first", "2_second");
  const prepare = (mode, list) =>
    said(async () => {
      process.env.NODE_ENV = mode;
      try {
        await prepareDatabase(open(url), list);
      } finally {
        process.env.NODE_ENV = "production";
      }
    });
  const error = await failure(prepare("production", migrations));
  assert.equal(error.name, "Problem");
  assert.equal(error.message, "The database lacks 2 migrations: 1_first, 2_second.");
  assert.deepEqual(await prepare("test", migrations), [0]);
  assert.deepEqual(await prepare("development", migrations), ["Applied 1_first.", "Applied 2_second.", 0]);
  assert.deepEqual(await prepare("production", migrations), [0]);
  assert.deepEqual(await prepare("production", migrationsOf("1_first")), [0], "ahead");
  assert.match(
    (await failure(prepare("production", migrationsOf("1_first", "3_third")))).message,
    /lacks a migration: 3_third\.$/,
  );
});

check("rows are inserted into empty tables", async (url) => {
  await createBooks(open(url));
  const rows = {
    authors: [{ name: "A" }],
    books: [{ title: "B", author_id: 1, sold: true }, { title: "C" }],
  };
  assert.deepEqual(await said(() => seedDatabase(openDatabase({ url }), rows)), [
    "Inserted 1 row into authors.",
    "Inserted 2 rows into books.",
    0,
  ]);
  assert.deepEqual(await said(() => seedDatabase(openDatabase({ url }), rows)), [
    "authors has rows already.",
    "books has rows already.",
    0,
  ]);
  const [line, status] = await said(() => seedDatabase(openDatabase({ url }), { nothing: [{ id: 1 }] }));
  assert.equal(line, "error The database has no table nothing.\n  hint: Run `npm run migrate` first.");
  assert.equal(status, 1);
});

check("each test database is empty and its own, and a test opens no other", async (url) => {
  const migrations = { "1_books": { up: createBooks } };
  process.env.NODE_ENV = "test";
  try {
    const [one, other] = await Promise.all([
      openTestDatabase({ url, migrations }),
      openTestDatabase({ url, migrations }),
    ]);
    await addBooks(one, { title: "A" });
    assert.deepEqual(await other.selectFrom("books").selectAll().execute(), []);
    assert.equal(await countBooks(one), 1);
    await Promise.all([one.destroy(), other.destroy()]);
    const error = await failure(openDatabase({ url }).selectFrom("books").selectAll().execute());
    assert.equal(error.message, "A test opens a database of its own: createTestApp() of tests/_database.ts.");
  } finally {
    process.env.NODE_ENV = "production";
  }
});

check("a process with an open test database ends, and its tables go", async (url) => {
  const { status, output } = await runTask("test", [url], { NODE_ENV: "test" }).ended;
  assert.equal(status, 0, output);
  if (!isPostgres) return;
  const schemas = sql`select nspname from pg_namespace where nspname like 'framework_test_%'`;
  assert.deepEqual((await schemas.execute(open(url))).rows, []);
  const { child, ended } = runTask("test, and hang", [url], { NODE_ENV: "test" });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  child.kill("SIGKILL");
  await ended;
  const left = (await schemas.execute(open(url))).rows;
  assert.equal(left.length, 1);
  await runTask("test", [url], { NODE_ENV: "test" }).ended;
  assert.deepEqual((await schemas.execute(open(url))).rows, []);
});

check("a transaction that another one came in the way of is run again", async (url) => {
  const db = await withBooks(url);
  await addAuthors(db, { name: "0" });
  let runs = 0;
  const raise = () =>
    inTransaction(
      db,
      async (transaction) => {
        runs += 1;
        const { name } = await transaction.selectFrom("authors").select("name").executeTakeFirstOrThrow();
        await transaction
          .updateTable("authors")
          .set({ name: String(Number(name) + 1) })
          .execute();
      },
      { isolation: "serializable", attempts: 20 },
    );
  await Promise.all(Array.from({ length: 8 }, raise));
  assert.deepEqual(await db.selectFrom("authors").select("name").execute(), [{ name: "8" }]);
  assert.ok(isPostgres ? runs > 8 : runs === 8, `${runs} runs`);
  const error = new DatabaseError("conflict", "Again.");
  let attempts = 0;
  const failed = inTransaction(db, async () => {
    attempts += 1;
    throw error;
  });
  assert.equal(await failure(failed), error);
  assert.equal(attempts, 3);
});

/** In that folder of Linux, root may make no file either. */
const UNWRITABLE = process.getuid?.() === 0 ? "/sys" : join(place, "closed");
const withUrl = (parts) => Object.assign(new URL(place), parts).href;
const UNUSABLE = isPostgres
  ? [
      [
        "postgres://ada:secret@127.0.0.1:1/x",
        /at 127\.0\.0\.1:1 can't be reached \(ECONNREFUSED\).*DATABASE_URL/,
      ],
      [withUrl({ password: "secret" }), /password authentication failed.*DATABASE_URL/],
      [withUrl({ pathname: "/nothing_of_the_kind" }), /nothing_of_the_kind" does not exist/],
    ]
  : [
      [`sqlite:${place}`, /The database file .* can't be opened\. .*folder/],
      [`sqlite:${here}`, /checks\.mjs is not a SQLite database\. .*move the file away/],
      [
        `sqlite:${here}/y/x.db`,
        /The folder of the database file .*x\.db can't be made \(ENOTDIR\)\. .*writable/,
      ],
      [`sqlite:${UNWRITABLE}/app.db`, /app\.db can't be opened\. .*may write there/],
    ];

check("what can't be opened is a message that says what to do, without the password", async () => {
  if (UNWRITABLE !== "/sys" && !isPostgres) mkdirSync(UNWRITABLE, { mode: 0o555 });
  for (const [url, says] of UNUSABLE) {
    const { name, message, hint } = await failure(prepareDatabase(open(url), {}));
    assert.equal(name, "Problem");
    assert.match(`${message} ${hint}`, says);
    assert.doesNotMatch(`${message} ${hint}`, /secret/);
    const lines = await migrate(url, {});
    if (hint) assert.deepEqual(lines, [`error ${message}\n  hint: ${hint}`, 1]);
  }
});

check(
  "a file's folder is made",
  async () => {
    await createBooks(open(`sqlite:${join(place, "a/b/c.db")}`));
    assert.ok(existsSync(join(place, "a/b/c.db")));
  },
  "sqlite",
);

check(
  "a table changes, and rows have their names",
  async (url) => {
    const db = await withBooks(url);
    const other = open(url);
    await addAuthors(db, { name: "A" });
    const all = () => db.selectFrom("authors").selectAll().execute();
    const twice = () =>
      db.selectFrom("authors as one").innerJoin("authors as two", "one.id", "two.id").selectAll().execute();
    assert.deepEqual(await all(), [{ id: 1, name: "A" }]);
    assert.deepEqual(await twice(), [{ id: 1, name: "A" }]);
    const add = (target, name) =>
      target.schema
        .alterTable("authors")
        .addColumn(name, "boolean", (column) => column.defaultTo(true))
        .execute();
    await add(db, "born");
    assert.deepEqual(await all(), [{ id: 1, name: "A", born: true }]);
    // What another process adds is there a little later. It is never another column's.
    await add(other, "later");
    while ((await all())[0].later !== true) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(await twice(), [{ id: 1, name: "A", born: true, later: true }]);
    const insert = () => db.insertInto("authors").values({ born: false }).returningAll().execute();
    await other.schema.alterTable("authors").dropColumn("name").execute();
    assert.deepEqual(await all(), [{ id: 1, born: true, later: true }]);
    await other.schema.alterTable("authors").dropColumn("later").execute();
    await other.schema.alterTable("authors").addColumn("age", "bigint").execute();
    assert.deepEqual(await insert(), [{ id: 2, born: false, age: null }]);
    await other.schema.alterTable("authors").renameColumn("born", "lives").execute();
    await other.schema.alterTable("authors").renameColumn("age", "born").execute();
    while ((await twice())[0].lives !== true) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(await twice(), [
      { id: 1, lives: true, born: null },
      { id: 2, lives: false, born: null },
    ]);
    await db
      .transaction()
      .execute(async (transaction) => {
        await transaction.schema.alterTable("authors").addColumn("half", "text").execute();
        assert.deepEqual(await transaction.selectFrom("authors").selectAll().where("id", "=", 2).execute(), [
          { id: 2, lives: false, born: null, half: null },
        ]);
        throw new Error("no");
      })
      .catch(() => {});
    assert.deepEqual(await all(), [
      { id: 1, lives: true, born: null },
      { id: 2, lives: false, born: null },
    ]);
  },
  "sqlite",
);

check(
  "a file that is deleted or replaced while it is open is broken",
  async (url) => {
    const file = url.slice("sqlite:".length);
    for (const replace of [() => {}, () => copyFileSync(`${file}-copy`, file)]) {
      const db = await withBooks(url);
      await addBooks(db, { title: "A" });
      await sql`vacuum into ${sql.lit(`${file}-copy`)}`.execute(db);
      rmSync(file);
      replace();
      let refused;
      for (let number = 0; !refused; number++)
        refused = await addBooks(db, { title: `B ${number}` }).then(
          () => undefined,
          (error) => error,
        );
      assert.equal(refused.kind, "broken");
      assert.match(refused.message, /deleted or replaced/);
      await db.destroy();
      for (const left of [file, `${file}-copy`, `${file}-wal`, `${file}-shm`]) rmSync(left, { force: true });
    }
  },
  "sqlite",
);

check(
  "a file that is deleted before the first transaction or stream is not made again",
  async (url) => {
    const file = url.slice("sqlite:".length);
    const uses = [
      (db) => db.transaction().execute((open) => addBooks(open, { title: "A" })),
      (db) => db.selectFrom("books").selectAll().stream().next(),
    ];
    for (const use of uses) {
      const db = await withBooks(url);
      rmSync(file);
      const { kind, message } = await refusal(use(db));
      assert.equal(kind, "broken");
      assert.match(message, /deleted or replaced/);
      assert.ok(!existsSync(file));
      await db.destroy();
      for (const left of [`${file}-wal`, `${file}-shm`]) rmSync(left, { force: true });
    }
  },
  "sqlite",
);

check(
  "what only reads has the types of its columns, and can't write, in a file and in memory",
  async (url) => {
    for (const place of everyPlace(url)) {
      const db = await withBooks(place);
      await addBooks(db, { title: "A", sold: true });
      const read = (open) => open.selectFrom("books").select(["title", "sold"]);
      const row = { title: "A", sold: true };
      assert.deepEqual((await read(db).stream().next()).value, row);
      const reading = await db.startTransaction().setAccessMode("read only").execute();
      assert.deepEqual(await read(reading).execute(), [row]);
      const { kind, message } = await refusal(addBooks(reading, { title: "B" }));
      assert.equal(kind, "broken");
      assert.match(message, /can't be written/);
      const other = addBooks(db, { title: "C" });
      await reading.commit().execute();
      await other;
      assert.equal(await countBooks(db), 2);
    }
  },
  "sqlite",
);

check(
  "a row that can't be computed fails its stream",
  async (url) => {
    const db = await withBooks(url);
    for (const title of ["[1]", "[2]", "[3]", "["]) await addBooks(db, { title });
    const seen = [];
    const rows = db.selectFrom("books").select(sql`json_extract(title, '$[0]')`.as("first"));
    const read = async () => {
      for await (const { first } of rows.orderBy("id").stream(1)) seen.push(first);
    };
    assert.match((await failure(read())).message, /JSON/);
    assert.deepEqual(seen, [1, 2, 3]);
  },
  "sqlite",
);

check(
  "a full disk is not a busy database, and counts for 30 seconds",
  async (url) => {
    const db = await withBooks(url);
    const insert = (title) => addBooks(db, { title });
    await checkDatabase(db);
    // It is the size that the file has.
    await sql`pragma max_page_count = 1`.execute(db);
    const error = await failure(insert("A".repeat(100_000)));
    assert.deepEqual([error.kind, error.hint], ["broken", "Make room on the disk."]);
    assert.match(error.message, /the disk is full/);
    // A small row still fits.
    await insert("A");
    for (const target of [db, forRequest(db)]) assert.equal(await failure(checkDatabase(target)), error);
    const now = performance.now();
    performance.now = () => now + 31_000;
    try {
      await checkDatabase(db);
    } finally {
      delete performance.now;
    }
  },
  "sqlite",
);

check(
  "a database in memory has transactions, streams and waits",
  async () => {
    const db = await withBooks("sqlite::memory:", { waitTimeout: 0.2 });
    const open = await db.startTransaction().execute();
    await addBooks(open, [{ title: "A" }, { title: "B" }]);
    const writing = addBooks(db, { title: "C" });
    // What the transaction waits for may need to read.
    assert.equal(await countBooks(db), 2);
    await open.commit().execute();
    await writing;
    let seen = 0;
    for await (const _ of db.selectFrom("books").select("title").stream(1)) seen += 1;
    assert.equal(seen, 3);
    const held = await db.startTransaction().execute();
    assert.equal((await refusal(db.deleteFrom("books").execute())).kind, "unavailable");
    await held.rollback().execute();
    await db.deleteFrom("books").execute();
  },
  "sqlite",
);

check(
  "a transaction begins by Kysely, because requests share a connection",
  async (url) => {
    const db = await withBooks(url);
    assert.match((await failure(sql`begin`.execute(db))).message, /db\.transaction\(\)/);
  },
  "sqlite",
);

check(
  "a statement that takes too long is cancelled on the server",
  async (url) => {
    const db = open(url, { statementTimeout: 0.2, connections: 1 });
    const start = performance.now();
    const { kind, message } = await refusal(sql`select pg_sleep(60)`.execute(db));
    assert.deepEqual([kind, message], ["unavailable", "A statement took too long, and was cancelled."]);
    assert.ok(performance.now() - start < BOUND);
    const running = sql`select count(*) from pg_stat_activity where query like '%pg_sleep%' and pid <> pg_backend_pid() and state = 'active'`;
    assert.deepEqual((await running.execute(db)).rows, [{ count: 0 }]);
  },
  "postgres",
);

check(
  "a query that is given up is cancelled on the server, if it asks for that",
  async (url) => {
    const db = open(url, { connections: 1 });
    const leave = new AbortController();
    setTimeout(() => leave.abort(), 100);
    const query = sql`select pg_sleep(60)`.execute(db, {
      signal: leave.signal,
      inflightQueryAbortStrategy: "cancel query",
    });
    const { error: print } = console;
    console.error = () => {};
    assert.equal((await failure(query)).name, "AbortError");
    const start = performance.now();
    await sql`select 1`.execute(db);
    console.error = print;
    assert.ok(performance.now() - start < BOUND);
  },
  "postgres",
);

check(
  "a connection that the server ends is replaced",
  async (url) => {
    const db = open(url, { connections: 1 });
    const other = open(url, { connections: 1 });
    const {
      rows: [{ pid }],
    } = await sql`select pg_backend_pid() as pid`.execute(db);
    await sql`select pg_terminate_backend(${pid})`.execute(other);
    await failure(sql`select 1`.execute(db)).catch(() => {});
    await sql`select 1`.execute(db);
    const open1 = await db.startTransaction().execute();
    const {
      rows: [{ pid: second }],
    } = await sql`select pg_backend_pid() as pid`.execute(open1);
    await sql`select pg_terminate_backend(${second})`.execute(other);
    assert.equal((await refusal(sql`select 1`.execute(open1))).kind, "unavailable");
    await open1.rollback().execute();
    await sql`select 1`.execute(db);
  },
  "postgres",
);

/** What other processes of a check do. */
const tasks = {
  async write(url, count) {
    const db = openDatabase({ url });
    const work = Array.from({ length: Number(count) }, async (_, index) => {
      await addBooks(db, { title: `${process.pid} ${index}` });
      await inTransaction(db, async (transaction) => {
        const { name } = await transaction
          .selectFrom("authors")
          .select("name")
          .forUpdate()
          .executeTakeFirstOrThrow();
        await transaction
          .updateTable("authors")
          .set({ name: String(Number(name) + 1) })
          .execute();
      });
    });
    await Promise.all(work);
    await db.destroy();
  },
  async migrate(url) {
    await runMigrations(openDatabase({ url }), migrationsOf("1_first", "2_second", "3_third"), []);
  },
  async "hang in a migration"(url) {
    const up = async (db) => {
      await db.schema.createTable("half").addColumn("id", "bigint").execute();
      console.log("half");
      await new Promise((resolve) => setTimeout(resolve, 60_000));
    };
    await runMigrations(openDatabase({ url }), { "1_hang": { up } }, []);
  },
  async test(url) {
    const db = await openTestDatabase({ url, migrations: { "1_books": { up: createBooks } } });
    await addBooks(db, { title: "A" });
  },
  async "test, and hang"(url) {
    await tasks.test(url);
    console.log("open");
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  },
};

async function main() {
  if (place === "--task") {
    const [, name, ...words] = process.argv.slice(2);
    await tasks[name](...words);
    return;
  }
  let hasFailed = false;
  const wanted = [...checks].filter((_, index) => index % Number(parts) === Number(part));
  for (const [promise, run] of wanted) {
    try {
      await run(await emptyDatabase());
      console.log(`ok ${promise}`);
    } catch (error) {
      hasFailed = true;
      console.log(`not ok ${promise}\n${error?.stack ?? error}`);
    }
    await Promise.all(opened.splice(0).map((db) => db.destroy()));
  }
  // Not before: what a check runs sets the exit status, too.
  process.exitCode = hasFailed ? 1 : 0;
}

await main();
