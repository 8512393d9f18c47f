/** Runs queries: a single one takes no connection from a pool of them, which would cost more than to run it. */

import type {
  AbortableQueryOptions,
  CompiledQuery,
  DialectAdapter,
  QueryCompiler,
  QueryResult,
} from "kysely";
import { DriverConnections, PoolExecutor } from "../engine/executor.ts";
import type { SqliteDriver } from "./driver.ts";

export class DirectExecutor extends PoolExecutor {
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
