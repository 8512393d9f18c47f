/** The JSON types of values and shapes, for tests and benchmarks. */

import { isFile, type Member } from "#runtime/wire/shape";

const JSON_TYPES = ["string", "number", "boolean", "null", "array", "object"] as const;
export type JsonType = (typeof JSON_TYPES)[number];

/** @returns undefined for a value that JSON does not have: undefined, a file. */
export function jsonTypeOf(value: unknown): JsonType | undefined {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (isFile(value)) return undefined;
  return JSON_TYPES.find((type) => type === typeof value);
}

/** @param member a shape that is not a union. @returns the JSON types of its values. */
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
