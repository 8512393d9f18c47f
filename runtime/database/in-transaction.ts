/** A transaction that is tried again where another one came in its way. */

import type { IsolationLevel, Kysely, Transaction } from "kysely";
import { DatabaseError } from "./engine/error.ts";

export interface InTransactionOptions {
  /** SQLite has `serializable` only, whatever is asked for. */
  readonly isolation?: IsolationLevel;
  /** How often it is tried. 3. */
  readonly attempts?: number;
}

/** Milliseconds before the second attempt, at most; then twice as long each time. */
const FIRST_WAIT = 20;

/**
 * Runs work in a transaction: commits it, or rolls it back if the work throws. Where another transaction changed the same rows first,
 * it runs the work again. So the work has to do nothing but queries of the transaction.
 *
 * @returns what the work returns.
 * @throws what the work throws, and a {@link DatabaseError} of the kind `conflict` after the last attempt.
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
