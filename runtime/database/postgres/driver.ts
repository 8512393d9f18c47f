/** Kysely's driver for a Postgres server. */

import type { DatabaseConnection } from "kysely";
import type { Pool } from "pg";
import { EngineDriver } from "../engine/driver.ts";
import { DatabaseError } from "../engine/error.ts";
import { PostgresConnection } from "./connection.ts";
import { toConnectError } from "./errors.ts";
import { createPool, findServer, type PoolSettings } from "./pool.ts";

export interface PostgresOptions extends PoolSettings {
  readonly statementMilliseconds: number;
  readonly beforeOpening?: () => void;
}

export class PostgresDriver extends EngineDriver {
  readonly #options: PostgresOptions;
  #pool: Pool | undefined;
  #isClosed = false;
  readonly #busy = new Set<PostgresConnection>();

  constructor(options: PostgresOptions) {
    super();
    this.#options = options;
  }

  protected async open(): Promise<void> {
    this.#options.beforeOpening?.();
    this.#pool = await createPool(this.#options);
  }

  async acquireConnection(): Promise<PostgresConnection> {
    if (!this.#isClosed) await this.init();
    const pool = this.#isClosed ? undefined : this.#pool;
    if (!pool) throw new DatabaseError("unavailable", "The database has been closed.");
    const connection = await this.#connect(pool);
    this.#busy.add(connection);
    return connection;
  }

  async #connect(pool: Pool): Promise<PostgresConnection> {
    try {
      return new PostgresConnection(await pool.connect(), this.#options.statementMilliseconds, this.health);
    } catch (error) {
      throw this.health.note(toConnectError(error, findServer(this.#options.url)));
    }
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof PostgresConnection) this.#busy.delete(connection);
    await super.releaseConnection(connection);
  }

  /** Waits for what runs, but not longer than a query waits for a connection. */
  async destroy(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const pool = this.#pool;
    if (!pool) return;
    let timer: NodeJS.Timeout | undefined;
    const isOver = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#options.waitMilliseconds);
    });
    await Promise.race([pool.end(), isOver]);
    clearTimeout(timer);
    for (const connection of this.#busy) connection.breakOff();
  }
}
