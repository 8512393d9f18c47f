/** A resource: a table, and the app that lists, creates, reads, replaces, changes and deletes its rows. */

import type { FieldWord } from "../source/fields.ts";
import type { Column, ColumnType } from "./columns.ts";
import type { ResourceNames } from "./names.ts";

export interface Resource {
  readonly names: ResourceNames;
  readonly columns: readonly Column[];
}

/** The types in SQL, the same on both engines. */
const SQL_TYPES: Readonly<Record<FieldWord, string>> = {
  string: "text",
  int: "bigint",
  number: "double precision",
  boolean: "boolean",
  Date: "timestamptz",
};

export function sqlTypeOf(type: ColumnType): string {
  if ("word" in type) return SQL_TYPES[type.word];
  return SQL_TYPES["values" in type ? "string" : "int"];
}

/** The inverse of {@link sqlTypeOf}, but for the values and the table. */
export function wordOf(sqlType: string): FieldWord | undefined {
  const words: readonly FieldWord[] = ["string", "int", "number", "boolean", "Date"];
  return words.find((word) => SQL_TYPES[word] === sqlType);
}

/** The types of a column's values in TypeScript, but for null. @param date what stands for a date there. */
export function valueTypes(type: ColumnType, date: string, int = "int"): readonly string[] {
  if ("values" in type) return type.values.map((value) => JSON.stringify(value));
  const word = "word" in type ? type.word : "int";
  if (word === "int") return [int];
  return [word === "Date" ? date : word];
}

/** What the types beside the resource's own are called. */
export function typeNames({ type }: Pick<ResourceNames, "type">): {
  readonly created: string;
  readonly patch: string;
  readonly page: string;
} {
  return { created: `New${type}`, patch: `${type}Patch`, page: `${type}Page` };
}

/** The columns that `q` looks in. */
export function textColumns({ columns }: Pick<Resource, "columns">): readonly string[] {
  return columns.flatMap(({ name, type }) => ("word" in type && type.word === "string" ? [name] : []));
}

/** @example listWords(["title", "subtitle", "isbn"], "or") // "title, subtitle or isbn" */
export function listWords(words: readonly string[], last: "and" | "or"): string {
  const [end = "", ...others] = words.toReversed();
  return others.length === 0 ? end : `${others.toReversed().join(", ")} ${last} ${end}`;
}
