/** Whether a database has failed lately in a way that waiting does not repair, such as on a full disk. */

import { DatabaseError } from "./error.ts";

/**
 * Milliseconds for which a failure counts. A write that succeeds does not end them: a small one may still fit on a full disk. And where
 * no requests come because of the failure, no write would ever come to end it.
 */
const MEMORY = 30_000;

export class Health {
  #failure: DatabaseError | undefined;
  #failedAt = 0;

  /** @returns the error. */
  note(error: unknown): unknown {
    if (error instanceof DatabaseError && error.kind === "broken") {
      this.#failure = error;
      this.#failedAt = performance.now();
    }
    return error;
  }

  /** @throws {DatabaseError} what failed, as long as it counts. */
  require(): void {
    if (this.#failure && performance.now() - this.#failedAt < MEMORY) throw this.#failure;
  }
}
