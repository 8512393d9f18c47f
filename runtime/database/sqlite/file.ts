/** A database file: its sessions, and the queue of its single writer. */

import { statSync } from "node:fs";
import type { CompiledQuery, QueryCompiler, QueryResult } from "kysely";
import { Health } from "../engine/engine.ts";
import { DatabaseError } from "../engine/error.ts";
import { isBusy, toDatabaseError } from "./errors.ts";
import { type FileState, Session } from "./session.ts";
import type { Row } from "./statement.ts";
import { WriteQueue } from "./write-queue.ts";

/** Milliseconds between attempts while another process is writing, the end of which is not signalled. */
const MIN_WAIT = 1;
const MAX_WAIT = 5;

/**
 * Writes are acknowledged when they are in the journal, so they survive any end of the process. With `synchronous = normal`, the
 * operating system decides when the journal is written to the disk.
 */
const SETTINGS =
  "pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on; pragma journal_size_limit = 67108864";
const QUERY_ONLY = "pragma query_only = on";
const READER_SETTINGS = `${SETTINGS}; ${QUERY_ONLY}`;

export interface SqliteOptions {
  /** Undefined for a database in memory. */
  readonly path: string | undefined;
  /** How long a query waits for other transactions. */
  readonly waitMilliseconds: number;
  readonly beforeOpening?: () => void;
}

export class DatabaseFile {
  readonly health: Health = new Health();
  readonly #options: SqliteOptions;
  readonly #queue = new WriteQueue();
  readonly #state: FileState;
  #isClosed = false;
  /** In memory, writer and reader are the same session. */
  #writer: Session | undefined;
  #reader: Session | undefined;
  /** The sessions of streams and of read-only transactions. */
  readonly #ownReaders = new Set<Session>();
  #inode: string | undefined;

  constructor(options: SqliteOptions, compiler: QueryCompiler) {
    this.#options = options;
    this.#state = { compiler, changes: 0, requireSameFile: () => this.#requireSameFile() };
  }

  get inMemory(): boolean {
    return this.#options.path === undefined;
  }

  get isOpen(): boolean {
    return this.#reader !== undefined;
  }

  async open(): Promise<void> {
    if (this.#isClosed) throw closed();
    this.#options.beforeOpening?.();
    this.#writer ??= await this.#connect(SETTINGS);
    this.#reader = this.inMemory ? this.#writer : await this.#connect(READER_SETTINGS);
    if (this.#isClosed) this.#closeSessions();
  }

  async #connect(settings: string): Promise<Session> {
    const { path, waitMilliseconds } = this.#options;
    let session: Session | undefined;
    try {
      // Otherwise SQLite would create a new file in place of a deleted one.
      this.#requireSameFile();
      const connected = new Session(path, this.#state);
      session = connected;
      // The first process turns the journal on, for which it needs the file exclusively.
      await retryWhileBusy(() => connected.exec(settings), waitMilliseconds);
      this.#inode ??= path && findInode(path);
      return connected;
    } catch (error) {
      session?.close();
      throw this.toError(error);
    }
  }

  /** SQLite would keep writing to a deleted file, and the data would be lost. */
  #requireSameFile(): void {
    const { path } = this.#options;
    if (path === undefined || this.#inode === undefined || this.#inode === findInode(path)) return;
    const message = `The database file ${path} has been deleted or replaced since this process opened it.`;
    throw new DatabaseError("broken", message, {
      hint: "Start the process again. Next time, stop it before.",
    });
  }

  /** Runs a statement outside of a transaction. Not `async`, which would cost as much as everything else here. */
  run(query: CompiledQuery, wait: number = this.#options.waitMilliseconds): Promise<QueryResult<Row>> {
    const isReading = isRead(query);
    const session = isReading ? this.#reader : this.#writer;
    if (!session) return Promise.reject(closed());
    try {
      // In memory, a read sees uncommitted changes, because a transaction may wait for the read.
      if (isReading || !this.#queue.isTaken) return Promise.resolve(session.run(query));
    } catch (error) {
      if (!isBusy(error)) return Promise.reject(this.toError(error, session, query));
    }
    return this.#runInTurn(session, query, wait);
  }

  async #runInTurn(session: Session, query: CompiledQuery, wait: number): Promise<QueryResult<Row>> {
    const end = performance.now() + wait;
    await this.#waitForTurn(wait);
    try {
      return await retryWhileBusy(() => session.run(query), end - performance.now());
    } catch (error) {
      throw this.toError(error, session, query);
    } finally {
      this.#queue.release();
    }
  }

  async #waitForTurn(milliseconds: number): Promise<void> {
    if (await this.#queue.acquire(milliseconds)) return;
    throw new DatabaseError(
      "unavailable",
      `Transactions kept the database locked for ${milliseconds / 1000} seconds.`,
      {
        hint: "Make them shorter. That of a handler that streams lasts until the client has read the last piece.",
      },
    );
  }

  /**
   * Begins a write transaction when it is the only one. {@link end} releases its session.
   *
   * @param changesTables true to turn foreign keys off, so that replacing a table does not delete rows that refer to it.
   */
  async beginWrite(wait: number, changesTables: boolean): Promise<Session> {
    const end = performance.now() + wait;
    await this.#waitForTurn(wait);
    const session = this.#writer;
    try {
      if (!session) throw closed();
      if (changesTables) session.exec("pragma foreign_keys = off");
      await retryWhileBusy(() => session.exec("begin immediate"), end - performance.now());
      session.transaction = "write";
      return session;
    } catch (error) {
      session?.end();
      this.#queue.release();
      throw this.toError(error);
    }
  }

  /** Begins a read transaction on a snapshot, in a new session; in memory, in the only session. */
  async beginRead(wait: number): Promise<Session> {
    if (this.inMemory) {
      const session = await this.beginWrite(wait, false);
      session.exec(QUERY_ONLY);
      session.transaction = "read";
      return session;
    }
    const session = await this.#connect(READER_SETTINGS);
    this.#ownReaders.add(session);
    try {
      if (!this.#reader) throw closed();
      await retryWhileBusy(() => session.beginReading(), wait);
      return session;
    } catch (error) {
      this.end(session);
      throw this.toError(error);
    }
  }

  /** Ends a transaction, and rolls it back unless it was committed. */
  end(session: Session): void {
    session.end();
    if (this.#ownReaders.delete(session)) session.close();
    else this.#queue.release();
  }

  /** Converts an error. A write in a read-only transaction is a bug of the project, and does not affect the file's health. */
  toError(error: unknown, session?: Session, query?: CompiledQuery): unknown {
    const converted = toDatabaseError(error, this.#options.path, session && query && { session, query });
    return session?.transaction === "read" ? converted : this.health.note(converted);
  }

  /** Waits for writers as long as a query would. Transactions that are still open are rolled back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const isOwner = await this.#queue.acquire(this.#options.waitMilliseconds);
    this.#closeSessions();
    if (isOwner) this.#queue.release();
  }

  #closeSessions(): void {
    for (const session of [this.#writer, this.#reader, ...this.#ownReaders]) session?.close();
    this.#writer = undefined;
    this.#reader = undefined;
  }
}

/** Retries while another process is writing. @throws SQLite's error, also after the time limit */
async function retryWhileBusy<T>(work: () => T, milliseconds: number): Promise<T> {
  const end = performance.now() + milliseconds;
  for (let wait = MIN_WAIT; ; wait = Math.min(wait * 2, MAX_WAIT)) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() + wait > end) throw error;
    }
    const pause = wait * (0.5 + Math.random());
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** True for a query that only reads: in SQLite, `select` never writes. */
export function isRead({ query, sql }: CompiledQuery): boolean {
  if (query.kind !== "RawNode") return query.kind === "SelectQueryNode";
  return /^\s*(?:select|values|explain)\b/i.test(sql);
}

function closed(): DatabaseError {
  return new DatabaseError("unavailable", "The database has been closed.");
}

function findInode(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}
