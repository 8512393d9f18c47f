/** Names that differ only by case: two files on one system, and the same file on others, such as macOS and Windows. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { diagnose, startOf } from "../diagnostics/catalogue.ts";
import type { Entry } from "./files.ts";

/** @example differsByCase("Items.ts", "items.ts") // true; of one name with itself it is false */
export function differsByCase(one: string, other: string): boolean {
  return one !== other && fold(one) === fold(other);
}

/** macOS ignores case, and how a letter with an accent is written. */
function fold(name: string): string {
  return name.normalize().toLowerCase();
}

/** The difference between names that some systems ignore, and which systems do. Windows distinguishes how an accent is written. */
export function toDifference(names: readonly string[]): { readonly by: string; readonly systems: string } {
  return new Set(names.map((name) => name.toLowerCase())).size === 1
    ? { by: "by case", systems: "macOS and Windows" }
    : { by: "by case or by how accents are written", systems: "macOS" };
}

/** @param entries what the folder holds. @returns one diagnostic for each group of names that differ only by case. */
export function diagnoseTwins(folder: string, entries: readonly Entry[]): Diagnostic[] {
  const alike = new Map<string, string[]>();
  for (const { name } of entries) {
    const folded = fold(name);
    alike.set(folded, [...(alike.get(folded) ?? []), `${folder}/${name}`]);
  }
  return [...alike.values()]
    .filter((files) => files.length > 1)
    .map((files) => diagnose("FW210", { files, ...toDifference(files) }, ...files.map(startOf)));
}
