/** What was thrown or found, in the two forms in which it is told. */

import { formatProblem } from "#runtime/convention/diagnostics/diagnostics";
import { Problem } from "#runtime/core/problem";
import { ProjectError } from "../load/project-error.ts";
import type { Findings } from "./messages.ts";

export function toFindings(thrown: unknown, hasColors: boolean): Findings {
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
