/** Converts values to Postgres and back, with the same results as on SQLite. */

import { readTime, requireNumber, requireText, toTimestamp } from "../engine/values.ts";

const INT8 = 20;
const DATE = 1082;
const TIMESTAMP = 1114;
const TIMESTAMPTZ = 1184;
const NUMERIC = 1700;

type Parse = (text: string) => unknown;

const PARSERS: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [INT8, toInteger],
  [DATE, (text) => text],
  [TIMESTAMP, readTime],
  [TIMESTAMPTZ, readTime],
]);

/** @returns the parser of a type; undefined to use that of `pg`. */
export function parserOf(type: number): Parse | undefined {
  return PARSERS.get(type);
}

function toInteger(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** The description of a result's column. */
interface Field {
  readonly name: string;
  readonly dataTypeID: number;
  /** 0 for a computed column. */
  readonly tableID: number;
}

/** Converts whole sums to integers, as on SQLite: on the server, the sum of a `bigint` column is a `numeric`. */
export function readSums(rows: readonly Record<string, unknown>[], fields: readonly Field[]): void {
  const computed = fields.filter(({ dataTypeID, tableID }) => dataTypeID === NUMERIC && tableID === 0);
  for (const { name } of computed)
    for (const row of rows) {
      const value = row[name];
      if (typeof value === "string" && /^-?\d+$/.test(value)) row[name] = toInteger(value);
    }
}

/** @throws {DatabaseError} for a value that SQLite refuses, too. */
export function toParameter(value: unknown): unknown {
  if (typeof value === "string") return requireText(value);
  if (typeof value === "number") return requireNumber(value);
  return value instanceof Date ? toTimestamp(value) : value;
}
