/** The param types of a signature. Each is a type and a value, because type stripping keeps an import without the word `type`. */

export type ParamValue = string | number;

/** In a signature: one segment of digits, passed as a number. */
export type int = number;

/**
 * Casts the decoded text of a segment.
 *
 * @returns undefined for anything but ASCII digits, and above 2^53−1, where a number would be another id than was asked for.
 * @example int("007") // 7
 */
export function int(text: string): number | undefined {
  return toInt(text, 0, text.length);
}

/** The same for a part of a text, without making it. */
export function toInt(text: string, start: number, end: number): number | undefined {
  if (start === end) return undefined;
  let value = 0;
  for (let index = start; index < end; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
    // Checked at each digit: a sum that has lost precision is above the limit already and only grows.
    if (value > Number.MAX_SAFE_INTEGER) return undefined;
  }
  return value;
}

/** In a signature: any one segment that is not empty, passed decoded. */
export type str = string;

/** @returns the text, or undefined when it is empty. */
export function str(text: string): string | undefined {
  return text === "" ? undefined : text;
}
