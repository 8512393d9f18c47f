/** What Kysely runs queries on: single statements, or those of a transaction. */

import type { CompiledQuery, QueryResult, TransactionSettings } from "kysely";
import { Problem } from "#runtime/problem";
import { type EngineConnection, refuseLate } from "../engine/connection.ts";
import { quoteName } from "../engine/names.ts";
import { Cursor } from "./cursor.ts";
import { isBusy, type Questions, toDatabaseError } from "./errors.ts";
import type { DatabaseFile } from "./file.ts";
import { findMissingReferences, writesReference } from "./foreign-keys.ts";
import type { Session } from "./session.ts";
import type { Row } from "./statement.ts";
import { describeWritten } from "./written.ts";

/** Ten minutes, for other processes that change tables. */
const SCHEMA_WAIT = 600_000;

export class SqliteConnection implements EngineConnection {
  readonly #file: DatabaseFile;
  /** Milliseconds that a query waits for others. */
  #wait: number;
  #changesSchema = false;
  /** While a transaction is open. */
  #session: Session | undefined;
  #isReadOnly = false;
  #hasEnded = false;
  /** Of the streams that are open. */
  readonly #cursors = new Set<Cursor>();

  constructor(file: DatabaseFile, wait: number) {
    this.#file = file;
    this.#wait = wait;
  }

  get inTransaction(): boolean {
    return this.#session !== undefined;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  reopen(): void {
    this.#hasEnded = false;
  }

  /** Without `async`, which would cost as much as all else that is done here. */
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#run(query) as Promise<QueryResult<R>>;
  }

  #run(query: CompiledQuery): Promise<QueryResult<Row>> {
    const file = this.#file;
    try {
      refuseLate(this);
      if (this.#session) {
        if (this.#cursors.size > 0 && !isSelect(query)) this.#readRest();
        return Promise.resolve(this.#session.run(query));
      }
      // In memory, it reads what the transaction has not committed: to wait would be for ever, where that one waits for what is read.
      if (file.isLocked && !isSelect(query)) return this.#runInTurn(query);
      return Promise.resolve(file.shared.run(query));
    } catch (error) {
      if (!this.#session && isBusy(error)) return this.#runInTurn(query);
      return Promise.reject(this.#translate(error, query));
    }
  }

  async #runInTurn(query: CompiledQuery): Promise<QueryResult<Row>> {
    const file = this.#file;
    const end = performance.now() + this.#wait;
    await file.lock(this.#wait);
    try {
      return await file.insist(() => file.shared.run(query), end - performance.now());
    } catch (error) {
      throw this.#translate(error, query);
    } finally {
      file.unlock();
    }
  }

  #translate(error: unknown, query?: CompiledQuery): unknown {
    const found = toDatabaseError(error, this.#file.path, query && this.#questionsAbout(query));
    // A write in a transaction that only reads is a mistake of the code.
    return this.#isReadOnly ? found : this.#file.health.note(found);
  }

  #questionsAbout(query: CompiledQuery): Questions {
    const written = describeWritten(query);
    return {
      table: () => written.table,
      brokenReference: () => {
        const session = this.#session ?? this.#file.shared;
        if (written.action === "delete") return "still_referenced";
        if (written.action === "update" && !writesReference(session, written)) return "still_referenced";
        return { columns: findMissingReferences(session, written) };
      },
    };
  }

  async *streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    refuseLate(this);
    const size = Math.max(1, chunkSize);
    if (this.#session) yield* this.#stream<R>(this.#session, query, size);
    // A write is done at once, and in memory there is nothing to wait for.
    else if (this.#file.inMemory || !isSelect(query)) {
      const { rows } = await this.executeQuery<R>(query);
      for (let start = 0; start < rows.length; start += size) yield { rows: rows.slice(start, start + size) };
    } else {
      // Of its own, because one that reads sees the past, in which it can't write.
      const session = await this.#beginRead();
      try {
        yield* this.#stream<R>(session, query, size);
      } finally {
        this.#endRead(session);
      }
    }
  }

  async *#stream<R>(
    session: Session,
    query: CompiledQuery,
    size: number,
  ): AsyncIterableIterator<QueryResult<R>> {
    let cursor: Cursor | undefined;
    try {
      cursor = new Cursor(session.iterate(query));
      this.#cursors.add(cursor);
      for (;;) {
        if (!this.#cursors.has(cursor)) throw new Error("The transaction has ended before the stream.");
        const rows = cursor.take(size);
        if (rows.length === 0) break;
        yield { rows: rows as R[] };
        await new Promise(setImmediate);
      }
    } catch (error) {
      throw this.#translate(error, query);
    } finally {
      if (cursor && this.#cursors.delete(cursor)) cursor.close();
    }
  }

  #readRest(): void {
    for (const cursor of this.#cursors) cursor.readRest();
  }

  /** SQLite has one isolation level, which is `serializable`. */
  async begin({ accessMode }: TransactionSettings): Promise<void> {
    this.#isReadOnly = accessMode === "read only";
    const session = this.#isReadOnly ? await this.#beginRead() : await this.#beginWrite();
    session.inTransaction = true;
    this.#session = session;
  }

  async #beginRead(): Promise<Session> {
    const file = this.#file;
    const end = performance.now() + this.#wait;
    const session = file.inMemory ? await this.#beginWrite() : await file.openReader(this.#wait);
    try {
      session.exec("pragma query_only = on");
      if (!file.inMemory) await file.insist(() => beginReading(session), end - performance.now());
      return session;
    } catch (error) {
      this.#endRead(session);
      throw this.#translate(error);
    }
  }

  #endRead(session: Session): void {
    session.rollback();
    tidy(session, "pragma query_only = off");
    if (this.#file.inMemory) this.#file.unlock();
    else this.#file.returnReader(session);
  }

  async #beginWrite(): Promise<Session> {
    const file = this.#file;
    const end = performance.now() + this.#wait;
    await file.lock(this.#wait);
    let session: Session | undefined;
    try {
      session = await file.openWriter(end - performance.now());
      const writer = session;
      if (this.#changesSchema) writer.exec("pragma foreign_keys = off");
      await file.insist(() => writer.exec("begin immediate"), end - performance.now());
      return writer;
    } catch (error) {
      // It is the writer of later transactions, too.
      if (session && this.#changesSchema) tidy(session, "pragma foreign_keys = on");
      file.unlock();
      throw this.#translate(error);
    }
  }

  async control(sql: string): Promise<void> {
    try {
      this.#readRest();
      this.#session?.exec(sql);
    } catch (error) {
      throw this.#translate(error);
    }
  }

  rollbackTo(savepoint: string): Promise<void> {
    return this.control(`rollback to ${quoteName(savepoint)}`);
  }

  /** Kysely rolls back where it throws. */
  async commit(): Promise<void> {
    this.#beginEnd();
    await this.control("commit");
    this.#end();
  }

  async rollback(): Promise<void> {
    this.#beginEnd();
    this.#session?.rollback();
    this.#end();
  }

  release(): Promise<void> {
    return this.rollback();
  }

  #beginEnd(): void {
    this.#hasEnded = true;
    for (const cursor of this.#cursors) cursor.close();
    this.#cursors.clear();
  }

  #end(): void {
    const session = this.#session;
    if (!session) return;
    this.#session = undefined;
    session.inTransaction = false;
    if (this.#isReadOnly) {
      this.#endRead(session);
      return;
    }
    if (this.#changesSchema) tidy(session, "pragma foreign_keys = on");
    this.#file.unlock();
  }

  /** What runs is over before anybody can ask for it. */
  async cancelQuery(): Promise<void> {}

  prepareForSchema(): void {
    this.#wait = SCHEMA_WAIT;
    this.#changesSchema = true;
  }

  async lockSchema(): Promise<void> {
    // The transaction is the only one that writes.
  }

  /** Foreign keys were off: a table is changed by making another one, and dropping the first must not delete what refers to it. */
  async checkSchema(): Promise<void> {
    const [broken] = this.#session?.all("pragma foreign_key_check") ?? [];
    if (!broken) return;
    throw new Problem(
      `The migrations leave rows of ${broken.table} that refer to missing rows of ${broken.parent}.`,
      "The database is as it was before.",
    );
  }
}

/** SQLite's `select` writes nothing, whoever has written it. */
function isSelect({ query, sql }: CompiledQuery): boolean {
  return query.kind === "SelectQueryNode" || (query.kind === "RawNode" && /^\s*select\b/i.test(sql));
}

/** By reading, the transaction begins, and it is known how the tables are now. */
function beginReading(session: Session): void {
  session.exec("begin");
  try {
    session.exec("select 1 from sqlite_schema limit 0");
  } catch (error) {
    session.rollback();
    throw error;
  }
}

/** One that has been closed meanwhile needs it no more. */
function tidy(session: Session, sql: string): void {
  try {
    session.exec(sql);
  } catch {}
}
