import { test } from "uvu";
import * as assert from "uvu/assert";
import { processorTime } from "#runtime/processor-time.fixture";
import { isUnique } from "./checks.ts";

const UNIQUE: readonly (readonly [items: string, answer: boolean])[] = [
  ["[]", true],
  ["[1, 2]", true],
  ["[1, 1]", false],
  ['[1, "1"]', true],
  ['["[1]", [1]]', true],
  ["[null, [null]]", true],
  ["[[1, 2], [2, 1]]", true],
  ["[[1, 2], [1, 2]]", false],
  ["[[12], [1, 2]]", true],
  ['[{"a": 1, "b": 2}, {"b": 2, "a": 1}]', false],
  ['[{"a": 1, "b": 2}, {"a": 2, "b": 1}]', true],
  ['[{"a": {"b": [1], "c": 2}}, {"a": {"c": 2, "b": [1]}}]', false],
  ['[{"a,b": 1}, {"a": 1, "b": 1}]', true],
  ["[{}, []]", true],
];

for (const [items, answer] of UNIQUE)
  test(`${items} has ${answer ? "no" : "two"} equal items`, () => {
    assert.is(isUnique(JSON.parse(items)), answer);
  });

test("dates are equal by their time, and no two files are equal", () => {
  const time = "2026-11-22T10:00:00Z";
  assert.not(isUnique([new Date(time), new Date(time)]));
  assert.ok(isUnique([new Date(time), new Date(0)]));
  assert.ok(isUnique([{ at: new Date(time) }, { at: new Date(0) }]));
  assert.ok(isUnique([[new Date(0)], [0]]));
  assert.ok(isUnique([new File(["a"], "a"), new File(["b"], "b")]));
});

test("a long text below many levels is compared in the time that reading it takes", () => {
  const deep = `[1,${'{"a":1,"b":'.repeat(900)}"${"x".repeat(1_000_000)}"${"}".repeat(900)}]`;
  const items: unknown[] = JSON.parse(deep);
  const time = processorTime(() => assert.ok(isUnique(items)));
  assert.ok(time < 500, `${time} ms`);
});

test.run();
