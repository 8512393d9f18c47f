/** The aliases of a project on disk: what its package.json makes of `#lib/a.ts` in a file. */

import { readFileSync } from "node:fs";
import { sep } from "node:path";
import { createAliases } from "#convention/source/aliases";

/**
 * What is read is kept: package.json as it is when the first alias is looked for counts.
 *
 * @returns what takes the absolute path of a file and an alias in it, and gives the absolute path that it leads to, with forward
 * slashes; undefined for a package, and for no alias at all.
 */
export function createAliasFinder(): (file: string, specifier: string) => string | undefined {
  const aliases = createAliases(readIfThere);
  return (file, specifier) => aliases.find(file.replaceAll(sep, "/"), specifier);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
