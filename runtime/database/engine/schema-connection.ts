/** A connection on which tables are created and changed. */

import type { DatabaseConnection, Kysely } from "kysely";

/** What each engine's connection can do for that. */
export interface SchemaConnection extends DatabaseConnection {
  /** From now on, statements may take long and wait long. Its next transaction changes tables. */
  prepareForSchema(): void;
  /** The first statement of that transaction: no other process changes tables until it ends. */
  lockSchema(): Promise<void>;
  /** The last statement of that transaction. @throws where rows refer to rows that do not exist */
  checkSchema(): Promise<void>;
}

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
  use: (connection: SchemaConnection) => Promise<void>,
): Promise<void> {
  return db.getExecutor().provideConnection((connection) => {
    if (!isSchemaConnection(connection))
      throw new TypeError("This database was not opened by openDatabase().");
    return use(connection);
  });
}

function isSchemaConnection(connection: DatabaseConnection): connection is SchemaConnection {
  return "prepareForSchema" in connection;
}
