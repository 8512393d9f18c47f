/** Reports the error of a script that the user started: a `Problem` without its stack. */

import { escapeLines } from "./escape.ts";
import { formatThrown } from "./log/log.ts";
import { Problem } from "./problem.ts";

/** Prints the error, and sets the exit status of the process. */
export function reportFailure(error: unknown): void {
  process.exitCode = 1;
  console.error(escapeLines(`error ${describeError(error)}`));
}

function describeError(error: unknown): string {
  if (!(error instanceof Problem)) return formatThrown(error);
  return error.hint ? `${error.message}\n  hint: ${error.hint}` : error.message;
}
