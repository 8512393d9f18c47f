/** Why a generator does nothing: diagnostics, and the edits that it would lose. */

import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import type { Change } from "./changes/changes.ts";

/** Why nothing is planned. */
export interface NoPlan {
  readonly diagnostics: readonly Diagnostic[];
  /** The edits that would be lost: from what a generator writes to what is there. */
  readonly differences?: readonly Change[];
}

export function isNoPlan(planned: object): planned is NoPlan {
  return "diagnostics" in planned;
}

export function noPlan(...diagnostics: readonly Diagnostic[]): NoPlan {
  return { diagnostics };
}
