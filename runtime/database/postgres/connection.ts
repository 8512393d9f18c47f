/** A connection to a Postgres server, while Kysely has it. */

import {
  AbortedTransactionError,
  type CompiledQuery,
  type QueryResult,
  type TransactionSettings,
} from "kysely";
import type { QueryResult as PgResult, PoolClient } from "pg";
import { type EngineConnection, refuseLate } from "../engine/connection.ts";
import type { Health } from "../engine/health.ts";
import { quoteName } from "../engine/names.ts";
import { cancelStatement } from "./cancel.ts";
import { isConnectionLost, toDatabaseError } from "./errors.ts";
import { toParameter } from "./values.ts";

/** Milliseconds in which a server answers that it has cancelled a statement. */
const CANCEL_GRACE = 2_000;

/** Any number that nobody else takes for something else. */
const SCHEMA_LOCK = 721_517_003;

const WRITES: readonly string[] = ["INSERT", "UPDATE", "DELETE", "MERGE"];

export class PostgresConnection implements EngineConnection {
  readonly #client: PoolClient;
  /** Milliseconds that a statement may take. Not a setting of the session: behind a pooler, others use the session, too. */
  #limit: number;
  readonly #health: Health;
  #isBroken = false;
  #inTransaction = false;
  #hasEnded = false;
  #isReadOnly = false;
  /** The last statement that was sent. */
  #sent: Promise<unknown> | undefined;
  /** Of the streams that are open in the transaction. */
  readonly #cursors = new Set<string>();
  #streams = 0;

  constructor(client: PoolClient, limit: number, health: Health) {
    this.#client = client;
    this.#limit = limit;
    this.#health = health;
  }

  get inTransaction(): boolean {
    return this.#inTransaction;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  reopen(): void {
    this.#hasEnded = false;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    refuseLate(this);
    const { command, rowCount, rows } = await this.#query(sql, parameters.map(toParameter));
    const found: R[] = rows ?? [];
    return WRITES.includes(command)
      ? { rows: found, numAffectedRows: BigInt(rowCount ?? 0) }
      : { rows: found };
  }

  /** Parts of the result as they are asked for, by a cursor, which needs a transaction. */
  async *streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    if (query.query.kind !== "SelectQueryNode") {
      yield await this.executeQuery<R>(query);
      return;
    }
    refuseLate(this);
    const isOwn = !this.#inTransaction;
    if (isOwn) await this.begin({ accessMode: "read only" });
    const cursor = `framework_stream_${++this.#streams}`;
    this.#cursors.add(cursor);
    try {
      const values = query.parameters.map(toParameter);
      await this.#query(`declare ${cursor} no scroll cursor for ${query.sql}`, values);
      for (;;) {
        if (!this.#cursors.has(cursor))
          throw new Error("The transaction or its savepoint has ended before the stream.");
        const { rows } = await this.#query(`fetch ${Math.max(1, chunkSize)} from ${cursor}`);
        if (rows.length === 0) break;
        yield { rows };
      }
    } finally {
      if (this.#cursors.delete(cursor)) await (isOwn ? this.rollback() : this.#close(cursor));
    }
  }

  async #close(cursor: string): Promise<void> {
    try {
      await this.#query(`close ${cursor}`);
    } catch {
      // The transaction has failed, and its end closes the cursor.
    }
  }

  async begin({ isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    const isolation = isolationLevel ? ` isolation level ${isolationLevel}` : "";
    await this.#query(`begin${isolation}${accessMode ? ` ${accessMode}` : ""}`);
    this.#inTransaction = true;
    this.#isReadOnly = accessMode === "read only";
  }

  async commit(): Promise<void> {
    await this.#end();
    const { command } = await this.#query("commit");
    this.#inTransaction = false;
    // Where a statement has failed before, and the transaction went on.
    if (command === "ROLLBACK") throw new AbortedTransactionError();
  }

  /** It does not fail: a connection on which that is not possible is given up, and the server rolls back. */
  async rollback(): Promise<void> {
    await this.#end();
    this.#inTransaction = false;
    try {
      await this.#query("rollback");
    } catch {
      this.#isBroken = true;
    }
  }

  /** Kysely does not wait for the other queries of a transaction before it ends it, as where one of several at once has failed. */
  async #end(): Promise<void> {
    this.#hasEnded = true;
    this.#cursors.clear();
    await this.#sent?.catch(() => {});
  }

  async control(sql: string): Promise<void> {
    await this.#query(sql);
  }

  /** The server closes the cursors of streams that have begun since the savepoint. */
  async rollbackTo(savepoint: string): Promise<void> {
    await this.#query(`rollback to ${quoteName(savepoint)}`);
    if (this.#cursors.size === 0) return;
    const { rows } = await this.#query("select name from pg_cursors");
    const open = new Set(rows.map(({ name }) => name));
    for (const cursor of this.#cursors) if (!open.has(cursor)) this.#cursors.delete(cursor);
  }

  async cancelQuery(): Promise<void> {
    this.#cancelStatement();
  }

  async #query(sql: string, values?: unknown[]): Promise<PgResult> {
    const timers: NodeJS.Timeout[] = [];
    if (Number.isFinite(this.#limit)) timers.push(setTimeout(() => this.#cancel(timers), this.#limit));
    try {
      const sent = this.#client.query(sql, values);
      this.#sent = sent;
      return await sent;
    } catch (error) {
      if (isConnectionLost(error)) this.#isBroken = true;
      const found = toDatabaseError(error);
      // A write in a transaction that only reads is a mistake of the code.
      throw this.#isReadOnly ? found : this.#health.note(found);
    } finally {
      for (const timer of timers) clearTimeout(timer);
    }
  }

  /** First as one asks. A server that has gone without a word does not answer. */
  #cancel(timers: NodeJS.Timeout[]): void {
    this.#cancelStatement();
    timers.push(setTimeout(() => this.breakOff(), CANCEL_GRACE));
  }

  #cancelStatement(): void {
    cancelStatement(this.#client);
    // It may arrive late, and would then cancel the next one.
    this.#isBroken = true;
  }

  /** The statement that runs fails. */
  breakOff(): void {
    this.#isBroken = true;
    // A client of the pool is one of `pg`, which the types do not say.
    const client: object = this.#client;
    if ("end" in client && typeof client.end === "function") client.end();
  }

  async release(): Promise<void> {
    this.#client.release(this.#isBroken || this.#inTransaction);
  }

  prepareForSchema(): void {
    this.#limit = Number.POSITIVE_INFINITY;
  }

  /**
   * Until the end of the transaction, and not of the session, which others use behind a pooler. A lock of its own for each schema.
   * Then a table that others keep in use makes a migration fail, because whoever comes after it has to wait as well.
   */
  async lockSchema(): Promise<void> {
    await this.#query("set local lock_timeout = '10min'");
    await this.#query(`select pg_advisory_xact_lock(${SCHEMA_LOCK}, hashtext(current_schema()))`);
    await this.#query("set local lock_timeout = '10s'");
  }

  async checkSchema(): Promise<void> {
    // The server has checked each statement.
  }
}
