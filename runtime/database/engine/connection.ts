/** What each engine's connection can do beyond what Kysely asks of it. */

import type { DatabaseConnection, TransactionSettings } from "kysely";

export interface EngineConnection extends DatabaseConnection {
  readonly inTransaction: boolean;
  /** Once its transaction ends, it refuses queries until this: one that was waiting for its turn would run outside of the transaction. */
  readonly hasEnded: boolean;
  reopen(): void;
  begin(settings: TransactionSettings): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Runs a statement that controls the transaction. */
  control(sql: string): Promise<void>;
  rollbackTo(savepoint: string): Promise<void>;
  /** For whoever has the engine's connection next. What Kysely has not ended is rolled back. */
  release(): Promise<void>;
  /** From now on, statements may take long and wait long. Its next transaction changes tables. */
  prepareForSchema(): void;
  /** The first statement of that transaction: no other process changes tables until it ends. */
  lockSchema(): Promise<void>;
  /** The last statement of that transaction. @throws where rows refer to rows that do not exist */
  checkSchema(): Promise<void>;
}

/** @throws {TypeError} for a connection of a database that was opened by something else. */
export function toEngineConnection(connection: DatabaseConnection): EngineConnection {
  if (isEngineConnection(connection)) return connection;
  throw new TypeError("This database was not opened by openDatabase().");
}

/** @throws {Error} for a query of a transaction that has ended. */
export function refuseLate({ hasEnded }: Pick<EngineConnection, "hasEnded">): void {
  if (hasEnded) throw new Error("The transaction of this query has ended.");
}

function isEngineConnection(connection: DatabaseConnection): connection is EngineConnection {
  return "prepareForSchema" in connection;
}
