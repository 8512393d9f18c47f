import { suite } from "uvu";
import * as assert from "uvu/assert";
import { chooseTests } from "./chosen-tests.ts";

const FILES = ["tests/app.test.ts", "tests/items.test.ts", "tests/shop/[id].test.ts", "tests/users.test.ts"];

const test = suite("chosen tests");

const CHOSEN: readonly (readonly [words: readonly string[], chosen: readonly string[]])[] = [
  [[], FILES],
  [["items"], ["tests/items.test.ts"]],
  [
    ["users", "items"],
    ["tests/items.test.ts", "tests/users.test.ts"],
  ],
  [["ITEMS"], ["tests/items.test.ts"]],
  [["tests/items.test.ts"], ["tests/items.test.ts"]],
  [["./tests/items.test.ts"], ["tests/items.test.ts"]],
  [[".\\tests\\items.test.ts"], ["tests/items.test.ts"]],
  [["/shop/tests/items.test.ts"], ["tests/items.test.ts"]],
  [["shop/"], ["tests/shop/[id].test.ts"]],
  [["["], ["tests/shop/[id].test.ts"]],
  [["tests"], FILES],
];

test("a file is chosen if any word is part of its path", () => {
  for (const [words, chosen] of CHOSEN)
    assert.equal(chooseTests("/shop", FILES, words), chosen, JSON.stringify(words));
});

const REFUSED: readonly (readonly [
  files: readonly string[],
  words: readonly string[],
  message: string,
  hint: string,
])[] = [
  [
    FILES,
    ["nosuch"],
    "No test file has `nosuch` in its path.",
    "There are tests/app.test.ts, tests/items.test.ts, tests/shop/[id].test.ts and tests/users.test.ts.",
  ],
  [FILES, ["items", "usres"], "No test file has `usres` in its path.", "Did you mean `users`?"],
  [FILES, ["^items$"], "No test file has `^items$` in its path.", "Did you mean `items`?"],
  [
    FILES,
    ["tests/item.test.ts"],
    "No test file has `tests/item.test.ts` in its path.",
    "Did you mean `tests/items.test.ts`?",
  ],
  [
    ["tests/app.test.ts"],
    ["nosuch"],
    "No test file has `nosuch` in its path.",
    "There is tests/app.test.ts.",
  ],
  [[], ["items"], "No test file has `items` in its path.", "There are no test files."],
  [
    Array.from({ length: 12 }, (_, index) => `tests/${index}.test.ts`),
    ["nosuch"],
    "No test file has `nosuch` in its path.",
    "There are tests/0.test.ts, tests/1.test.ts, tests/2.test.ts, tests/3.test.ts, tests/4.test.ts, tests/5.test.ts, tests/6.test.ts, tests/7.test.ts and 4 more.",
  ],
];

test("a word that chooses no file is refused, with the nearest name or those that there are", () => {
  for (const [files, words, message, hint] of REFUSED)
    assert.throws(
      () => chooseTests("/shop", files, words),
      (error: { message: string; hint: string }) => error.message === message && error.hint === hint,
      JSON.stringify(words),
    );
});

test.run();
