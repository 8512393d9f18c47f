/** Kysely's driver for a Postgres server. */

import type { DatabaseConnection, Driver, TransactionSettings } from "kysely";
import type { Pool } from "pg";
import { DatabaseError } from "../engine/error.ts";
import { quoteName } from "../engine/names.ts";
import { PostgresConnection } from "./connection.ts";
import { toConnectError } from "./errors.ts";
import { createPool, findServer, type PoolSettings } from "./pool.ts";

export interface PostgresOptions extends PoolSettings {
  readonly statementMilliseconds: number;
  readonly beforeOpening?: () => void;
}

export class PostgresDriver implements Driver {
  readonly #options: PostgresOptions;
  #opening: Promise<Pool> | undefined;
  #isClosed = false;
  readonly #busy = new Set<PostgresConnection>();

  constructor(options: PostgresOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {
    await this.#open();
  }

  /** A later query tries again what has failed. */
  #open(): Promise<Pool> {
    this.#opening ??= this.#createPool().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #createPool(): Promise<Pool> {
    this.#options.beforeOpening?.();
    return createPool(this.#options);
  }

  async acquireConnection(): Promise<PostgresConnection> {
    const pool = this.#isClosed ? undefined : await this.#open();
    if (!pool || this.#isClosed) throw new DatabaseError("unavailable", "The database has been closed.");
    const connection = await this.#connect(pool);
    this.#busy.add(connection);
    return connection;
  }

  async #connect(pool: Pool): Promise<PostgresConnection> {
    try {
      return new PostgresConnection(await pool.connect(), this.#options.statementMilliseconds);
    } catch (error) {
      throw toConnectError(error, findServer(this.#options.url));
    }
  }

  async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const isolation = isolationLevel ? ` isolation level ${isolationLevel}` : "";
    await own(connection).begin(`begin${isolation}${accessMode ? ` ${accessMode}` : ""}`);
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
    await own(connection).rollbackTo(name);
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await own(connection).control(`release ${quoteName(name)}`);
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const released = own(connection);
    this.#busy.delete(released);
    released.release();
  }

  /** Waits for what runs, but not longer than a query waits for a connection. */
  async destroy(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const pool = await this.#opening?.catch(() => undefined);
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

function own(connection: DatabaseConnection): PostgresConnection {
  if (connection instanceof PostgresConnection) return connection;
  throw new TypeError("This connection is another driver's.");
}
