/** What a database needs in package.json: packages, scripts, and a version of Node.js that Kysely and node:sqlite run on. */

import { isRecord } from "#convention/source/record";
import { detectStyle } from "../edit/style.ts";
import { OLDEST_NODE } from "./engine.ts";

/** In the order in which they are added. */
export const WANTED: Readonly<
  Record<"scripts" | "dependencies" | "devDependencies", Readonly<Record<string, string>>>
> = {
  scripts: {
    migrate: "node vendor/framework run database/migrate.ts",
    "migrate:down": "node vendor/framework run database/migrate.ts down",
    seed: "node vendor/framework run database/seed.ts",
  },
  dependencies: { kysely: "^0.29.9", pg: "^8.23.1" },
  devDependencies: { "@types/pg": "^8.23.1" },
};

/** Of a new project, which is too old for node:sqlite. */
const NODE = ">=20.19";

/**
 * Adds what is missing, and lays the file out as npm does. What is there stays.
 *
 * @returns undefined where the text is not that of an object.
 */
export function addToPackageFile(text: string): string | undefined {
  const root = parseObject(text);
  if (root === undefined) return undefined;
  const { dependencies, devDependencies, engines } = root;
  const known = { ...toRecord(dependencies), ...toRecord(devDependencies) };
  const added = Object.entries(WANTED).flatMap(([section, entries]) => {
    const there = section === "scripts" ? toRecord(root.scripts) : known;
    const missing = Object.entries(entries).filter(([name]) => !Object.hasOwn(there, name));
    return missing.length === 0
      ? []
      : [[section, { ...toRecord(root[section]), ...Object.fromEntries(missing) }]];
  });
  const isOld = toRecord(engines).node === NODE;
  if (added.length === 0 && !isOld) return text;
  const node = isOld ? { engines: { ...toRecord(engines), node: `>=${OLDEST_NODE}` } } : {};
  const { eol, indent } = detectStyle(text);
  const edited = `${JSON.stringify({ ...root, ...Object.fromEntries(added), ...node }, null, indent)}\n`;
  return edited.replaceAll("\n", eol);
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const root: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isRecord(root) ? root : undefined;
  } catch {
    return undefined;
  }
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
