/** What a diagnostic is: a problem or a note about the user's project, with a permanent code. */

import type { Location } from "#runtime/core/routing/route";

export type Severity = "error" | "warning" | "info";

/** The worst first. */
export const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];

export interface Diagnostic {
  /** Permanent: `FW101`. FW1xx configuration, FW2xx names, FW3xx signatures, FW4xx table, FW5xx loading, FW6xx generators, FW7xx building, FW8xx upkeep, FW9xx the contract. */
  readonly code: string;
  readonly severity: Severity;
  /** What happened and why. It may hold raw text of the user: print it with `formatDiagnostic` or `escapeControl`. */
  readonly message: string;
  /** What to do; several lines where it shows an example. */
  readonly hint: string | null;
  /** The main place first; a conflict has several. Empty if there is no place. */
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
