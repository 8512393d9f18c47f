/** Checks values that a database would refuse or change, normalizes times, and quotes names. */

import { createRefusal } from "./error.ts";

/**
 * Half of a surrogate pair has no UTF-8: it would be stored as U+FFFD, and different texts would become equal.
 *
 * @throws {DatabaseError} for a text that one of the engines refuses or changes.
 */
export function requireText(text: string): string {
  if (text.includes("\0")) throw refuse("A text has a NUL in it.");
  if (/\p{Surrogate}/u.test(text)) throw refuse("A text has half of a surrogate pair in it.");
  return text;
}

/** @throws {DatabaseError} for NaN, which SQLite would store as null. */
export function requireNumber(number: number): number {
  if (Number.isNaN(number)) throw refuse("NaN is not a number that can be stored.");
  return number;
}

/**
 * Formats a date in UTC.
 *
 * @throws {DatabaseError} for an invalid date, and for years that ISO 8601 writes with a sign: Postgres can't read them.
 */
export function toTimestamp(date: Date): string {
  if (Number.isNaN(date.getTime())) throw refuse("A Date is not valid.");
  const text = date.toISOString();
  if (!/^(?!0000)\d{4}-/.test(text)) throw refuse("A Date is not in the years 1 to 9999.");
  return text;
}

const TIME =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:\.(\d+))? ?(?:(Z)|([+-]\d\d)(?::?(\d\d))?(?::?(\d\d))?)?$/i;

/**
 * @param text a time in the engine's format; without a zone it is in UTC.
 * @returns ISO 8601 in UTC, with all digits of the engine; the text itself if it is not a time.
 * @example readTime("2026-11-23 12:00:00.5+01") // "2026-11-23T11:00:00.500Z"
 */
export function readTime(text: string): string {
  const parts = TIME.exec(text);
  return (parts && format(parts, parts[4])) ?? text;
}

/**
 * @param value the value for a time column. A Date is left to the engine.
 * @param digits the number of fractional digits of a second that the engine stores.
 * @throws {DatabaseError} for a text that is not a time, or has no zone: the engines would assume different ones.
 */
export function toTime(value: unknown, digits: number): unknown {
  if (typeof value !== "string") return value;
  const parts = isTime(value) ? TIME.exec(value) : null;
  const time = parts && format(parts, parts[4]?.slice(0, digits).replace(/0+$/, ""));
  if (!time) throw refuse("A time needs its zone, as in 2026-11-23T12:00:00Z.");
  return time;
}

/** True for a text that is a time with a zone. */
export function isTime(value: unknown): boolean {
  const parts = typeof value === "string" ? TIME.exec(value) : null;
  return (parts?.[5] ?? parts?.[6]) !== undefined;
}

/** @returns undefined for a time that does not exist, such as on February 30. */
function format(parts: RegExpExecArray, fraction = ""): string | undefined {
  const [, date = "", time, seconds = ":00", , , hours = "+00", minutes = 0, ofMinute = 0] = parts;
  const local = Date.parse(`${date}T${time}${seconds}Z`);
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(date)) return undefined;
  const offset = Math.abs(Number(hours)) * 3600 + Number(minutes) * 60 + Number(ofMinute);
  const utc = toTimestamp(new Date(local + (hours.startsWith("-") ? offset : -offset) * 1000));
  return `${utc.slice(0, -5)}.${fraction.padEnd(3, "0")}Z`;
}

function refuse(reason: string): Error {
  return createRefusal("bad_value", { cause: new RangeError(reason) });
}

/** @example quoteName('a "b"') // '"a ""b"""' */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
