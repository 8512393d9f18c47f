/** Shows what a person has to fix at a database as a message, without a stack. */

import { Problem } from "#runtime/problem";
import { DatabaseError } from "./engine/error.ts";

/** @returns the error itself where the code is wrong. */
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
