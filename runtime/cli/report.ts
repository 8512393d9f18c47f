/** What a command throws, told to a person: the message, what to do, and the exit status. */

import { escapeControl } from "../convention/diagnostics.ts";
import { Problem } from "../core/problem.ts";
import { kleur } from "../deps/kleur.ts";
import { adviseOnListenError } from "../toolchain/listen-error.ts";
import { ProjectError } from "../toolchain/project-error.ts";
import { type Terminal, UsageError } from "./command.ts";

const FAILED = 1;
const WRONG_USAGE = 2;

/** Prints the error to stderr. @returns the exit status. */
export async function report(error: unknown, terminal: Terminal): Promise<number> {
  kleur.enabled = terminal.color;
  if (error instanceof ProjectError) {
    terminal.printError(error.format(terminal.color));
    return FAILED;
  }
  if (error instanceof Problem) {
    tell(terminal, error.message, error.hint);
    return error instanceof UsageError ? WRONG_USAGE : FAILED;
  }
  const advice = await adviseOnListenError(error);
  if (advice) tell(terminal, advice.message, advice.hint);
  else terminal.printError(`${kleur.red().bold("error")} ${error instanceof Error ? error.stack : error}`);
  return FAILED;
}

function tell(terminal: Terminal, message: string, hint?: string): void {
  terminal.printError(`${kleur.red().bold("error")} ${escapeLines(message)}`);
  if (hint) terminal.printError(`  ${kleur.dim("hint:")} ${escapeLines(hint)}`);
}

/** The line breaks are ours; anything else that moves the cursor may come from a file's or a folder's name. */
function escapeLines(text: string): string {
  return text.split("\n").map(escapeControl).join("\n");
}
