/** Opens a separate database for a test. */

import type { Kysely } from "kysely";
import { applyMigrations, type Migrations } from "./migrations.ts";
import { openUnguarded } from "./open.ts";
import { createTestSchema } from "./postgres/test-schema.ts";
import { parseDatabaseUrl } from "./url.ts";

export interface TestDatabaseOptions {
  /** The URL of the project's database, whose tables are not touched. */
  readonly url: string;
  readonly migrations: Migrations;
}

/** Few, because many test files run in parallel, and a server has 100. */
const CONNECTIONS = 4;

/**
 * Opens an empty database with the project's tables: in memory for SQLite, and a new schema on a Postgres server, which is dropped when
 * the process ends. Tests need not close it.
 *
 * @throws {DatabaseError} if the server can't be reached.
 * @example const db = await openTestDatabase<Tables>({ url, migrations });
 */
export async function openTestDatabase<Tables>({
  url,
  migrations,
}: TestDatabaseOptions): Promise<Kysely<Tables>> {
  const isPostgres = parseDatabaseUrl(url, process.cwd()).engine === "postgres";
  const details = isPostgres ? { schema: await createTestSchema(url) } : {};
  const options = { url: isPostgres ? url : "sqlite::memory:", connections: CONNECTIONS };
  const db = openUnguarded<Tables>(options, details);
  await applyMigrations(db, migrations);
  return db;
}
