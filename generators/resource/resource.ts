/** A resource: a table, and the app that lists, creates, reads, replaces, changes and deletes its rows. */

import type { Segment } from "#runtime/routing/route";
import type { Column } from "../migration/columns.ts";
import type { ResourceNames } from "./names.ts";

export interface Resource {
  readonly names: ResourceNames;
  readonly columns: readonly Column[];
}

/** A resource with the place of its routes. */
export interface Written extends Resource {
  /** Of its app. */
  readonly prefix: string;
  /** Of the path of its list: the prefix, or with the segments of {@link Nesting} as well. */
  readonly base: readonly Segment[];
  readonly nesting: Nesting | undefined;
}

/** The rows of another table under which those of the resource are served. */
interface Nesting {
  /** The column that refers to them, and the param of the path. */
  readonly column: string;
  readonly table: string;
  /** As in "an organisation". */
  readonly aOne: string;
  readonly one: string;
}

/** Whether a column holds what no client should read, as its name says: it is stored, and not sent. @example `password_hash` */
export function isSecret({ name }: Pick<Column, "name">): boolean {
  return /(?:^|_)(?:password|secret|token|hash)(?:_|$)/.test(name);
}

/** Whether `q` looks in a column. */
export function isText(column: Column): boolean {
  return "word" in column.type && column.type.word === "string" && !isSecret(column);
}

/** Whether the path has the row that the column refers to. */
export function isParent({ nesting }: Written, { name }: Column): boolean {
  return name === nesting?.column;
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
