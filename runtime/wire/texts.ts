/** Converts texts of queries, headers, cookies and forms for wire modules. An invalid text stays unchanged, so that its check fails. */

import type { Place } from "./inputs.ts";
import type { Raw, TextPlace } from "./request-reader.ts";

const WHOLE = /^-?[0-9]+$/;
/** RFC 8259 section 6 */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

export function toInteger(raw: unknown): unknown {
  return typeof raw === "string" && WHOLE.test(raw) ? Number(raw) : raw;
}

export function toNumber(raw: unknown): unknown {
  return typeof raw === "string" && NUMBER.test(raw) ? Number(raw) : raw;
}

export function toBoolean(raw: unknown): unknown {
  return raw === "true" || (raw === "false" ? false : raw);
}

/** Like `toBoolean`, for forms: browsers send "on" for a checked box, and omit an unchecked one. */
export function toChecked(raw: unknown): unknown {
  return raw === "on" || toBoolean(raw);
}

/** @returns a list of one item for a value that was sent once. */
export function toList(raw: Raw): readonly (string | File)[] | undefined {
  return typeof raw === "string" || raw instanceof File ? [raw] : raw;
}

/** Splits a header's list at commas, and ignores empty items (RFC 9110 section 5.6.1). */
export function toItems(header: Raw): readonly string[] | undefined {
  return typeof header === "string" ? header.split(",").flatMap((item) => item.trim() || []) : undefined;
}

/** @returns the object; undefined if all its values are undefined. */
export function orAbsent(values: object): object | undefined {
  return Object.values(values).every((value) => value === undefined) ? undefined : values;
}

/**
 * @param all all texts by key.
 * @param keys the declared keys, whose values are in `values`.
 * @returns `values`, and all other texts, converted. A key `__proto__` becomes a property, not a prototype.
 */
export function withOthers(
  all: Readonly<Record<string, Raw>>,
  keys: readonly string[],
  convert: (raw: Raw) => unknown,
  values: object,
): object {
  const others = Object.entries(all)
    .filter(([key]) => !keys.includes(key))
    .map(([key, raw]) => [key, convert(raw)] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries([...others, ...Object.entries(values)]);
}

export function isTextPlace(place: Place): place is TextPlace {
  return place === "query" || place === "header" || place === "cookie" || place === "form";
}

/** Converts the name of a parameter or a property to a header's. @example toHeaderName("if_none_match") // "if-none-match" */
export function toHeaderName(name: string): string {
  return name.replaceAll("_", "-").toLowerCase();
}
