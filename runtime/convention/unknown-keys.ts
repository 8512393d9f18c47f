/** Keys of a table of TOML that nobody reads: most often misspelt, or written below the name of the wrong table. */

import { diagnose } from "./catalogue.ts";
import { closest } from "./closest.ts";
import type { Diagnostic } from "./diagnostics.ts";
import type { TomlTable } from "./toml.ts";

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

export function refuseUnknownKeys(table: TomlTable, keys: TableKeys): Diagnostic[] {
  const { known, offered = known, inside, elsewhere } = keys;
  const lastWords = offered.map((name) => name.slice(name.lastIndexOf(".") + 1));
  const unknown = [...table.entries].filter(([key]) => !known.includes(key));
  return unknown.map(([key, { location }]) => {
    const place = elsewhere.keys.includes(key) ? elsewhere.place : undefined;
    const nearest = offered[lastWords.indexOf(closest(key, lastWords) ?? "")];
    return diagnose("FW103", { key: inside + key, nearest, known: offered, place }, location);
  });
}
