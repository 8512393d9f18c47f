import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Property, Shape } from "#runtime/wire/shape";
import { formatLimits, formatShape } from "./format-shape.ts";

const string: Shape = { kind: "string" };
const int: Shape = { kind: "number", integer: true };
const nullish: Shape = { kind: "union", of: [int, { kind: "null" }] };

function property(name: string, shape: Shape, optional = false): Property {
  return { name, shape, optional };
}

function object(...properties: Property[]): Shape {
  return { kind: "object", properties };
}

const CASES: readonly (readonly [shape: Shape, text: string])[] = [
  [int, "int"],
  [{ kind: "number", min: 3 }, "number"],
  [{ kind: "string", minLength: 3 }, "string"],
  [{ kind: "string", formats: ["date-time"] }, "DateTime"],
  [{ kind: "string", patterns: [{ source: "^\\d+px$", template: `\${number}px` }] }, `\`\${number}px\``],
  [{ kind: "date" }, "Date"],
  [{ kind: "file" }, "File"],
  [{ kind: "unknown" }, "unknown"],
  [{ kind: "null" }, "null"],
  [{ kind: "reference", name: "NewUser" }, "NewUser"],
  [{ kind: "schema", file: "schemas.ts", exported: "newUser" }, "typeof newUser"],
  [{ kind: "literal", values: ["asc", "desc"] }, '"asc" | "desc"'],
  [{ kind: "literal", values: ["a\n\x1b", 1, true] }, '"a\\n\\u001b" | 1 | true'],
  [{ kind: "array", items: string }, "string[]"],
  [{ kind: "array", items: nullish }, "(int | null)[]"],
  [{ kind: "array", items: { kind: "literal", values: ["a"] } }, '"a"[]'],
  [{ kind: "tuple", items: [int, nullish], required: 1, rest: string }, "[int, (int | null)?, ...string[]]"],
  [{ kind: "tuple", items: [], required: 0 }, "[]"],
  [
    object(property("name", string), property("price", { kind: "number" })),
    "{ name: string; price: number }",
  ],
  [object(property("first-name", string, true)), '{ "first-name"?: string }'],
  [object(), "{}"],
  [{ kind: "object", properties: [], others: int }, "Record<string, int>"],
  [
    { kind: "object", properties: [property("id", int)], others: string },
    "{ id: int; [key: string]: string }",
  ],
];

for (const [shape, text] of CASES) {
  test(text, () => {
    assert.is(formatShape(shape), text);
  });
}

test("what is too long is cut behind a word", () => {
  const product = object(property("name", string), property("price", int), property("stock", int));
  assert.is(formatShape(product, 31), "{ name: string; price: int; …");
  assert.is(formatShape({ kind: "literal", values: ["one", "two", "three"] }, 17), '"one" | "two" | …');
  assert.is(formatShape({ kind: "reference", name: "AName" }, 4), "ANa…");
  assert.is(formatShape({ kind: "literal", values: ["😀😀😀"] }, 4), '"😀😀…');
});

test("where there is no room, nothing is shown", () => {
  assert.is(formatShape({ kind: "reference", name: "AName" }, 0), "…");
  assert.is(formatShape({ kind: "reference", name: "AName" }, -3), "…");
});

test("a long type is cut where its limits are shown, too", () => {
  const values = Array.from({ length: 20 }, (_, index) => `word${index}`);
  assert.is(formatLimits({ kind: "literal", values }), formatShape({ kind: "literal", values }));
});

test.run();
