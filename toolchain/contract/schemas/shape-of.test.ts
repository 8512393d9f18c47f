import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonSchema } from "#convention/wire/json-schema";
import { createTypes } from "../client/types.ts";
import { shapeOf } from "./shape-of.ts";

/** @returns the type that the client gives it. */
function typeOf(schema: JsonSchema): string {
  const shape = shapeOf(schema, "Tree");
  return createTypes({ definitions: { Tree: shape }, notes: {} })
    .write(shape, "got")
    .replace(/\s+/g, " ");
}

const TYPES: readonly (readonly [schema: JsonSchema, type: string])[] = [
  [{}, "unknown"],
  [{ type: "string", format: "email" }, "string"],
  [{ type: "integer", minimum: 1 }, "number"],
  [{ type: ["string", "null"] }, "string | null"],
  [{ const: "a" }, '"a"'],
  [{ enum: ["a", 1, null] }, '"a" | 1 | null'],
  [{ enum: [{ a: 1 }] }, "unknown"],
  [{ type: "array", items: { type: "boolean" } }, "boolean[]"],
  [{ type: "array" }, "unknown[]"],
  [
    { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false, minItems: 1 },
    "[string, number?]",
  ],
  [{ type: "object" }, "Record<string, unknown>"],
  [{ type: "object", additionalProperties: { type: "number" } }, "{ [key: string]: number }"],
  [
    { properties: { a: { type: "string" }, b: { not: {} } }, required: ["a"], additionalProperties: false },
    "{ a: string; b?: unknown }",
  ],
  [{ anyOf: [{ type: "string" }, { type: "number" }] }, "string | number"],
  [{ oneOf: [{ type: "null" }] }, "null"],
  [
    { allOf: [{ properties: { a: { type: "string" } } }, { properties: { b: { type: "null" } } }] },
    "{ a?: string; b?: null }",
  ],
  [{ allOf: [{ type: "string" }, { pattern: "^a" }] }, "string"],
  [{ allOf: [{ type: "string" }, { properties: {} }] }, "unknown"],
  [{ $ref: "#/$defs/a~1b", $defs: { "a/b": { type: "string" } } }, "string"],
  [{ $ref: "#/$defs/none" }, "unknown"],
  [{ $ref: "https://schemas.test/other" }, "unknown"],
  [{ $ref: "#/$defs/a", $defs: { a: { type: "array", items: { $ref: "#/$defs/a" } } } }, "unknown[]"],
  [{ properties: { tree: { $ref: "#" } } }, "{ tree?: Tree }"],
];

for (const [schema, type] of TYPES)
  test(`${JSON.stringify(schema)} is ${type}`, () => assert.is(typeOf(schema), type));

test.run();
