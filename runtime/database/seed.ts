/** Fills empty tables with rows to begin with. */

import { type Kysely, sql } from "kysely";
import { toProblem } from "./problems.ts";
import { reportProblem } from "./report.ts";

/** Rows by table. A table comes after those that its rows refer to. */
export type SeedRows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/**
 * Inserts the rows of each table that is empty, in the given order and in one transaction. It prints what it does, sets the exit status
 * of the process, and closes the database.
 *
 * @example await seedDatabase(db, { categories: [{ name: "Stationery" }] });
 */
export async function seedDatabase<Tables>(db: Kysely<Tables>, rowsByTable: SeedRows): Promise<void> {
  try {
    const lines = await db.transaction().execute(async (transaction) => {
      const done: string[] = [];
      for (const [table, rows] of Object.entries(rowsByTable))
        done.push(await seed(transaction, table, rows));
      return done;
    });
    for (const line of lines) console.log(line);
  } catch (error) {
    reportProblem(toProblem(error));
  } finally {
    await db.destroy();
  }
}

async function seed<Tables>(
  db: Kysely<Tables>,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<string> {
  const found = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
  if (found.rows.length > 0) return `${table} has rows: left as it is.`;
  for (const row of rows) {
    const columns = Object.keys(row);
    await sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))}) values (${sql.join(Object.values(row))})`.execute(
      db,
    );
  }
  return `${table}: inserted ${rows.length === 1 ? "1 row" : `${rows.length} rows`}.`;
}
