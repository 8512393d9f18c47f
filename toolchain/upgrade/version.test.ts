import { test } from "uvu";
import * as assert from "uvu/assert";
import { compareVersions } from "./version.ts";

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

test.run();
