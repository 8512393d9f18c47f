/** Values that fit the columns of a resource, as code: for its test and for the rows of `npm run seed`. */

import type { Column, ColumnType } from "../migration/columns.ts";
import { sampleCode } from "../source/fields.ts";

/** A row of another table that the resource refers to. */
export interface Parent {
  readonly table: string;
  /** What the test calls it. */
  readonly variable: string;
  readonly fields: readonly Entry[];
}

export type Entry = readonly [name: string, code: string];

/** @param reference gives the code of an id of a table. */
export function sampleEntry(
  { name, type }: Pick<Column, "name" | "type">,
  reference: (table: string) => string,
): Entry {
  return [name, "references" in type ? reference(type.references) : plainSample(type)];
}

/** As people like to see it in a list. @param one of the rows, as in "book review". */
export function seedEntry(
  column: Pick<Column, "name" | "type">,
  one: string,
  reference: (table: string) => string,
): Entry {
  const { name, type } = column;
  if ("word" in type && type.word === "Date") return [name, `new Date(${plainSample(type)})`];
  if ("word" in type && type.word === "string") {
    if (name === "name" || name === "title") return [name, JSON.stringify(`First ${one}`)];
    if (name === "email") return [name, '"first@example.com"'];
  }
  return sampleEntry(column, reference);
}

export type PlainType = Exclude<ColumnType, { references: unknown }>;

/** As it is sent. */
export function plainSample(type: PlainType): string {
  if ("values" in type) return sampleCode(type);
  if (type.word === "Date") return JSON.stringify("2026-11-22T10:30:00.000Z");
  return type.word === "number" ? "7.5" : sampleCode({ ...type, isArray: false });
}

/** A value that no other row has, where `count` is another number each time. */
export function uniqueSample(type: PlainType): string {
  if ("values" in type) return plainSample(type);
  switch (type.word) {
    case "string":
      return `\`example \${count}\``;
    case "Date":
      return "new Date(count).toISOString()";
    case "int":
    case "number":
      return "count";
    case "boolean":
      return plainSample(type);
  }
}

/** A value that is neither of the two above. */
export function otherSample(type: PlainType): string {
  if ("values" in type) return JSON.stringify(type.values[1] ?? type.values[0]);
  switch (type.word) {
    case "string":
      return '"changed"';
    case "Date":
      return '"2027-01-01T00:00:00.000Z"';
    case "int":
      return "-1";
    case "number":
      return "-1.5";
    case "boolean":
      return "false";
  }
}

/** A value that does not fit. */
export function wrongSample(type: ColumnType): string {
  const isNumber =
    "references" in type || ("word" in type && (type.word === "int" || type.word === "number"));
  return isNumber ? '"seven"' : "7";
}
