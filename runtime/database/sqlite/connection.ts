/** What Kysely runs queries on: single statements, or those of a transaction. */

import type { CompiledQuery, QueryResult, TransactionSettings } from "kysely";
import { DatabaseError } from "../engine/error.ts";
import type { SchemaConnection } from "../engine/schema-connection.ts";
import { isBusy, toDatabaseError } from "./errors.ts";
import type { DatabaseFile } from "./file.ts";
import type { Session } from "./session.ts";

/** Ten minutes, for other processes that change tables. */
const SCHEMA_WAIT = 600_000;

export class SqliteConnection implements SchemaConnection {
  readonly #file: DatabaseFile;
  #waitMilliseconds: number;
  #changesSchema = false;
  /** While a transaction is open. */
  #session: Session | undefined;

  constructor(file: DatabaseFile, waitMilliseconds: number) {
    this.#file = file;
    this.#waitMilliseconds = waitMilliseconds;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#run(query) as Promise<QueryResult<R>>;
  }

  async #run(query: CompiledQuery): Promise<QueryResult<unknown>> {
    const file = this.#file;
    try {
      if (this.#session) return this.#session.run(query);
      const mustWait = file.lock.isHeld && (file.inMemory || query.query.kind !== "SelectQueryNode");
      if (mustWait) return await this.#runInTurn(query);
      try {
        return file.shared.run(query);
      } catch (error) {
        if (!isBusy(error)) throw error;
        return await this.#runInTurn(query);
      }
    } catch (error) {
      throw toDatabaseError(error, query.query.kind, file.file);
    }
  }

  /** After the transactions of this process that are open or wait. */
  async #runInTurn(query: CompiledQuery): Promise<QueryResult<unknown>> {
    const end = performance.now() + this.#waitMilliseconds;
    await this.#acquireLock();
    try {
      return await this.#file.insist(() => this.#file.shared.run(query), end - performance.now());
    } finally {
      this.#file.lock.release();
    }
  }

  async #acquireLock(): Promise<void> {
    if (await this.#file.lock.acquire(this.#waitMilliseconds)) return;
    throw new DatabaseError(
      "unavailable",
      `A transaction has kept the database locked for ${this.#waitMilliseconds / 1000} seconds.`,
      { hint: "Make transactions shorter. Inside of one, run queries on it, not on the database." },
    );
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    if (!this.#session && (this.#file.inMemory || query.query.kind !== "SelectQueryNode")) {
      const { rows } = await this.executeQuery<R>(query);
      for (const row of rows) yield { rows: [row] };
      return;
    }
    // Of its own, so that what it has open does not keep others from writing.
    const session = this.#session ?? (await this.#file.connect(this.#waitMilliseconds));
    try {
      for (const row of session.iterate(query)) yield { rows: [row as R] };
    } catch (error) {
      throw toDatabaseError(error, query.query.kind, this.#file.file);
    } finally {
      if (session !== this.#session) session.close();
    }
  }

  /** Runs a statement of a transaction. */
  exec(sql: string): void {
    this.#session?.exec(sql);
  }

  async begin(_settings: TransactionSettings): Promise<void> {
    const file = this.#file;
    const end = performance.now() + this.#waitMilliseconds;
    await this.#acquireLock();
    try {
      const session = await file.openWriter(end - performance.now());
      if (this.#changesSchema) session.exec("pragma foreign_keys = off");
      await file.insist(() => session.exec("begin immediate"), end - performance.now());
      this.#session = session;
    } catch (error) {
      file.lock.release();
      throw toDatabaseError(error, "", file.file);
    }
  }

  async commit(): Promise<void> {
    try {
      this.#session?.exec("commit");
    } catch (error) {
      // Kysely rolls back then.
      throw toDatabaseError(error, "", this.#file.file);
    }
    this.#end();
  }

  async rollback(): Promise<void> {
    try {
      this.#session?.exec("rollback");
    } catch {
      // SQLite has rolled it back already, as it does when the disk is full.
    }
    this.#end();
  }

  #end(): void {
    const session = this.#session;
    if (!session) return;
    this.#session = undefined;
    if (this.#changesSchema) session.exec("pragma foreign_keys = on");
    this.#changesSchema = false;
    this.#file.lock.release();
  }

  prepareForSchema(): void {
    this.#waitMilliseconds = SCHEMA_WAIT;
    this.#changesSchema = true;
  }

  async lockSchema(): Promise<void> {
    // `begin immediate` has done so.
  }

  /** Foreign keys are off meanwhile, because a table is changed by making another one and dropping the first. */
  async checkSchema(): Promise<void> {
    if (this.#session?.check("pragma foreign_key_check") !== undefined)
      throw new Error("FOREIGN KEY constraint failed: rows refer to rows that no longer exist.");
  }
}
