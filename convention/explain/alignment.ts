/** Aligns a route's segments with those of a path, to find each difference. */

import { int } from "#runtime/routing/param";
import type { Segment } from "#runtime/routing/route";
import { closest } from "../diagnostics/closest.ts";

/** What a difference costs: the nearest route costs least. A path that fits comes before every other, whatever the method. */
export const COST = { method: 0.5, methodToo: 2, param: 1, near: 1, length: 2, other: 3 } as const;

/** A segment of the route beside the text in its place of the path; one of the two may be missing. */
export interface Pair {
  readonly segment?: Segment;
  readonly text?: string;
  readonly cost: number;
}

export function isStatic(segment: Segment | undefined): segment is string {
  return typeof segment === "string";
}

/** Whether two words are a slip of the fingers apart. */
export type Nearness = (text: string, wanted: string) => boolean;

/** Remembers each distance, because many routes have the same words. */
export function createNearness(): Nearness {
  const known = new Map<string, Map<string, boolean>>();
  return (text, wanted) => {
    const ofText = known.get(text) ?? new Map<string, boolean>();
    known.set(text, ofText);
    const near = ofText.get(wanted) ?? closest(text, [wanted]) !== undefined;
    ofText.set(wanted, near);
    return near;
  };
}

function costOf(segment: Segment, text: string, isNear: Nearness): number {
  if (isStatic(segment)) return segment === text ? 0 : isNear(text, segment) ? COST.near : COST.other;
  return segment.type === "str" || int(text) !== undefined ? 0 : COST.param;
}

/**
 * Aligns the segments of a route with those of a path so that they differ least. What one has more than the other is in one place, as
 * late as is equally good.
 *
 * @returns undefined where that costs too much.
 */
export function align(
  segments: readonly Segment[],
  texts: readonly string[],
  isNear: Nearness,
  tooMuch: number,
): readonly Pair[] | undefined {
  const surplus = segments.length - texts.length;
  const gap = Math.abs(surplus);
  if (gap * COST.length >= tooMuch) return undefined;
  let [best, least]: [readonly Pair[] | undefined, number] = [undefined, tooMuch];
  for (let start = Math.min(segments.length, texts.length); start >= 0; start--) {
    const pairs = pairUp(start);
    const cost = pairs.reduce((sum, pair) => sum + pair.cost, 0);
    if (cost < least) [best, least] = [pairs, cost];
    if (gap === 0) break;
  }
  return best;

  /** @param start the first place of the longer one that has nothing beside it. */
  function pairUp(start: number): readonly Pair[] {
    const end = start + gap;
    return Array.from({ length: Math.max(segments.length, texts.length) }, (_, at): Pair => {
      const shorter = at < start ? at : at - gap;
      const segment = segments[surplus > 0 ? at : shorter] ?? "";
      const text = texts[surplus > 0 ? shorter : at] ?? "";
      if (at < start || at >= end) return { segment, text, cost: costOf(segment, text, isNear) };
      return surplus > 0 ? { segment, cost: COST.length } : { text, cost: COST.length };
    });
  }
}
