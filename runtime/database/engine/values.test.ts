import { test } from "uvu";
import * as assert from "uvu/assert";
import { toParameter as toPostgres } from "../postgres/values.ts";
import { toParameter as toSqlite } from "../sqlite/values.ts";
import { DatabaseError } from "./error.ts";

test("what one engine can't store as it is, both refuse", () => {
  for (const toParameter of [toPostgres, toSqlite])
    for (const value of [
      "a\0b",
      "\ud83d",
      Number.NaN,
      new Date(Number.NaN),
      new Date(8.64e15),
      new Date(-1e15),
    ])
      assert.throws(
        () => toParameter(value),
        (error: unknown) => error instanceof DatabaseError && error.kind === "bad_value",
      );
});

test.run();
