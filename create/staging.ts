/** The temporary folder in which a project is built. A run removes those of killed runs. */

import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The name of such a folder. The number is the process that builds the project. */
export const STAGING: RegExp = /^\..*\.creating-(\d+)$/;

/**
 * @param holder an existing folder, on the same file system as the project's place.
 * @param below the folders to create in it.
 * @returns the temporary folder, absolute.
 */
export function createStaging(holder: string, name: string, below: readonly string[]): string {
  removeAbandoned(holder, name);
  const folder = join(holder, `.${name}.creating-${process.pid}`);
  try {
    // Not recursive: in /proc the system says that the parent does not exist, and Node would try for ever.
    mkdirSync(folder);
    mkdirSync(join(folder, ...below), { recursive: true });
    return folder;
  } catch (error) {
    removeStaging(folder);
    throw error;
  }
}

/** Never fails: the same fault may prevent this too, and the user should see the first failure. */
export function removeStaging(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The next run for the same name tries again.
  }
}

function removeAbandoned(holder: string, name: string): void {
  for (const entry of readdirSync(holder)) {
    const [, pid] = STAGING.exec(entry) ?? [];
    if (pid === undefined || !entry.startsWith(`.${name}.creating-`) || isRunning(Number(pid))) continue;
    rmSync(join(holder, entry), { recursive: true, force: true });
  }
}

/** A folder with our own number belongs to a dead process that had the number before us. */
export function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
