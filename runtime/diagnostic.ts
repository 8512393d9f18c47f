/** What is found wrong in a user's project, and the error that carries it. */

import type { Location } from "./routing/route.ts";

export type Severity = "error" | "warning" | "info";

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

/** The one error for "this project has mistakes in it". */
export interface ProjectError extends Error {
  readonly name: "ProjectError";
  readonly diagnostics: readonly Diagnostic[];
  /** Every diagnostic with its code frame. */
  format(color: boolean): string;
}
