import { test } from "uvu";
import * as assert from "uvu/assert";
import { fc } from "#runtime/fast-check.fixture";
import { findMarks, mergeTexts } from "./merge.ts";

const BASE = "one\ntwo\nthree\nfour\nfive\nsix\n";

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
    assert.equal(mergeTexts({ yours, base: BASE, theirs }, "0.2.0"), { text: merged, conflicts: [] });
  });
}

test("a text with more changed lines than can be compared is one conflict, with all of both", () => {
  const many = `${"x\n".repeat(3000)}${"y\n".repeat(3000)}`;
  const yours = BASE.replace("two\n", `two\n${many}`);
  const { text, conflicts } = mergeTexts({ yours, base: BASE, theirs: BASE.replace("six", "6") }, "2");
  assert.ok(text.includes(yours));
  assert.equal(conflicts, [1]);
});

test("where both changed the same line, all three texts stand between the usual marks, and its line is told", () => {
  const yours = BASE.replace("three", "mine");
  const theirs = BASE.replace("three", "theirs");
  assert.equal(mergeTexts({ yours, base: BASE, theirs }, "0.2.0"), {
    text: "one\ntwo\n<<<<<<< yours\nmine\n||||||| base\nthree\n=======\ntheirs\n>>>>>>> 0.2.0\nfour\nfive\nsix\n",
    conflicts: [3],
  });
});

test("a file that was added on both sides is one conflict without a base", () => {
  const { text, conflicts } = mergeTexts({ yours: "mine\n", base: "", theirs: "theirs\n" }, "2");
  assert.equal(conflicts, [1]);
  assert.ok(text.startsWith("<<<<<<< yours\nmine\n||||||| base\n=======\ntheirs\n>>>>>>> 2"));
});

test("line ends of Windows are kept in the edited file", () => {
  const yours = BASE.replace("one", "ONE").replaceAll("\n", "\r\n");
  const { text, conflicts } = mergeTexts({ yours, base: BASE, theirs: BASE.replace("six", "6") }, "2");
  assert.equal(conflicts, []);
  assert.is(text, "ONE\r\ntwo\r\nthree\r\nfour\r\nfive\r\n6\r\n");
});

test("of mixed line ends each belongs to its line", () => {
  const { text } = mergeTexts(
    { yours: "one\r\ntwo\nthree\n", base: "one\ntwo\nthree\n", theirs: "one\ntwo\n3\n" },
    "2",
  );
  assert.is(text, "one\r\ntwo\n3\n");
});

test("lines that are names of every object's members are lines like others", () => {
  const base = "constructor\n__proto__\ntoString\n";
  const yours = `${base}hasOwnProperty\n`;
  const theirs = `valueOf\n${base}`;
  assert.equal(mergeTexts({ yours, base, theirs }, "2").text, `valueOf\n${base}hasOwnProperty\n`);
});

test("a conflict is found by its first mark, or by what is left of its marks, at the beginning of a line only, whatever the line ends", () => {
  assert.equal(findMarks("a\n<<<<<<< yours\r\nx\n=======\r\n>>>>>>> 2\n"), [2]);
  assert.equal(findMarks("a\nb\n=======\nc\n>>>>>>> 2\n"), [3]);
  assert.equal(findMarks("a\n=======\n<<<<<<< yours\n", "=======\r\n"), [3]);
  assert.equal(findMarks('const marks = "<<<<<<< yours";\n========\n<<<<<<<<\n// =======\n'), []);
});

/** What one side does to each line of the base: leaves it, takes it out, or writes another one in its place or below it. */
const deeds = (length: number): fc.Arbitrary<string[]> =>
  fc.array(fc.constantFrom("leave", "leave", "leave", "remove", "replace", "insert"), {
    minLength: length,
    maxLength: length,
  });

const histories = fc
  .integer({ min: 0, max: 40 })
  .chain((length) =>
    fc.record({ ours: deeds(length), next: deeds(length), eol: fc.constantFrom("\n", "\r\n") }),
  );

function act(whose: string, all: readonly string[]): string[] {
  return all.flatMap((deed, at) => {
    if (deed === "remove") return [];
    if (deed === "replace") return [`${whose} ${at}`];
    return deed === "insert" ? [`base ${at}`, `${whose} ${at}`] : [`base ${at}`];
  });
}

test("no line that either side wrote is lost, and none comes back that one took out and the other left alone", () => {
  fc.assert(
    fc.property(histories, ({ ours, next, eol }) => {
      const [yours, theirs] = [act("yours", ours), act("theirs", next)];
      const base = ours.map((_, at) => `base ${at}`).join("\n");
      const merged = mergeTexts({ yours: yours.join(eol), base, theirs: theirs.join("\n") }, "2");
      const lines = merged.text.split(yours.length > 1 ? eol : "\n");
      for (const one of [...yours, ...theirs].filter((text) => !text.startsWith("base")))
        assert.ok(lines.includes(one), one);
      const agreed = lines.join("\n").replace(/^<{7} yours\n.*?^>{7} 2$/gms, "");
      ours.forEach((deed, at) => {
        const isGone = [deed, next[at]].some((one) => one === "remove" || one === "replace");
        const found = new RegExp(`^base ${at}$`, "m");
        if (isGone) assert.not.match(agreed, found);
        else assert.match(lines.join("\n"), found);
      });
    }),
    { numRuns: 3000 },
  );
});

const texts = fc
  .array(fc.constantFrom("a", "b", "c", "", "}", "constructor"), { maxLength: 30 })
  .map((lines) => lines.join("\n"));

test("a side that did nothing has no say, and what both did alike is done once", () => {
  fc.assert(
    fc.property(texts, texts, (base, edited) => {
      const merged = { text: edited, conflicts: [] };
      assert.equal(mergeTexts({ yours: edited, base, theirs: base }, "2"), merged);
      assert.equal(mergeTexts({ yours: base, base, theirs: edited }, "2"), merged);
      assert.equal(mergeTexts({ yours: edited, base, theirs: edited }, "2"), merged);
    }),
    { numRuns: 2000 },
  );
});

test.run();
