/** Which tables and keys of TOML are read. Other keys are most often misspelt, or below the name of the wrong table. */

import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { diagnose } from "../diagnostics/catalogue.ts";
import { closest } from "../diagnostics/closest.ts";
import { describeToml, type TomlTable, type TomlValue } from "./toml.ts";

/** The keys that a table may have. */
export interface TableKeys {
  readonly known: readonly string[];
  /** What a hint names instead of `known`: settings of inner tables by their whole names, as in `app.prefix`. */
  readonly offered?: readonly string[];
  /** As in `server.`; "" for the top. */
  readonly inside: string;
  /** Keys of another table, and where to write them. */
  readonly elsewhere: { readonly keys: readonly string[]; readonly place: string };
}

/**
 * Reads a value that has to be a table.
 * @param keys the table's, and in `inside` its name.
 * @returns undefined where there is no value, or it is not a table.
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
