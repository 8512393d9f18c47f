import { test } from "uvu";
import * as assert from "uvu/assert";
import { reportPattern } from "./report.ts";

const LOCATION = { file: "apps/users/views.ts", line: 3, column: 10 };

const CASES: readonly (readonly [source: string, code: string, message: string, hint: string])[] = [
  [
    "a(",
    "FW370",
    "The pattern `a(` is not a regular expression: Unterminated group.",
    "It has the flag `u`: escape only what has a meaning, and double each backslash in the type.",
  ],
  [
    "^(a+)+$",
    "FW371",
    'A long text like "aaaaaaaaa" can keep the pattern\'s `(a+)+` busy without bound.',
    "Let each text fit in one way: `^a+$` instead of `^(a+)+$`.",
  ],
  [
    "\\s+$",
    "FW371",
    `A long text like "${" ".repeat(30)}…" can keep the pattern's \`\\s+\` busy without bound.`,
    "Begin it with `^`, so that it is tried at one place only. Or add `MaxLength<399>`, or less.",
  ],
  [
    "^(['\"]).*\\1$",
    "FW370",
    "The pattern can't be checked for backtracking: it has a backreference, `\\1`.",
    "Write it without, or check the value in the handler.",
  ],
];

for (const [source, code, message, hint] of CASES) {
  test(`/${source}/ is ${code}`, () => {
    const diagnostic = reportPattern(source, undefined, LOCATION);
    assert.equal(diagnostic, { code, severity: "error", message, hint, locations: [LOCATION] });
  });
}

test("a pattern that is fast up to the MaxLength is not reported", () => {
  assert.is(reportPattern("\\s+$", 399, LOCATION), undefined);
  assert.is(reportPattern("\\s+$", 400, LOCATION)?.code, "FW371");
});

test("a long part is cut", () => {
  const { message } = reportPattern(`^(?:${"[a-z]*".repeat(30)})*$`, undefined, LOCATION) ?? { message: "" };
  assert.ok(message.length < 160, message);
});

test.run();
