/** The fields of what a generated handler takes off the wire: as data, as the text of their types, and read back from such types. */

import type { Member, TypeExpression } from "#convention/source/module";
import type { FrameworkType } from "./imports.ts";

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

/** @param names what the file calls the types of `framework`. */
export function formatFieldType(type: FieldType, names: ReadonlyMap<FrameworkType, string>): string {
  if ("values" in type) return type.values.map((value) => JSON.stringify(value)).join(" | ");
  const word = type.word === "int" ? (names.get("int") ?? "int") : type.word;
  return type.isArray ? `${word}[]` : word;
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

/** The inverse of {@link formatFieldType}. Undefined for a type that no generator writes. */
export function readFieldType(
  type: TypeExpression,
  types: ReadonlyMap<string, FrameworkType>,
): FieldType | undefined {
  if (type.kind !== "array") return readValues(type) ?? readWord(type, types, false);
  return readWord(type.items, types, true);
}

function readWord(
  type: TypeExpression,
  types: ReadonlyMap<string, FrameworkType>,
  isArray: boolean,
): FieldType | undefined {
  const name = type.kind === "keyword" ? type.name : type.kind === "name" ? type.path.join(".") : "";
  const word = types.get(name) === "int" ? "int" : FIELD_WORDS.find((one) => one === name && one !== "int");
  return word === undefined ? undefined : { word, isArray };
}

function readValues(type: TypeExpression): FieldType | undefined {
  const all = type.kind === "union" ? type.of : [type];
  const values = all.flatMap((one) =>
    one.kind === "literal" && typeof one.value !== "boolean" ? [one.value] : [],
  );
  return values.length === all.length ? { values } : undefined;
}

/** The fields of an interface that a generator could have written; undefined of any other. */
export function readFields(
  members: readonly Member[],
  types: ReadonlyMap<string, FrameworkType>,
): readonly Field[] | undefined {
  const fields = members.flatMap((member): Field[] => {
    if (member.kind !== "property" || member.type === null) return [];
    const type = readFieldType(member.type, types);
    return type === undefined ? [] : [{ name: member.name, type, optional: member.optional }];
  });
  return fields.length === members.length && fields.length > 0 ? fields : undefined;
}
