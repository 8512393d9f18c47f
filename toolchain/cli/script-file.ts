/** The file that `framework run` is given: found on disk, or the nearest one there is. */

import { readdirSync, statSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import { closest } from "#convention/diagnostics/closest";
import { Problem } from "#runtime/problem";
import { isIgnored } from "#toolchain/load/sources";

/** What Node runs. It has no JSX. */
const RUNNABLE = /(?<!\.d)\.[cm]?[jt]s$/;
/** It is in the project, and nobody starts its files. */
const VENDOR = "vendor";

/**
 * @param word a path, from the current folder if it is not absolute.
 * @returns its absolute path.
 * @throws {Problem} for what is not a file that Node runs.
 */
export function requireScript(root: string, cwd: string, word: string): string {
  const file = resolve(cwd, word);
  const shown = JSON.stringify(word);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() && RUNNABLE.test(file)) return file;
  if (found?.isFile()) throw new Problem(`${shown} is not a TypeScript or JavaScript file.`);
  const files = listRunnable(root).map((path) => relative(cwd, path).split(sep).join("/"));
  const nearest = findNearest(word, files);
  throw new Problem(
    found ? `${shown} is not a file.` : `There is no file ${shown} in ${cwd}.`,
    nearest && `Did you mean ${nearest}?`,
  );
}

/** A file of the same name in another folder, or with another ending, is nearer than one that is spelt alike. */
function findNearest(word: string, files: readonly string[]): string | undefined {
  const [path, name] = [withoutEnding(join(word)), withoutEnding(basename(word))];
  return (
    files.find((file) => withoutEnding(file) === path) ??
    files.find((file) => withoutEnding(basename(file)) === name) ??
    closest(word, files)
  );
}

function withoutEnding(path: string): string {
  return path.replace(/\.[cm]?[jt]sx?$/, "");
}

function listRunnable(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (isIgnored(entry.name) || entry.name === VENDOR) return [];
    if (entry.isDirectory()) return listRunnable(path);
    return RUNNABLE.test(entry.name) ? [path] : [];
  });
}
