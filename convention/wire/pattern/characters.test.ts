import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Characters, CLASSES, complement, DOT, divide, property, union } from "./characters.ts";

/** Tests both ends of each range and their neighbours. */
function edgesOf(set: Characters): number[] {
  return set.flatMap(([first, last]) => [first - 1, first, last, last + 1]);
}

function has(set: Characters, character: number): boolean {
  return set.some(([first, last]) => first <= character && character <= last);
}

const SETS: readonly (readonly [source: string, set: Characters])[] = [
  ...Object.entries(CLASSES).map(([letter, set]) => [`\\${letter}`, set] as const),
  [".", DOT],
  ...["\\p{L}", "\\p{Lu}", "\\p{Script=Greek}", "\\p{Cs}", "\\p{Any}"].map(
    (source) => [source, property(source)] as const,
  ),
  ["\\P{L}", complement(property("\\p{L}"))],
];

for (const [source, set] of SETS) {
  test(`${source} has the characters that the engine gives it`, () => {
    const engine = new RegExp(`^${source}$`, "u");
    const characters = [...edgesOf(set), ...Array.from({ length: 0x3100 }, (_, index) => index)];
    for (const character of characters.filter((each) => each >= 0 && each <= 0x10ffff)) {
      assert.is(has(set, character), engine.test(String.fromCodePoint(character)), character.toString(16));
    }
  });
}

test("ranges that touch are one", () => {
  assert.equal(union([[[5, 9]], [[1, 2]], [[3, 4]], [[20, 20]]]), [
    [1, 9],
    [20, 20],
  ]);
  assert.equal(complement([]), [[0, 0x10ffff]]);
  assert.equal(complement([[0, 0x10ffff]]), []);
});

test("atoms divide the sets, each with a readable example", () => {
  const atoms = divide([[[0x00, 0x7f]], [[0x61, 0x63]], []]);
  assert.equal(
    atoms.map(({ example, sets }) => [String.fromCodePoint(example), sets]),
    [
      ["d", [0]],
      ["a", [0, 1]],
    ],
  );
});

test.run();
