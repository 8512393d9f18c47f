/** A database file in this process: its connections, and whose turn it is to write. */

import { DatabaseError } from "../engine/error.ts";
import type { Health } from "../engine/health.ts";
import { isBusy, toDatabaseError, toOpeningError } from "./errors.ts";
import { FileIdentity } from "./identity.ts";
import { Lock } from "./lock.ts";
import { type FileState, Session } from "./session.ts";

/** Milliseconds between two attempts to write while another process does. Nobody says when it is done. */
const SHORTEST_WAIT = 1;
const LONGEST_WAIT = 5;
/** Connections for reading that are kept open while nobody needs them. */
const IDLE_READERS = 2;

/**
 * An answer is given when a write is in the journal: what has been acknowledged survives the end of the process, whatever ends it.
 * `synchronous = normal` leaves to the operating system when the journal is on the disk.
 */
const SETTINGS = [
  "pragma journal_mode = wal",
  "pragma synchronous = normal",
  "pragma foreign_keys = on",
  "pragma journal_size_limit = 67108864",
].join("; ");

export class DatabaseFile {
  /** An absolute path. Undefined for a database in memory, which has one session for everything. */
  readonly path: string | undefined;
  readonly health: Health;
  /** Held by what writes over several turns of the event loop, and by what waits until it can. */
  readonly #lock: Lock;
  #shared: Session | undefined;
  #isClosed = false;
  #writer: Session | undefined;
  readonly #state: FileState;
  readonly #readers = new Set<Session>();
  #idle: Session[] = [];

  constructor(path: string | undefined, health: Health) {
    this.path = path;
    this.health = health;
    this.#lock = new Lock(path !== undefined);
    this.#state = { changes: 0, identity: path === undefined ? undefined : new FileIdentity(path) };
  }

  get inMemory(): boolean {
    return this.path === undefined;
  }

  get isOpen(): boolean {
    return this.#shared !== undefined;
  }

  get isLocked(): boolean {
    return this.#lock.isHeld;
  }

  /** For single statements. */
  get shared(): Session {
    return this.#shared ?? this.#refuse();
  }

  /** @param milliseconds how long to wait for other processes. */
  async open(milliseconds: number): Promise<void> {
    if (this.#isClosed) this.#refuse();
    const session = await this.#connect(milliseconds);
    // Meanwhile, it may have been closed.
    if (this.#isClosed) session.close();
    else this.#shared = session;
  }

  /** @returns a session for reading while others write. {@link returnReader} takes it back. */
  async openReader(milliseconds: number): Promise<Session> {
    const reader = this.#idle.pop() ?? (await this.#connect(milliseconds));
    if (this.#shared) this.#readers.add(reader);
    else reader.close();
    return this.#shared ? reader : this.#refuse();
  }

  returnReader(reader: Session): void {
    if (!this.#readers.delete(reader)) return;
    if (this.#idle.length < IDLE_READERS) this.#idle.push(reader);
    else reader.close();
  }

  /** @returns the session for transactions that write. Whoever has it holds the lock. */
  async openWriter(milliseconds: number): Promise<Session> {
    if (this.inMemory) return this.shared;
    this.#writer ??= await this.#connect(milliseconds);
    return this.#shared ? this.#writer : this.#refuse();
  }

  /** Waits for the transactions of this process that are open or came first. {@link unlock} gives the lock to the next one. */
  async lock(milliseconds: number): Promise<void> {
    if (await this.#lock.acquire(milliseconds)) return;
    throw new DatabaseError(
      "unavailable",
      `Transactions kept the database locked for ${milliseconds / 1000} seconds.`,
      { hint: "Make them shorter. What runs inside of one uses the transaction, not the database." },
    );
  }

  unlock(): void {
    this.#lock.release();
  }

  /** Tries until no other process is writing. @throws what SQLite throws, also when the time is over */
  async insist<T>(work: () => T, milliseconds: number): Promise<T> {
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

  /** Waits for open transactions, but not longer than this. What is open then is rolled back. */
  async close(milliseconds: number): Promise<void> {
    this.#isClosed = true;
    const hadLock = await this.#lock.acquire(milliseconds);
    const sessions = [this.#writer, ...this.#idle, ...this.#readers, this.#shared];
    this.#writer = undefined;
    this.#shared = undefined;
    this.#idle = [];
    this.#readers.clear();
    for (const session of sessions) session?.close();
    if (hadLock) this.#lock.release();
  }

  async #connect(milliseconds: number): Promise<Session> {
    const { identity } = this.#state;
    let session: Session | undefined;
    try {
      // Otherwise SQLite would make another one where the first was.
      identity?.require();
      const opened = new Session(this.path, this.#state);
      session = opened;
      // The first one of all processes turns the journal on, for which no other may use the file.
      await this.insist(() => opened.exec(SETTINGS), milliseconds);
      identity?.record();
      return opened;
    } catch (error) {
      session?.close();
      throw this.health.note(toOpeningError(error, this.path) ?? toDatabaseError(error, this.path));
    }
  }

  #refuse(): never {
    throw new DatabaseError("unavailable", "The database has been closed.");
  }
}
