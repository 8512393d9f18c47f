/**
 * The database of one request: once the request has a transaction, all its queries are part of it. A query on another connection would
 * not see what the transaction has written, and requests that wait for a second connection while they hold one wait for each other.
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
 * @param db what `openDatabase()` returned.
 * @returns the same database, for the functions of one request. {@link joinTransaction} makes its queries part of a transaction.
 * @example yield forRequest(db);
 */
export function forRequest<Tables>(db: Kysely<Tables>): Kysely<Tables> {
  const engine = engineOf(db);
  const { dialect, driver } = engine;
  const executor = new RequestExecutor(new RequestConnections(db.getExecutor()), engine);
  return new Kysely<Tables>({ config: { dialect }, dialect, driver, executor });
}

/**
 * From now on, the queries of the database are part of the transaction, also those that were built before. After the end of the
 * transaction they fail, because they come too late for it. Another transaction can't begin.
 *
 * @param db what {@link forRequest} returned.
 * @throws {TypeError} for another one.
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

/** Those of the database, and then that of the transaction. */
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

  /** To take a connection costs as much as to read a row of SQLite: `npm run bench -- database`. */
  override executeQuery<R>(query: CompiledQuery, options?: AbortableQueryOptions): Promise<QueryResult<R>> {
    const isAlone = !this.connections.transaction && !options && this.plugins.length === 0;
    const result = isAlone ? this.#engine.run?.(query) : undefined;
    return (result as Promise<QueryResult<R>> | undefined) ?? super.executeQuery<R>(query, options);
  }
}
