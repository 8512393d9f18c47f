/** Creates Kysely for a Postgres server. */

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

/** The key of the advisory lock: an arbitrary number that is unlikely to be used otherwise. */
const SCHEMA_LOCK = 721_517_003;

export interface PostgresOptions extends PoolSettings {
  readonly statementMilliseconds: number;
}

/** The first query connects. */
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
 * Takes a lock per schema until the end of the transaction, not of the session, which other clients of a pooler share. Afterwards, a
 * migration that waits for a table fails soon, because all later queries have to wait behind it.
 */
async function lockSchema(transaction: Kysely<unknown>): Promise<void> {
  await sql`set local lock_timeout = '10min'`.execute(transaction);
  await sql`select pg_advisory_xact_lock(${sql.lit(SCHEMA_LOCK)}, hashtext(current_schema()))`.execute(
    transaction,
  );
  await sql`set local lock_timeout = '10s'`.execute(transaction);
}

/** Disables Kysely's own lock: `lockSchema` has already taken one. */
class LockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}
