/** Shows a database that can't be reached as a message, without a stack. */

import { Problem } from "#runtime/core/problem";
import { DatabaseError } from "./engine/error.ts";

export function toProblem(error: unknown): unknown {
  if (!(error instanceof DatabaseError) || error.kind !== "unavailable") return error;
  return new Problem(error.message, error.hint, { cause: error });
}
