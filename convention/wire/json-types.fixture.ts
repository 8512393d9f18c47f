/** The JSON types of values and of shapes, for tests and benches. */

import { isFile, type Member } from "#runtime/wire/shape";

const JSON_TYPES = ["string", "number", "boolean", "null", "array", "object"] as const;
export type JsonType = (typeof JSON_TYPES)[number];

/** @returns undefined for what JSON has not: an absent value, a file. */
export function jsonTypeOf(value: unknown): JsonType | undefined {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (isFile(value)) return undefined;
  return JSON_TYPES.find((type) => type === typeof value);
}

/** @param member is not a union. @returns those that may fit; all for a shape that takes anything. */
export function typesOf(member: Member): readonly JsonType[] {
  switch (member.kind) {
    case "literal":
      return JSON_TYPES.filter((type) => member.values.some((value) => typeof value === type));
    case "date":
      return ["string"];
    case "tuple":
      return ["array"];
    case "never":
    case "file":
      return [];
    case "unknown":
    case "schema":
      return JSON_TYPES;
    default:
      return JSON_TYPES.filter((type) => type === member.kind);
  }
}
