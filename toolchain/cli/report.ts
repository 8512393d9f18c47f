/** Reports what a command finds or throws: the message, what to do, and the exit status. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { formatCounts } from "#convention/diagnostics/format";
import { formatError, ProjectError } from "#toolchain/load/project-error";
import { type Terminal, UsageError } from "./command.ts";

const FAILED = 1;
const WRONG_USAGE = 2;

/** Prints the error to stderr. @returns the exit status. */
export async function report(error: unknown, terminal: Terminal): Promise<number> {
  const { adviseOnListenError } = await import("#runtime/node/listen-error");
  terminal.printError(formatError(adviseOnListenError(error) ?? error, terminal.color));
  return error instanceof UsageError ? WRONG_USAGE : FAILED;
}

/** Prints what is wrong with a project, with its lines of source, and how much that is. @param print to stdout or stderr. */
export function printDiagnostics(
  root: string,
  diagnostics: readonly Diagnostic[],
  print: (text: string) => void,
  { color }: Pick<Terminal, "color">,
): void {
  if (diagnostics.length > 0)
    print(`${new ProjectError(root, diagnostics).format(color)}\n\n${formatCounts(diagnostics)}`);
}

/** What `--json` gives for a diagnostic, with its fields in this order. */
export function toDiagnosticRecord({ code, severity, message, hint, locations }: Diagnostic): Diagnostic {
  const places = locations.map(({ file, line, column }) => ({ file, line, column }));
  return { code, severity, message, hint, locations: places };
}
