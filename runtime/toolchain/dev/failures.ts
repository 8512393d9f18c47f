/** What the supervisor says about a worker that does not come to serve, or ends by itself. */

import { formatProblem } from "#runtime/convention/diagnostics/format";
import { escapeControl } from "#runtime/core/escape";
import type { Report } from "./messages.ts";

export const STUCK =
  "The project does not finish loading, and its process does not answer. Is there a loop that never ends?";

/** @example formatEnd(3, null) // "The project ended its own process (exit status 3)" */
export function formatEnd(status: number | null, signal: string | null): string {
  if (signal === "SIGABRT")
    return "The project's process was ended by SIGABRT, which is what Node does where memory has run out";
  return `The project ended its own process (${signal ?? `exit status ${status}`})`;
}

export function formatStartFailure({ message }: Error): string {
  return `No process could be started for the project (${message})`;
}

/** What is told, with the files that were changed last: the reason is likely to stand in one of them. */
export function tellChange(what: string, changed: readonly string[], hasColors: boolean): Report {
  const hint = changed.length === 0 ? undefined : `What was changed last: ${formatFiles(changed)}`;
  return { terminal: formatProblem(what, hint, hasColors), text: formatProblem(what, hint, false) };
}

/** So many are named. */
const NAMED = 5;

export function formatFiles(files: readonly string[]): string {
  const named = files.slice(0, NAMED).map(escapeControl).join(", ");
  return files.length > NAMED ? `${named} and ${files.length - NAMED} more` : named;
}
