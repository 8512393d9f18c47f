/** Where a project begins. */

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export const CONFIG_FILE = "framework.toml";

/** The nearest folder, from the given one upwards, that holds a `framework.toml`; an absolute path. */
export function findProjectRoot(from: string): string | undefined {
  return findAbove(from, CONFIG_FILE);
}

/** The nearest folder, from the given one upwards, that holds such an entry; an absolute path. */
export function findAbove(from: string, entry: string): string | undefined {
  let folder = resolve(from);
  while (!existsSync(join(folder, entry))) {
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
  return folder;
}
