/** A database file in this process: its sessions, and whose turn it is to write. */

import { statSync } from "node:fs";
import type { CompiledQuery, QueryCompiler, QueryResult } from "kysely";
import { Health } from "../engine/engine.ts";
import { DatabaseError } from "../engine/error.ts";
import { isBusy, toDatabaseError } from "./errors.ts";
import { type FileState, Session } from "./session.ts";
import type { Row } from "./statement.ts";
import { Turns } from "./turns.ts";

/** Milliseconds between two attempts to write while another process does. Nobody says when it is done. */
const SHORTEST_WAIT = 1;
const LONGEST_WAIT = 5;

/**
 * An answer is given when a write is in the journal: what has been acknowledged survives the end of the process, whatever ends it.
 * `synchronous = normal` leaves to the operating system when the journal is on the disk.
 */
const SETTINGS =
  "pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on; pragma journal_size_limit = 67108864";
const READS_ONLY = "pragma query_only = on";
const READING = `${SETTINGS}; ${READS_ONLY}`;

export interface SqliteOptions {
  /** Undefined for a database in memory. */
  readonly path: string | undefined;
  /** How long what it does waits for others. */
  readonly waitMilliseconds: number;
  readonly beforeOpening?: () => void;
}

export class DatabaseFile {
  readonly health: Health = new Health();
  readonly #options: SqliteOptions;
  readonly #turns = new Turns();
  readonly #state: FileState;
  #isClosed = false;
  /** In memory, the two are one. */
  #writer: Session | undefined;
  #reader: Session | undefined;
  /** Those of streams, and of transactions that only read. */
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
    this.#reader = this.inMemory ? this.#writer : await this.#connect(READING);
    if (this.#isClosed) this.#closeSessions();
  }

  async #connect(settings: string): Promise<Session> {
    const { path, waitMilliseconds } = this.#options;
    let session: Session | undefined;
    try {
      // Otherwise SQLite would make another one where the first was.
      this.#requireSameFile();
      const connected = new Session(path, this.#state);
      session = connected;
      // The first one of all processes turns the journal on, for which no other may use the file.
      await insist(() => connected.exec(settings), waitMilliseconds);
      this.#inode ??= path && findInode(path);
      return connected;
    } catch (error) {
      session?.close();
      throw this.toError(error);
    }
  }

  /** SQLite goes on with a file that has been deleted, and what it writes is lost. */
  #requireSameFile(): void {
    const { path } = this.#options;
    if (path === undefined || this.#inode === undefined || this.#inode === findInode(path)) return;
    const message = `The database file ${path} has been deleted or replaced since this process opened it.`;
    throw new DatabaseError("broken", message, {
      hint: "Start the process again. Next time, stop it before.",
    });
  }

  /** Runs a statement that belongs to no transaction. Without `async`, which would cost as much as all else that is done here. */
  run(query: CompiledQuery, wait: number = this.#options.waitMilliseconds): Promise<QueryResult<Row>> {
    const isReading = isRead(query);
    const session = isReading ? this.#reader : this.#writer;
    if (!session) return Promise.reject(closed());
    try {
      // In memory, it reads what a transaction has not committed: that one may wait for what is read.
      if (isReading || !this.#turns.areTaken) return Promise.resolve(session.run(query));
    } catch (error) {
      if (!isBusy(error)) return Promise.reject(this.toError(error, session, query));
    }
    return this.#runInTurn(session, query, wait);
  }

  async #runInTurn(session: Session, query: CompiledQuery, wait: number): Promise<QueryResult<Row>> {
    const end = performance.now() + wait;
    await this.#takeTurn(wait);
    try {
      return await insist(() => session.run(query), end - performance.now());
    } catch (error) {
      throw this.toError(error, session, query);
    } finally {
      this.#turns.end();
    }
  }

  async #takeTurn(milliseconds: number): Promise<void> {
    if (await this.#turns.take(milliseconds)) return;
    throw new DatabaseError(
      "unavailable",
      `Transactions kept the database locked for ${milliseconds / 1000} seconds.`,
      {
        hint: "Make them shorter. That of a handler that streams lasts until the client has read the last piece.",
      },
    );
  }

  /**
   * Begins a transaction that writes, once it is the only one. {@link end} gives its session back.
   *
   * @param changesTables the new ones replace others, which must not delete what refers to their rows.
   */
  async beginWrite(wait: number, changesTables: boolean): Promise<Session> {
    const end = performance.now() + wait;
    await this.#takeTurn(wait);
    const session = this.#writer;
    try {
      if (!session) throw closed();
      if (changesTables) session.exec("pragma foreign_keys = off");
      await insist(() => session.exec("begin immediate"), end - performance.now());
      session.transaction = "write";
      return session;
    } catch (error) {
      session?.end();
      this.#turns.end();
      throw this.toError(error);
    }
  }

  /** Begins a transaction that sees one state, on a session of its own; in memory, on the only one. */
  async beginRead(wait: number): Promise<Session> {
    if (this.inMemory) {
      const session = await this.beginWrite(wait, false);
      session.exec(READS_ONLY);
      session.transaction = "read";
      return session;
    }
    const session = await this.#connect(READING);
    this.#ownReaders.add(session);
    try {
      if (!this.#reader) throw closed();
      await insist(() => session.beginReading(), wait);
      return session;
    } catch (error) {
      this.end(session);
      throw this.toError(error);
    }
  }

  /** Ends a transaction, which is rolled back if it has not been committed. */
  end(session: Session): void {
    session.end();
    if (this.#ownReaders.delete(session)) session.close();
    else this.#turns.end();
  }

  /** What an error means. A write in a transaction that only reads is a mistake of the code, and the file is well. */
  toError(error: unknown, session?: Session, query?: CompiledQuery): unknown {
    const found = toDatabaseError(error, this.#options.path, session && query && { session, query });
    return session?.transaction === "read" ? found : this.health.note(found);
  }

  /** Waits for what writes, but not longer than a query would. What is open then is rolled back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const isTurn = await this.#turns.take(this.#options.waitMilliseconds);
    this.#closeSessions();
    if (isTurn) this.#turns.end();
  }

  #closeSessions(): void {
    for (const session of [this.#writer, this.#reader, ...this.#ownReaders]) session?.close();
    this.#writer = undefined;
    this.#reader = undefined;
  }
}

/** Tries until no other process is writing. @throws what SQLite throws, also when the time is over */
async function insist<T>(work: () => T, milliseconds: number): Promise<T> {
  const end = performance.now() + milliseconds;
  for (let wait = SHORTEST_WAIT; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() + wait > end) throw error;
    }
    const pause = wait * (0.5 + Math.random());
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** SQLite's `select` writes nothing, whoever has written it. */
export function isRead({ query, sql }: CompiledQuery): boolean {
  if (query.kind !== "RawNode") return query.kind === "SelectQueryNode";
  return /^\s*(?:select|values|explain)\b/i.test(sql);
}

function closed(): DatabaseError {
  return new DatabaseError("unavailable", "The database has been closed.");
}

function findInode(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
