/** Kysely's driver for a SQLite file. */

import type { DatabaseConnection, Driver, TransactionSettings } from "kysely";
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
  /** Kysely keeps a record of each connection that it sees. */
  readonly #idle: SqliteConnection[] = [];

  constructor(options: SqliteOptions) {
    this.#options = options;
    this.#file = new DatabaseFile(options.path);
  }

  async init(): Promise<void> {
    this.#options.beforeOpening?.();
    await this.#file.open(this.#options.waitMilliseconds);
  }

  async acquireConnection(): Promise<SqliteConnection> {
    return this.#idle.pop() ?? new SqliteConnection(this.#file, this.#options.waitMilliseconds);
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

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const released = own(connection);
    await released.release();
    this.#idle.push(released);
  }

  async destroy(): Promise<void> {
    await this.#file.close(this.#options.waitMilliseconds);
  }
}

function own(connection: DatabaseConnection): SqliteConnection {
  if (connection instanceof SqliteConnection) return connection;
  throw new TypeError("This connection is another driver's.");
}
