/** Why a generator does nothing: its findings, and what was edited where something stays for that. */

import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostics";
import type { Change } from "./changes/changes.ts";

/** Why nothing is planned. */
export interface Refusal {
  readonly diagnostics: readonly Diagnostic[];
  /** Where something stays because it was edited: from what a generator writes to what is there. */
  readonly differences?: readonly Change[];
}

export function isRefused(planned: object): planned is Refusal {
  return "diagnostics" in planned;
}

export function refusal(...diagnostics: readonly Diagnostic[]): Refusal {
  return { diagnostics };
}

export function isDiagnostic(value: unknown): value is Diagnostic {
  return typeof value === "object" && value !== null && "severity" in value;
}
