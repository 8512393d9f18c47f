/** How the limits of numbers, texts and lists have changed. */

import { isMultiple } from "#runtime/wire/checks";
import type { NumberShape, StringShape } from "#runtime/wire/shape";
import type { ListCase } from "./cases.ts";
import type { Kind } from "./rules.ts";

/** A change of a limit; the texts complete "limited to …". */
export interface LimitChange {
  readonly kind: Kind;
  readonly from?: string;
  readonly to?: string;
}

interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

export function* compareNumberLimits(before: NumberShape, after: NumberShape): Generator<LimitChange> {
  yield* compareBounds("min", lowerOf(before), lowerOf(after));
  yield* compareBounds("max", upperOf(before), upperOf(after));
  yield* compareMultiples(before.multipleOf ?? [], after.multipleOf ?? []);
}

/** Of two bounds the tighter one; of an integer the nearest integer that fits. */
function lowerOf({ integer, min, exclusiveMin }: NumberShape): Bound | undefined {
  if (exclusiveMin === undefined || (min !== undefined && min > exclusiveMin))
    return min === undefined ? undefined : { value: integer ? Math.ceil(min) : min, exclusive: false };
  if (integer) return { value: Math.floor(exclusiveMin) + 1, exclusive: false };
  return { value: exclusiveMin, exclusive: true };
}

function upperOf({ integer, max, exclusiveMax }: NumberShape): Bound | undefined {
  if (exclusiveMax === undefined || (max !== undefined && max < exclusiveMax))
    return max === undefined ? undefined : { value: integer ? Math.floor(max) : max, exclusive: false };
  if (integer) return { value: Math.ceil(exclusiveMax) - 1, exclusive: false };
  return { value: exclusiveMax, exclusive: true };
}

function* compareBounds(
  end: "min" | "max",
  before: Bound | undefined,
  after: Bound | undefined,
): Generator<LimitChange> {
  if (before?.value === after?.value && before?.exclusive === after?.exclusive) return;
  const name = (after ?? before)?.exclusive ? (`exclusive-${end}` as const) : end;
  const texts = {
    ...(before && { from: formatBound(end, before) }),
    ...(after && { to: formatBound(end, after) }),
  };
  if (before === undefined) yield { kind: `${name}-set`, ...texts };
  else if (after === undefined) yield { kind: `${name}-unset`, ...texts };
  else yield { kind: `${name}-${isAbove(end, before, after) ? "increased" : "decreased"}`, ...texts };
}

/** Whether the bound has moved up: `> 3` is above `>= 3`, and `<= 3` above `< 3`. */
function isAbove(end: "min" | "max", before: Bound, after: Bound): boolean {
  if (before.value !== after.value) return after.value > before.value;
  return after.exclusive === (end === "min");
}

function formatBound(end: "min" | "max", { value, exclusive }: Bound): string {
  if (end === "min") return `${exclusive ? "more than" : "at least"} ${value}`;
  return `${exclusive ? "less than" : "at most"} ${value}`;
}

function* compareMultiples(before: readonly number[], after: readonly number[]): Generator<LimitChange> {
  const isImplied = (factor: number, by: readonly number[]): boolean =>
    by.some((one) => isMultiple(one, factor));
  const isLess = before.some((factor) => !isImplied(factor, after));
  const isMore = after.some((factor) => !isImplied(factor, before));
  const [from, to] = [before, after].map((factors) => `multiples of ${factors.join(" and ")}`);
  const texts = { ...(before.length > 0 && from && { from }), ...(after.length > 0 && to && { to }) };
  if (isLess && isMore) yield { kind: "multiple-of-changed", ...texts };
  else if (isMore) yield { kind: "multiple-of-set", ...texts };
  else if (isLess) yield { kind: "multiple-of-unset", ...texts };
}

export function* compareTextLimits(before: StringShape, after: StringShape): Generator<LimitChange> {
  yield* compareCounts("length", "min", "character", before.minLength, after.minLength);
  yield* compareCounts("length", "max", "character", before.maxLength, after.maxLength);
  yield* comparePatterns(before, after);
}

/** What a list may hold, in numbers: of a tuple, what its items say. */
export function sizesOf(list: ListCase): { readonly min?: number; readonly max?: number } {
  const isTuple = list.kind === "tuple";
  const min = Math.max(list.minItems ?? 0, isTuple ? list.required : 0);
  const most = isTuple && list.rest === undefined ? list.items.length : undefined;
  const max = Math.min(list.maxItems ?? Number.POSITIVE_INFINITY, most ?? Number.POSITIVE_INFINITY);
  return { ...(min > 0 && { min }), ...(max < Number.POSITIVE_INFINITY && { max }) };
}

export function* compareListLimits(before: ListCase, after: ListCase): Generator<LimitChange> {
  const [was, is] = [sizesOf(before), sizesOf(after)];
  yield* compareCounts("items", "min", "item", was.min, is.min);
  yield* compareCounts("items", "max", "item", was.max, is.max);
  if (before.uniqueItems === after.uniqueItems) return;
  const text = "items that differ from each other";
  yield after.uniqueItems
    ? { kind: "unique-items-set", to: text }
    : { kind: "unique-items-unset", from: text };
}

function* compareCounts(
  what: "length" | "items",
  end: "min" | "max",
  noun: string,
  before: number | undefined,
  after: number | undefined,
): Generator<LimitChange> {
  const [least, greatest] = end === "min" ? [before || undefined, after || undefined] : [before, after];
  const [was, is] = [least, greatest].map((value) =>
    value === undefined ? undefined : { value, exclusive: false },
  );
  for (const change of compareBounds(end, was, is)) {
    const kind = change.kind.replace(end, `${end}-${what}`) as Kind; // each limit has the same four kinds
    const count = (text: string | undefined): string | undefined =>
      text === undefined ? undefined : `${text} ${noun}${text.endsWith(" 1") ? "" : "s"}`;
    const [from, to] = [count(change.from), count(change.to)];
    yield { kind, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  }
}

function* comparePatterns(before: StringShape, after: StringShape): Generator<LimitChange> {
  const [was, is] = [patternsOf(before), patternsOf(after)];
  const gone = [...was.keys()].filter((source) => !is.has(source)).map((source) => was.get(source));
  const added = [...is.keys()].filter((source) => !was.has(source)).map((source) => is.get(source));
  const texts = {
    ...(gone.length > 0 && { from: gone.join(" and ") }),
    ...(added.length > 0 && { to: added.join(" and ") }),
  };
  if (gone.length > 0 && added.length > 0) yield { kind: "pattern-changed", ...texts };
  else if (added.length > 0) yield { kind: "pattern-added", ...texts };
  else if (gone.length > 0) yield { kind: "pattern-removed", ...texts };
}

/** By their source, as they were written. Those that any text matches say nothing. */
function patternsOf({ patterns = [] }: StringShape): ReadonlyMap<string, string> {
  const telling = patterns.filter(({ source }) => !ANYTHING.includes(source));
  return new Map(telling.map(({ source, template }) => [source, template ?? source]));
}

const ANYTHING: readonly string[] = ["", "^", "$", ".*", "[^]*"];
