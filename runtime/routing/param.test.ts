import { test } from "uvu";
import * as assert from "uvu/assert";
import { int, str } from "./param.ts";

const CASES: [string, number | undefined][] = [
  ["0", 0],
  ["7", 7],
  ["007", 7],
  ["9007199254740991", 2 ** 53 - 1],
  ["9007199254740992", undefined],
  ["9007199254740993", undefined],
  [`${"0".repeat(400)}9007199254740991`, 2 ** 53 - 1],
  ["9".repeat(400), undefined],
  ["", undefined],
  ["-1", undefined],
  ["+1", undefined],
  ["1.0", undefined],
  ["1e3", undefined],
  ["0x10", undefined],
  [" 1", undefined],
  ["1\n", undefined],
  ["٣", undefined],
  ["１", undefined],
];

for (const [text, expected] of CASES) {
  test(`int casts ${JSON.stringify(text.slice(-24))} to ${expected}`, () => assert.is(int(text), expected));
}

test("str takes any text but the empty one", () => {
  assert.is(str("007"), "007");
  assert.is(str(""), undefined);
});

test.run();
