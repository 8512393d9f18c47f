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

const REFUSED: readonly (readonly [words: readonly string[], message: string, hint: string])[] = [
  [["nosuch"], "No test file has `nosuch` in its path.", "It is a part of a path, such as `users`."],
  [["items", "usres"], "No test file has `usres` in its path.", "Did you mean `users`?"],
  [["^items$"], "No test file has `^items$` in its path.", "Did you mean `items`?"],
  [
    ["tests/item.test.ts"],
    "No test file has `tests/item.test.ts` in its path.",
    "Did you mean `tests/items.test.ts`?",
  ],
];

test("a word that chooses no file is refused, with the nearest name", () => {
  for (const [words, message, hint] of REFUSED)
    assert.throws(
      () => chooseTests("/shop", FILES, words),
      (error: { message: string; hint: string }) => error.message === message && error.hint === hint,
      JSON.stringify(words),
    );
});

test.run();
