/** Keys of a table of TOML that nobody reads: most often misspelt, or written below the name of the wrong table. */

import { diagnose } from "./catalogue.ts";
import { closest } from "./closest.ts";
import type { Diagnostic } from "./diagnostics.ts";
import type { TomlTable } from "./toml.ts";

/** What a table may hold. */
export interface TableKeys {
  readonly known: readonly string[];
  /** As in `server.`; "" for the top. */
  readonly inside: string;
  /** Keys of another table, and where they are to be written. */
  readonly elsewhere: { readonly keys: readonly string[]; readonly place: string };
}

export function refuseUnknownKeys(table: TomlTable, { known, inside, elsewhere }: TableKeys): Diagnostic[] {
  const unknown = [...table.entries].filter(([key]) => !known.includes(key));
  return unknown.map(([key, { location }]) => {
    const place = elsewhere.keys.includes(key) ? elsewhere.place : undefined;
    return diagnose("FW103", { key: inside + key, nearest: closest(key, known), known, place }, location);
  });
}
