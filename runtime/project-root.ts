/** Finds the root folder of a project. */

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export const CONFIG_FILE = "framework.toml";

/** @returns the absolute path of the nearest folder, from the given one upwards, that contains a `framework.toml`. */
export function findProjectRoot(from: string): string | undefined {
  return findAbove(from, CONFIG_FILE);
}

/** @returns the absolute path of the nearest folder, from the given one upwards, that contains a file or folder of this name. */
export function findAbove(from: string, entry: string): string | undefined {
  let folder = resolve(from);
  while (!existsSync(join(folder, entry))) {
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
  return folder;
}
