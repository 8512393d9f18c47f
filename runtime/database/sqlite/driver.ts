/** Kysely's driver for a SQLite file: single statements, transactions and streams. */

import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from "kysely";
import { lateQuery, streamInTransaction, transactionInTransaction } from "../engine/error.ts";
import { quoteName } from "../engine/values.ts";
import { type DatabaseFile, isRead } from "./file.ts";
import type { Session } from "./session.ts";

export interface DriverOptions {
  readonly waitMilliseconds: number;
  /** True if its transactions change tables. */
  readonly changesTables: boolean;
}

/** A connection of Kysely, for single statements and transactions. */
class SqliteConnection implements DatabaseConnection {
  readonly #file: DatabaseFile;
  readonly #options: DriverOptions;
  /** The session of the open transaction. */
  #session: Session | undefined;
  /** Resolves a turn after the end of a transaction, when Kysely has released the connection or continues to use it. */
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
    // A write is completed at once, and a database in memory has one session only.
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

  /** Ignores the isolation level: SQLite always uses `serializable`. */
  async begin({ accessMode }: TransactionSettings): Promise<void> {
    if (this.#session) throw transactionInTransaction();
    const { waitMilliseconds, changesTables } = this.#options;
    this.#session =
      accessMode === "read only"
        ? await this.#file.beginRead(waitMilliseconds)
        : await this.#file.beginWrite(waitMilliseconds, changesTables);
  }

  /** If it throws, Kysely rolls back. */
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

  /** Rolls back a transaction that Kysely has not ended. */
  release(): void {
    this.rollback();
    this.#isReleased = true;
  }

  /** Statements are synchronous, so there is nothing to cancel. */
  async cancelQuery(): Promise<void> {}
}

export function createDriver(file: DatabaseFile, options: DriverOptions): Driver {
  return {
    // Kysely calls it before the first query.
    init: async () => {
      if (!file.isOpen) await file.open();
    },
    acquireConnection: async () => new SqliteConnection(file, options),
    beginTransaction: (connection, settings) => cast(connection).begin(settings),
    commitTransaction: async (connection) => cast(connection).commit(),
    rollbackTransaction: async (connection) => cast(connection).rollback(),
    savepoint: async (connection, name) => cast(connection).exec(`savepoint ${quoteName(name)}`),
    rollbackToSavepoint: async (connection, name) => cast(connection).exec(`rollback to ${quoteName(name)}`),
    releaseSavepoint: async (connection, name) => cast(connection).exec(`release ${quoteName(name)}`),
    releaseConnection: async (connection) => cast(connection).release(),
    destroy: () => file.close(),
  };
}

function cast(connection: DatabaseConnection): SqliteConnection {
  if (connection instanceof SqliteConnection) return connection;
  throw new TypeError("This connection is not one of SQLite.");
}
