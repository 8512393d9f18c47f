/** Why a generator does nothing: its diagnostics, and what was edited where something stays for that. */

import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import type { Change } from "./changes/changes.ts";

/** Why nothing is planned. */
export interface NoPlan {
  readonly diagnostics: readonly Diagnostic[];
  /** Where something stays because it was edited: from what a generator writes to what is there. */
  readonly differences?: readonly Change[];
}

export function isNoPlan(planned: object): planned is NoPlan {
  return "diagnostics" in planned;
}

export function noPlan(...diagnostics: readonly Diagnostic[]): NoPlan {
  return { diagnostics };
}
