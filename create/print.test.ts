import { stripVTControlCharacters } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { fc } from "../runtime/fast-check.fixture.ts";
import { breakLines, formatOutcome, formatRefusal, type Outcome } from "./print.ts";

const DIRECTORIES: readonly [typed: string, shown: string | undefined][] = [
  ["shop", "shop"],
  ["shop/", "shop"],
  ["./shop", "shop"],
  ["two/../three", "three"],
  ["two//three", "two/three"],
  ["./-x/shop", "./-x/shop"],
  ["my folder/../my shops/shop", "'my shops/shop'"],
  [".", undefined],
  ["./", undefined],
  ["two/..", undefined],
];

for (const [typed, shown] of DIRECTORIES) {
  test(`after ${typed}: ${shown === undefined ? "no cd, since the project is here" : `cd ${shown}`}`, () => {
    if (process.platform === "win32") return;
    const text = stripVTControlCharacters(print(typed));
    assert.is(/^ {2}cd (.*)$/m.exec(text)?.[1], shown);
    assert.match(text, `npm create convention-app@latest ${shown ?? "."} -- --yes`);
  });
}

for (const columns of [40, 60, 80, 120]) {
  test(`in ${columns} columns only the command to be copied may be wider`, () => {
    const outcome = {
      ...toOutcome("shop"),
      git: "unidentified",
      installation: { failure: "npm ended with status 1" },
    };
    const text = stripVTControlCharacters(formatOutcome(outcome as Outcome, columns));
    const wide = text.split("\n").filter((line) => line.length > columns && !line.startsWith("  npm create"));
    assert.equal(wide, []);
    const refusal = formatRefusal(
      { problem: "my-shop is not empty: it has notes.txt", hint: "Choose another name, or empty it first." },
      { color: false, columns },
    );
    assert.equal(
      refusal.split("\n").filter((line) => line.length > columns),
      [],
    );
  });
}

function print(directory: string): string {
  return formatOutcome(toOutcome(directory), Number.POSITIVE_INFINITY);
}

function toOutcome(directory: string): Outcome {
  return {
    name: "shop",
    directory: "/srv/shop",
    met: undefined,
    files: 1,
    choices: {
      directory,
      apps: ["products", "users"],
      bare: false,
      database: undefined,
      pm: "npm",
      install: false,
      git: true,
      description: undefined,
      author: undefined,
      license: undefined,
    },
    runner: "npm",
    git: "committed",
    installation: undefined,
  };
}

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
