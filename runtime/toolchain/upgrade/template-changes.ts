/** What a new project's package.json has, and one made by an older version does not. That file is the user's: we report it and don't change it. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MANIFEST_FILE } from "#runtime/convention/layout";

const TOLD = ["imports", "scripts", "devDependencies"] as const;
type Entries = Readonly<Record<string, unknown>>;

/**
 * What the user has changed is not asked about again.
 *
 * @param before absolute path of the project's framework.
 * @param after absolute path of the newer one.
 * @returns sentences.
 */
export function tellTemplateChanges(root: string, before: string, after: string): readonly string[] {
  const [old, next] = [before, after].map((folder) => readTemplate(join(folder, MANIFEST_FILE)).template);
  const own = readTemplate(join(root, "package.json"));
  return TOLD.flatMap((part) => {
    const [was, is, has] = [old, next, own].map((value) => toEntries(toEntries(value)[part]));
    return Object.entries(is ?? {})
      .filter(
        ([name, value]) => value !== was?.[name] && value !== has?.[name] && has?.[name] === was?.[name],
      )
      .map(
        ([name, value]) =>
          `New projects have ${JSON.stringify(value)} for \`${name}\` under \`${part}\` in package.json.`,
      );
  });
}

function readTemplate(file: string): Entries {
  try {
    return toEntries(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return {};
  }
}

function toEntries(value: unknown): Entries {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
