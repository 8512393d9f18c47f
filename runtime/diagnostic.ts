/** Findings about a user's project, and the error that carries them. */

import type { Location } from "./routing/route.ts";

export type Severity = "error" | "warning" | "info";

export interface Diagnostic {
  /** Permanent: `FW101`. FW1xx configuration, FW2xx names, FW3xx signatures, FW4xx table, FW5xx loading, FW6xx generators, FW7xx building, FW8xx upkeep, FW9xx the contract. */
  readonly code: string;
  readonly severity: Severity;
  /** What happened and why. It may contain raw text of the user: print it with `formatDiagnostic` or `escapeControl`. */
  readonly message: string;
  /** What to do; several lines where it shows an example. */
  readonly hint: string | null;
  /** The main location first; a conflict has several. */
  readonly locations: readonly Location[];
}

/** The error that `createApp` throws for a project with errors. */
export interface ProjectError extends Error {
  readonly name: "ProjectError";
  readonly diagnostics: readonly Diagnostic[];
  /** Formats every diagnostic with its code frame. */
  format(color: boolean): string;
}
