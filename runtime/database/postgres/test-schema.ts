/** Schemas for tests on a Postgres server: each test database is one, and goes with the process that made it. */

import { randomInt } from "node:crypto";
import type { Pool } from "pg";
import { quoteName } from "../engine/values.ts";
import { toDatabaseError } from "./errors.ts";
import { createPool, loadPg } from "./pool.ts";

/** Before the number of the owner, and the schema's number among those of the owner. */
const PREFIX = "framework_test_";

/** A process holds a lock of these, with its number, for as long as it lives. So others know that its schemas are in use. */
const OWNER_LOCKS = 721_517_004;

interface Owner {
  readonly pool: Pool;
  readonly number: number;
  schemas: number;
}

/** By URL. */
const owners = new Map<string, Promise<Owner>>();

/** @returns the name of a new, empty schema. */
export async function createTestSchema(url: string): Promise<string> {
  const found = owners.get(url) ?? createOwner(url);
  owners.set(url, found);
  const owner = await found;
  owner.schemas++;
  const schema = `${PREFIX}${owner.number}_${owner.schemas}`;
  await query(owner.pool, `create schema ${quoteName(schema)}`);
  return schema;
}

async function createOwner(url: string): Promise<Owner> {
  // One connection, which has the lock and is never given up.
  const pool = createPool(await loadPg(), {
    url,
    connections: 1,
    waitMilliseconds: 10_000,
    idleMilliseconds: 0,
  });
  const number = randomInt(2 ** 31);
  await query(pool, `select pg_advisory_lock(${OWNER_LOCKS}, ${number})`);
  await dropAbandoned(pool);
  process.once("beforeExit", () => void dropOwn(pool, number));
  return { pool, number, schemas: 0 };
}

/** Those of processes that were killed. */
async function dropAbandoned(pool: Pool): Promise<void> {
  const schemas = await listSchemas(pool, PREFIX);
  for (const number of new Set(schemas.map((schema) => schema.slice(PREFIX.length).split("_")[0]))) {
    const [row] = await query(
      pool,
      `select pg_try_advisory_lock(${OWNER_LOCKS}, ${Number(number)}) as "isFree"`,
    );
    if (row?.isFree !== true) continue;
    await dropSchemas(pool, `${PREFIX}${number}_`);
    await query(pool, `select pg_advisory_unlock(${OWNER_LOCKS}, ${Number(number)})`);
  }
}

async function dropOwn(pool: Pool, number: number): Promise<void> {
  try {
    // A transaction that a test has left open keeps its tables. A later run drops them.
    await query(pool, "set lock_timeout = '1s'");
    await dropSchemas(pool, `${PREFIX}${number}_`);
  } catch {
  } finally {
    await pool.end();
  }
}

async function listSchemas(pool: Pool, prefix: string): Promise<string[]> {
  const rows = await query(pool, "select nspname as name from pg_namespace where starts_with(nspname, $1)", [
    prefix,
  ]);
  return rows.map(({ name }) => String(name));
}

async function dropSchemas(pool: Pool, prefix: string): Promise<void> {
  for (const schema of await listSchemas(pool, prefix))
    await query(pool, `drop schema if exists ${quoteName(schema)} cascade`);
}

async function query(pool: Pool, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  try {
    return (await pool.query<Record<string, unknown>>(sql, values)).rows;
  } catch (error) {
    throw toDatabaseError(error);
  }
}
