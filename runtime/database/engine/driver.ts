/** What the drivers of all engines do alike: they open the database before the first query, and control its transactions. */

import type { DatabaseConnection, Driver, TransactionSettings } from "kysely";
import { type EngineConnection, toEngineConnection } from "./connection.ts";
import { Health } from "./health.ts";
import { quoteName } from "./names.ts";

export abstract class EngineDriver implements Driver {
  readonly health: Health = new Health();
  #opening: Promise<void> | undefined;

  protected abstract open(): Promise<void>;
  abstract acquireConnection(): Promise<EngineConnection>;
  abstract destroy(): Promise<void>;

  /** A later query tries again what has failed. */
  init(): Promise<void> {
    this.#opening ??= this.open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await toEngineConnection(connection).begin(settings);
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await toEngineConnection(connection).commit();
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await toEngineConnection(connection).rollback();
  }

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await toEngineConnection(connection).control(`savepoint ${quoteName(name)}`);
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await toEngineConnection(connection).rollbackTo(name);
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await toEngineConnection(connection).control(`release ${quoteName(name)}`);
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await toEngineConnection(connection).release();
  }
}
