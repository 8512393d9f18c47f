/** Names for files, folders and functions: how long they may be, and those that differ only by case. */

import { posix } from "node:path";
import { createFiles } from "#convention/source/files";
import { differsByCase } from "#convention/source/letter-case";

/** Some systems refuse longer file names. */
export const LONGEST_NAME = 100;

/** For a message: only the beginning of a long name. */
export function shorten(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, 40)}…` : name;
}

/**
 * Finds a file or folder whose name differs only by case from one that a generator would write.
 *
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

/** How a file names another one of the project in an import. */
export function toSource(from: string, file: string): string {
  const path = posix.relative(posix.dirname(from), file);
  return path.startsWith(".") ? path : `./${path}`;
}
