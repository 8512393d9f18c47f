/** What a database needs in package.json: packages, scripts, and a version of Node.js that Kysely and node:sqlite run on. */

import { isDeepStrictEqual } from "node:util";
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
  const edited: Record<string, unknown> = { ...root };
  const known = { ...toRecord(root.dependencies), ...toRecord(root.devDependencies) };
  for (const [section, wanted] of Object.entries(WANTED)) {
    const there = toRecord(root[section]);
    const taken = section === "scripts" ? there : known;
    const missing = Object.entries(wanted).filter(([name]) => !Object.hasOwn(taken, name));
    if (missing.length > 0) edited[section] = { ...there, ...Object.fromEntries(missing) };
  }
  const engines = toRecord(root.engines);
  if (engines.node === NODE) edited.engines = { ...engines, node: `>=${OLDEST_NODE}` };
  if (isDeepStrictEqual(edited, root)) return text;
  const { eol, indent } = detectStyle(text);
  return `${JSON.stringify(edited, null, indent)}\n`.replaceAll("\n", eol);
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
