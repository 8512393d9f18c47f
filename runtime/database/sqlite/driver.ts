/** Kysely's driver for a SQLite file. */

import type { DatabaseConnection, Driver, TransactionSettings } from "kysely";
import { SqliteConnection } from "./connection.ts";
import { DatabaseFile } from "./file.ts";

export interface SqliteOptions {
  /** Undefined for a database in memory. */
  readonly file: string | undefined;
  readonly waitMilliseconds: number;
  readonly beforeOpening?: () => void;
}

export class SqliteDriver implements Driver {
  readonly #options: SqliteOptions;
  readonly #file: DatabaseFile;

  constructor(options: SqliteOptions) {
    this.#options = options;
    this.#file = new DatabaseFile(options.file);
  }

  async init(): Promise<void> {
    this.#options.beforeOpening?.();
    await this.#file.open(this.#options.waitMilliseconds);
  }

  async acquireConnection(): Promise<SqliteConnection> {
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
    own(connection).exec(`savepoint ${quote(name)}`);
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    own(connection).exec(`rollback to ${quote(name)}`);
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    own(connection).exec(`release ${quote(name)}`);
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    // A transaction that nobody ended.
    await own(connection).rollback();
  }

  async destroy(): Promise<void> {
    await this.#file.close(this.#options.waitMilliseconds);
  }
}

function own(connection: DatabaseConnection): SqliteConnection {
  if (connection instanceof SqliteConnection) return connection;
  throw new TypeError("A connection of another driver.");
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
