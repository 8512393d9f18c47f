/** Finds a file or folder whose name differs only by case from one that a generator would write. */

import { createFiles } from "#runtime/convention/source/files";
import { differsByCase } from "#runtime/convention/source/letter-case";

/**
 * @param file a file or folder relative to the root; it need not exist.
 * @returns the spelling of the existing folders and files; undefined if it is the same.
 * @example findOtherCase(root, "routes/Admin/teams.ts") // "routes/admin/teams.ts" where there is a folder routes/admin/
 */
export function findOtherCase(root: string, file: string): string | undefined {
  const files = createFiles(root);
  let found = "";
  for (const name of file.split("/")) {
    const names = files.list(found).map((entry) => entry.name);
    const there = names.includes(name) ? name : names.find((other) => differsByCase(other, name));
    found = `${found}${found === "" ? "" : "/"}${there ?? name}`;
  }
  return found === file ? undefined : found;
}
