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
  if (error instanceof Problem) {
    tell(error.message, error.hint);
    return error instanceof UsageError ? WRONG_USAGE : FAILED;
  }
  const { adviseOnListenError } = await import("#runtime/toolchain/listen-error");
  const advice = await adviseOnListenError(error);
  if (advice) tell(advice.message, advice.hint);
  else tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return FAILED;
}
