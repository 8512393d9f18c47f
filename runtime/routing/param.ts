/** The param types of signatures. Each is a type and a value, because type stripping keeps an import that lacks the word `type`. */

/** The value of a param: a number for `int`, decoded text for `str`, a list of decoded segments for `str[]`. */
export type ParamValue = string | number | readonly string[];

/**
 * The type of a param that matches one segment of digits, passed as a number.
 *
 * @example export function get_by_id(request: Request, user_id: int) {}
 */
export type int = number;

/**
 * Casts a decoded segment as the router does.
 *
 * @returns undefined unless the text is ASCII digits, and for a value above 2^53−1, which a number can't represent exactly.
 * @example int("007") // 7
 */
export function int(text: string): number | undefined {
  return toInt(text, 0, text.length);
}

/** Like `int`, for a part of a text, without copying it. */
export function toInt(text: string, start: number, end: number): number | undefined {
  if (start === end) return undefined;
  let value = 0;
  for (let index = start; index < end; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
    // Checked at each digit: a value that has lost precision is already above the limit, and only grows.
    if (value > Number.MAX_SAFE_INTEGER) return undefined;
  }
  return value;
}

/**
 * The type of a param that matches any one segment that is not empty, passed decoded. `string` means the same.
 *
 * @example export function get_by_slug(slug: str) {}
 */
export type str = string;

/**
 * @returns the text; undefined if it is empty.
 * @example str("") // undefined
 */
export function str(text: string): string | undefined {
  return text === "" ? undefined : text;
}
