/** What a server does with its database before it serves. */

import type { Kysely } from "kysely";
import { Problem } from "#runtime/problem";
import { applyMigrations, findPending, type Migrations } from "./migrations.ts";
import { toProblem } from "./problems.ts";

/**
 * Makes sure that the database has the tables that this code needs. In development it applies new migrations. In a test it does nothing.
 * Otherwise it only checks: a database that has more migrations is fine, because a deployment replaces servers one by one.
 *
 * @throws {Problem} where migrations are missing, and where the database can't be reached.
 * @example await prepareDatabase(db, migrations);
 */
export async function prepareDatabase<Tables>(db: Kysely<Tables>, migrations: Migrations): Promise<void> {
  if (process.env.NODE_ENV === "test") return;
  try {
    const pending = await findPending(db, migrations);
    if (pending.length === 0) return;
    if (process.env.NODE_ENV !== "development") throw lacks(pending);
    for (const name of await applyMigrations(db, migrations)) console.log(`Applied ${name}.`);
  } catch (error) {
    throw toProblem(error);
  }
}

function lacks(pending: readonly string[]): Problem {
  const count = pending.length === 1 ? "a migration" : `${pending.length} migrations`;
  return new Problem(
    `The database lacks ${count}: ${pending.join(", ")}.`,
    "Run `npm run migrate`; where only the build is, `node dist/migrate.js`.",
  );
}
