/** How values go to a Postgres server, and come back: as those of SQLite do. */

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

/** @returns what reads the text of a type; undefined for one that is read as `pg` does. */
export function parserOf(type: number): Parse | undefined {
  return PARSERS.get(type);
}

function toInteger(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** What a result says of its columns. */
interface Field {
  readonly name: string;
  readonly dataTypeID: number;
  /** 0 for what is computed. */
  readonly tableID: number;
}

/** The sum of a `bigint` column is a `numeric` on the server: where it is whole, it becomes an integer, as it is on SQLite. */
export function readSums(rows: readonly Record<string, unknown>[], fields: readonly Field[]): void {
  const computed = fields.filter(({ dataTypeID, tableID }) => dataTypeID === NUMERIC && tableID === 0);
  for (const { name } of computed)
    for (const row of rows) {
      const value = row[name];
      if (typeof value === "string" && /^-?\d+$/.test(value)) row[name] = toInteger(value);
    }
}

/** @throws {DatabaseError} for what SQLite refuses, too. */
export function toParameter(value: unknown): unknown {
  if (typeof value === "string") return requireText(value);
  if (typeof value === "number") return requireNumber(value);
  return value instanceof Date ? toTimestamp(value) : value;
}
