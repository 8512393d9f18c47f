/** How values go to a Postgres server, and come back: as those of SQLite do. */

import { requireNumber, requireText, toTimestamp } from "../engine/values.ts";

const INT8 = 20;
const DATE = 1082;
const TIMESTAMP = 1114;
const TIMESTAMPTZ = 1184;

type Parse = (text: string) => unknown;

const PARSERS: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [INT8, toInteger],
  [DATE, (text) => text],
  [TIMESTAMP, toIso],
  [TIMESTAMPTZ, toIso],
]);

/** @returns what reads the text of a type; undefined for one that is read as `pg` does. */
export function parserOf(type: number): Parse | undefined {
  return PARSERS.get(type);
}

function toInteger(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** Without a zone, it is UTC. With all digits that the server has, so that no two values become one. @example toIso("2026-11-23 12:00:00.5+01") // "2026-11-23T11:00:00.500Z" */
function toIso(text: string): string {
  const [, date, time, fraction = "", sign, ...offset] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?(?:([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?)?$/.exec(text) ??
    [];
  if (date === undefined) return text;
  const [hours = 0, minutes = 0, seconds = 0] = offset.map((part) => Number(part ?? 0));
  const away = (hours * 3600 + minutes * 60 + seconds) * (sign === "-" ? -1000 : 1000);
  const utc = new Date(Date.parse(`${date}T${time}Z`) - away).toISOString();
  return `${utc.slice(0, -5)}.${fraction.padEnd(3, "0")}Z`;
}

/** @throws {DatabaseError} for what SQLite refuses, too. */
export function toParameter(value: unknown): unknown {
  if (typeof value === "string") return requireText(value);
  if (typeof value === "number") return requireNumber(value);
  return value instanceof Date ? toTimestamp(value) : value;
}
