/** Reports what a command throws: the message, what to do, and the exit status. */

import { formatProblem } from "#runtime/convention/diagnostics/format";
import { Problem } from "#runtime/core/problem";
import { ProjectError } from "#runtime/toolchain/load/project-error";
import { type Terminal, UsageError } from "./command.ts";

const FAILED = 1;
const WRONG_USAGE = 2;

/** Prints the error to stderr. @returns the exit status. */
export async function report(error: unknown, terminal: Terminal): Promise<number> {
  const tell = (message: string, hint?: string): void =>
    terminal.printError(formatProblem(message, hint, terminal.color));
  if (error instanceof ProjectError) {
    terminal.printError(error.format(terminal.color));
    return FAILED;
  }
  const problem = error instanceof Problem ? error : await toListenProblem(error);
  if (problem) tell(problem.message, problem.hint);
  else tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return error instanceof UsageError ? WRONG_USAGE : FAILED;
}

async function toListenProblem(error: unknown): Promise<Problem | undefined> {
  return (await import("#runtime/toolchain/listen-error")).adviseOnListenError(error);
}
