/** Applies and reverts migrations: all in one transaction, and each once, however many processes start with it at once. */

import { type Kysely, sql } from "kysely";
import { type Migration, type MigrationResultSet, Migrator } from "kysely/migration";
import { Problem } from "#runtime/problem";
import { changeSchema } from "./engine/engine.ts";
import { DatabaseError } from "./engine/error.ts";

/** Migrations by name. They are applied in the order of their names, so that a name begins with a time. */
export type Migrations = Readonly<Record<string, Migration>>;

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** @returns the names of those that were applied before, in order. None for a database without tables. */
export async function readApplied<Tables>(db: Kysely<Tables>): Promise<readonly string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    return rows.map(({ name }) => name).sort(compare);
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
}

/** What an engine says of a table that it does not have. */
export function isMissingTable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "42P01") || /^no such table: /.test(error.message);
}

/** @returns the names of those that are still to be applied, in order. */
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
 * Applies those that are pending. If none is, a database with more migrations is fine: an old version may be started again after a
 * deployment of the next one.
 *
 * @returns their names. @throws {Problem} where one fails: then none is applied
 */
export async function applyMigrations<Tables>(
  db: Kysely<Tables>,
  migrations: Migrations,
): Promise<readonly string[]> {
  if ((await findPending(db, migrations)).length === 0) return [];
  return migrate(db, migrations, (migrator) => migrator.migrateToLatest());
}

/** Reverts the one that was applied last. @returns its name; none if nothing is applied. @throws {Problem} where it fails */
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
    // Made here, because Kysely would look for them in all schemas, and would find those of others.
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
  const said = error instanceof DatabaseError && error.cause instanceof Error ? error.cause : error;
  const message = said instanceof Error ? said.message : String(said);
  return new Problem(`${name} has failed: ${message}`, "The database is as it was before.", { cause: error });
}
