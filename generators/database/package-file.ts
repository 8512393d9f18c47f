/** What a database needs in package.json: packages, scripts, and a version of Node.js that Kysely and node:sqlite run on. */

import { applyJsonEdits, editJson, getNodeValue, parseTree } from "#convention/deps/jsonc-parser";
import { isRecord } from "#convention/source/record";
import { detectStyle } from "../source/style.ts";
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
 * Adds what is missing, in the layout of the file. What is there stays.
 *
 * @returns undefined where the text is not that of an object.
 */
export function addToPackageFile(text: string): string | undefined {
  const [mark = "", body = ""] = /^(\uFEFF?)(.*)$/s.exec(text)?.slice(1) ?? [];
  const tree = parseTree(body);
  const root: unknown = tree && getNodeValue(tree);
  if (!isRecord(root)) return undefined;
  const { eol, indent } = detectStyle(body);
  const isTab = indent === "\t";
  const formattingOptions = { eol, insertSpaces: !isTab, tabSize: isTab ? 1 : indent.length };
  let edited = body;
  const set = (path: readonly string[], value: string): void => {
    edited = applyJsonEdits(edited, editJson(edited, [...path], value, { formattingOptions }));
  };
  const has = (section: string, name: string): boolean => valueAt(root, section, name) !== undefined;
  for (const [section, entries] of Object.entries(WANTED))
    for (const [name, value] of Object.entries(entries))
      if (!has(section, name) && (section === "scripts" || !has("devDependencies", name)))
        set([section, name], value);
  if (valueAt(root, "engines", "node") === NODE) set(["engines", "node"], `>=${OLDEST_NODE}`);
  return mark + edited;
}

function valueAt(root: Readonly<Record<string, unknown>>, section: string, name: string): unknown {
  const entries = root[section];
  return isRecord(entries) && Object.hasOwn(entries, name) ? entries[name] : undefined;
}
