/** How the formats and limits of numbers, texts and lists have changed. The texts complete "limited to …". */

import { isMultiple } from "#runtime/wire/checks";
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
  compareMultiples(was, is, at);
  if (isUnique(was) !== isUnique(is)) {
    const [how, words] = [isUnique(is) ? "set" : "unset", "items that differ from each other"] as const;
    note(at, `limit-${how}`, { from: words, to: words }, `unique-items-${how}`);
  }
  const [gone, added] = differ(patternsOf(was), patternsOf(is), (one, other) => one.source === other.source);
  noteText(at, "pattern", toText(gone), toText(added));
}

function compareFormats(was: Limited, is: Limited, at: At): void {
  const [gone, added] = differ(formatsOf(was), formatsOf(is), (one, other) => one === other);
  if (gone.length > 0 && added.length > 0) noteTypes(at, "type-changed", was, is);
  else if (added.length > 0) noteTypes(at, "type-specialized", was, is);
  else if (gone.length > 0) noteTypes(at, "type-generalized", was, is);
}

/** Of conditions that have to hold together those that are gone, and those that are new: no other has them hold. */
function differ<One>(
  was: readonly One[],
  is: readonly One[],
  implies: (one: One, other: One) => boolean,
): readonly [gone: readonly One[], added: readonly One[]] {
  const only = (all: readonly One[], others: readonly One[]): readonly One[] =>
    all.filter((one) => !others.some((other) => implies(other, one)));
  return [only(was, is), only(is, was)];
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
function boundOfNumber(
  end: End,
  { integer, min, max, exclusiveMin, exclusiveMax }: NumberShape,
): Bound | undefined {
  const [plain, strict] = end === "min" ? [min, exclusiveMin] : [max, exclusiveMax];
  const isStrict =
    strict !== undefined && (plain === undefined || (end === "min" ? strict >= plain : strict <= plain));
  // Of whole numbers those above 0 are those from 1.
  if (isStrict && integer) return toBound(end === "min" ? Math.floor(strict) + 1 : Math.ceil(strict) - 1, "");
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

const NOUNS = { "": "", length: " character", items: " item" } as const;

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
  const noun = NOUNS[what];
  return `${isExclusive ? strictly : inclusively} ${value}${noun}${noun !== "" && value !== 1 ? "s" : ""}`;
}

/** Multiples of 4 are multiples of 2. */
function compareMultiples(was: Limited, is: Limited, at: At): void {
  const [before, after] = [factorsOf(was), factorsOf(is)];
  const [gone, added] = differ(before, after, isMultiple);
  const [from, to] = [before, after].map((all) =>
    all.length === 0 ? "none" : `multiples of ${all.join(" and ")}`,
  );
  if (gone.length > 0 && added.length > 0) note(at, "limit-changed", { from, to }, "multiple-of-changed");
  else if (added.length > 0) note(at, "limit-narrowed", { from, to }, "multiple-of-set");
  else if (gone.length > 0) note(at, "limit-widened", { from, to }, "multiple-of-unset");
}

function factorsOf(shape: Limited): readonly number[] {
  return shape.kind === "number" ? (shape.multipleOf ?? []) : [];
}

function isUnique(shape: Limited): boolean {
  return "uniqueItems" in shape && shape.uniqueItems === true;
}

function patternsOf(shape: Limited): readonly Pattern[] {
  return shape.kind === "string" ? (shape.patterns ?? []) : [];
}

function toText(patterns: readonly Pattern[]): string {
  return patterns.map(({ source, template = source }) => template).join(" and ");
}
