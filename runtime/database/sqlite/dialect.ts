/** Creates Kysely for a SQLite file. */

import { type Dialect, Kysely, SqliteAdapter, SqliteIntrospector, sql } from "kysely";
import { Problem } from "#runtime/problem";
import { register } from "../engine/engine.ts";
import { PortableCompiler } from "./compiler.ts";
import { createDriver } from "./driver.ts";
import { DatabaseFile, type SqliteOptions } from "./file.ts";

/** In milliseconds: ten minutes for other processes that change tables. */
const SCHEMA_WAIT = 600_000;

/** The first query opens the file. */
export function createSqlite<Tables>(options: SqliteOptions): Kysely<Tables> {
  const file = new DatabaseFile(options, new PortableCompiler());
  const open = <T>(waitMilliseconds: number, changesTables: boolean): Kysely<T> => {
    const driver = createDriver(file, { waitMilliseconds, changesTables });
    const dialect: Dialect = {
      createAdapter: () => new TransactionalAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new PortableCompiler(),
    };
    return register(new Kysely<T>({ dialect }), {
      dialect,
      driver,
      health: file.health,
      run: (query) => (file.isOpen ? file.run(query) : undefined),
      forSchema: () => open(SCHEMA_WAIT, true),
      checkSchema: checkReferences,
    });
  };
  return open(options.waitMilliseconds, false);
}

/** Foreign keys were off: migrations replace a table by a new one, and dropping the old one must not delete rows that refer to it. */
async function checkReferences(transaction: Kysely<unknown>): Promise<void> {
  type Broken = { readonly table: string; readonly parent: string };
  const { rows } = await sql<Broken>`pragma foreign_key_check`.execute(transaction);
  const [broken] = rows;
  if (!broken) return;
  throw new Problem(
    `The migrations leave rows of ${broken.table} that refer to missing rows of ${broken.parent}.`,
    "The database is as it was before.",
  );
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
