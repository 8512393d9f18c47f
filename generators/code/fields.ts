/** The fields of what a generated handler takes off the wire: as data, and as the text of their types. */

import type { Use } from "../edit/code.ts";

export const FIELD_WORDS = ["string", "number", "int", "boolean", "Date"] as const;
export type FieldWord = (typeof FIELD_WORDS)[number];

export type FieldType =
  | { readonly word: FieldWord; readonly isArray: boolean }
  /** One of these values. */
  | { readonly values: readonly (string | number)[] };

/** A key of the body, or a value of the query. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly optional: boolean;
}

export function formatFieldType(type: FieldType, use: Use): string {
  if ("values" in type) return type.values.map((value) => JSON.stringify(value)).join(" | ");
  return `${type.word === "int" ? use("int") : type.word}${type.isArray ? "[]" : ""}`;
}

/** Values that fit, as they are in a URL. Number and int have the same one, because a file may have to write one for the other. */
const SAMPLES: Readonly<Record<FieldWord, string>> = {
  string: "example",
  number: "7",
  int: "7",
  boolean: "true",
  Date: "2026-11-22T10:30:00Z",
};

/** A value that fits, as text. */
export function sampleText(type: FieldType): string {
  return "values" in type ? String(type.values[0]) : SAMPLES[type.word];
}

/** A value that fits, as code. */
export function sampleCode(type: FieldType): string {
  if ("values" in type) return JSON.stringify(type.values[0]);
  const isText = type.word === "string" || type.word === "Date";
  const one = isText ? JSON.stringify(sampleText(type)) : sampleText(type);
  return type.isArray ? `[${one}]` : one;
}
