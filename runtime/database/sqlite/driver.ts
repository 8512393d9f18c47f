/** Kysely's driver for a SQLite file. */

import type { CompiledQuery, QueryResult } from "kysely";
import { EngineDriver } from "../engine/driver.ts";
import { SqliteConnection } from "./connection.ts";
import { DatabaseFile } from "./file.ts";

export interface SqliteOptions {
  /** Undefined for a database in memory. */
  readonly path: string | undefined;
  readonly waitMilliseconds: number;
  readonly beforeOpening?: () => void;
}

export class SqliteDriver extends EngineDriver {
  readonly #options: SqliteOptions;
  readonly #file: DatabaseFile;
  readonly #alone: SqliteConnection;

  constructor(options: SqliteOptions) {
    super();
    this.#options = options;
    this.#file = new DatabaseFile(options.path, this.health);
    this.#alone = new SqliteConnection(this.#file, options.waitMilliseconds);
  }

  get isOpen(): boolean {
    return this.#file.isOpen;
  }

  protected async open(): Promise<void> {
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

  async destroy(): Promise<void> {
    await this.#file.close(this.#options.waitMilliseconds);
  }
}
