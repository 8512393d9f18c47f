/** `.framework` in a project, where a command that writes keeps its lock and its journal. It exists only meanwhile, and after a kill. */

import { lstatSync, mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "#convention/diagnostics/system-error";
import { attempt } from "./disk.ts";

export const PRIVATE_FOLDER = ".framework";

/** @returns its path. @throws the system's error if it can't be created, or is a file or a link. */
export function openPrivateFolder(root: string): string {
  const folder = join(root, PRIVATE_FOLDER);
  try {
    mkdirSync(folder);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    const found = lstatSync(folder, { throwIfNoEntry: false });
    // Another command has just ended and removed it.
    if (found === undefined) return openPrivateFolder(root);
    // A link could lead anywhere, so it is not followed.
    if (!found.isDirectory()) throw error;
  }
  return folder;
}

/** Removes it, unless another command has something in it. */
export function leavePrivateFolder(root: string): void {
  attempt(() => rmdirSync(join(root, PRIVATE_FOLDER)));
}
