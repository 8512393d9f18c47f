/** Which tables and keys of TOML are read. What is not is most often misspelt, or below the name of the wrong table. */

import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { diagnose } from "../diagnostics/catalogue.ts";
import { closest } from "../diagnostics/closest.ts";
import { describeToml, type TomlTable, type TomlValue } from "./toml.ts";

/** What a table may hold. */
export interface TableKeys {
  readonly known: readonly string[];
  /** What is named in place of `known`: settings of inner tables by their whole names, as in `app.prefix`. */
  readonly offered?: readonly string[];
  /** As in `server.`; "" for the top. */
  readonly inside: string;
  /** Keys of another table, and where they are to be written. */
  readonly elsewhere: { readonly keys: readonly string[]; readonly place: string };
}

/**
 * Takes a value for the table that it has to be.
 * @param keys what the table may hold; `inside` gives its name.
 * @returns undefined where there is none, or something else.
 */
export function readTable(
  value: TomlValue | undefined,
  keys: TableKeys,
  diagnostics: Diagnostic[],
): TomlTable | undefined {
  if (value === undefined) return undefined;
  if (value.kind === "table") {
    diagnostics.push(...diagnoseUnknownKeys(value, keys));
    return value;
  }
  const key = keys.inside.slice(0, -".".length);
  const wanted = { key, wanted: "a table", found: describeToml(value), example: `[${key}]` };
  diagnostics.push(diagnose("FW104", wanted, value.location));
  return undefined;
}

export function diagnoseUnknownKeys(table: TomlTable, keys: TableKeys): Diagnostic[] {
  const { known, offered = known, inside, elsewhere } = keys;
  const lastWords = offered.map((name) => name.slice(name.lastIndexOf(".") + 1));
  const unknown = [...table.entries].filter(([key]) => !known.includes(key));
  return unknown.map(([key, { location }]) => {
    const place = elsewhere.keys.includes(key) ? elsewhere.place : undefined;
    const nearest = offered[lastWords.indexOf(closest(key, lastWords) ?? "")];
    return diagnose("FW103", { key: inside + key, nearest, known: offered, place }, location);
  });
}
