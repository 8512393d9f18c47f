/** A database file in this process: its connections, and who may write. */

import { DatabaseError } from "../engine/error.ts";
import { isBusy, toDatabaseError } from "./errors.ts";
import { Lock } from "./lock.ts";
import { Session } from "./session.ts";

/** Milliseconds between two attempts to write while another process does. */
const SHORTEST_WAIT = 1;
const LONGEST_WAIT = 5;

export class DatabaseFile {
  /** Undefined for a database in memory, which has one session for everything. */
  readonly file: string | undefined;
  /** Held by what writes over several turns of the event loop. */
  readonly lock: Lock;
  #shared: Session | undefined;
  #writer: Session | undefined;

  constructor(file: string | undefined) {
    this.file = file;
    this.lock = new Lock(file !== undefined);
  }

  get inMemory(): boolean {
    return this.file === undefined;
  }

  /** For single statements. */
  get shared(): Session {
    if (!this.#shared) throw new Error("The database has been closed.");
    return this.#shared;
  }

  /** Opens the file. */
  async open(milliseconds: number): Promise<void> {
    this.#shared = await this.connect(milliseconds);
  }

  /** @returns the session for transactions that write, for the holder of the lock. */
  async openWriter(milliseconds: number): Promise<Session> {
    if (this.inMemory) return this.shared;
    this.#writer ??= await this.connect(milliseconds);
    return this.#writer;
  }

  /** @returns a session of its own. */
  async connect(milliseconds: number): Promise<Session> {
    let session: Session | undefined;
    try {
      session = new Session(this.file);
      const opened = session;
      // Whoever is first turns the journal on, for which nobody else may have the file in use.
      await this.insist(
        () => opened.exec("pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on"),
        milliseconds,
      );
      return opened;
    } catch (error) {
      session?.close();
      throw toOpeningError(toDatabaseError(error, "", this.file), this.file);
    }
  }

  /** Does something, again and again while another process is writing. @throws what SQLite throws, after that time, too. */
  async insist<T>(work: () => T, milliseconds: number): Promise<T> {
    const end = performance.now() + milliseconds;
    for (let wait = SHORTEST_WAIT; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || performance.now() + wait > end) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random())));
    }
  }

  /** Waits for the transaction that is open. */
  async close(milliseconds: number): Promise<void> {
    await this.lock.acquire(milliseconds);
    this.#writer?.close();
    this.#shared?.close();
    this.#writer = undefined;
    this.#shared = undefined;
    this.lock.release();
  }
}

/** Node's own errors, as for a folder that can't be made. */
function toOpeningError(error: unknown, file: string | undefined): unknown {
  if (!(error instanceof Error) || !("syscall" in error)) return error;
  return new DatabaseError("unavailable", `The database file ${file} can't be opened: ${error.message}.`, {
    hint: "Check that its folder can be written.",
    cause: error,
  });
}
