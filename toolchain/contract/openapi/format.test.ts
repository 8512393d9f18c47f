import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { createRandom, pick, type Random, SEED } from "#runtime/random.fixture";
import { formatJsonDocument, formatYaml } from "./format.ts";

test("JSON has two spaces and ends with a line feed", () => {
  assert.is(formatJsonDocument({ a: { b: [1] } }), '{\n  "a": {\n    "b": [\n      1\n    ]\n  }\n}\n');
});

const CASES: readonly (readonly [title: string, value: unknown, yaml: string])[] = [
  ["words are plain", "Not Found", "a: Not Found"],
  ["a path is plain, with its params", { "/users/{id}": 1 }, "a:\n  /users/{id}: 1"],
  ["a reference is quoted", { $ref: "#/components" }, 'a:\n  $ref: "#/components"'],
  [
    "what YAML takes for a boolean is quoted",
    ["yes", "No", "on", "y", "e1"],
    'a:\n  - "yes"\n  - "No"\n  - "on"\n  - "y"\n  - "e1"',
  ],
  [
    "what it takes for a number is quoted",
    ["200", "1e3", "0x1", ".5"],
    'a:\n  - "200"\n  - "1e3"\n  - "0x1"\n  - ".5"',
  ],
  ["a date is quoted", "2026-11-23", 'a: "2026-11-23"'],
  [
    "what it takes for its own signs is quoted",
    ["*a", "&a", "!a", "%a", "@a", "`a", "- a", "? a"],
    'a:\n  - "*a"\n  - "&a"\n  - "!a"\n  - "%a"\n  - "@a"\n  - "`a"\n  - "- a"\n  - "? a"',
  ],
  ["a colon and a hash are quoted", ["a: b", "a #b", "a:"], 'a:\n  - "a: b"\n  - "a #b"\n  - "a:"'],
  ["no text is quoted", "", 'a: ""'],
  ["spaces at an end are quoted", [" a", "a "], 'a:\n  - " a"\n  - "a "'],
  ["several lines are quoted", "one\ntwo\n", 'a: "one\\ntwo\\n"'],
  ["Unicode's line separators are escaped", "a\u2028b\u0085c", 'a: "a\\u2028b\\u0085c"'],
  ["a character of two halves is one escape", "\u{e0001}", 'a: "\\U000e0001"'],
  ["other letters are plain", "Größe 中文", "a: Größe 中文"],
  ["a large number has a dot", 1e21, "a: 1.0e+21"],
  ["empty ones stay in the line", { b: [], c: {} }, "a:\n  b: []\n  c: {}"],
  [
    "an object in an array begins in the line of its dash",
    [{ b: 1, c: [2] }],
    "a:\n  - b: 1\n    c:\n      - 2",
  ],
  ["an array in an array", [[1, 2], []], "a:\n  - - 1\n    - 2\n  - []"],
];

for (const [title, value, yaml] of CASES) {
  test(`YAML: ${title}`, () => {
    assert.is(formatYaml({ a: value }), `${yaml}\n`);
    assert.equal(parse(yaml), { a: value });
  });
}

test("YAML: random documents are read as they were, by 1.2 and by 1.1", () => {
  const random = createRandom(SEED);
  for (let at = 0; at < 2000; at++) {
    const document = { a: randomValue(random, 4) };
    const yaml = formatYaml(document);
    assert.equal(parse(yaml), document, yaml);
    assert.equal(parse(yaml, { version: "1.1" }), document, yaml);
  }
});

/** Each character of the first text, and the others whole. */
const PIECES = [
  ...Array.from("aBü中😀 \t\r\n:#-|>*&!%@`'\"\\{}[],~=01.e+_\u2028\u0085\u00a0\ufeff\x00\x7f\u{e0001}"),
  ...["  ", "\n\n", ": ", " #", "- ", "? ", "<<", "true", "yes", "null", "2026-01-01", "12:30:00"],
  ...["\\ud83d", "---", "..."],
];

function randomText(random: Random): string {
  return Array.from({ length: random(6) }, () => pick(random, PIECES)).join("");
}

function randomValue(random: Random, depth: number): unknown {
  const kind = random(depth > 0 ? 7 : 4);
  if (kind === 0) return pick(random, [null, true, false, 0, -1, 1.5, 1e21, 1e-7, 2 ** 53]);
  if (kind < 4) return randomText(random);
  if (kind === 4) return Array.from({ length: random(4) }, () => randomValue(random, depth - 1));
  return Object.fromEntries(
    Array.from({ length: random(4) }, () => [
      `${pick(random, ["", random(100)])}${randomText(random)}`,
      randomValue(random, depth - 1),
    ]),
  );
}

test.run();
