/** Finds what stands where a generator would write, under a name that differs only by case. */

import { createFiles } from "#runtime/convention/source/files";
import { differsByCase } from "#runtime/convention/source/letter-case";

/**
 * @param file a file or folder relative to the root, whether it is there or not.
 * @returns it as the folders and files that are there spell it; undefined where they spell it no other way.
 * @example findOtherCase(root, "routes/Admin/teams.ts") // "routes/admin/teams.ts" where there is a folder routes/admin/
 */
export function findOtherCase(root: string, file: string): string | undefined {
  const files = createFiles(root);
  let standing = "";
  for (const name of file.split("/")) {
    const names = files.list(standing).map((entry) => entry.name);
    const there = names.includes(name) ? name : names.find((other) => differsByCase(other, name));
    standing = `${standing}${standing === "" ? "" : "/"}${there ?? name}`;
  }
  return standing === file ? undefined : standing;
}
