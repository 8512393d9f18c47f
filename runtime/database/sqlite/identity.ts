/** Which file a path led to when it was opened. */

import { statSync } from "node:fs";
import { DatabaseError } from "../engine/error.ts";

export class FileIdentity {
  readonly #path: string;
  #inode: string | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** From now on, {@link require} compares with the file that is there. */
  record(): void {
    this.#inode ??= findInode(this.#path);
  }

  /**
   * SQLite goes on with a file that has been deleted, and what it writes is lost.
   *
   * @throws {DatabaseError} where the path leads to no file or to another one than the recorded one.
   */
  require(): void {
    if (this.#inode === undefined || this.#inode === findInode(this.#path)) return;
    throw new DatabaseError(
      "broken",
      `The database file ${this.#path} has been deleted or replaced since this process opened it.`,
      { hint: "Start the process again. Next time, stop it before." },
    );
  }
}

function findInode(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
