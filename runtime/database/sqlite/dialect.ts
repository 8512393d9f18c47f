/** Kysely's dialect for a SQLite file. */

import {
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Kysely,
  type QueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
} from "kysely";
import { createKysely } from "../engine/kysely.ts";
import { PortableCompiler } from "./compiler.ts";
import { SqliteDriver, type SqliteOptions } from "./driver.ts";
import { DirectExecutor } from "./executor.ts";

/** Opens nothing yet. */
export function createSqlite<Tables>(options: SqliteOptions): Kysely<Tables> {
  const dialect = new SqliteDialect(options);
  const driver = dialect.createDriver();
  const executor = new DirectExecutor(dialect.createQueryCompiler(), dialect.createAdapter(), driver);
  return createKysely<Tables>(dialect, driver, executor);
}

class SqliteDialect implements Dialect {
  readonly #options: SqliteOptions;

  constructor(options: SqliteOptions) {
    this.#options = options;
  }

  createDriver(): SqliteDriver {
    return new SqliteDriver(this.#options);
  }

  createQueryCompiler(): QueryCompiler {
    return new PortableCompiler();
  }

  createAdapter(): DialectAdapter {
    return new TransactionalAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
