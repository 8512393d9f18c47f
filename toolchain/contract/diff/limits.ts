/** How the formats and limits of numbers, texts and lists have changed. The texts complete "limited to …". */

import type { NumberShape, Pattern, Shape, StringShape } from "#runtime/wire/shape";
import { type At, note, noteText, noteTypes } from "./note.ts";

export type ListShape = Extract<Shape, { readonly kind: "array" | "tuple" }>;
/** All shapes that have limits. */
export type Limited = NumberShape | StringShape | ListShape;

export function isLimited(shape: Shape): shape is Limited {
  return shape.kind === "number" || shape.kind === "string" || isList(shape);
}

export function isList(shape: Shape): shape is ListShape {
  return shape.kind === "array" || shape.kind === "tuple";
}

/** Both are of one type: an array and a tuple are both lists. */
export function compareLimits(was: Limited, is: Limited, at: At): void {
  compareFormats(was, is, at);
  compareBounds("min", boundOf("min", was), boundOf("min", is), at);
  compareBounds("max", boundOf("max", was), boundOf("max", is), at);
  compareTexts("multiple-of", multiplesOf(was), multiplesOf(is), at);
  compareTexts("unique-items", uniqueOf(was), uniqueOf(is), at);
  noteText(at, "pattern", patternsOf(was), patternsOf(is));
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

type End = "min" | "max";

interface Bound {
  readonly value: number;
  readonly isExclusive: boolean;
  /** What is counted, as in "min-length" and "at least 2 characters". */
  readonly what: "" | "length" | "items";
}

function boundOf(end: End, shape: Limited): Bound | undefined {
  if (shape.kind === "number") return boundOfNumber(end, shape);
  if (isList(shape)) return toBound(sizesOf(shape)[end], "items");
  return toBound(end === "min" ? shape.minLength || undefined : shape.maxLength, "length");
}

function toBound(value: number | undefined, what: Bound["what"], isExclusive = false): Bound | undefined {
  return value === undefined || !Number.isFinite(value) ? undefined : { value, isExclusive, what };
}

/** The tighter one of two. */
function boundOfNumber(end: End, { min, max, exclusiveMin, exclusiveMax }: NumberShape): Bound | undefined {
  const [plain, strict] = end === "min" ? [min, exclusiveMin] : [max, exclusiveMax];
  const isStrict =
    strict !== undefined && (plain === undefined || (end === "min" ? strict >= plain : strict <= plain));
  return isStrict ? toBound(strict, "", true) : toBound(plain, "");
}

/** What a list may hold, in numbers: of a tuple, what its items say. */
export function sizesOf(list: ListShape): {
  readonly min: number | undefined;
  readonly max: number | undefined;
} {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = list;
  const [least, most] =
    list.kind === "array" ? [0, maxItems] : [list.required, list.rest ? maxItems : list.items.length];
  return { min: Math.max(minItems, least) || undefined, max: Math.min(maxItems, most) };
}

const NOUNS = { "": "", length: " characters", items: " items" } as const;

function compareBounds(end: End, before: Bound | undefined, after: Bound | undefined, at: At): void {
  if (before?.value === after?.value && before?.isExclusive === after?.isExclusive) return;
  const { isExclusive, what } = (after ?? before) as Bound;
  const [from, to] = [before, after].map((bound) => bound && formatBound(end, bound));
  const limit = `${isExclusive ? "exclusive-" : ""}${end}${what && `-${what}`}`;
  if (!after) note(at, "limit-unset", { from, to }, `${limit}-unset`);
  else if (!before) {
    // Every text has a length of at least 0, so this limit is never new.
    const isNew = end === "max" || what !== "length";
    note(at, isNew ? "limit-set" : "limit-narrowed", { from: "none", to }, `${limit}-set`);
  } else {
    const isAbove =
      before.value === after.value ? isExclusive === (end === "min") : after.value > before.value;
    const kind = isAbove === (end === "min") ? "limit-narrowed" : "limit-widened";
    note(at, kind, { from, to }, `${limit}-${isAbove ? "increased" : "decreased"}`);
  }
}

function formatBound(end: End, { value, isExclusive, what }: Bound): string {
  const [inclusively, strictly] = end === "min" ? ["at least", "more than"] : ["at most", "less than"];
  return `${isExclusive ? strictly : inclusively} ${value}${NOUNS[what]}`;
}

function compareTexts(limit: string, from: string, to: string, at: At): void {
  const how = from === "" ? "set" : to === "" ? "unset" : "changed";
  if (from !== to) note(at, `limit-${how}`, { from, to }, `${limit}-${how}`);
}

function multiplesOf(shape: Limited): string {
  const factors = shape.kind === "number" ? (shape.multipleOf ?? []) : [];
  return factors.length > 0 ? `multiples of ${factors.join(" and ")}` : "";
}

function uniqueOf(shape: Limited): string {
  return "uniqueItems" in shape && shape.uniqueItems ? "items that differ from each other" : "";
}

function patternsOf(shape: Limited): string {
  const patterns: readonly Pattern[] = shape.kind === "string" ? (shape.patterns ?? []) : [];
  return patterns.map(({ source, template = source }) => template).join(" and ");
}
