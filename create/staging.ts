/** The temporary folder in which a project is built, and what is left of those whose process was killed. */

import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** An unfinished project lies in a folder of this name; the number is the process that makes it. */
export const STAGING: RegExp = /^\..*\.creating-(\d+)$/;

/**
 * @param holder an existing folder, on the same file system as the project's place.
 * @param below folders to be made in the new one.
 * @returns the temporary folder, absolute.
 */
export function createStaging(holder: string, name: string, below: readonly string[]): string {
  removeAbandoned(holder, name);
  const folder = join(holder, `.${name}.creating-${process.pid}`);
  try {
    // By itself, because Node's recursive one never ends where the system denies that the parent is there, as in /proc.
    mkdirSync(folder);
    mkdirSync(join(folder, ...below), { recursive: true });
    return folder;
  } catch (error) {
    removeStaging(folder);
    throw error;
  }
}

/** Never fails: whatever made the project fail may forbid this too, and the failure itself is what the user is told. */
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

/** Our own number is that of a dead process that had it before us. */
export function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
