/** Creates Kysely, and finds what it was created from, which Kysely keeps to itself. */

import { type Dialect, type DialectAdapter, Kysely, type KyselyProps, type QueryExecutor } from "kysely";
import type { EngineDriver } from "./driver.ts";

interface Parts extends KyselyProps {
  readonly driver: EngineDriver;
}

/** By the adapter: what `withPlugin()` and `withSchema()` return has the same one. */
const known = new WeakMap<DialectAdapter, Parts>();

export function createKysely<Tables>(
  dialect: Dialect,
  driver: EngineDriver,
  executor: QueryExecutor,
): Kysely<Tables> {
  const parts = { config: { dialect }, dialect, driver, executor };
  known.set(executor.adapter, parts);
  return new Kysely<Tables>(parts);
}

/** @throws {TypeError} for a database that was opened by something else. */
export function partsOf<Tables>(db: Kysely<Tables>): Parts {
  const parts = known.get(db.getExecutor().adapter);
  if (parts) return parts;
  throw new TypeError("This database was not opened by openDatabase().");
}
