/** Checks that a wire module calls if a single comparison is not enough. */

import { isObject, poisoned, refuseHarmful } from "../message/json.ts";
import { isDateTime } from "./formats.ts";
import type { SchemaAnswer, StandardSchema } from "./inputs.ts";
import { isFile } from "./shape.ts";

/** Counts code points; one outside the basic plane has two UTF-16 units. */
export function isShorter(text: string, length: number): boolean {
  return text.length < length || (text.length < 2 * length && countCodePoints(text) < length);
}

export function isLonger(text: string, length: number): boolean {
  return text.length > length && (text.length > 2 * length || countCodePoints(text) > length);
}

function countCodePoints(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** Divides decimals exactly: 19.99 is a multiple of 0.01, but not by floating-point division. */
export function isMultiple(value: number, of: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return value % of === 0;
  const [digits, exponent] = toDecimal(value);
  const [ofDigits, ofExponent] = toDecimal(of);
  const lowest = Math.min(exponent, ofExponent);
  const scale = (number: bigint, from: number): bigint => number * 10n ** BigInt(from - lowest);
  return scale(digits, exponent) % scale(ofDigits, ofExponent) === 0n;
}

/** @example toDecimal(1.25e-7) // [125n, -9] */
function toDecimal(value: number): [digits: bigint, exponent: number] {
  const [number = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = number.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

/** True if no two items are equal as JSON, with dates compared by their time. Two files are never equal. */
export function isUnique(items: readonly unknown[]): boolean {
  const seen = new Set<unknown>();
  for (const item of items) {
    const hasKey = typeof item === "string" || (isObject(item) && !isFile(item));
    seen.add(hasKey ? toKey(item) : item);
  }
  return seen.size === items.length;
}

/** Equal values have equal keys. Native `JSON.stringify` is as fast as parsing the value. */
function toKey(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (!isObject(inner) || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/**
 * @returns false if there is no value.
 * @throws {HttpError} 400 if a key of the value can poison prototypes, or the nesting is too deep.
 */
export function isHarmless(value: unknown): boolean {
  if (isObject(value)) refuseHarmful(value, 0);
  return value !== undefined;
}

/** @throws {HttpError} 400 if this entry of an object with arbitrary keys can poison prototypes. */
export function refuseEntry(key: string, value: unknown): void {
  if (key === "__proto__") throw poisoned(key);
  if (key === "constructor" && isObject(value) && Object.hasOwn(value, "prototype"))
    throw poisoned("constructor.prototype");
}

/** @returns undefined unless the value is a date-time of RFC 3339. A leap second becomes the second after it. */
export function toDate(value: unknown): Date | undefined {
  if (typeof value !== "string" || !isDateTime(value)) return undefined;
  const isLeap = value.startsWith(":60", 16);
  const text = isLeap ? `${value.slice(0, 17)}59${value.slice(19)}` : value;
  const date = new Date(text.toUpperCase());
  return isLeap ? new Date(Math.floor(date.getTime() / 1000) * 1000 + 1000) : date;
}

/**
 * Validates with a Standard Schema of the project (https://standardschema.dev).
 *
 * @returns the schema's output, or its issues.
 * @throws {HttpError} 400 if a key of the input can poison prototypes, or the nesting is too deep.
 */
export async function askSchema(schema: StandardSchema, input: unknown): Promise<SchemaAnswer> {
  isHarmless(input);
  return schema["~standard"].validate(input);
}
