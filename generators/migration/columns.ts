/** The columns of a table, as generators write them. */

import type { FieldWord } from "../code/fields.ts";

/** What a column holds. */
export type ColumnType =
  | { readonly word: FieldWord }
  /** One of these texts. */
  | { readonly values: readonly string[] }
  /** The id of a row of another table. */
  | { readonly references: string };

export interface Column {
  /** In the table, in JSON and in types, as in `author_id`. */
  readonly name: string;
  readonly type: ColumnType;
  readonly optional: boolean;
  readonly unique: boolean;
}

/** The types in SQL, the same on both engines. */
const SQL_TYPES: ReadonlyMap<FieldWord, string> = new Map([
  ["string", "text"],
  ["int", "bigint"],
  ["number", "double precision"],
  ["boolean", "boolean"],
  ["Date", "timestamptz"],
]);

export function formatSqlType(type: ColumnType): string {
  const word = "word" in type ? type.word : "values" in type ? "string" : "int";
  return String(SQL_TYPES.get(word));
}
