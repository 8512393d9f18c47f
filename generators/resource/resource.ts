/** A resource: a table, and the app that lists, creates, reads, replaces, changes and deletes its rows. */

import type { Column, ColumnType } from "../migration/columns.ts";
import type { ResourceNames } from "./names.ts";

export interface Resource {
  readonly names: ResourceNames;
  readonly columns: readonly Column[];
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

/** Whether two rows can't refer to the same row of another table. */
export function needsParentsEach(resource: Resource): boolean {
  return resource.columns.some(
    (column) => column.unique && "references" in column.type && !isOwn(resource, column),
  );
}

/** Whether a column refers to rows of its own table. */
export function isOwn({ names }: Pick<Resource, "names">, { type }: Column): boolean {
  return "references" in type && type.references === names.table;
}
