/** Applies and reverts migrations in one transaction. Each is applied once, even if several processes start at the same time. */

import { type Kysely, sql } from "kysely";
import { type Migration, type MigrationResultSet, Migrator } from "kysely/migration";
import { Problem } from "#runtime/problem";
import { changeSchema } from "./engine/engine.ts";
import { DatabaseError } from "./engine/error.ts";

/** Migrations by name. They are applied in the order of their names, so names begin with a time. */
export type Migrations = Readonly<Record<string, Migration>>;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** @returns the names of the applied migrations, in order; none for a database without tables. */
export async function readApplied<Tables>(db: Kysely<Tables>): Promise<readonly string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    return rows.map(({ name }) => name).sort(compare);
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
}

/** True for an engine's error about a missing table. */
export function isMissingTable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "42P01") || /^no such table: /.test(error.message);
}

/** @returns the names of the pending migrations, in order. */
export async function findPending<Tables>(
  db: Kysely<Tables>,
  migrations: Migrations,
): Promise<readonly string[]> {
  const applied = new Set(await readApplied(db));
  return Object.keys(migrations)
    .filter((name) => !applied.has(name))
    .sort(compare);
}

/**
 * Applies the pending migrations. If there are none, unknown applied migrations are accepted: an old version may be started again after
 * the deployment of the next one.
 *
 * @returns the names of the applied migrations. @throws {Problem} if one fails: then none is applied
 */
export async function applyMigrations<Tables>(
  db: Kysely<Tables>,
  migrations: Migrations,
): Promise<readonly string[]> {
  if ((await findPending(db, migrations)).length === 0) return [];
  return migrate(db, migrations, (migrator) => migrator.migrateToLatest());
}

/** Reverts the last applied migration. @returns its name; none if nothing is applied. @throws {Problem} if it fails */
export function revertMigration<Tables>(
  db: Kysely<Tables>,
  migrations: Migrations,
): Promise<readonly string[]> {
  return migrate(db, migrations, (migrator) => migrator.migrateDown());
}

async function migrate<Tables>(
  db: Kysely<Tables>,
  migrations: Migrations,
  run: (migrator: Migrator) => Promise<MigrationResultSet>,
): Promise<readonly string[]> {
  return changeSchema(db, async (transaction) => {
    // Created here, because Kysely would search all schemas, and find the tables of other ones.
    await sql`create table if not exists kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(
      transaction,
    );
    await sql`create table if not exists kysely_migration_lock (id varchar(255) not null primary key, is_locked integer not null default 0)`.execute(
      transaction,
    );
    const unknown = (await readApplied(transaction)).filter((name) => !Object.hasOwn(migrations, name));
    if (unknown.length > 0)
      throw new Problem(
        `The database has migrations that this code lacks: ${unknown.join(", ")}.`,
        "Restore their files in database/migrations/, and their lines in its index.ts.",
      );
    const migrator = new Migrator({
      db: transaction,
      provider: { getMigrations: async () => migrations },
      allowUnorderedMigrations: true,
      nameComparator: compare,
    });
    const { error, results = [] } = await run(migrator);
    if (error)
      throw toFailedMigration(error, results.find(({ status }) => status === "Error")?.migrationName);
    const stuck = results.find(({ status }) => status === "NotExecuted");
    if (stuck) throw new Problem(`${stuck.migrationName} can't be reverted: it has no function \`down\`.`);
    return results.map(({ migrationName }) => migrationName);
  });
}

function toFailedMigration(error: unknown, name: string | undefined): unknown {
  if (name === undefined) return error;
  const cause = error instanceof DatabaseError && error.cause instanceof Error ? error.cause : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new Problem(`${name} has failed: ${message}`, "The database is as it was before.", { cause: error });
}
