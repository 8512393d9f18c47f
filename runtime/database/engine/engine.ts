/** What is known of a database beyond what Kysely lets see of it. */

import type {
  CompiledQuery,
  Dialect,
  DialectAdapter,
  Driver,
  Kysely,
  QueryResult,
  Transaction,
} from "kysely";
import { DatabaseError } from "./error.ts";

/** What the engines do each in their own way. */
export interface Engine {
  readonly dialect: Dialect;
  readonly driver: Driver;
  readonly health: Health;
  /** Runs a statement that belongs to no transaction, where that is possible without a connection. */
  run?(query: CompiledQuery): Promise<QueryResult<unknown>> | undefined;
  /** Another Kysely on the same connections. Its transactions change tables: they may wait and take long. */
  forSchema(): Kysely<unknown>;
  /** The first statements of such a transaction: no other process changes tables until it ends. */
  lockSchema?(transaction: Transaction<unknown>): Promise<void>;
  /** The last statement of it. @throws where rows refer to rows that do not exist */
  checkSchema?(transaction: Transaction<unknown>): Promise<void>;
}

type AnyKysely = Pick<Kysely<unknown>, "getExecutor">;

/** By the adapter: what `withPlugin()` and `withSchema()` return has the same one. */
const engines = new WeakMap<DialectAdapter, Engine>();

/** @returns the database. */
export function register<Database extends AnyKysely>(db: Database, engine: Engine): Database {
  engines.set(db.getExecutor().adapter, engine);
  return db;
}

/** @throws {TypeError} for a database that was opened by something else. */
export function engineOf(db: AnyKysely): Engine {
  const found = engines.get(db.getExecutor().adapter);
  if (found) return found;
  throw new TypeError("This database was not opened by openDatabase().");
}

/** Runs work that changes tables in one transaction, while no other process does. */
export function changeSchema<T>(
  db: AnyKysely,
  work: (transaction: Transaction<unknown>) => Promise<T>,
): Promise<T> {
  const { forSchema, lockSchema, checkSchema } = engineOf(db);
  return forSchema()
    .transaction()
    .execute(async (transaction) => {
      await lockSchema?.(transaction);
      const result = await work(transaction);
      await checkSchema?.(transaction);
      return result;
    });
}

/**
 * Milliseconds for which a failure counts. A write that succeeds does not end them: a small one may still fit on a full disk. And where
 * no requests come because of the failure, no write would ever come to end it.
 */
const MEMORY = 30_000;

/** Whether a database has failed lately in a way that waiting does not repair, such as on a full disk. */
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
