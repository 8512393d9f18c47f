/** Kysely's dialect for a Postgres server. */

import {
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
} from "kysely";
import { DriverConnections, PoolExecutor } from "../engine/executor.ts";
import { createKysely } from "../engine/kysely.ts";
import { PostgresDriver, type PostgresOptions } from "./driver.ts";

/** Connects to nothing yet. */
export function createPostgres<Tables>(options: PostgresOptions): Kysely<Tables> {
  const dialect = new PostgresDialect(options);
  const driver = dialect.createDriver();
  const connections = new DriverConnections(driver);
  const executor = new PoolExecutor(dialect.createQueryCompiler(), dialect.createAdapter(), connections);
  return createKysely<Tables>(dialect, driver, executor);
}

class PostgresDialect implements Dialect {
  readonly #options: PostgresOptions;

  constructor(options: PostgresOptions) {
    this.#options = options;
  }

  createDriver(): PostgresDriver {
    return new PostgresDriver(this.#options);
  }

  createQueryCompiler(): QueryCompiler {
    return new PostgresQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return new LockedAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new PostgresIntrospector(db);
  }
}

/** Whoever changes tables has taken a lock, which the end of the transaction gives back. */
class LockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}
