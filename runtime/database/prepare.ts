/** Prepares the database before a server starts. */

import type { Kysely } from "kysely";
import { Problem } from "#runtime/problem";
import { DatabaseError } from "./engine/error.ts";
import { applyMigrations, findPending, type Migrations } from "./migrations.ts";

/**
 * Makes sure that all migrations of this code are applied. In development it applies new ones, in a test it does nothing, otherwise it
 * only checks. Further migrations in the database are accepted, because a deployment replaces servers one by one.
 *
 * @throws {Problem} if migrations are missing, or if the database can't be reached.
 * @example await prepareDatabase(db, migrations);
 */
export async function prepareDatabase<Tables>(db: Kysely<Tables>, migrations: Migrations): Promise<void> {
  if (process.env.NODE_ENV === "test") return;
  try {
    const pending = await findPending(db, migrations);
    if (pending.length === 0) return;
    if (process.env.NODE_ENV !== "development") throw missingMigrations(pending);
    for (const name of await applyMigrations(db, migrations)) console.log(`Applied ${name}.`);
  } catch (error) {
    throw toProblem(error);
  }
}

function missingMigrations(pending: readonly string[]): Problem {
  const count = pending.length === 1 ? "a migration" : `${pending.length} migrations`;
  return new Problem(
    `The database lacks ${count}: ${pending.join(", ")}.`,
    "Run `npm run migrate`; where only the build is, `node dist/migrate.js`.",
  );
}

/** Converts errors that the user has to fix to a `Problem`. @returns the error itself if the code is wrong. */
export function toProblem(error: unknown): unknown {
  if (error instanceof DatabaseError && (error.kind === "unavailable" || error.kind === "broken"))
    return new Problem(error.message, error.hint, { cause: error });
  if (!isDenied(error)) return error;
  const hint = "Let the user of DATABASE_URL do it, or name another one.";
  return new Problem(`The database server does not allow it: ${error.message}.`, hint, { cause: error });
}

/** True if a permission is missing: a user may be allowed to use tables, but not to create them. */
function isDenied(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "42501";
}
