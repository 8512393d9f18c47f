/** Runs a transaction, and retries it after conflicts. */

import type { IsolationLevel, Kysely, Transaction } from "kysely";
import { DatabaseError } from "./engine/error.ts";

export interface InTransactionOptions {
  /** The isolation level. SQLite always uses `serializable`. */
  readonly isolation?: IsolationLevel;
  /** The maximum number of attempts; 3 by default. */
  readonly attempts?: number;
}

/** The maximum of milliseconds before the second attempt. It doubles each time. */
const FIRST_WAIT = 20;

/**
 * Runs work in a transaction: commits it, or rolls it back if the work throws. If another transaction changed the same rows first, the
 * work runs again, so it must have no side effects except queries of the transaction.
 *
 * @returns the result of the work.
 * @throws the error of the work, and a {@link DatabaseError} of the kind `conflict` after the last attempt.
 * @example await inTransaction(db, (transaction) => transfer(transaction, from, to), { isolation: "serializable" });
 */
export async function inTransaction<Tables, T>(
  db: Kysely<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<T>,
  { isolation, attempts = 3 }: InTransactionOptions = {},
): Promise<T> {
  const builder = db.transaction();
  for (let attempt = 1; ; attempt++) {
    try {
      return await (isolation ? builder.setIsolationLevel(isolation) : builder).execute(work);
    } catch (error) {
      const isConflict = error instanceof DatabaseError && error.kind === "conflict";
      if (!isConflict || attempt >= attempts) throw error;
      await sleep(Math.random() * FIRST_WAIT * 2 ** (attempt - 1));
    }
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
