/** What a server does with its database before it serves. */

import type { Kysely } from "kysely";
import { Problem } from "#runtime/problem";
import { DatabaseError } from "./engine/error.ts";
import { applyMigrations, findPending, type Migrations } from "./migrations.ts";

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

/** Shows what a person has to fix as a message, without a stack. @returns the error itself where the code is wrong. */
export function toProblem(error: unknown): unknown {
  if (error instanceof DatabaseError && (error.kind === "unavailable" || error.kind === "broken"))
    return new Problem(error.message, error.hint, { cause: error });
  if (!isDenied(error)) return error;
  const hint = "Let the user of DATABASE_URL do it, or name another one.";
  return new Problem(`The database server does not allow it: ${error.message}.`, hint, { cause: error });
}

/** As where a user may use the tables, and not make some. */
function isDenied(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "42501";
}
