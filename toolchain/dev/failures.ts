/** What the supervisor reports if a worker does not get to serve, or ends by itself. */

import { escapeControl } from "#runtime/escape";
import { Problem } from "#runtime/problem";
import { type Report, toReport } from "./report.ts";

export const STUCK =
  "The project does not finish loading, and its process does not answer. Is there a loop that never ends?";

/** @param changed the files that were changed last: one of them is probably the reason. */
export function reportFailure(what: string, changed: readonly string[], hasColors: boolean): Report {
  const hint = changed.length === 0 ? undefined : `Changed last: ${formatFiles(changed)}`;
  return toReport(new Problem(what, hint), hasColors);
}

const MOST_NAMED = 5;

export function formatFiles(files: readonly string[]): string {
  const named = files.slice(0, MOST_NAMED).map(escapeControl).join(", ");
  return files.length > MOST_NAMED ? `${named} and ${files.length - MOST_NAMED} more` : named;
}
