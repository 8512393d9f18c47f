import { test } from "uvu";
import * as assert from "uvu/assert";
import { processorTime } from "#runtime/processor-time.fixture";
import { groupFields, parseFields, pickField } from "./fields.ts";

const FIELDS = parseFields("tag=a&page=2&tag=b&tag=c&__proto__=x");

test("a name that is there once gives a text, one that repeats gives a list, any other undefined", () => {
  assert.is(pickField(FIELDS, "page"), "2");
  assert.equal(pickField(FIELDS, "tag"), ["a", "b", "c"]);
  assert.is(pickField(FIELDS, "toString"), undefined);
});

test("all fields by name are in an object without a prototype, where every name is one like any other", () => {
  const groups = groupFields(FIELDS);
  assert.is(Object.getPrototypeOf(groups), null);
  assert.equal(Object.entries(groups), [
    ["tag", ["a", "b", "c"]],
    ["page", "2"],
    ["__proto__", "x"],
  ]);
});

test("a question mark at the beginning of a form is a part of the first name", () => {
  assert.is(pickField(parseFields("?a=b"), "?a"), "b");
});

test("reading a megabyte of fields takes a time in proportion to its length", () => {
  for (const text of ["a&", "a=&", "%", "+", "=", "&"]) {
    const long = text.repeat(1_000_000 / text.length);
    const time = processorTime(() => void pickField(parseFields(long), "a"));
    assert.ok(time < 2000, `${text}: ${time} ms`);
  }
});

test.run();
