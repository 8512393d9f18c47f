/** A diagnostic is a problem or a note about the user's project, with a permanent code. */

import type { Diagnostic, Severity } from "#runtime/diagnostic";

export type { Diagnostic, Severity } from "#runtime/diagnostic";

/** The worst first. */
export const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];

export function isDiagnostic(value: unknown): value is Diagnostic {
  return typeof value === "object" && value !== null && "severity" in value;
}

export function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === "error";
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(isError);
}
