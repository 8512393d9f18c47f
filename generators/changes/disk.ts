/** What a generator asks of the disk: to have something written for good, and why it was not. */

import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { codeOf, explainSystemError, isMissing } from "#runtime/convention/diagnostics/system-error";

/** `wx`: a name that somebody else took meanwhile, even by a link, is an error and not overwritten. */
export function writeDurably(path: string, content: string | Buffer): void {
  const file = openSync(path, "wx", 0o666);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A rename is on disk when its folder is; where folders can't be opened (Windows) the system sees to it. */
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

/** @returns whether there is no such file now. */
export function removeFile(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    return isMissing(error);
  }
}

/** Gives a file a second name; where a file system has no links (some network and memory card ones), a copy. */
export function keepAs(path: string, second: string): void {
  if (!attempt(() => linkSync(path, second))) copyFileSync(path, second, constants.COPYFILE_EXCL);
}

/** The folder and those above it that are not there yet, outermost first. */
export function missingFolders(folder: string): string[] {
  return isThere(folder) ? [] : [...missingFolders(dirname(folder)), folder];
}

/** A link counts as there even if it leads nowhere: then nothing is made at its far end. */
export function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** The bytes of a file, null where there is none. */
export function readBytes(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Where a file really lies, behind links inside the project: an absolute path; undefined if one leads out of it. */
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

/** Where a file's own name lies, which may be that of a link: behind those of the folders above it only; else as {@link findPlace}. */
export function findOwnPlace(root: string, file: string): string | undefined {
  const folder = findPlace(root, dirname(file));
  return folder && join(folder, basename(file));
}

/** For clearing up, where a failure must not hide the first one. @returns whether it was done. */
export function attempt(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

/** In words where they are known; what is not from the system is not expected, and its stack should be seen. */
export function explain(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) throw error;
  return code === "ENOENT" ? "a symbolic link leads to nothing" : explainSystemError(error);
}
