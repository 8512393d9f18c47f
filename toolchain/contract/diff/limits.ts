/** How the formats and limits of numbers, texts and lists have changed. The texts complete "limited to …". */

import { isMultiple } from "#runtime/wire/checks";
import type { NumberShape, Pattern, Shape, StringShape } from "#runtime/wire/shape";
import type { ListCase } from "./cases.ts";
import { type At, note, noteTypes } from "./note.ts";

/** All shapes that have limits. */
type Limited = NumberShape | StringShape | ListCase;

export function isLimited(shape: Shape): shape is Limited {
  return Object.hasOwn(COUNTED, shape.kind);
}

interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

type End = "min" | "max";

/** Both are of one type: an array and a tuple are both lists. */
export function compareLimits(was: Limited, is: Limited, at: At): void {
  compareFormats(was, is, at);
  for (const end of ["min", "max"] as const) compareBounds(end, was, is, at);
  if (was.kind === "number" && is.kind === "number") compareMultiples(was.multipleOf, is.multipleOf, at);
  else if (was.kind === "string" && is.kind === "string") comparePatterns(was, is, at);
  const [before, after] = [was, is].map((one) => "uniqueItems" in one && one.uniqueItems === true);
  const text = "items that differ from each other";
  if (after && !before) note(at, "unique-items-set", { to: text });
  if (before && !after) note(at, "unique-items-unset", { from: text });
}

function compareFormats(was: Limited, is: Limited, at: At): void {
  const [before, after] = [formatsOf(was), formatsOf(is)];
  const isLess = before.some((format) => !after.includes(format));
  const isMore = after.some((format) => !before.includes(format));
  if (isLess && isMore) noteTypes(at, "type-changed", was, is);
  else if (isLess || isMore) noteTypes(at, isMore ? "type-specialized" : "type-generalized", was, is);
}

function formatsOf(shape: Limited): readonly string[] {
  if (shape.kind === "number") return shape.integer ? ["integer"] : [];
  return shape.kind === "string" ? (shape.formats ?? []) : [];
}

/** The ending of a limit's name, and the noun of what is counted. */
const COUNTED = {
  number: ["", ""],
  string: ["-length", "character"],
  array: ["-items", "item"],
  tuple: ["-items", "item"],
} as const;

function compareBounds(end: End, was: Limited, is: Limited, at: At): void {
  const [before, after] = [boundOf(end, was), boundOf(end, is)];
  if (before?.value === after?.value && before?.exclusive === after?.exclusive) return;
  const [ending, noun] = COUNTED[is.kind];
  const [from, to] = [before, after].map((bound) => bound && formatBound(end, bound, noun));
  const name = (after ?? before)?.exclusive ? (`exclusive-${end}` as const) : (`${end}${ending}` as const);
  const how = !before ? "set" : !after ? "unset" : isAbove(end, before, after) ? "increased" : "decreased";
  note(at, `${name}-${how}`, { from, to });
}

function boundOf(end: End, shape: Limited): Bound | undefined {
  if (shape.kind === "number") return boundOfNumber(end, shape);
  const { min, max } =
    shape.kind === "string" ? { min: shape.minLength, max: shape.maxLength } : sizesOf(shape);
  // Each text has at least 0 characters.
  const value = end === "min" ? min || undefined : max;
  return value === undefined ? undefined : { value, exclusive: false };
}

/** Of two bounds the tighter one; of an integer the nearest integer that fits. An upper bound is a lower one of the negative numbers. */
function boundOfNumber(end: End, { integer, ...limits }: NumberShape): Bound | undefined {
  const [sign, plain, strict] =
    end === "min" ? [1, limits.min, limits.exclusiveMin] : [-1, limits.max, limits.exclusiveMax];
  if (strict === undefined || (plain !== undefined && sign * plain > sign * strict))
    return plain === undefined
      ? undefined
      : { value: integer ? sign * Math.ceil(sign * plain) : plain, exclusive: false };
  if (integer) return { value: sign * (Math.floor(sign * strict) + 1), exclusive: false };
  return { value: strict, exclusive: true };
}

/** What a list may hold, in numbers: of a tuple, what its items say. */
export function sizesOf(list: ListCase): { readonly min: number; readonly max: number | undefined } {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = list;
  if (list.kind === "array") return { min: minItems, max: list.maxItems };
  const most = Math.min(maxItems, list.rest ? maxItems : list.items.length);
  return { min: Math.max(minItems, list.required), max: Number.isFinite(most) ? most : undefined };
}

/** Whether the bound has moved up: `> 3` is above `>= 3`, and `<= 3` above `< 3`. */
function isAbove(end: End, before: Bound, after: Bound): boolean {
  if (before.value !== after.value) return after.value > before.value;
  return after.exclusive === (end === "min");
}

/** @example formatBound("min", { value: 2, exclusive: false }, "item") // "at least 2 items" */
function formatBound(end: End, { value, exclusive }: Bound, noun: string): string {
  const [inclusively, strictly] = end === "min" ? ["at least", "more than"] : ["at most", "less than"];
  const what = noun === "" ? "" : ` ${noun}${value === 1 ? "" : "s"}`;
  return `${exclusive ? strictly : inclusively} ${value}${what}`;
}

function compareMultiples(was: readonly number[] = [], is: readonly number[] = [], at: At): void {
  const unlike = (factors: readonly number[], by: readonly number[]): boolean =>
    factors.some((factor) => !by.some((one) => isMultiple(one, factor)));
  const [isLess, isMore] = [unlike(was, is), unlike(is, was)];
  if (!isLess && !isMore) return;
  const [from, to] = [was, is].map((all) =>
    all.length > 0 ? `multiples of ${all.join(" and ")}` : undefined,
  );
  note(at, `multiple-of-${isLess && isMore ? "changed" : isMore ? "set" : "unset"}`, { from, to });
}

/** Any text matches these, so they say nothing. */
const ANYTHING: readonly string[] = ["", "^", "$", ".*", "[^]*"];

function comparePatterns(
  { patterns: was = [] }: StringShape,
  { patterns: is = [] }: StringShape,
  at: At,
): void {
  const missing = (patterns: readonly Pattern[], among: readonly Pattern[]): string | undefined =>
    patterns
      .filter(({ source }) => ![...ANYTHING, ...among.map((one) => one.source)].includes(source))
      .map(({ source, template = source }) => template)
      .join(" and ") || undefined;
  const [from, to] = [missing(was, is), missing(is, was)];
  if (from || to) note(at, `pattern-${from && to ? "changed" : to ? "added" : "removed"}`, { from, to });
}
