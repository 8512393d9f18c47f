import { stripVTControlCharacters } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FLAGS } from "./flags.ts";
import { formatHelp } from "./help.ts";

test("no line of the help is wider than a terminal of 80 columns", () => {
  const wide = stripVTControlCharacters(formatHelp())
    .split("\n")
    .filter((line) => line.length > 79);
  assert.equal(wide, []);
});

test("the help names every flag", () => {
  for (const { name, short } of FLAGS) {
    assert.match(formatHelp(), new RegExp(`${short ? `-${short}, ` : ""}--(?:\\[no-\\])?${name} `));
  }
});

test.run();
