/** An app on a database, made to be attacked: single statements, transactions that wait, searches, and a query that takes as long as it is told. */

/** Files that are added to a project with a database. The migrations have several statements each. */
export const LEDGER_FILES: Readonly<Record<string, string>> = {
  "framework.toml": `apps = ["ledger"]

[server]
health = "/healthz"
`,
  "database/tables.ts": `import type { Generated } from "kysely";

/** The tables and the types of their columns. */
export interface Tables {
  entries: { id: Generated<number>; writer: number; number: number; text: string };
  halves: { id: Generated<number>; entry_id: number; part: number };
  /** Its one row is what those who write at once fight for. */
  counters: { id: number; value: number };
}
`,
  "database/migrations/index.ts": `import type { Migrations } from "framework/database";
import * as entries from "./20260101120000_entries.ts";
import * as halves from "./20260102120000_halves.ts";
import * as counters from "./20260103120000_counters.ts";

/** In the order of their names. */
export const migrations: Migrations = {
  "20260101120000_entries": entries,
  "20260102120000_halves": halves,
  "20260103120000_counters": counters,
};
`,
  "database/migrations/20260101120000_entries.ts": `import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("entries")
    .addColumn("id", "bigint", (column) => column.generatedByDefaultAsIdentity().primaryKey())
    .addColumn("writer", "bigint", (column) => column.notNull())
    .addColumn("number", "bigint", (column) => column.notNull())
    .addColumn("text", "text", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("entries_writer_number").on("entries").columns(["writer", "number"]).unique().execute();
}
`,
  "database/migrations/20260102120000_halves.ts": `import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("halves")
    .addColumn("id", "bigint", (column) => column.generatedByDefaultAsIdentity().primaryKey())
    .addColumn("entry_id", "bigint", (column) => column.notNull().references("entries.id"))
    .addColumn("part", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("halves_entry_id").on("halves").column("entry_id").execute();
}
`,
  "database/migrations/20260103120000_counters.ts": `import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("counters")
    .addColumn("id", "bigint", (column) => column.primaryKey())
    .addColumn("value", "bigint", (column) => column.notNull())
    .execute();
  await db.insertInto("counters").values({ id: 1, value: 0 }).execute();
}
`,
  "apps/ledger/providers.ts": `import type { From } from "framework";
import type { database } from "#database/providers.ts";

/** How many entries there are when the provider is called. */
export async function counted(db: From<typeof database>) {
  const counted = db.selectFrom("entries").select((row) => row.fn.countAll<number>().as("count"));
  return (await counted.executeTakeFirstOrThrow()).count;
}
`,
  "apps/ledger/app.toml": '[app]\nprefix = "/ledger"\n',
  "apps/ledger/views.ts": `import { setTimeout as pause } from "node:timers/promises";
import { type Body, type From, HttpError, type int, type Query } from "framework";
import { containsText } from "framework/database";
import { sql } from "kysely";
import type { database, transaction } from "#database/providers.ts";
import type { counted } from "./providers.ts";

type NewEntry = { writer: int; number: int; text: string };

function insert(db: From<typeof database>, entry: NewEntry) {
  return db.insertInto("entries").values(entry).returningAll().executeTakeFirstOrThrow();
}

/** One statement. */
export async function post_index(body: Body<NewEntry>, db: From<typeof database>) {
  return [await insert(db, body), 201];
}

/** Takes the next number of the counter, waits, and writes an entry with two halves: all or nothing. */
export async function post_held(body: Body<NewEntry & { isRefused?: boolean }>, db: From<typeof transaction>) {
  const { isRefused, ...values } = body;
  const raised = db.updateTable("counters").set((row) => ({ value: row("value", "+", 1) })).returning("value");
  const text = String((await raised.executeTakeFirstOrThrow()).value);
  const entry = await insert(db, { ...values, text });
  await db.insertInto("halves").values({ entry_id: entry.id, part: 1 }).execute();
  await pause(5);
  if (isRefused) throw new HttpError(409, "refused");
  await db.insertInto("halves").values({ entry_id: entry.id, part: 2 }).execute();
  return [{ ...entry, pid: process.pid }, 201];
}

/** The transaction is there before another provider asks the database. */
export async function post_early(
  body: Body<NewEntry>,
  tx: From<typeof transaction>,
  before: From<typeof counted>,
  db: From<typeof database>,
) {
  const { id } = await insert(tx, body);
  return [{ before, seen: await get_by_id(id, db) }, 201];
}

/** Here it comes after that provider. */
export async function post_late(
  body: Body<NewEntry>,
  before: From<typeof counted>,
  db: From<typeof database>,
  tx: From<typeof transaction>,
) {
  const { id } = await insert(db, body);
  return [{ before, seen: await get_by_id(id, tx) }, 201];
}

/** A handler that ends its transaction itself, and then answers or throws. */
export async function post_ended(
  { commit, fail, ...values }: Body<NewEntry & { commit?: boolean; fail?: boolean }>,
  db: From<typeof transaction>,
) {
  const entry = await insert(db, values);
  await (commit ? db.commit() : db.rollback()).execute();
  if (fail) throw new HttpError(409, "refused");
  return [entry, 201];
}

export async function get_by_id(id: int, db: From<typeof database>) {
  const entry = await db.selectFrom("entries").selectAll().where("id", "=", id).executeTakeFirst();
  if (entry === undefined) throw new HttpError(404, \`There is no entry \${id}.\`);
  return entry;
}

export async function get_by_text(text: string, db: From<typeof database>) {
  const entries = await db.selectFrom("entries").selectAll().where("text", "=", text).orderBy("id").execute();
  return { entries };
}

export async function get_search(q: Query<string>, db: From<typeof database>) {
  const found = db.selectFrom("entries").selectAll().where((row) => containsText(row.ref("text"), q));
  return { entries: await found.orderBy("id").execute() };
}

export async function put_by_id(id: int, { text }: Body<{ text: string }>, db: From<typeof database>) {
  const [changed] = await db.updateTable("entries").set({ text }).where("id", "=", id).returningAll().execute();
  if (changed === undefined) throw new HttpError(404, \`There is no entry \${id}.\`);
  return changed;
}

export async function get_count(count: From<typeof counted>) {
  return { count };
}

let running = 0;

/** Keeps its connection busy in Postgres. */
export async function get_slow(seconds: Query<number>, db: From<typeof database>) {
  running += 1;
  try {
    await sql\`select pg_sleep(\${seconds})\`.execute(db);
    return { seconds };
  } finally {
    running -= 1;
  }
}

/** Keeps its connection, and in SQLite the one right to write. */
export async function get_held(milliseconds: Query<int>, db: From<typeof transaction>) {
  const { length: count } = await db.selectFrom("entries").select("id").execute();
  running += 1;
  await pause(milliseconds);
  running -= 1;
  return { count };
}

/** A line of 1,000 characters for each entry of a writer. */
export async function* get_export(writer: Query<int>, db: From<typeof database>) {
  running += 1;
  for await (const { number } of db.selectFrom("entries").select("number").where("writer", "=", writer).stream())
    yield \`\${number}\${" ".repeat(1_000)}\\n\`;
  running -= 1;
}

/** The same in a transaction, which is refused. */
export async function* get_exported(db: From<typeof transaction>) {
  for await (const { number } of db.selectFrom("entries").select("number").stream()) yield String(number);
}

/** The file of SQLite can't grow any more, as on a full disk. */
export async function post_full(db: From<typeof database>) {
  await sql\`pragma max_page_count = 1\`.execute(db);
}

/** Without the database. */
export function get_plain() {
  return { pid: process.pid };
}

/** How many of the three above have begun and not ended. */
export function get_running() {
  return { running };
}
`,
};
