/** Kysely's driver for a SQLite file. */

import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from "kysely";
import { quoteName } from "../engine/names.ts";
import { SqliteConnection } from "./connection.ts";
import { DatabaseFile } from "./file.ts";

export interface SqliteOptions {
  /** Undefined for a database in memory. */
  readonly path: string | undefined;
  readonly waitMilliseconds: number;
  readonly beforeOpening?: () => void;
}

export class SqliteDriver implements Driver {
  readonly #options: SqliteOptions;
  readonly #file: DatabaseFile;
  readonly #alone: SqliteConnection;
  #opening: Promise<void> | undefined;

  constructor(options: SqliteOptions) {
    this.#options = options;
    this.#file = new DatabaseFile(options.path);
    this.#alone = new SqliteConnection(this.#file, options.waitMilliseconds);
  }

  get isOpen(): boolean {
    return this.#file.isOpen;
  }

  /** Opens the file. A later query tries again what has failed. */
  init(): Promise<void> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<void> {
    this.#options.beforeOpening?.();
    await this.#file.open(this.#options.waitMilliseconds);
  }

  /** Runs a statement that belongs to no transaction. The file is open. */
  run<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#alone.executeQuery<R>(query);
  }

  async acquireConnection(): Promise<SqliteConnection> {
    if (!this.isOpen) await this.init();
    return new SqliteConnection(this.#file, this.#options.waitMilliseconds);
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await own(connection).begin(settings);
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await own(connection).commit();
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await own(connection).rollback();
  }

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await own(connection).control(`savepoint ${quoteName(name)}`);
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await own(connection).control(`rollback to ${quoteName(name)}`);
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await own(connection).control(`release ${quoteName(name)}`);
  }

  /** Whatever Kysely has not ended. */
  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await own(connection).rollback();
  }

  async destroy(): Promise<void> {
    await this.#file.close(this.#options.waitMilliseconds);
  }
}

function own(connection: DatabaseConnection): SqliteConnection {
  if (connection instanceof SqliteConnection) return connection;
  throw new TypeError("This connection is another driver's.");
}
