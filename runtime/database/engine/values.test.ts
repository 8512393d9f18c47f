import { test } from "uvu";
import * as assert from "uvu/assert";
import { toParameter as toPostgres } from "../postgres/values.ts";
import { toParameter as toSqlite } from "../sqlite/values.ts";
import { DatabaseError } from "./error.ts";
import { toTime } from "./values.ts";

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

test("a time of a query has one form, whatever its zone and digits", () => {
  const cases: readonly [given: unknown, digits: number, time: unknown][] = [
    ["2030-03-10T02:30:00Z", 3, "2030-03-10T02:30:00.000Z"],
    ["2030-03-10T02:30:00.5Z", 3, "2030-03-10T02:30:00.500Z"],
    ["2030-03-10T04:30:00+05:00", 3, "2030-03-09T23:30:00.000Z"],
    ["2030-03-10 04:30-0530", 3, "2030-03-10T10:00:00.000Z"],
    ["2030-03-10t02:30:00z", 3, "2030-03-10T02:30:00.000Z"],
    ["2030-03-10T02:30:00.123456Z", 3, "2030-03-10T02:30:00.123Z"],
    ["2030-03-10T02:30:00.123456Z", 6, "2030-03-10T02:30:00.123456Z"],
    ["2030-03-10T02:30:00.123400Z", 6, "2030-03-10T02:30:00.1234Z"],
    [null, 3, null],
    [5, 3, 5],
  ];
  for (const [given, digits, time] of cases) assert.is(toTime(given, digits), time, String(given));
});

test("a text without a zone, or of a day that does not exist, is not a time", () => {
  for (const text of [
    "2030-03-10T02:30:00",
    "2030-03-10",
    "now",
    "",
    "2030-02-30T00:00:00Z",
    "2030-03-10T24:30:00Z",
  ])
    assert.throws(
      () => toTime(text, 3),
      (error: unknown) => error instanceof DatabaseError && error.kind === "bad_value",
      text,
    );
});

test.run();
