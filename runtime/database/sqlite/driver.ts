/** Kysely's driver for a SQLite file: single statements, transactions and streams. */

import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from "kysely";
import { lateQuery, streamInTransaction, transactionInTransaction } from "../engine/error.ts";
import { quoteName } from "../engine/values.ts";
import { type DatabaseFile, isRead } from "./file.ts";
import type { Session } from "./session.ts";

export interface DriverOptions {
  readonly waitMilliseconds: number;
  /** Whether its transactions change tables. */
  readonly changesTables: boolean;
}

/** What Kysely runs queries on: single statements, or those of a transaction. */
class SqliteConnection implements DatabaseConnection {
  readonly #file: DatabaseFile;
  readonly #options: DriverOptions;
  /** While a transaction is open. */
  #session: Session | undefined;
  /** Until whoever held the connection for a transaction has given it back, or goes on with it. */
  #ending: Promise<unknown> | undefined;
  #isReleased = false;

  constructor(file: DatabaseFile, options: DriverOptions) {
    this.#file = file;
    this.#options = options;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const session = this.#session;
    try {
      if (session) return session.run(query) as QueryResult<R>;
    } catch (error) {
      throw this.#file.toError(error, session, query);
    }
    await this.#refuseLate();
    return (await this.#file.run(query, this.#options.waitMilliseconds)) as QueryResult<R>;
  }

  async #refuseLate(): Promise<void> {
    if (this.#ending) await this.#ending;
    if (this.#isReleased || this.#session) throw lateQuery();
  }

  async *streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    if (this.#session) throw streamInTransaction();
    const size = Math.max(1, chunkSize);
    await this.#refuseLate();
    // A write is done at once, and in memory there is nothing to wait for.
    if (this.#file.inMemory || !isRead(query)) {
      const { rows } = await this.executeQuery<R>(query);
      for (let start = 0; start < rows.length; start += size) yield { rows: rows.slice(start, start + size) };
      return;
    }
    const session = await this.#file.beginRead(this.#options.waitMilliseconds);
    try {
      let rows: R[] = [];
      for (const row of session.iterate(query)) {
        if (rows.push(row as R) < size) continue;
        yield { rows };
        rows = [];
        await new Promise(setImmediate);
      }
      if (rows.length > 0) yield { rows };
    } catch (error) {
      throw this.#file.toError(error, session, query);
    } finally {
      this.#file.end(session);
    }
  }

  /** SQLite has one isolation level, which is `serializable`. */
  async begin({ accessMode }: TransactionSettings): Promise<void> {
    if (this.#session) throw transactionInTransaction();
    const { waitMilliseconds, changesTables } = this.#options;
    this.#session =
      accessMode === "read only"
        ? await this.#file.beginRead(waitMilliseconds)
        : await this.#file.beginWrite(waitMilliseconds, changesTables);
  }

  /** Kysely rolls back where it throws. */
  commit(): void {
    this.#control((session) => session.commit());
    this.rollback();
  }

  exec(sql: string): void {
    this.#control((session) => session.exec(sql));
  }

  rollback(): void {
    const session = this.#session;
    if (!session) return;
    this.#session = undefined;
    this.#ending = new Promise(setImmediate);
    this.#file.end(session);
  }

  #control(work: (session: Session) => void): void {
    const session = this.#session;
    try {
      if (session) work(session);
    } catch (error) {
      throw this.#file.toError(error, session);
    }
  }

  /** What Kysely has not ended is rolled back. */
  release(): void {
    this.rollback();
    this.#isReleased = true;
  }

  /** What runs is over before anybody can ask for it. */
  async cancelQuery(): Promise<void> {}
}

export function createDriver(file: DatabaseFile, options: DriverOptions): Driver {
  return {
    // Before the first query.
    init: async () => {
      if (!file.isOpen) await file.open();
    },
    acquireConnection: async () => new SqliteConnection(file, options),
    beginTransaction: (connection, settings) => ours(connection).begin(settings),
    commitTransaction: async (connection) => ours(connection).commit(),
    rollbackTransaction: async (connection) => ours(connection).rollback(),
    savepoint: async (connection, name) => ours(connection).exec(`savepoint ${quoteName(name)}`),
    rollbackToSavepoint: async (connection, name) => ours(connection).exec(`rollback to ${quoteName(name)}`),
    releaseSavepoint: async (connection, name) => ours(connection).exec(`release ${quoteName(name)}`),
    releaseConnection: async (connection) => ours(connection).release(),
    destroy: () => file.close(),
  };
}

function ours(connection: DatabaseConnection): SqliteConnection {
  if (connection instanceof SqliteConnection) return connection;
  throw new TypeError("This connection is not one of SQLite.");
}
