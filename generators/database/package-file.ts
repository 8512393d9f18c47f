/** What a database needs in package.json: packages, scripts, and a version of Node.js that Kysely and node:sqlite run on. */

import { applyJsonEdits, editJson, getNodeValue, parseTree } from "#convention/deps/jsonc-parser";
import { isRecord } from "#convention/source/record";
import { detectStyle } from "../source/style.ts";

export const PACKAGES: Readonly<
  Record<"dependencies" | "devDependencies", Readonly<Record<string, string>>>
> = {
  dependencies: { kysely: "^0.29.9", pg: "^8.23.1" },
  devDependencies: { "@types/pg": "^8.23.1" },
};

/** The types of node:sqlite came with those of Node.js 22. */
const NODE_TYPES = { name: "@types/node", version: "^22.20.5", oldest: 22 };

export const OLDEST_NODE = "22.13";
const TEMPLATE_NODE = ">=20.19";

const SCRIPTS: Readonly<Record<string, string>> = {
  migrate: "node vendor/framework run database/migrate.ts",
  "migrate:down": "node vendor/framework run database/migrate.ts down",
  seed: "node vendor/framework run database/seed.ts",
};

/**
 * Adds what is missing, in the layout of the file. What is there stays, but for types of an older Node.js.
 *
 * @returns undefined where the text is not that of an object.
 */
export function addToPackageFile(text: string): string | undefined {
  const [mark = "", body = ""] = /^(\uFEFF?)(.*)$/s.exec(text)?.slice(1) ?? [];
  const root: unknown = parseJson(body);
  if (!isRecord(root)) return undefined;
  const { eol, indent } = detectStyle(body);
  const formattingOptions = {
    eol,
    insertSpaces: indent !== "\t",
    tabSize: indent === "\t" ? 1 : indent.length,
  };
  let edited = body;
  const set = (path: readonly string[], value: unknown): void => {
    edited = applyJsonEdits(edited, editJson(edited, [...path], value, { formattingOptions }));
  };
  for (const [name, command] of Object.entries(SCRIPTS))
    if (!has(root.scripts, name)) set(["scripts", name], command);
  for (const [section, packages] of Object.entries(PACKAGES)) {
    const missing = Object.entries(packages).filter(
      ([name]) => !has(root.dependencies, name) && !has(root.devDependencies, name),
    );
    if (missing.length > 0)
      set([section], sortKeys({ ...recordOf(root[section]), ...Object.fromEntries(missing) }));
  }
  const types = recordOf(root.devDependencies)[NODE_TYPES.name];
  if (typeof types === "string" && majorOf(types) < NODE_TYPES.oldest)
    set(["devDependencies", NODE_TYPES.name], NODE_TYPES.version);
  if (recordOf(root.engines).node === TEMPLATE_NODE) set(["engines", "node"], `>=${OLDEST_NODE}`);
  return mark + edited;
}

function parseJson(text: string): unknown {
  const tree = parseTree(text);
  return tree && getNodeValue(tree);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function has(value: unknown, key: string): boolean {
  return Object.hasOwn(recordOf(value), key);
}

/** As npm sorts them. */
function sortKeys(record: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** @example majorOf("^20.19.43") // 20 */
function majorOf(range: string): number {
  return Number(/\d+/.exec(range)?.[0] ?? Number.POSITIVE_INFINITY);
}

/** Adds the folder to what `tsc` checks. @returns the same text where it is checked already, or nobody can say. */
export function addToTypeCheck(text: string): string {
  const include = recordOf(parseJson(text)).include;
  if (!Array.isArray(include) || include.includes("database")) return text;
  const formattingOptions = { eol: detectStyle(text).eol, insertSpaces: true, tabSize: 2 };
  const path = ["include", include.length];
  return applyJsonEdits(
    text,
    editJson(text, path, "database", { formattingOptions, isArrayInsertion: true }),
  );
}
