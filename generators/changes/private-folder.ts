/** `.framework` in a project, where a command that writes keeps its lock and its journal: there only while one works, or was killed. */

import { lstatSync, mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "#runtime/convention/diagnostics/system-error";
import { attempt } from "./disk.ts";

export const PRIVATE_FOLDER = ".framework";

/** @returns its path. @throws what the system says when it can't be made, or when a file or a link has its name. */
export function openPrivateFolder(root: string): string {
  const folder = join(root, PRIVATE_FOLDER);
  try {
    mkdirSync(folder);
  } catch (error) {
    // A link could lead anywhere, so that it is not followed.
    if (codeOf(error) !== "EEXIST" || !lstatSync(folder).isDirectory()) throw error;
  }
  return folder;
}

/** Takes it away, unless somebody still has something in it. */
export function leavePrivateFolder(root: string): void {
  attempt(() => rmdirSync(join(root, PRIVATE_FOLDER)));
}
