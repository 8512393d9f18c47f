/** What a diagnostic is: something about the user's project that has a permanent code. */

import type { Location } from "#runtime/core/routing/route";

export type Severity = "error" | "warning" | "info";

/** The gravest first. */
export const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];

export interface Diagnostic {
  /** Permanent: `FW101`. FW1xx configuration, FW2xx names, FW3xx signatures, FW4xx table, FW5xx loading, FW6xx generators, FW7xx building, FW8xx upkeep. */
  readonly code: string;
  readonly severity: Severity;
  /** What happened and why. It may hold the user's text raw: show it by {@link formatDiagnostic} or {@link escapeControl}. */
  readonly message: string;
  /** What to do. A line break in it begins a line of its own, as for an example of several lines. */
  readonly hint: string | null;
  /** The place it is about first; a conflict has more than one. Empty where there is no place. */
  readonly locations: readonly Location[];
}

export function isDiagnostic(value: unknown): value is Diagnostic {
  return typeof value === "object" && value !== null && "severity" in value;
}

export function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === "error";
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(isError);
}
