/** How the limits of numbers, texts and lists have changed. The texts complete "limited to …". */

import { isMultiple } from "#runtime/wire/checks";
import type { NumberShape, StringShape } from "#runtime/wire/shape";
import type { ListCase } from "./cases.ts";
import type { Kind } from "./rules.ts";
import { type At, note } from "./shape-change.ts";

type End = "min" | "max";

interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

export function compareNumberLimits(was: NumberShape, is: NumberShape, at: At): void {
  for (const end of ["min", "max"] as const) {
    const [before, after] = [boundOf(end, was), boundOf(end, is)];
    const name = (after ?? before)?.exclusive ? (`exclusive-${end}` as const) : end;
    compareBounds(name, end, "", before, after, at);
  }
  compareMultiples(was.multipleOf ?? [], is.multipleOf ?? [], at);
}

/** Of two bounds the tighter one; of an integer the nearest integer that fits. An upper bound is a lower one of the negative numbers. */
function boundOf(end: End, { integer, ...limits }: NumberShape): Bound | undefined {
  const sign = end === "min" ? 1 : -1;
  const [plain, strict] =
    end === "min" ? [limits.min, limits.exclusiveMin] : [limits.max, limits.exclusiveMax];
  if (strict === undefined || (plain !== undefined && sign * plain > sign * strict)) {
    if (plain === undefined) return undefined;
    return { value: integer ? sign * Math.ceil(sign * plain) : plain, exclusive: false };
  }
  if (integer) return { value: sign * (Math.floor(sign * strict) + 1), exclusive: false };
  return { value: strict, exclusive: true };
}

type Limited = Kind extends infer One ? (One extends `${infer Name}-increased` ? Name : never) : never;

/** @param noun of what is counted; "" for the values themselves. */
function compareBounds(
  name: Limited,
  end: End,
  noun: string,
  was: Bound | undefined,
  is: Bound | undefined,
  at: At,
): void {
  if (was?.value === is?.value && was?.exclusive === is?.exclusive) return;
  const [from, to] = [was, is].map((bound) => bound && formatBound(end, bound, noun));
  const how = !was ? "set" : !is ? "unset" : isAbove(end, was, is) ? "increased" : "decreased";
  note(at, `${name}-${how}`, { from, to });
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

function compareMultiples(was: readonly number[], is: readonly number[], at: At): void {
  const isImplied = (factor: number, by: readonly number[]): boolean =>
    by.some((one) => isMultiple(one, factor));
  const isLess = was.some((factor) => !isImplied(factor, is));
  const isMore = is.some((factor) => !isImplied(factor, was));
  if (!isLess && !isMore) return;
  const [from, to] = [was, is].map((all) =>
    all.length > 0 ? `multiples of ${all.join(" and ")}` : undefined,
  );
  note(at, `multiple-of-${isLess && isMore ? "changed" : isMore ? "set" : "unset"}`, { from, to });
}

export function compareTextLimits(was: StringShape, is: StringShape, at: At): void {
  // Each text has at least 0 characters.
  compareCounts("min-length", "character", was.minLength || undefined, is.minLength || undefined, at);
  compareCounts("max-length", "character", was.maxLength, is.maxLength, at);
  comparePatterns(was, is, at);
}

/** What a list may hold, in numbers: of a tuple, what its items say. */
export function sizesOf(list: ListCase): { readonly min?: number; readonly max?: number } {
  const isTuple = list.kind === "tuple";
  const min = Math.max(list.minItems ?? 0, isTuple ? list.required : 0);
  const most = isTuple && list.rest === undefined ? list.items.length : undefined;
  const max = Math.min(list.maxItems ?? Number.POSITIVE_INFINITY, most ?? Number.POSITIVE_INFINITY);
  return { ...(min > 0 && { min }), ...(max < Number.POSITIVE_INFINITY && { max }) };
}

export function compareListLimits(was: ListCase, is: ListCase, at: At): void {
  const [before, after] = [sizesOf(was), sizesOf(is)];
  compareCounts("min-items", "item", before.min, after.min, at);
  compareCounts("max-items", "item", before.max, after.max, at);
  const text = "items that differ from each other";
  if (is.uniqueItems && !was.uniqueItems) note(at, "unique-items-set", { to: text });
  if (was.uniqueItems && !is.uniqueItems) note(at, "unique-items-unset", { from: text });
}

function compareCounts(
  name: Limited & `${End}-${string}`,
  noun: string,
  was: number | undefined,
  is: number | undefined,
  at: At,
): void {
  const [before, after] = [was, is].map((value) =>
    value === undefined ? undefined : { value, exclusive: false },
  );
  compareBounds(name, name.startsWith("min") ? "min" : "max", noun, before, after, at);
}

function comparePatterns(before: StringShape, after: StringShape, at: At): void {
  const [was, is] = [patternsOf(before), patternsOf(after)];
  const missing = (from: Patterns, among: Patterns): string | undefined =>
    [...from].flatMap(([source, text]) => (among.has(source) ? [] : [text])).join(" and ") || undefined;
  const [from, to] = [missing(was, is), missing(is, was)];
  if (from || to) note(at, `pattern-${from && to ? "changed" : to ? "added" : "removed"}`, { from, to });
}

/** By their source, as they were written. */
type Patterns = ReadonlyMap<string, string>;

/** Without those that any text matches, which say nothing. */
function patternsOf({ patterns = [] }: StringShape): Patterns {
  const telling = patterns.filter(({ source }) => !ANYTHING.includes(source));
  return new Map(telling.map(({ source, template }) => [source, template ?? source]));
}

const ANYTHING: readonly string[] = ["", "^", "$", ".*", "[^]*"];
