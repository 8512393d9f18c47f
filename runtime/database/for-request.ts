/**
 * The database of one request. After the request has begun a transaction, all its queries run in it: a query on another connection
 * would not see the transaction's writes, and requests that hold one connection and wait for a second would deadlock.
 */

import {
  type AbortableOperationOptions,
  type AbortableQueryOptions,
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  Kysely,
  type QueryExecutor,
  type QueryResult,
  type Transaction,
} from "kysely";
import { type Engine, engineOf } from "./engine/engine.ts";

/**
 * @param db the database from `openDatabase()`.
 * @returns the same database for the functions of one request. {@link joinTransaction} makes its queries part of a transaction.
 * @example yield forRequest(db);
 */
export function forRequest<Tables>(db: Kysely<Tables>): Kysely<Tables> {
  const engine = engineOf(db);
  const { dialect, driver } = engine;
  const executor = new RequestExecutor(new RequestConnections(db.getExecutor()), engine);
  return new Kysely<Tables>({ config: { dialect }, dialect, driver, executor });
}

/**
 * Makes all further queries of a request's database part of a transaction, also those that were built before. After the end of the
 * transaction they fail. No other transaction can begin.
 *
 * @param db the database from {@link forRequest}.
 * @throws {TypeError} for any other database.
 * @example joinTransaction(db, await db.startTransaction().execute());
 */
export function joinTransaction(
  db: Pick<Kysely<unknown>, "getExecutor">,
  transaction: Pick<Transaction<unknown>, "getExecutor" | "isTransaction">,
): void {
  const executor = db.getExecutor();
  if (!(executor instanceof RequestExecutor))
    throw new TypeError(
      "joinTransaction() needs a database that forRequest() returned. A test replaces `connection`, not `database`.",
    );
  executor.connections.transaction = transaction.getExecutor();
}

/** Provides connections of the pool, and that of the transaction once there is one. */
class RequestConnections implements ConnectionProvider {
  transaction: QueryExecutor | undefined;
  readonly pool: QueryExecutor;

  constructor(pool: QueryExecutor) {
    this.pool = pool;
  }

  async provideConnection<T>(
    consumer: (connection: DatabaseConnection) => Promise<T>,
    options?: AbortableOperationOptions,
  ): Promise<T> {
    return (this.transaction ?? this.pool).provideConnection(consumer, options);
  }
}

class RequestExecutor extends DefaultQueryExecutor {
  readonly connections: RequestConnections;
  readonly #engine: Engine;

  constructor(connections: RequestConnections, engine: Engine) {
    const { pool } = connections;
    super(pool, pool.adapter, connections, [...pool.plugins]);
    this.connections = connections;
    this.#engine = engine;
  }

  /** Avoids a connection if possible: acquiring one costs as much as reading a row of SQLite (`npm run bench -- database`). */
  override executeQuery<R>(query: CompiledQuery, options?: AbortableQueryOptions): Promise<QueryResult<R>> {
    const isPlain = !this.connections.transaction && !options && this.plugins.length === 0;
    const result = isPlain ? this.#engine.run?.(query) : undefined;
    return (result as Promise<QueryResult<R>> | undefined) ?? super.executeQuery<R>(query, options);
  }
}
