/** Which values a database stores as they are. */

import { createRefusal } from "./refusal.ts";

/**
 * A half of a surrogate pair has no UTF-8: it would be stored as U+FFFD, and two texts would become one.
 *
 * @throws {DatabaseError} for what one of the engines refuses or changes.
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
 * In UTC, whatever the zone of this machine.
 *
 * @throws {DatabaseError} for a date that is not valid, and for years that ISO 8601 writes with a sign: Postgres does not read them.
 */
export function toTimestamp(date: Date): string {
  if (Number.isNaN(date.getTime())) throw refuse("A Date is not valid.");
  const text = date.toISOString();
  if (!/^(?!0000)\d{4}-/.test(text)) throw refuse("A Date is not in the years 1 to 9999.");
  return text;
}

function refuse(reason: string): Error {
  return createRefusal("bad_value", { cause: new RangeError(reason) });
}
