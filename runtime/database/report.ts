/** How a database's command line fails. */

import { Problem } from "#runtime/core/problem";

/** Prints the error and sets the exit status of the process. */
export function reportProblem(error: unknown): void {
  process.exitCode = 1;
  if (!(error instanceof Problem)) console.error(error);
  else console.error([`error ${error.message}`, ...(error.hint ? [`  ${error.hint}`] : [])].join("\n"));
}
