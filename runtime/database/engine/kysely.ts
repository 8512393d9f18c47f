/** Creates Kysely, and finds what it was created from, which Kysely keeps to itself. */

import { type DialectAdapter, Kysely, type KyselyProps, type Transaction } from "kysely";
import type { Health } from "./health.ts";

/** What the engines do each in their own way. */
export interface Engine {
  readonly health: Health;
  /** Kysely on the same connections. Its transactions change tables: they may wait and take long. */
  forSchema(): Kysely<unknown>;
  /** The first statements of such a transaction: no other process changes tables until it ends. */
  lockSchema(transaction: Transaction<unknown>): Promise<void>;
  /** The last statement of it. @throws where rows refer to rows that do not exist */
  checkSchema(transaction: Transaction<unknown>): Promise<void>;
}

interface Opened {
  readonly props: KyselyProps;
  readonly engine: Engine;
}

/** By the adapter: what `withPlugin()` and `withSchema()` return has the same one. */
const opened = new WeakMap<DialectAdapter, Opened>();

export function createKysely<Tables>(props: KyselyProps, engine: Engine): Kysely<Tables> {
  opened.set(props.executor.adapter, { props, engine });
  return new Kysely<Tables>(props);
}

/** @throws {TypeError} for a database that was opened by something else. */
export function findOpened(db: Pick<Kysely<unknown>, "getExecutor">): Opened {
  const found = opened.get(db.getExecutor().adapter);
  if (found) return found;
  throw new TypeError("This database was not opened by openDatabase().");
}

/** Runs work that changes tables in one transaction, while no other process does. */
export function changeSchema<T>(
  db: Pick<Kysely<unknown>, "getExecutor">,
  work: (transaction: Transaction<unknown>) => Promise<T>,
): Promise<T> {
  const { engine } = findOpened(db);
  return engine
    .forSchema()
    .transaction()
    .execute(async (transaction) => {
      await engine.lockSchema(transaction);
      const result = await work(transaction);
      await engine.checkSchema(transaction);
      return result;
    });
}
