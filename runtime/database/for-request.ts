/**
 * The database of one request: once the request has a transaction, all its queries are part of it. A query on another connection would
 * not see what the transaction has written, and requests that wait for a second connection while they hold one wait for each other.
 */

import {
  type AbortableOperationOptions,
  type AbortableQueryOptions,
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type KyselyPlugin,
  type QueryExecutor,
  type QueryResult,
  type Transaction,
} from "kysely";
import { PoolExecutor } from "./engine/executor.ts";
import { partsOf } from "./engine/kysely.ts";

/**
 * @param db what `openDatabase()` returned.
 * @returns the same database, for the functions of one request. {@link joinTransaction} makes its queries part of a transaction.
 * @example yield forRequest(db);
 */
export function forRequest<Tables>(db: Kysely<Tables>): Kysely<Tables> {
  return new Kysely<Tables>({ ...partsOf(db), executor: new RequestExecutor(db.getExecutor(), {}) });
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

class RequestExecutor extends PoolExecutor {
  readonly #pool: QueryExecutor;
  readonly #request: RequestState;

  constructor(pool: QueryExecutor, request: RequestState) {
    super(pool, pool.adapter, pool, [...pool.plugins]);
    this.#pool = pool;
    this.#request = request;
  }

  join(transaction: QueryExecutor): void {
    this.#request.transaction = transaction;
  }

  protected override withOnly(plugins: readonly KyselyPlugin[]): RequestExecutor {
    return new RequestExecutor(this.#pool.withoutPlugins().withPlugins(plugins), this.#request);
  }

  get #current(): QueryExecutor {
    return this.#request.transaction?.withoutPlugins().withPlugins(this.plugins) ?? this.#pool;
  }

  override executeQuery<R>(query: CompiledQuery, options?: AbortableQueryOptions): Promise<QueryResult<R>> {
    return this.#current.executeQuery<R>(query, options);
  }

  override stream<R>(
    query: CompiledQuery,
    chunkSize: number,
    options?: AbortableOperationOptions,
  ): AsyncIterableIterator<QueryResult<R>> {
    return this.#current.stream<R>(query, chunkSize, options);
  }

  /** Only `transaction()`, `startTransaction()` and `connection()` ask for a connection. */
  override async provideConnection<T>(
    consumer: (connection: DatabaseConnection) => Promise<T>,
    options?: AbortableOperationOptions,
  ): Promise<T> {
    if (this.#request.transaction)
      throw new Error(
        "The queries of this request are part of its transaction, so no other one can begin, and none has a connection alone.",
      );
    return this.#pool.provideConnection(consumer, options);
  }
}
