import { test } from "uvu";
import * as assert from "uvu/assert";
import { int, str } from "./param.ts";

const NUMBERS: readonly [text: string, value: number][] = [
  ["0", 0],
  ["7", 7],
  ["007", 7],
  ["9007199254740991", 2 ** 53 - 1],
  [`${"0".repeat(400)}9007199254740991`, 2 ** 53 - 1],
];
const OTHERS = ["", "-1", "+1", "1.0", "1e3", "0x10", " 1", "1\n", "٣", "１"];
const TOO_LARGE = ["9007199254740992", "9007199254740993", "9".repeat(400)];

test("int casts digits to a number", () => {
  for (const [text, value] of NUMBERS) assert.is(int(text), value, text);
});

test("int casts nothing else, and nothing that a number can't hold", () => {
  for (const text of [...OTHERS, ...TOO_LARGE]) assert.is(int(text), undefined, text);
});

test("str takes any text but the empty one", () => {
  assert.equal([str("007"), str("")], ["007", undefined]);
});

test.run();
