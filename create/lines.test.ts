import { test } from "uvu";
import * as assert from "uvu/assert";
import { fc } from "../runtime/fast-check.fixture.ts";
import { breakLines } from "./lines.ts";

const CASES: readonly [text: string, width: number, lines: readonly string[]][] = [
  ["", 10, [""]],
  ["one two three", 7, ["one two", "three"]],
  ["one two three", 6, ["one", "two", "three"]],
  ["a verylongword b", 5, ["a", "verylongword", "b"]],
  ["never broken", Number.POSITIVE_INFINITY, ["never broken"]],
];

for (const [text, width, lines] of CASES) {
  test(`"${text}" in ${width} columns`, () => assert.equal(breakLines(text, width), lines));
}

test("no word is lost, and only a word by itself is wider", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom("a", "b") })), fc.nat(20), (words, width) => {
      const lines = breakLines(words.join(" "), width);
      const isWhole = lines.join(" ") === words.join(" ");
      return isWhole && lines.every((line) => line.length <= width || !line.trim().includes(" "));
    }),
  );
});

test.run();
