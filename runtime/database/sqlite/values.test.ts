import { test } from "uvu";
import * as assert from "uvu/assert";
import { converterOf, toNumber, toParameter } from "./values.ts";

test("a value is bound as SQLite has it", () => {
  const cases: readonly [value: unknown, bound: unknown][] = [
    [true, 1n],
    [false, 0n],
    [5, 5n],
    [-5, -5n],
    [5.5, 5.5],
    [2 ** 53, 2 ** 53],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    [5n, 5n],
    ["text", "text"],
    ["", ""],
    [null, null],
    [undefined, null],
    [new Date("2026-11-23T12:00:00.123Z"), "2026-11-23T12:00:00.123Z"],
    [{ a: [1] }, '{"a":[1]}'],
    [[1, "b"], '[1,"b"]'],
  ];
  for (const [value, bound] of cases) assert.equal(toParameter(value), bound);
  const bytes = new Uint8Array([1, 2]);
  assert.is(toParameter(bytes), bytes);
});

test("the declared type says what a stored value means", () => {
  const cases: readonly [type: string | null, stored: unknown, value: unknown][] = [
    ["boolean", 1, true],
    ["BOOLEAN", 0, false],
    ["boolean", null, null],
    ["boolean", 1n, true],
    ["timestamptz", "2026-11-23 12:00:00", "2026-11-23T12:00:00.000Z"],
    ["timestamptz(3)", "2026-11-23 12:00:00.5", "2026-11-23T12:00:00.500Z"],
    ["timestamp with time zone", "2026-11-23T12:00:00.123Z", "2026-11-23T12:00:00.123Z"],
    ["datetime", null, null],
    ["timestamptz", "2026-13-45 10:00:00", "2026-13-45 10:00:00"],
    ["jsonb", '{"a":1}', { a: 1 }],
    ["json", "not json", "not json"],
  ];
  for (const [type, stored, value] of cases)
    assert.equal(converterOf(type)?.(stored), value, `${type} ${stored}`);
  for (const type of ["bigint", "text", "double precision", "date", null])
    assert.is(converterOf(type), undefined);
});

test("an integer is a number where a number holds it", () => {
  assert.is(toNumber(5n), 5);
  assert.is(toNumber(BigInt(Number.MAX_SAFE_INTEGER)), Number.MAX_SAFE_INTEGER);
  assert.is(toNumber(2n ** 53n), 2n ** 53n);
  assert.is(toNumber(-(2n ** 60n)), -(2n ** 60n));
  assert.is(toNumber("5"), "5");
});

test.run();
