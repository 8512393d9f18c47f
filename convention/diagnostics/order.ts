/** The order in which diagnostics are printed. */

import type { Location } from "#runtime/routing/route";
import type { Diagnostic } from "./diagnostic.ts";

/** By place in the project, file by file from top to bottom; those without a place first. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted((one, other) => {
    const [here, there] = [one.locations[0], other.locations[0]];
    if (!here || !there)
      return Number(Boolean(here)) - Number(Boolean(there)) || compareText(one.code, other.code);
    return (
      compareLocations(here, there) ||
      compareText(one.code, other.code) ||
      compareText(one.message, other.message)
    );
  });
}

export function compareLocations(one: Location, other: Location): number {
  return compareText(one.file, other.file) || one.line - other.line || one.column - other.column;
}

/** By code unit, so that the order is the same on every machine. */
export function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
