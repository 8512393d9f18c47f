import { test } from "uvu";
import * as assert from "uvu/assert";
import { createRandom, runs, SEED } from "../../random.fixture.ts";
import { createIlike } from "./ilike.ts";

const ilike = createIlike();

const CASES: readonly [pattern: string, text: string, isFound: boolean][] = [
  ["", "", true],
  ["", "a", false],
  ["%", "", true],
  ["%%", "any", true],
  ["ÄRGER", "ärger", true],
  ["ärger", "Ärgernis", false],
  ["ärger%", "Ärgernis", true],
  ["%nis", "Ärgernis", true],
  ["%ni", "Ärgernis", false],
  ["%gern%", "Ärgernis", true],
  ["ä%s%s", "ähs", false],
  ["ä%s%s", "ähs und äs", true],
  ["_rger", "Ärger", true],
  ["_", "😀", true],
  ["__", "😀", false],
  ["%_", "", false],
  ["%_é", "éé", true],
  ["%_é", "é", false],
  ["é_é", "ÉxÉ", true],
  ["%é_é%", "ééxé", true],
  ["100\\%", "100%", true],
  ["100\\%", "100 é", false],
  ["\\_", "_", true],
  ["\\_", "é", false],
  ["\\\\", "\\", true],
  ["é\\", "é\\", true],
  ["%(é+)*$%", "a(é+)*$b", true],
  ["%aé%aé", "aé", false],
  ["é%é", "é", false],
  ["%\n%", "é\né", true],
];

test("ilike finds what it finds in Postgres", () => {
  for (const [pattern, text, isFound] of CASES)
    assert.is(
      ilike(pattern, text),
      isFound ? 1 : 0,
      `${JSON.stringify(text)} ilike ${JSON.stringify(pattern)}`,
    );
  assert.is(ilike("é", null), null);
  assert.is(ilike(null, "é"), null);
});

test("ilike takes a pattern of any length", () => {
  const long = "é".repeat(500_000);
  assert.is(ilike(`%${long}%`, `a${long}b`), 1);
  assert.is(ilike(`%${long}_%`, long), 0);
  assert.is(ilike("_".repeat(100_000), "é".repeat(100_000)), 1);
});

test("ilike agrees with a regular expression on random patterns", () => {
  const random = createRandom(SEED);
  const pick = (from: string, length: number): string =>
    Array.from({ length }, () => from[random(from.length)]).join("");
  for (let round = runs(1_000, 20_000); round > 0; round--) {
    const pattern = pick("éÉa%%_", random(7));
    const text = pick("éÉa", random(8));
    const source = pattern.replaceAll("%", ".*").replaceAll("_", ".");
    const expected = new RegExp(`^${source}$`, "iu").test(text);
    assert.is(ilike(pattern, text), expected ? 1 : 0, `${text} ilike ${pattern}`);
  }
});

test.run();
