/** What the checks of a wire module can't say in one comparison. */

import { isObject, poisoned, refuseHarmful } from "../message/json.ts";
import { isDateTime } from "./formats.ts";
import type { SchemaAnswer, StandardSchema } from "./inputs.ts";
import { isFile } from "./shape.ts";

/** @returns whether the text has fewer code points; one outside the basic plane has two units. */
export function isShorter(text: string, length: number): boolean {
  return text.length < length || (text.length < 2 * length && countCodePoints(text) < length);
}

export function isLonger(text: string, length: number): boolean {
  return text.length > length && (text.length > 2 * length || countCodePoints(text) > length);
}

function countCodePoints(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** As the decimals are written: 19.99 is a multiple of 0.01, which a division of binary fractions would deny. */
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

/** @returns whether no two items are equal as JSON, with dates by their time. Two files are never equal. */
export function isUnique(items: readonly unknown[]): boolean {
  const seen = new Set<unknown>();
  for (const item of items) {
    const hasKey = typeof item === "string" || (isObject(item) && !isFile(item));
    seen.add(hasKey ? toKey(item) : item);
  }
  return seen.size === items.length;
}

/** The same text for equal values only, whatever the order of their keys. Native: it takes the time that reading the JSON takes. */
function toKey(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (!isObject(inner) || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/**
 * @returns whether there is a value.
 * @throws {HttpError} 400 where a key in it can poison prototypes, or it is nested too deeply.
 */
export function isHarmless(value: unknown): boolean {
  if (isObject(value)) refuseHarmful(value, 0);
  return value !== undefined;
}

/** @throws {HttpError} 400 for an entry of an object with any keys that can poison prototypes. */
export function refuseEntry(key: string, value: unknown): void {
  if (key === "__proto__") throw poisoned(key);
  if (key === "constructor" && isObject(value) && Object.hasOwn(value, "prototype"))
    throw poisoned("constructor.prototype");
}

/** @returns undefined for anything but a date-time of RFC 3339. Of a leap second the second after it. */
export function toDate(value: unknown): Date | undefined {
  if (typeof value !== "string" || !isDateTime(value)) return undefined;
  const isLeap = value.startsWith(":60", 16);
  const text = isLeap ? `${value.slice(0, 17)}59${value.slice(19)}` : value;
  const date = new Date(text.toUpperCase());
  return isLeap ? new Date(Math.floor(date.getTime() / 1000) * 1000 + 1000) : date;
}

/**
 * Asks a Standard Schema of the project (https://standardschema.dev).
 *
 * @returns the value that the schema gives, or its issues.
 * @throws {HttpError} 400 where a key of the input can poison prototypes, or it is nested too deeply.
 */
export async function askSchema(schema: StandardSchema, input: unknown): Promise<SchemaAnswer> {
  isHarmless(input);
  return schema["~standard"].validate(input);
}
