/** What was thrown or found, in the two forms in which it is told. */

import { formatProblem } from "#runtime/convention/diagnostics/format";
import { Problem } from "#runtime/core/problem";
import { ProjectError } from "../load/project-error.ts";
import type { Report } from "./messages.ts";

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
