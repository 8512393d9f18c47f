/** Every diagnostic by its permanent code. */

import type { Location } from "#runtime/routing/route";
import { BUILDING, DOCTOR, GENERATORS, UPGRADE } from "./catalogue/commands.ts";
import { CONTRACT } from "./catalogue/contract.ts";
import { PROJECT } from "./catalogue/project.ts";
import { SIGNATURES } from "./catalogue/signatures.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { type Details, type Entry, fill } from "./entry.ts";

type Catalogue = typeof PROJECT &
  typeof SIGNATURES &
  typeof GENERATORS &
  typeof BUILDING &
  typeof UPGRADE &
  typeof DOCTOR &
  typeof CONTRACT;

/** A code once given is never given to anything else: see retired.ts. */
export const CATALOGUE: Catalogue = {
  ...PROJECT,
  ...SIGNATURES,
  ...GENERATORS,
  ...BUILDING,
  ...UPGRADE,
  ...DOCTOR,
  ...CONTRACT,
};

/**
 * @param locations the main place first.
 * @example diagnose("FW203", { name: "get_all" }, { file: "apps/products/views.ts", line: 3, column: 10 })
 */
export function diagnose<Code extends keyof Catalogue>(
  code: Code,
  details: Details<Catalogue[Code]>,
  ...locations: readonly Location[]
): Diagnostic {
  const { severity = "error", message, hint }: Entry = CATALOGUE[code];
  // A reason may bring a full stop of its own.
  const sentence = (fill(message, details) ?? "").replace(/\.\.$/, ".");
  return { code, severity, message: sentence, hint: fill(hint, details), locations };
}

/** The place of a diagnostic about a whole file. */
export function startOf(file: string): Location {
  return { file, line: 1, column: 1 };
}
