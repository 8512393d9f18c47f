/** A database of its own for a test. */

import type { Kysely } from "kysely";
import { applyMigrations, type Migrations } from "./migrations.ts";
import { openUnguarded } from "./open.ts";
import { parseDatabaseUrl } from "./url.ts";

export interface TestDatabaseOptions {
  /** The URL of the project's database. Its tables are not touched. */
  readonly url: string;
  readonly migrations: Migrations;
}

/**
 * Opens an empty database with the project's tables: in memory for SQLite, and a schema of its own on a Postgres server.
 *
 * @example const db = await openTestDatabase<Tables>({ url, migrations });
 */
export async function openTestDatabase<Tables>({
  url,
  migrations,
}: TestDatabaseOptions): Promise<Kysely<Tables>> {
  const { engine } = parseDatabaseUrl(url, process.cwd());
  if (engine === "postgres") throw new Error("To come.");
  const db = openUnguarded<Tables>({ url: "sqlite::memory:" }, { isIdle: true });
  await applyMigrations(db, migrations);
  return db;
}
