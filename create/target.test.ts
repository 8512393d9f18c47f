import { test } from "uvu";
import * as assert from "uvu/assert";
import { fc } from "../runtime/fast-check.fixture.ts";
import { findNameProblem, suggestName } from "./target.ts";

const VALID = ["a", "my-shop", "shop2", "2shop", "a.b_c-d", "x".repeat(214), "console-app", "common", "com"];

for (const name of VALID) {
  test(`${name.slice(0, 20)} is a project's name`, () => {
    assert.is(findNameProblem(name), undefined);
  });
}

const REFUSED: readonly [name: string, suggestion: string][] = [
  ["", "my-app"],
  ["My App!!", "my-app"],
  ["MyShop", "my-shop"],
  ["a b", "a-b"],
  [".hidden", "hidden"],
  ["_private", "private"],
  ["-x", "x"],
  ["end.", "end"],
  ["..", "my-app"],
  ["con", "my-con"],
  ["nul.txt", "my-nul.txt"],
  ["COM1", "my-com1"],
  ["fs", "my-fs"],
  ["node_modules", "my-node_modules"],
  ["framework", "my-framework"],
  ["undici", "my-undici"],
  ["🎉", "my-app"],
  ["Café", "cafe"],
  ["a{{b}}", "a-b"],
  ["$(rm -rf x)", "rm-rf-x"],
  ['say "hi"', "say-hi"],
  ["a\nb", "a-b"],
  ["a\u001b[2Jb", "a-2-jb"],
  ["a\\b", "a-b"],
  ["x".repeat(300), "x".repeat(60)],
];

for (const [name, suggestion] of REFUSED) {
  test(`${JSON.stringify(name).slice(0, 30)} is refused, and ${suggestion.slice(0, 20)} is suggested`, () => {
    assert.type(findNameProblem(name), "string");
    assert.is(suggestName(name), suggestion);
  });
}

test("what is suggested is always valid", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 400 }),
      (text) => findNameProblem(suggestName(text)) === undefined,
    ),
  );
});

test.run();
