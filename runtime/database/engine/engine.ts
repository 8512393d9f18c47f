/** The engine of each database, with functions that Kysely does not provide. */

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

/** The functions that differ between SQLite and Postgres. */
export interface Engine {
  readonly dialect: Dialect;
  readonly driver: Driver;
  readonly health: Health;
  /** Runs a statement outside of a transaction; undefined if that needs a connection. */
  run?(query: CompiledQuery): Promise<QueryResult<unknown>> | undefined;
  /** Creates another Kysely on the same connections, for transactions that change tables: they may wait and take long. */
  forSchema(): Kysely<unknown>;
  /** Begins such a transaction: no other process changes tables until it ends. */
  lockSchema?(transaction: Transaction<unknown>): Promise<void>;
  /** Ends such a transaction. @throws if rows refer to rows that do not exist */
  checkSchema?(transaction: Transaction<unknown>): Promise<void>;
}

type AnyKysely = Pick<Kysely<unknown>, "getExecutor">;

/** The engines by adapter, which the results of `withPlugin()` and `withSchema()` share. */
const engines = new WeakMap<DialectAdapter, Engine>();

/** @returns the database. */
export function register<Database extends AnyKysely>(db: Database, engine: Engine): Database {
  engines.set(db.getExecutor().adapter, engine);
  return db;
}

/** @throws {TypeError} for a database that was not opened by `openDatabase`. */
export function engineOf(db: AnyKysely): Engine {
  const engine = engines.get(db.getExecutor().adapter);
  if (engine) return engine;
  throw new TypeError("This database was not opened by openDatabase().");
}

/** Runs work that changes tables in a transaction, while no other process changes tables. */
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
 * Milliseconds for which a failure is remembered. A successful write does not clear it: a small one may still fit on a full disk. And if
 * a load balancer sends no requests because of the failure, no write would ever clear it.
 */
const FAILURE_MS = 30_000;

/** Remembers recent failures that waiting does not repair, such as a full disk. */
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

  /** @throws {DatabaseError} the last failure, if it is recent. */
  require(): void {
    if (this.#failure && performance.now() - this.#failedAt < FAILURE_MS) throw this.#failure;
  }
}
