/** Names that differ only by case: two files to one system, and one and the same to others, as macOS and Windows are. */

import { diagnose } from "./catalogue.ts";
import type { Diagnostic } from "./diagnostics.ts";
import type { Entry } from "./files.ts";

/** @example differsByCase("Items.ts", "items.ts") // true; of one name with itself it is false */
export function differsByCase(one: string, other: string): boolean {
  return one !== other && fold(one) === fold(other);
}

/** macOS tells a letter with its accent from the two apart no more than it does case. */
function fold(name: string): string {
  return name.normalize().toLowerCase();
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
    .map((files) => diagnose("FW210", { files }, ...files.map((file) => ({ file, line: 1, column: 1 }))));
}
