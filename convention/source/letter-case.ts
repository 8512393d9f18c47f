/** Detects file names that differ only by case: they are one file on macOS and Windows, and two on Linux. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { diagnose, startOf } from "../diagnostics/catalogue.ts";
import type { Entry } from "./files.ts";

/** @example differsByCase("Items.ts", "items.ts") // true; false for equal names */
export function differsByCase(one: string, other: string): boolean {
  return one !== other && fold(one) === fold(other);
}

/** macOS ignores case and Unicode normalization. */
function fold(name: string): string {
  return name.normalize().toLowerCase();
}

/** Describes the difference between names, and the systems that ignore it. Windows ignores case, but not Unicode normalization. */
export function toDifference(names: readonly string[]): { readonly by: string; readonly systems: string } {
  return new Set(names.map((name) => name.toLowerCase())).size === 1
    ? { by: "by case", systems: "macOS and Windows" }
    : { by: "by case or by how accents are written", systems: "macOS" };
}

/** @returns one diagnostic for each group of names in the folder that differ only by case. */
export function diagnoseTwins(folder: string, entries: readonly Entry[]): Diagnostic[] {
  const groups = new Map<string, string[]>();
  for (const { name } of entries) {
    const folded = fold(name);
    groups.set(folded, [...(groups.get(folded) ?? []), `${folder}/${name}`]);
  }
  return [...groups.values()]
    .filter((files) => files.length > 1)
    .map((files) => diagnose("FW210", { files, ...toDifference(files) }, ...files.map(startOf)));
}
