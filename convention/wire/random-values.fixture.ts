/** Generates random JSON, and variations of JSON, for tests. */

import { pick, type Random } from "#runtime/random.fixture";

/** Includes strings that other number parsers accept: hexadecimal, exponents, spaces, no digits. */
export const TEXTS: readonly string[] = [
  ..."|a|b|admin|guest|true|false|null|12|-1.5|1e3|1e308|1e309|1e999|1e-999|0x1f|+1|.5|1.| 1|1_000|Infinity|NaN|0|-0|px|12px|0x1fpx|px-12".split(
    "|",
  ),
  ..."a-b|a-b-1|a--b|x-true|v1|v1.2|v1.2.3|v1.x.3|/a|/a/b|😀|é|e\u0301|\ud800|A|2026-11-22".split("|"),
];
const NUMBERS: readonly number[] = [
  0,
  1,
  2,
  3,
  -1,
  1.5,
  -0.001,
  7,
  1e21,
  5e-324,
  2 ** 53,
  1.7976931348623157e308,
];
/**
 * Not "0", "toString" or "constructor": to TypeScript, an array or any object has them, so `{}` does not fit `{ constructor?: string }`.
 * In JSON only the keys of an object itself count, and `{}` fits.
 */
export const KEYS: readonly string[] = ["a", "b", "c", "d", "e", "f", "with-dash", "ü", "two words"];

export function randomText(random: Random): string {
  return pick(random, TEXTS);
}

export function randomNumber(random: Random): number {
  return pick(random, NUMBERS);
}

export function randomJson(random: Random, depth: number): unknown {
  const deeper = (): unknown => randomJson(random, depth - 1);
  switch (random(depth > 0 ? 7 : 4)) {
    case 0:
      return null;
    case 1:
      return random(2) === 0;
    case 2:
      return randomNumber(random);
    case 3:
      return randomText(random);
    case 4:
      return Array.from({ length: random(3) }, deeper);
    default:
      return Object.fromEntries(Array.from({ length: random(3) }, () => [pick(random, KEYS), deeper()]));
  }
}

/** @returns the value with one random change. */
export function changeOne(random: Random, value: unknown): unknown {
  if (typeof value !== "object" || value === null || random(3) === 0) return replaceWhole(random, value);
  if (Array.isArray(value)) return changeItem(random, value);
  return Object.fromEntries(changeEntry(random, Object.entries(value)));
}

function replaceWhole(random: Random, value: unknown): unknown {
  switch (random(4)) {
    case 0:
      return [value];
    case 1:
      return typeof value === "string" ? value.length : String(value);
    default:
      return randomJson(random, 1);
  }
}

function changeItem(random: Random, items: readonly unknown[]): unknown[] {
  const at = random(items.length + 1);
  if (at === items.length) return [...items, randomJson(random, 1)];
  return random(3) === 0 ? items.toSpliced(at, 1) : items.with(at, changeOne(random, items[at]));
}

function changeEntry(
  random: Random,
  entries: readonly (readonly [string, unknown])[],
): (readonly [string, unknown])[] {
  const at = random(entries.length + 1);
  const [key, value] = entries[at] ?? [pick(random, KEYS), randomJson(random, 1)];
  switch (random(4)) {
    case 0:
      return entries.toSpliced(at, 1);
    case 1:
      return [...entries, [pick(random, KEYS), value]];
    default:
      return entries.toSpliced(at, 1, [key, changeOne(random, value)]);
  }
}
