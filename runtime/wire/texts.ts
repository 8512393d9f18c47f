/** Converts the texts of queries, headers, cookies and forms, for the code of a wire module. A text of another form stays as it is, and is refused. */

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

/** As `toBoolean`, for a form: a browser sends "on" for a box that is checked, and nothing for another. */
export function toChecked(raw: unknown): unknown {
  return raw === "on" || toBoolean(raw);
}

/** @returns a list of one for a value that was given once. */
export function toList(raw: Raw): readonly (string | File)[] | undefined {
  return typeof raw === "string" || raw instanceof File ? [raw] : raw;
}

/** RFC 9110 section 5.6.1: the items of a header's list are in one text, and one that is empty does not count. */
export function toItems(header: Raw): readonly string[] | undefined {
  return typeof header === "string" ? header.split(",").flatMap((item) => item.trim() || []) : undefined;
}

/** @returns undefined for an object without a value. */
export function orAbsent(values: object): object | undefined {
  return Object.values(values).every((value) => value === undefined) ? undefined : values;
}

/**
 * @param all the texts by their keys.
 * @param keys of those that `values` has.
 * @returns the values, and all other texts, converted. A key `__proto__` becomes a property, not a prototype.
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

/** The header that a parameter or a property takes. @example toHeaderName("if_none_match") // "if-none-match" */
export function toHeaderName(name: string): string {
  return name.replaceAll("_", "-").toLowerCase();
}
