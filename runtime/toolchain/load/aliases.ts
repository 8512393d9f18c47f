/** The aliases of a project on disk: what its package.json makes of `#lib/a.ts` in a file. */

import { readFileSync } from "node:fs";
import { sep } from "node:path";
import { createAliases } from "#runtime/convention/source/aliases";

/**
 * @param file with the import, absolute.
 * @returns the absolute path that the alias leads to, with forward slashes; undefined for a package, and for no alias at all.
 */
export type FindAliased = (file: string, specifier: string) => string | undefined;

/** What is read is kept: package.json as it is when the first alias is looked for counts. */
export function createAliasFinder(): FindAliased {
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
