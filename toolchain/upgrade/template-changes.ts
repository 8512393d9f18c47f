/** What the package.json of a new project has and this project's does not. That file is the user's: we report it and don't change it. */

import { join } from "node:path";
import { MANIFEST_FILE } from "#convention/layout";
import { isRecord } from "#convention/source/record";
import { readRecord } from "./package.ts";

const TOLD = ["bin", "imports", "scripts", "devDependencies"] as const;

const MOVED =
  " Write that and install again: until then, type `node vendor/framework` in place of `npx framework`.";

/**
 * An entry that the user has changed is not reported.
 *
 * @param before absolute path of the project's framework.
 * @param after absolute path of the newer one.
 * @returns sentences.
 */
export function tellTemplateChanges(root: string, before: string, after: string): readonly string[] {
  const [old, next] = [before, after].map((folder) => readRecord(join(folder, MANIFEST_FILE)).template);
  const own = readRecord(join(root, "package.json"));
  return TOLD.flatMap((part) => {
    const has = recordAt(own, part) ?? {};
    // Older versions do not record each part.
    const [was, is] = [recordAt(old, part) ?? has, recordAt(next, part) ?? {}];
    return Object.entries(is)
      .filter(([name, value]) => value !== was[name] && value !== has[name] && has[name] === was[name])
      .map(
        ([name, value]) =>
          `New projects have ${JSON.stringify(value)} for \`${name}\` under \`${part}\` in package.json.${part === "bin" ? MOVED : ""}`,
      );
  });
}

function recordAt(value: unknown, part: string): Readonly<Record<string, unknown>> | undefined {
  const found = isRecord(value) ? value[part] : undefined;
  return isRecord(found) ? found : undefined;
}
