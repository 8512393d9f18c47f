/** Puts a JSON Schema that was a document of its own into another one. */

import type { JsonSchema } from "#convention/wire/json-schema";

/** What a schema says of itself as a document. */
const OF_DOCUMENTS: readonly string[] = ["$schema", "$id", "~standard"];
/** Keywords whose values are no schemas. */
const VALUES: readonly string[] = ["const", "enum", "default", "examples"];
/** Keywords that have a schema for each name: no name in them is a keyword. */
const NAMED: readonly string[] = [
  "properties",
  "patternProperties",
  "dependentSchemas",
  "$defs",
  "definitions",
];

/**
 * @param place where it will be, as a reference has it: its references to itself lead there.
 * @example embed({ items: { $ref: "#" } }, "#/components/schemas/Tree") // { items: { $ref: "#/components/schemas/Tree" } }
 */
export function embed(schema: JsonSchema, place: string): JsonSchema {
  const entries = Object.entries(schema).filter(([key]) => !OF_DOCUMENTS.includes(key));
  return Object.fromEntries(entries.map(([key, value]) => [key, embedKeyword(key, value, place)]));
}

function embedKeyword(key: string, value: unknown, place: string): unknown {
  if (key === "$ref" && typeof value === "string" && value.startsWith("#")) return place + value.slice(1);
  if (VALUES.includes(key)) return value;
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? embed(item, place) : item));
  if (!isObject(value)) return value;
  return NAMED.includes(key) ? embedEach(value, place) : embed(value, place);
}

function embedEach(schemas: JsonSchema, place: string): JsonSchema {
  const entries = Object.entries(schemas);
  return Object.fromEntries(entries.map(([name, one]) => [name, isObject(one) ? embed(one, place) : one]));
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
