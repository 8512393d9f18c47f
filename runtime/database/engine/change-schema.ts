/** Creates and changes tables. */

import type { Kysely } from "kysely";
import { type EngineConnection, toEngineConnection } from "./connection.ts";

/** Runs work that changes tables in one transaction, while no other process does. */
export async function changeSchema<Tables, T>(
  db: Kysely<Tables>,
  work: (transaction: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (held) => {
    await withConnection(held, async (connection) => connection.prepareForSchema());
    return held.transaction().execute(async (transaction) => {
      await withConnection(transaction, (connection) => connection.lockSchema());
      const result = await work(transaction);
      await withConnection(transaction, (connection) => connection.checkSchema());
      return result;
    });
  });
}

function withConnection<Tables>(
  db: Kysely<Tables>,
  use: (connection: EngineConnection) => Promise<void>,
): Promise<void> {
  return db.getExecutor().provideConnection((connection) => use(toEngineConnection(connection)));
}
