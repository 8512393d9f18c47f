/** Names that differ only by case: two files to one system, and one and the same to others, as macOS and Windows are. */

import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Entry } from "./files.ts";

/** @example differsByCase("Items.ts", "items.ts") // true; of one name with itself it is false */
export function differsByCase(one: string, other: string): boolean {
  return one !== other && fold(one) === fold(other);
}

/** macOS tells a letter with its accent from the two apart no more than it does case. */
function fold(name: string): string {
  return name.normalize().toLowerCase();
}

/** What alone tells names apart that are one and the same to some systems, and to which ones. */
export interface Difference {
  /** As in "by case". */
  readonly by: string;
  readonly systems: string;
}

/** Windows tells an accent's two ways of writing apart, though not case. */
export function toDifference(names: readonly string[]): Difference {
  return new Set(names.map((name) => name.toLowerCase())).size === 1
    ? { by: "by case", systems: "macOS and Windows" }
    : { by: "by case or by how accents are written", systems: "macOS" };
}

/** @param entries what the folder holds, of whose names those that differ only by case are told. */
export function diagnoseTwins(folder: string, entries: readonly Entry[]): Diagnostic[] {
  const alike = new Map<string, string[]>();
  for (const { name } of entries) {
    const files = alike.get(fold(name));
    if (files === undefined) alike.set(fold(name), [`${folder}/${name}`]);
    else files.push(`${folder}/${name}`);
  }
  return [...alike.values()]
    .filter((files) => files.length > 1)
    .map((files) => {
      const locations = files.map((file) => ({ file, line: 1, column: 1 }));
      return diagnose("FW210", { files, ...toDifference(files) }, ...locations);
    });
}
