/** What a new project's package.json has, and one made by an older version does not. That file is the user's: we report it and don't change it. */

import { join } from "node:path";
import { MANIFEST_FILE } from "#convention/layout";
import { readEntries, toEntries } from "./package.ts";

const TOLD = ["imports", "scripts", "devDependencies"] as const;

/**
 * What the user has changed is not asked about again.
 *
 * @param before absolute path of the project's framework.
 * @param after absolute path of the newer one.
 * @returns sentences.
 */
export function tellTemplateChanges(root: string, before: string, after: string): readonly string[] {
  const [old, next] = [before, after].map((folder) => readEntries(join(folder, MANIFEST_FILE)).template);
  const own = readEntries(join(root, "package.json"));
  return TOLD.flatMap((part) => {
    const [was = {}, is = {}, has = {}] = [old, next, own].map((value) => toEntries(toEntries(value)[part]));
    return Object.entries(is)
      .filter(([name, value]) => value !== was[name] && value !== has[name] && has[name] === was[name])
      .map(
        ([name, value]) =>
          `New projects have ${JSON.stringify(value)} for \`${name}\` under \`${part}\` in package.json.`,
      );
  });
}
