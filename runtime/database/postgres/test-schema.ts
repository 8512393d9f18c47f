/** Creates schemas for tests on a Postgres server, and drops them when the process that created them has ended. */

import { randomInt } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { createPostgres } from "./dialect.ts";

/** The prefix of a schema's name, followed by the number of its owner and its own number. */
const PREFIX = "framework_test_";

/** Each process holds a lock of this class with its number as long as it lives, so that others know that its schemas are in use. */
const OWNER_LOCKS = 721_517_004;

interface Owner {
  readonly db: Kysely<unknown>;
  readonly number: number;
  schemas: number;
}

/** The owner that this process has for each URL. */
const owners = new Map<string, Promise<Owner>>();

/** @returns the name of a new, empty schema. */
export async function createTestSchema(url: string): Promise<string> {
  const pending = owners.get(url) ?? createOwner(url);
  owners.set(url, pending);
  const owner = await pending;
  const schema = `${PREFIX}${owner.number}_${++owner.schemas}`;
  await sql`create schema ${sql.id(schema)}`.execute(owner.db);
  return schema;
}

async function createOwner(url: string): Promise<Owner> {
  // A single connection, which holds the lock and is never closed.
  const waits = { waitMilliseconds: 10_000, idleMilliseconds: 0, statementMilliseconds: 60_000 };
  const db = createPostgres<unknown>({ url, connections: 1, ...waits });
  const number = randomInt(2 ** 31);
  await sql`select pg_advisory_lock(${OWNER_LOCKS}, ${number})`.execute(db);
  await dropAbandoned(db);
  process.once("beforeExit", () => void dropOwn(db, number));
  return { db, number, schemas: 0 };
}

/** Drops the schemas of processes that were killed. */
async function dropAbandoned(db: Kysely<unknown>): Promise<void> {
  const numbers = sql<{ number: number }>`select distinct split_part(nspname, '_', 3)::int as number
    from pg_namespace where starts_with(nspname, ${PREFIX})`;
  for (const { number } of (await numbers.execute(db)).rows) {
    const lock = sql<{ isFree: boolean }>`select pg_try_advisory_lock(${OWNER_LOCKS}, ${number}) as "isFree"`;
    const [row] = (await lock.execute(db)).rows;
    if (!row?.isFree) continue;
    await dropSchemas(db, number);
    await sql`select pg_advisory_unlock(${OWNER_LOCKS}, ${number})`.execute(db);
  }
}

async function dropOwn(db: Kysely<unknown>, number: number): Promise<void> {
  try {
    // A transaction that a test has left open locks its tables. A later run drops them.
    await sql`set lock_timeout = '1s'`.execute(db);
    await dropSchemas(db, number);
  } catch {
  } finally {
    await db.destroy();
  }
}

async function dropSchemas(db: Kysely<unknown>, number: number): Promise<void> {
  const names = sql<{ name: string }>`select nspname as name
    from pg_namespace where starts_with(nspname, ${`${PREFIX}${number}_`})`;
  for (const { name } of (await names.execute(db)).rows)
    await sql`drop schema if exists ${sql.id(name)} cascade`.execute(db);
}
