import { test } from "uvu";
import * as assert from "uvu/assert";
import { createRefusal } from "./error.ts";

test("a refusal says what is known of its place", () => {
  const [table, columns] = ["books", ["shop", "isbn"]];
  assert.is(
    createRefusal("unique", { table, columns }).message,
    "Another row of books has the same shop and isbn.",
  );
  assert.is(createRefusal("unique", {}).message, "Another row has the same value.");
  assert.is(
    createRefusal("missing_reference", { table, columns: ["author_id"] }).message,
    "The row that author_id of books refers to does not exist.",
  );
  assert.is(
    createRefusal("missing_reference", {}).message,
    "The row that a column refers to does not exist.",
  );
  assert.is(
    createRefusal("not_null", { table, columns: ["title"] }).message,
    "title of books needs a value.",
  );
  assert.is(createRefusal("check", { table }).message, "A check of books refuses the row.");
});

test("it has no columns where none are known", () => {
  const error = createRefusal("conflict", {});
  assert.equal([error.kind, error.table, error.columns, error.cause], ["conflict", undefined, [], undefined]);
});

test.run();
