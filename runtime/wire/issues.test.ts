/** What a client reads about a value that fits no member of a union: every choice is named, in the order of the type. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { findIssuesOf } from "./issues.ts";
import type { Definitions, Shape } from "./shape.ts";

const int: Shape = { kind: "number", integer: true };
const positive: Shape = { ...int, min: 1 };
const even: Shape = { kind: "number", min: 10, multipleOf: [2] };
const text: Shape = { kind: "string" };
const long: Shape = { kind: "string", minLength: 3 };
const email: Shape = { kind: "string", formats: ["email"] };
const uuid: Shape = { kind: "string", formats: ["uuid"] };
const boolean: Shape = { kind: "boolean" };
const nothing: Shape = { kind: "null" };
const date: Shape = { kind: "date" };
const all: Shape = { kind: "literal", values: ["all"] };
const roles: Shape = { kind: "literal", values: ["admin", "guest"] };
const list = (items: Shape, minItems = 0): Shape => ({ kind: "array", items, minItems });
const object = (name: string, shape: Shape): Shape => {
  return { kind: "object", properties: [{ name, shape, optional: false }] };
};
const union = (...of: Shape[]): Shape => ({ kind: "union", of });
const cat = object("kind", { kind: "literal", values: ["cat"] });
const dog = object("kind", { kind: "literal", values: ["dog"] });
const pet: Shape = { kind: "union", of: [cat, dog], tag: "kind" };
const DEFINITIONS: Definitions = { All: union(all, { kind: "reference", name: "Null" }), Null: nothing };

/** Each issue as "pointer code: message". */
const CASES: readonly (readonly [shape: Shape, value: unknown, ...issues: string[]])[] = [
  [union(int, all), 1.5, " type: a whole number, or all"],
  [union(int, all), "some", " one_of: a whole number, or all"],
  [union(int, all), "1.5", " one_of: a whole number, or all"],
  [union(int, all), true, " type: a whole number, or all"],
  [union(int, all), 1],
  [union(int, all), "all"],
  [union(all, int), 1.5, " type: all, or a whole number"],
  [union(int, roles), "root", " one_of: a whole number, or one of admin, guest"],
  [union(roles, nothing), "root", " one_of: one of admin, guest, null"],
  [union(roles, nothing), 1, " one_of: one of admin, guest, null"],
  [union(all, nothing), "some", " one_of: one of all, null"],
  [union(text, nothing), 1, " type: a string, or null"],
  [union(int, all, nothing), [], " type: a whole number, or one of all, null"],
  [union(text, boolean, nothing), 1, " type: a string, true or false, or null"],
  [union(positive, all), 0, " min: at least 1, or all"],
  [union(nothing, positive), 0, " min: null, or at least 1"],
  [union(even, nothing), 3, " min: at least 10, or null", " multiple_of: a multiple of 2, or null"],
  [union(long, int), "ab", " min_length: at least 3 characters, or a whole number"],
  [union(email, uuid), "a", " format: an email address, or a UUID"],
  [
    union({ ...long, formats: ["email"] }, uuid),
    "a",
    " format: at least 3 characters and an email address, or a UUID",
  ],
  [union(date, nothing), "now", " format: a date-time such as 2026-11-22T10:30:00Z, or null"],
  [union(union(int, all), nothing), 1.5, " type: a whole number, or one of all, null"],
  [union(int, { kind: "reference", name: "All" }), 1.5, " type: a whole number, or one of all, null"],
  [list(union(int, nothing)), [1, null, 1.5], "/2 type: a whole number, or null"],
  [union(list(int, 1), nothing), [], " min_items: at least 1 item, or null"],
  [union(list(int), nothing), ["a"], "/0 type: a whole number"],
  [object("a", union(int, nothing)), { a: "1" }, "/a type: a whole number, or null"],
  [object("a", union(int, nothing)), {}, "/a required: is missing"],
  [union(object("a", int), text), 1, " type: an object, or a string"],
  [union(object("a", int), nothing), { a: "1" }, "/a type: a whole number"],
  [union(pet, nothing), 1, " type: an object, or null"],
  [union(pet, nothing), { kind: "cow" }, "/kind one_of: one of cat, dog"],
  [union(pet, nothing), {}, "/kind required: is missing"],
  [all, "some", " one_of: exactly all"],
  [{ kind: "never" }, 1, " type: nothing"],
];

for (const [shape, value, ...issues] of CASES) {
  test(`${JSON.stringify(value)} for ${JSON.stringify(shape)}: ${issues.join(" and") || "fits"}`, () => {
    const found = findIssuesOf(value, shape, DEFINITIONS);
    assert.equal(
      found.map(({ pointer, code, message }) => `${pointer} ${code}: ${message}`),
      issues,
    );
  });
}

test.run();
