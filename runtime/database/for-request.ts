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
  type DialectAdapter,
  Kysely,
  type KyselyPlugin,
  type QueryExecutor,
  type QueryId,
  type QueryResult,
  type RootOperationNode,
  type Transaction,
} from "kysely";
import { findOpened } from "./engine/kysely.ts";

/**
 * @param db what `openDatabase()` returned.
 * @returns the same database, for the functions of one request. {@link joinTransaction} makes its queries part of a transaction.
 * @example yield forRequest(db);
 */
export function forRequest<Tables>(db: Kysely<Tables>): Kysely<Tables> {
  return new Kysely<Tables>({ ...findOpened(db).props, executor: new RequestExecutor(db.getExecutor(), {}) });
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
  executor.join(transaction.getExecutor());
}

/** Shared by all executors of one request, which differ in their plugins. */
interface RequestState {
  transaction?: QueryExecutor;
}

class RequestExecutor implements QueryExecutor {
  readonly #pool: QueryExecutor;
  readonly #request: RequestState;

  constructor(pool: QueryExecutor, request: RequestState) {
    this.#pool = pool;
    this.#request = request;
  }

  join(transaction: QueryExecutor): void {
    this.#request.transaction = transaction;
  }

  get #current(): QueryExecutor {
    return this.#request.transaction?.withoutPlugins().withPlugins(this.plugins) ?? this.#pool;
  }

  executeQuery<R>(query: CompiledQuery, options?: AbortableQueryOptions): Promise<QueryResult<R>> {
    return this.#current.executeQuery<R>(query, options);
  }

  stream<R>(
    query: CompiledQuery,
    chunkSize: number,
    options?: AbortableOperationOptions,
  ): AsyncIterableIterator<QueryResult<R>> {
    return this.#current.stream<R>(query, chunkSize, options);
  }

  /** Only `transaction()`, `startTransaction()` and `connection()` ask for a connection. */
  async provideConnection<T>(
    consumer: (connection: DatabaseConnection) => Promise<T>,
    options?: AbortableOperationOptions,
  ): Promise<T> {
    if (this.#request.transaction)
      throw new Error(
        "The queries of this request are part of its transaction, so no other one can begin, and none has a connection alone.",
      );
    return this.#pool.provideConnection(consumer, options);
  }

  get adapter(): DialectAdapter {
    return this.#pool.adapter;
  }

  get plugins(): readonly KyselyPlugin[] {
    return this.#pool.plugins;
  }

  transformQuery<T extends RootOperationNode>(node: T, queryId: QueryId): T {
    return this.#pool.transformQuery(node, queryId);
  }

  compileQuery<R>(node: RootOperationNode, queryId: QueryId): CompiledQuery<R> {
    return this.#pool.compileQuery(node, queryId);
  }

  withConnectionProvider(provider: ConnectionProvider): QueryExecutor {
    return this.#pool.withConnectionProvider(provider);
  }

  withPlugins(plugins: readonly KyselyPlugin[]): QueryExecutor {
    return new RequestExecutor(this.#pool.withPlugins(plugins), this.#request);
  }

  withPlugin(plugin: KyselyPlugin): QueryExecutor {
    return new RequestExecutor(this.#pool.withPlugin(plugin), this.#request);
  }

  withPluginAtFront(plugin: KyselyPlugin): QueryExecutor {
    return new RequestExecutor(this.#pool.withPluginAtFront(plugin), this.#request);
  }

  withoutPlugins(): QueryExecutor {
    return new RequestExecutor(this.#pool.withoutPlugins(), this.#request);
  }
}
