/** The file that a command makes of the contract: written, or compared. */

import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { explainSystemError, isMissing } from "#convention/diagnostics/system-error";
import { Problem } from "#runtime/problem";

/**
 * Writes the file whole or not at all. One that has the text already is not touched, so that nobody who watches it wakes up.
 *
 * @param folder what the path is relative to. @returns whether it was written.
 */
export function writeText(folder: string, file: string, text: string): boolean {
  const path = resolve(folder, file);
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) replaceFile(path, text);
    // A pipe or a device can't be replaced.
    else if (!found.isFile()) writeFileSync(path, text);
    else if (readFileSync(path, "utf8") === text) return false;
    else replaceFile(realpathSync(path), text);
    return true;
  } catch (error) {
    if (isMissing(error)) throw new Problem(`${file} can't be written: there is no such folder.`);
    throw new Problem(`${file} can't be written: ${explainSystemError(error)}.`);
  }
}

function replaceFile(path: string, text: string): void {
  const fresh = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(fresh, text, { flag: "wx" });
    renameSync(fresh, path);
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** @returns the number of the first line that differs, if one does. Git may have changed the line ends. */
export function compareText(folder: string, file: string, text: string): number | "missing" | undefined {
  const found = readText(folder, file);
  if (found === undefined) return "missing";
  const [lines, wanted] = [found.replaceAll("\r\n", "\n").split("\n"), text.split("\n")];
  const at = wanted.findIndex((line, index) => line !== lines[index]);
  if (at === -1) return lines.length === wanted.length ? undefined : wanted.length;
  return at + 1;
}

/** @returns undefined where there is no such file. */
export function readText(folder: string, file: string): string | undefined {
  try {
    return readFileSync(resolve(folder, file), "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new Problem(`${file} can't be read: ${explainSystemError(error)}.`);
  }
}
