/** Access to the disk: durable writes, temporary files, where files really are, and why an access failed. */

import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { codeOf, explainSystemError, isMissing } from "#convention/diagnostics/system-error";

const TEMPORARY = /^\.framework-[0-9a-f]{12}\.tmp$/;

/** A path beside a file. Not the file's name with an ending: that may be too long for the file system. */
export function temporaryBeside(path: string): string {
  return join(dirname(path), `.framework-${crypto.randomUUID().slice(-12)}.tmp`);
}

/** Removes the temporary files below a folder that a killed command has left. */
export function removeLeftovers(folder: string): void {
  attempt(() => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (TEMPORARY.test(entry.name)) removeFile(path);
      else if (entry.isDirectory() && !NOT_OURS.includes(entry.name)) removeLeftovers(path);
    }
  });
}

/** Large folders into which no command of the framework writes. */
const NOT_OURS: readonly string[] = ["node_modules", ".git"];

/** `wx` makes it an error if the name exists meanwhile, even as a link. */
export function writeDurably(path: string, content: string | Buffer): void {
  const file = openSync(path, "wx", 0o666);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A rename is durable once its folder is synced. Windows can't open folders, and syncs them itself. */
export function syncFolder(folder: string): void {
  attempt(() => {
    const file = openSync(folder, "r");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  });
}

/** @returns whether the file is gone, or never was. */
export function removeFile(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    return isMissing(error);
  }
}

/** The folder and those above it that don't exist yet, outermost first. */
export function missingFolders(folder: string): string[] {
  return isThere(folder) ? [] : [...missingFolders(dirname(folder)), folder];
}

/** A link that leads nowhere counts as there, so nothing is created at its target. */
export function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** The bytes of a file, or null if it does not exist. */
export function readBytes(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Where a file really is after all links: an absolute path, or undefined outside the project. */
export function findPlace(root: string, file: string): string | undefined {
  if (isAbsolute(file) || file.split(/[/\\]/).includes("..")) return undefined;
  const missing: string[] = [];
  let existing = resolve(root, file);
  while (!isThere(existing)) {
    missing.unshift(basename(existing));
    existing = dirname(existing);
  }
  const place = join(realpathSync(existing), ...missing);
  const inside = relative(realpathSync(root), place);
  return inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? undefined : place;
}

/** For cleaning up, where a failure must not hide the first one. @returns whether it succeeded. */
export function attempt(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

/** @throws an error that the system did not raise: it is a bug, and its stack should be seen. */
export function explain(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) throw error;
  return code === "ENOENT" ? "a symbolic link leads to nothing" : explainSystemError(error);
}
