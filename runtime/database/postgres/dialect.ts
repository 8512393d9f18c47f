/** Kysely for a Postgres server. */

import {
  type Dialect,
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  replaceWithNoncontingentExpression,
  sql,
} from "kysely";
import { register } from "../engine/engine.ts";
import { Cursor } from "./client.ts";
import { CheckedDriver, TimeColumns } from "./driver.ts";
import { Connections, type PoolSettings } from "./pool.ts";

/** Any number that nobody else takes for something else. */
const SCHEMA_LOCK = 721_517_003;

export interface PostgresOptions extends PoolSettings {
  readonly statementMilliseconds: number;
}

/** Connects to nothing yet. */
export function createPostgres<Tables>(options: PostgresOptions): Kysely<Tables> {
  const connections = new Connections(options);
  const times = new TimeColumns();
  const open = <T>(limit: number): Kysely<T> => {
    const driver = new CheckedDriver({ pool: () => connections.open(limit), cursor: Cursor }, times);
    const dialect: Dialect = {
      createAdapter: () => new LockedAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    };
    const emptyLists = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression });
    return register(new Kysely<T>({ dialect, plugins: [emptyLists] }), {
      dialect,
      driver,
      health: connections.health,
      forSchema: () => open(Number.POSITIVE_INFINITY),
      lockSchema,
    });
  };
  return open(options.statementMilliseconds);
}

/**
 * Until the end of the transaction, and not of the session, which others use behind a pooler. A lock of its own for each schema. Then a
 * table that others keep in use makes a migration fail, because whoever comes after it has to wait as well.
 */
async function lockSchema(transaction: Kysely<unknown>): Promise<void> {
  await sql`set local lock_timeout = '10min'`.execute(transaction);
  await sql`select pg_advisory_xact_lock(${sql.lit(SCHEMA_LOCK)}, hashtext(current_schema()))`.execute(
    transaction,
  );
  await sql`set local lock_timeout = '10s'`.execute(transaction);
}

/** Whoever changes tables has taken a lock, which the end of the transaction gives back. */
class LockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}
