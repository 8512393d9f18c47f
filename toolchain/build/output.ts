/** Writes and removes the files of `dist`. Each is whole or not there: a server may be starting from it, or another build be writing it. */

import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Problem } from "#runtime/problem";
import { explain } from "./failure.ts";

/** @param file relative to the root. */
export function writeFile(root: string, file: string, text: string): void {
  replace(root, file, (fresh) => writeFileSync(fresh, text));
}

/** @param from relative to the root, as is `file`. */
export function copyFile(root: string, from: string, file: string): void {
  replace(root, file, (fresh) => cpSync(join(root, from), fresh, { dereference: true }));
}

/** @param files relative to the root. */
export function removeFiles(root: string, files: readonly string[]): void {
  for (const file of files) rmSync(join(root, file), { force: true });
}

function replace(root: string, file: string, write: (fresh: string) => void): void {
  const path = join(root, file);
  const fresh = `${path}.${process.pid}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    write(fresh);
    renameSync(fresh, path);
  } catch (cause) {
    if (existsSync(fresh)) rmSync(fresh);
    throw new Problem(`${file} can't be written: ${explain(cause)}`, "Fix that, and build again.", { cause });
  }
}
