/** Kysely's driver for a Postgres server. */

import {
  AbortedTransactionError,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from "kysely";
import type { Pool, PoolClient } from "pg";
import type { SchemaConnection } from "../engine/schema-connection.ts";
import { toDatabaseError } from "./errors.ts";
import { createPool } from "./pool.ts";
import { toParameter } from "./values.ts";

export interface PostgresOptions {
  readonly url: string;
  readonly connections: number;
  readonly waitMilliseconds: number;
  readonly statementMilliseconds: number;
  readonly schema?: string;
  readonly isIdle?: boolean;
  readonly beforeOpening?: () => void;
}

export class PostgresDriver implements Driver {
  readonly #options: PostgresOptions;
  #pool: Pool | undefined;

  constructor(options: PostgresOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {
    this.#options.beforeOpening?.();
    this.#pool = await createPool(this.#options);
  }

  async acquireConnection(): Promise<PostgresConnection> {
    if (!this.#pool) throw new Error("The database has been closed.");
    try {
      return new PostgresConnection(await this.#pool.connect());
    } catch (error) {
      throw toDatabaseError(error);
    }
  }

  async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const isolation = isolationLevel ? ` isolation level ${isolationLevel}` : "";
    await own(connection).exec(`begin${isolation}${accessMode ? ` ${accessMode}` : ""}`);
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if ((await own(connection).exec("commit")) === "ROLLBACK") throw new AbortedTransactionError();
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await own(connection).rollback();
  }

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await own(connection).exec(`savepoint ${quote(name)}`);
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await own(connection).exec(`rollback to ${quote(name)}`);
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await own(connection).exec(`release ${quote(name)}`);
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    own(connection).release();
  }

  async destroy(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.end();
  }
}

const SCHEMA_LOCK = 3_853_314_791;

class PostgresConnection implements SchemaConnection {
  readonly #client: PoolClient;
  #isBroken = false;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    try {
      const { command, rowCount, rows } = await this.#client.query(sql, parameters.map(toParameter));
      const isWrite =
        command === "INSERT" || command === "UPDATE" || command === "DELETE" || command === "MERGE";
      return isWrite
        ? { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
        : { rows: (rows ?? []) as R[] };
    } catch (error) {
      throw toDatabaseError(error);
    }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }

  async exec(sql: string): Promise<string> {
    try {
      return (await this.#client.query(sql)).command;
    } catch (error) {
      throw toDatabaseError(error);
    }
  }

  async rollback(): Promise<void> {
    try {
      await this.exec("rollback");
    } catch {
      this.#isBroken = true;
    }
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }

  prepareForSchema(): void {}

  async lockSchema(): Promise<void> {
    await this.exec(`select pg_advisory_xact_lock(${SCHEMA_LOCK})`);
  }

  async checkSchema(): Promise<void> {}
}

function own(connection: DatabaseConnection): PostgresConnection {
  if (connection instanceof PostgresConnection) return connection;
  throw new TypeError("A connection of another driver.");
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
