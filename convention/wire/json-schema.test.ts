import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Definitions, Shape } from "#runtime/wire/shape";
import { toJsonSchema } from "./json-schema.ts";

const string: Shape = { kind: "string" };
const int: Shape = { kind: "number", integer: true };

const CASES: readonly (readonly [title: string, shape: Shape, schema: object])[] = [
  ["unknown is any JSON", { kind: "unknown" }, {}],
  ["a Standard Schema is any JSON", { kind: "schema", file: "schemas.ts", exported: "NewUser" }, {}],
  ["never is fit by nothing", { kind: "never" }, { not: {} }],
  ["null", { kind: "null" }, { type: "null" }],
  ["a boolean", { kind: "boolean" }, { type: "boolean" }],
  ["a Date is a text with a date-time", { kind: "date" }, { type: "string", format: "date-time" }],
  ["a File", { kind: "file" }, { type: "string", contentMediaType: "application/octet-stream" }],
  ["an int", int, { type: "integer" }],
  [
    "bounds, and zero among them",
    { kind: "number", min: 0, max: 5, exclusiveMin: -1, exclusiveMax: 6, multipleOf: [0.5] },
    { type: "number", minimum: 0, maximum: 5, exclusiveMinimum: -1, exclusiveMaximum: 6, multipleOf: 0.5 },
  ],
  [
    "several multiples",
    { kind: "number", multipleOf: [2, 3] },
    { type: "number", allOf: [{ multipleOf: 2 }, { multipleOf: 3 }] },
  ],
  [
    "a text with lengths, a pattern and a format",
    { kind: "string", minLength: 1, maxLength: 9, patterns: [{ source: "^a" }], formats: ["email"] },
    { type: "string", minLength: 1, maxLength: 9, format: "email", pattern: "^a" },
  ],
  [
    "a template is a pattern",
    { kind: "string", patterns: [{ source: "^\\d+px$", template: `\${number}px` }, { source: "^1" }] },
    { type: "string", allOf: [{ pattern: "^\\d+px$" }, { pattern: "^1" }] },
  ],
  ["a literal", { kind: "literal", values: [false] }, { type: "boolean", const: false }],
  ["literals", { kind: "literal", values: ["asc", "desc"] }, { type: "string", enum: ["asc", "desc"] }],
  [
    "literals of two types",
    { kind: "literal", values: ["asc", 1] },
    { type: ["string", "number"], enum: ["asc", 1] },
  ],
  [
    "an array",
    { kind: "array", items: int, minItems: 1, maxItems: 3, uniqueItems: true },
    { type: "array", items: { type: "integer" }, minItems: 1, maxItems: 3, uniqueItems: true },
  ],
  [
    "a tuple",
    { kind: "tuple", items: [int, string], required: 1 },
    {
      type: "array",
      prefixItems: [{ type: "integer" }, { type: "string" }],
      items: { not: {} },
      minItems: 1,
    },
  ],
  [
    "a tuple with a rest",
    { kind: "tuple", items: [int], required: 1, rest: string, minItems: 3 },
    { type: "array", prefixItems: [{ type: "integer" }], items: { type: "string" }, minItems: 3 },
  ],
  ["an empty tuple", { kind: "tuple", items: [], required: 0 }, { type: "array", items: { not: {} } }],
  [
    "an object, which may have other keys",
    {
      kind: "object",
      properties: [
        { name: "id", shape: int, optional: false },
        { name: "__proto__", shape: string, optional: true },
      ],
    },
    {
      type: "object",
      properties: Object.fromEntries([
        ["id", { type: "integer" }],
        ["__proto__", { type: "string" }],
      ]),
      required: ["id"],
    },
  ],
  ["an object without keys", { kind: "object", properties: [] }, { type: "object" }],
  [
    "a record",
    { kind: "object", properties: [], others: int },
    { type: "object", additionalProperties: { type: "integer" } },
  ],
  [
    "a union",
    { kind: "union", of: [string, { kind: "null" }] },
    { anyOf: [{ type: "string" }, { type: "null" }] },
  ],
  [
    "a discriminated union",
    { kind: "union", tag: "kind", of: [tagged("a"), tagged("b")] },
    { oneOf: [taggedSchema("a"), taggedSchema("b")] },
  ],
];

function tagged(value: string): Shape {
  const shape: Shape = { kind: "literal", values: [value] };
  return { kind: "object", properties: [{ name: "kind", shape, optional: false }] };
}

function taggedSchema(value: string): object {
  return { type: "object", properties: { kind: { type: "string", const: value } }, required: ["kind"] };
}

for (const [title, shape, schema] of CASES) {
  test(title, () => {
    const made = toJsonSchema(shape, {});
    // As text, so that the order of keys counts.
    assert.is(JSON.stringify(made), JSON.stringify(schema));
  });
}

function reference(name: string): Shape {
  return { kind: "reference", name };
}

const DEFINITIONS: Definitions = {
  Unused: string,
  Tree: { kind: "array", items: reference("Tree") },
  "Page<a/b~c>": { kind: "union", of: [reference("Leaf"), reference("Tree")] },
  Leaf: int,
};

test("the definitions that are reached come along, once each, with themselves in them", () => {
  assert.equal(toJsonSchema(reference("Tree"), DEFINITIONS), {
    $ref: "#/$defs/Tree",
    $defs: { Tree: { type: "array", items: { $ref: "#/$defs/Tree" } } },
  });
  const { $defs } = toJsonSchema({ kind: "array", items: reference("Page<a/b~c>") }, DEFINITIONS);
  assert.equal(Object.keys($defs ?? {}), ["Page<a/b~c>", "Leaf", "Tree"]);
});

test("a name is escaped as a JSON pointer in a URI, and leads to its definition", () => {
  const { $ref, $defs } = toJsonSchema(reference("Page<a/b~c>"), DEFINITIONS);
  assert.is($ref, "#/$defs/Page%3Ca~1b~0c%3E");
  const token = decodeURIComponent(String($ref).slice("#/$defs/".length));
  assert.ok(Object.hasOwn($defs ?? {}, token.replaceAll("~1", "/").replaceAll("~0", "~")));
});

test("a name that every object has is no definition", () => {
  const text = JSON.stringify(toJsonSchema(reference("constructor"), {}));
  assert.is(text, '{"$ref":"#/$defs/constructor","$defs":{"constructor":{}}}');
});

test.run();
