import { test } from "uvu";
import * as assert from "uvu/assert";
import { compareVersions, isInRange } from "./version.ts";

/** Semantic Versioning 2.0, section 11, and some more, from the oldest to the newest. */
const ASCENDING = [
  "0.1.0",
  "0.9.0",
  "0.10.0",
  "1.0.0-alpha",
  "1.0.0-alpha.1",
  "1.0.0-alpha.beta",
  "1.0.0-beta",
  "1.0.0-beta.2",
  "1.0.0-beta.11",
  "1.0.0-rc.1",
  "1.0.0",
  "1.0.1",
  "2.0.0",
];

test("versions are ordered as Semantic Versioning has it", () => {
  for (const [index, one] of ASCENDING.entries()) {
    for (const [otherIndex, other] of ASCENDING.entries()) {
      assert.is(Math.sign(compareVersions(one, other)), Math.sign(index - otherIndex), `${one}, ${other}`);
    }
  }
});

test("what tells builds of one version apart does not count", () => {
  assert.is(compareVersions("1.0.0+a", "1.0.0+b"), 0);
  assert.is(compareVersions("1.0.0-rc.1+a", "1.0.0-rc.1"), 0);
});

const RANGES: readonly (readonly [range: string, inside: string, outside: string])[] = [
  [">=20.19", "20.19.0, 22.0.0, 100.1.2", "20.18.9, 18.20.8"],
  [">= 22", "22.0.0, 26.1.0", "21.9.9"],
  ["^20.19.0 || >=22.13.0", "20.19.4, 22.13.0, 24.0.0", "20.18.0, 21.0.0, 22.12.9"],
  [">=20 <25", "20.0.0, 24.9.9", "19.9.9, 25.0.0"],
  ["22", "22.0.0, 22.9.1", "21.0.0, 23.0.0"],
  ["22.x", "22.4.0", "23.0.0"],
  ["~22.3.1", "22.3.1, 22.3.9", "22.3.0, 22.4.0"],
  ["=22.3.1", "22.3.1", "22.3.2"],
  [">22", "23.0.0", "22.9.9"],
  ["<=22", "22.9.9, 20.0.0", "23.0.0"],
  ["*", "1.0.0", ""],
  ["", "1.0.0", ""],
];
for (const [range, inside, outside] of RANGES) {
  test(`the range ${JSON.stringify(range)} has ${inside} and not ${outside || "nothing"}`, () => {
    for (const version of inside.split(", ")) assert.is(isInRange(version, range), true, version);
    for (const version of outside.split(", ").filter(Boolean))
      assert.is(isInRange(version, range), false, version);
  });
}

test("of a range in another form nothing is known", () => {
  for (const range of ["18 - 22", "lts/*", ">=22.0.0-rc.1", "latest || 22"])
    assert.is(isInRange("22.0.0", range), undefined, range);
});

test.run();
