/**
 * Kysely's way to run queries, but for streams in a transaction. There one query has the connection at a time, and Kysely gives it to a
 * stream until its end. So a query for each row of the stream would wait for ever.
 */

import {
  type AbortableOperationOptions,
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Driver,
  type KyselyPlugin,
  type QueryResult,
} from "kysely";
import { toEngineConnection } from "./connection.ts";

/** Takes connections from a pool, and makes the executor of each transaction. */
export class PoolExecutor extends DefaultQueryExecutor {
  protected withOnly(plugins: readonly KyselyPlugin[]): PoolExecutor {
    return new PoolExecutor(this, this.adapter, this, [...plugins]);
  }

  override withPlugins(plugins: readonly KyselyPlugin[]): PoolExecutor {
    return this.withOnly([...this.plugins, ...plugins]);
  }

  override withPlugin(plugin: KyselyPlugin): PoolExecutor {
    return this.withOnly([...this.plugins, plugin]);
  }

  override withPluginAtFront(plugin: KyselyPlugin): PoolExecutor {
    return this.withOnly([plugin, ...this.plugins]);
  }

  override withoutPlugins(): PoolExecutor {
    return this.withOnly([]);
  }

  override withConnectionProvider(held: ConnectionProvider): HeldExecutor {
    return new HeldExecutor(this, this.adapter, held, [...this.plugins]);
  }
}

/** Has one connection, by turns. */
class HeldExecutor extends PoolExecutor {
  protected override withOnly(plugins: readonly KyselyPlugin[]): HeldExecutor {
    return new HeldExecutor(this, this.adapter, this, [...plugins]);
  }

  /** Whoever holds the connection may go on with it after a transaction, and its next queries do not belong to that one. */
  override provideConnection<T>(
    consumer: (connection: DatabaseConnection) => Promise<T>,
    options?: AbortableOperationOptions,
  ): Promise<T> {
    return super.provideConnection((connection) => {
      const held = toEngineConnection(connection);
      if (held.inTransaction || held.hasEnded) return consumer(connection);
      return consumer(connection).finally(() => held.reopen());
    }, options);
  }

  override async *stream<R>(
    query: CompiledQuery,
    chunkSize: number,
    options?: AbortableOperationOptions,
  ): AsyncIterableIterator<QueryResult<R>> {
    const inTransaction = await this.provideConnection(
      async (connection) => toEngineConnection(connection).inTransaction,
    );
    if (!inTransaction) yield* super.stream<R>(query, chunkSize, options);
    else {
      const turns = new ConnectionInTurns(this);
      const executor = new DefaultQueryExecutor(
        this,
        this.adapter,
        { provideConnection: (consumer) => consumer(turns) },
        [...this.plugins],
      );
      yield* executor.stream<R>(query, chunkSize, options);
    }
  }
}

/** Waits for its turn for each part of a stream. */
class ConnectionInTurns implements DatabaseConnection {
  readonly #provider: ConnectionProvider;

  constructor(provider: ConnectionProvider) {
    this.#provider = provider;
  }

  executeQuery<R>(query: CompiledQuery, options?: AbortableOperationOptions): Promise<QueryResult<R>> {
    return this.#provider.provideConnection((connection) => connection.executeQuery<R>(query, options));
  }

  async *streamQuery<R>(
    query: CompiledQuery,
    chunkSize: number,
    options?: AbortableOperationOptions,
  ): AsyncIterableIterator<QueryResult<R>> {
    const parts = await this.#provider.provideConnection(async (connection) =>
      connection.streamQuery<R>(query, chunkSize, options),
    );
    try {
      for (;;) {
        const part = await this.#provider.provideConnection(() => parts.next());
        if (part.done) return;
        yield part.value;
      }
    } finally {
      await this.#provider.provideConnection(async () => parts.return?.());
    }
  }
}

/** The connections of a driver that opens its database by itself. */
export class DriverConnections implements ConnectionProvider {
  readonly #driver: Driver;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  async provideConnection<T>(
    consumer: (connection: DatabaseConnection) => Promise<T>,
    options?: AbortableOperationOptions,
  ): Promise<T> {
    const connection = await this.#acquire(options?.signal);
    try {
      return await consumer(connection);
    } finally {
      await this.#driver.releaseConnection(connection);
    }
  }

  /** What is given up while it waits takes no connection: the one that comes then goes back. */
  #acquire(signal: AbortSignal | undefined): Promise<DatabaseConnection> {
    const acquired = this.#driver.acquireConnection();
    if (!signal) return acquired;
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        reject(signal.reason);
        acquired.then((connection) => this.#driver.releaseConnection(connection)).catch(() => {});
      };
      signal.addEventListener("abort", giveUp, { once: true });
      acquired.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
    });
  }
}
