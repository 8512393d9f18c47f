/** Runs queries: a single one takes no connection from a pool of them, which would cost more than to run it. */

import {
  type AbortableQueryOptions,
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type DialectAdapter,
  type QueryCompiler,
  type QueryResult,
} from "kysely";
import type { SqliteDriver } from "./driver.ts";

export class DirectExecutor extends DefaultQueryExecutor {
  readonly #driver: SqliteDriver;

  constructor(compiler: QueryCompiler, adapter: DialectAdapter, driver: SqliteDriver) {
    super(compiler, adapter, new DriverConnections(driver));
    this.#driver = driver;
  }

  override executeQuery<R>(query: CompiledQuery, options?: AbortableQueryOptions): Promise<QueryResult<R>> {
    if (options?.signal || !this.#driver.isOpen) return super.executeQuery(query, options);
    return this.#driver.run(query);
  }
}

class DriverConnections implements ConnectionProvider {
  readonly #driver: SqliteDriver;

  constructor(driver: SqliteDriver) {
    this.#driver = driver;
  }

  async provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    const connection = await this.#driver.acquireConnection();
    try {
      return await consumer(connection);
    } finally {
      await this.#driver.releaseConnection(connection);
    }
  }
}
