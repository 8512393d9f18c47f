/** Values that fit the columns of a resource, as code: for its test and for the rows of `npm run seed`. */

import type { FieldWord } from "../code/fields.ts";
import type { Column, ColumnType } from "../migration/columns.ts";

/** A row of another table that the resource refers to. */
export interface Parent {
  readonly table: string;
  /** What the test calls it. */
  readonly variable: string;
  readonly fields: readonly Entry[];
}

export type Entry = readonly [name: string, code: string];

type PlainType = Exclude<ColumnType, { references: unknown }>;

/** As each is sent: a value that fits, one that no other row has (`count` is another number each time), and a further one. */
const SAMPLES: Readonly<Record<FieldWord, readonly [sample: string, unique: string, other: string]>> = {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: It is generated code.
  string: ['"example"', "`example ${count}`", '"changed"'],
  Date: ['"2026-11-22T10:30:00.000Z"', "new Date(count).toISOString()", '"2027-01-01T00:00:00.000Z"'],
  int: ["7", "count", "-1"],
  number: ["7.5", "count", "-1.5"],
  boolean: ["true", "true", "false"],
};

export function sampleOf(type: PlainType): string {
  return "values" in type ? JSON.stringify(type.values[0]) : SAMPLES[type.word][0];
}

export function uniqueSample(type: PlainType): string {
  return "values" in type ? sampleOf(type) : SAMPLES[type.word][1];
}

export function otherSample(type: PlainType): string {
  return "values" in type ? JSON.stringify(type.values[1] ?? type.values[0]) : SAMPLES[type.word][2];
}

/** A value that does not fit. */
export function wrongSample(type: ColumnType): string {
  const isNumber = "references" in type || ("word" in type && /^(?:int|number)$/.test(type.word));
  return isNumber ? '"seven"' : "7";
}

/** As people like to see it in a list. @param one of the rows, as in "book review". */
export function seedSample({ name, type }: Column, one: string, idOf: (table: string) => string): string {
  if ("references" in type) return idOf(type.references);
  if (!("word" in type)) return sampleOf(type);
  if (type.word === "Date") return `new Date(${sampleOf(type)})`;
  if (type.word === "string" && (name === "name" || name === "title")) return JSON.stringify(`First ${one}`);
  return type.word === "string" && name === "email" ? '"first@example.com"' : sampleOf(type);
}
