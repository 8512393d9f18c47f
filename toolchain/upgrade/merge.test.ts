import { test } from "uvu";
import * as assert from "uvu/assert";
import { findMarks, mergeTexts } from "./merge.ts";

const BASE = "one\ntwo\nthree\nfour\nfive\nsix\n";

function merge(yours: string, theirs: string, base = BASE): string | undefined {
  const [mine, original, newer] = [yours, base, theirs].map((text) => Buffer.from(text));
  if (mine === undefined || original === undefined || newer === undefined) return undefined;
  const merged = mergeTexts({ yours: mine, base: original, theirs: newer }, "0.2.0");
  return "why" in merged ? merged.why : merged.toString();
}

const CASES: readonly (readonly [what: string, yours: string, theirs: string, merged: string])[] = [
  [
    "your line and theirs, apart",
    "ONE\ntwo\nthree\nfour\nfive\nsix\n",
    "one\ntwo\nthree\nfour\nfive\n",
    "ONE\ntwo\nthree\nfour\nfive\n",
  ],
  [
    "a line that you added and one that they took out",
    `${BASE}seven\n`,
    "two\nthree\nfour\nfive\nsix\n",
    "two\nthree\nfour\nfive\nsix\nseven\n",
  ],
  [
    "the same change on both sides",
    "ONE\ntwo\nthree\nfour\nfive\nsix\n",
    "ONE\ntwo\nthree\nfour\nfive\nsix\n",
    "ONE\ntwo\nthree\nfour\nfive\nsix\n",
  ],
  ["no edit of yours", BASE, "two\n", "two\n"],
  ["no change of theirs", "two\n", BASE, "two\n"],
  [
    "an end without a line end",
    "one\ntwo\nthree\nfour\nfive\nsix",
    "1\ntwo\nthree\nfour\nfive\nsix\n",
    "1\ntwo\nthree\nfour\nfive\nsix",
  ],
];

for (const [what, yours, theirs, merged] of CASES) {
  test(`merges without a conflict: ${what}`, () => {
    const text = merge(yours, theirs);
    assert.is(text, merged);
    assert.equal(findMarks(text ?? ""), []);
  });
}

test("where both changed the same line, all three texts are between the usual marks, and its line is found", () => {
  const text = merge(BASE.replace("three", "mine"), BASE.replace("three", "theirs"));
  const wanted =
    "one\ntwo\n<<<<<<< yours\nmine\n||||||| base\nthree\n=======\ntheirs\n>>>>>>> 0.2.0\nfour\nfive\nsix\n";
  assert.is(text, wanted);
  assert.equal(findMarks(wanted), [3]);
});

test("line ends of Windows are kept in the edited file, and every byte that is not UTF-8", () => {
  const text = merge(BASE.replace("one", "ÖNE").replaceAll("\n", "\r\n"), BASE.replace("six", "6"));
  assert.is(text, "ÖNE\r\ntwo\r\nthree\r\nfour\r\nfive\r\n6\r\n");
  const yours = Buffer.concat([Buffer.of(0xff), Buffer.from(BASE)]);
  const merged = mergeTexts({ yours, base: Buffer.from(BASE), theirs: Buffer.from(`${BASE}7\n`) }, "2");
  assert.equal(merged, Buffer.concat([yours, Buffer.from("7\n")]));
});

test("a binary file is not merged, nor is any without git, and it is told why", () => {
  assert.is(merge("one\0\n", "two\n"), "git could not merge it.");
  const { PATH } = process.env;
  process.env.PATH = "/nowhere";
  try {
    assert.is(
      merge("1\n", "2\n"),
      "there is no git on this machine. Install git, and run the upgrade again.",
    );
  } finally {
    process.env.PATH = PATH;
  }
});

test("a conflict is found by its first mark, or by what is left of its marks, at the beginning of a line only, whatever the line ends", () => {
  assert.equal(findMarks("a\n<<<<<<< yours\r\nx\n=======\r\n>>>>>>> 2\n"), [2]);
  assert.equal(findMarks("a\nb\n=======\nc\n>>>>>>> 2\n"), [3]);
  assert.equal(findMarks("a\n=======\n<<<<<<< yours\n", "=======\r\n"), [3]);
  assert.equal(findMarks('const marks = "<<<<<<< yours";\n========\n<<<<<<<<\n// =======\n'), []);
});

test.run();
