import { test } from "uvu";
import * as assert from "uvu/assert";
import { parserOf, readSums, toParameter } from "./values.ts";

const [INT8, DATE, TIMESTAMP, TIMESTAMPTZ, NUMERIC] = [20, 1082, 1114, 1184, 1700];

test("what the server writes is read as SQLite's values are", () => {
  const cases: readonly [type: number, text: string, value: unknown][] = [
    [INT8, "5", 5],
    [INT8, "-9007199254740991", -9007199254740991],
    [INT8, "9007199254740993", 9007199254740993n],
    [DATE, "2026-11-23", "2026-11-23"],
    [TIMESTAMP, "2026-11-23 12:00:00", "2026-11-23T12:00:00.000Z"],
    [TIMESTAMPTZ, "2026-11-23 12:00:00+00", "2026-11-23T12:00:00.000Z"],
    [TIMESTAMPTZ, "2026-11-23 12:00:00.5+00", "2026-11-23T12:00:00.500Z"],
    [TIMESTAMPTZ, "2026-11-23 12:00:00.123456+01", "2026-11-23T11:00:00.123456Z"],
    [TIMESTAMPTZ, "2026-01-01 00:30:00.25+05:30", "2025-12-31T19:00:00.250Z"],
    [TIMESTAMPTZ, "1890-01-01 00:00:00+00:53:28", "1889-12-31T23:06:32.000Z"],
    [TIMESTAMP, "2026-11-23 12:00:00.5", "2026-11-23T12:00:00.500Z"],
    [TIMESTAMP, "infinity", "infinity"],
    [TIMESTAMPTZ, "infinity", "infinity"],
    [TIMESTAMPTZ, "0044-03-15 12:00:00+00 BC", "0044-03-15 12:00:00+00 BC"],
  ];
  for (const [type, text, value] of cases) assert.is(parserOf(type)?.(text), value, text);
  assert.is(parserOf(NUMERIC), undefined);
});

test("a Date is sent in UTC", () => {
  assert.is(toParameter(new Date("2026-11-23T12:00:00+01:00")), "2026-11-23T11:00:00.000Z");
  assert.is(toParameter("text"), "text");
  assert.is(toParameter(null), null);
});

test("what is computed and whole is a number, and a numeric column is a text", () => {
  const rows = [
    { sum: "15", average: "1.5000000000000000", price: "15" },
    { sum: "9007199254740993", average: null, price: null },
  ];
  const toField = (name: string, tableID: number) => ({ name, dataTypeID: NUMERIC, tableID });
  readSums(rows, [toField("sum", 0), toField("average", 0), toField("price", 16_384)]);
  assert.equal(rows, [
    { sum: 15, average: "1.5000000000000000", price: "15" },
    { sum: 9007199254740993n, average: null, price: null },
  ] as unknown[]);
});

test.run();
