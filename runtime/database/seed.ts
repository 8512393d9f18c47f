/** Fills empty tables with initial rows. */

import { type Insertable, type Kysely, sql } from "kysely";
import { reportFailure } from "#runtime/failure";
import { Problem } from "#runtime/problem";
import { isMissingTable } from "./migrations.ts";
import { toProblem } from "./prepare.ts";

/** Rows by table. A table must come after the tables that its rows refer to. */
export type SeedRows<Tables> = { readonly [Table in keyof Tables]?: readonly Insertable<Tables[Table]>[] };

type Row = Readonly<Record<string, unknown>>;
type Rows = readonly Row[];
type AnyTables = Kysely<Record<string, Row>>;

/**
 * Inserts the rows of each empty table, in the given order and in one transaction. It prints the result, sets the exit status of the
 * process, and closes the database.
 *
 * @example await seedDatabase(db, { categories: [{ name: "Stationery" }] });
 */
export async function seedDatabase<Tables>(db: Kysely<Tables>, rowsByTable: SeedRows<Tables>): Promise<void> {
  try {
    const lines = await db.transaction().execute(async (transaction) => {
      const done: string[] = [];
      for (const [table, rows] of Object.entries<Rows>(rowsByTable as Readonly<Record<string, Rows>>))
        done.push(await seed(transaction as unknown as AnyTables, table, rows));
      return done;
    });
    for (const line of lines) console.log(line);
  } catch (error) {
    reportFailure(toProblem(error));
  } finally {
    await db.destroy();
  }
}

async function seed(db: AnyTables, table: string, rows: Rows): Promise<string> {
  if (await hasRows(db, table)) return `${table} has rows already.`;
  for (const row of rows) await db.insertInto(table).values(row).execute();
  return `Inserted ${rows.length === 1 ? "1 row" : `${rows.length} rows`} into ${table}.`;
}

async function hasRows(db: AnyTables, table: string): Promise<boolean> {
  try {
    return (await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)).rows.length > 0;
  } catch (error) {
    if (!isMissingTable(error)) throw error;
    throw new Problem(`The database has no table ${table}.`, "Run `npm run migrate` first.");
  }
}
