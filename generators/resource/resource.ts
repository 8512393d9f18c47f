/** A resource: a table, and the app that lists, creates, reads, replaces, changes and deletes its rows. */

import type { Column } from "../migration/columns.ts";
import type { ResourceNames } from "./names.ts";

export interface Resource {
  readonly names: ResourceNames;
  readonly columns: readonly Column[];
}

/** Whether a column holds what no client should read, as its name says: it is stored, and not sent. @example `password_hash` */
export function isSecret({ name }: Pick<Column, "name">): boolean {
  return /(?:^|_)(?:password|secret|token|hash)(?:_|$)/.test(name);
}

/** The columns that `q` looks in. */
export function textColumns({ columns }: Pick<Resource, "columns">): readonly string[] {
  const texts = columns.filter(({ type }) => "word" in type && type.word === "string");
  return texts.filter((column) => !isSecret(column)).map(({ name }) => name);
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
