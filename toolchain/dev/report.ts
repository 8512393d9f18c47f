/** What was thrown, as a report for the terminal and for the answers to requests. */

import { formatProblem } from "#convention/diagnostics/format";
import { escapeControl } from "#runtime/escape";
import { Problem } from "#runtime/problem";
import { ProjectError } from "../load/project-error.ts";

/** What is wrong with the project, or only worth a warning. */
export interface Report {
  /** In colour, if the terminal has any. */
  readonly terminal: string;
  /** Without colour, for the answers to requests. */
  readonly text: string;
}

export function toReport(thrown: unknown, hasColors: boolean): Report {
  return { terminal: describe(thrown, hasColors), text: describe(thrown, false) };
}

function describe(thrown: unknown, color: boolean): string {
  if (thrown instanceof ProjectError) return thrown.format(color);
  if (thrown instanceof Problem) return formatProblem(thrown.message, thrown.hint, color);
  return formatProblem(
    thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
    undefined,
    color,
  );
}

const MOST_NAMED = 5;

export function formatFiles(files: readonly string[]): string {
  const named = files.slice(0, MOST_NAMED).map(escapeControl).join(", ");
  return files.length > MOST_NAMED ? `${named} and ${files.length - MOST_NAMED} more` : named;
}
