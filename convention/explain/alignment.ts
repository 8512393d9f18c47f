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
 * Aligns the segments of a route with those of a path so that they differ least. Gaps stretch the shorter of the two, as
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
  const gaps = Math.abs(surplus);
  if (gaps * COST.length >= tooMuch) return undefined;
  const rows = Math.min(segments.length, texts.length);
  const segmentAt = (row: number, gap: number): Segment => segments[surplus > 0 ? row + gap : row] ?? "";
  const textAt = (row: number, gap: number): string => texts[surplus > 0 ? row : row + gap] ?? "";
  // least[gap]: the cost of the rows so far with that many gaps among or before them; skips leads the way back.
  let least = Array.from({ length: gaps + 1 }, (_, gap) => gap * COST.length);
  const skips: boolean[][] = [[]];
  for (let row = 0; row < rows; row++) {
    const paired = least.map((cost, gap) => cost + costOf(segmentAt(row, gap), textAt(row, gap), isNear));
    const skip: boolean[] = [];
    least = [];
    paired.forEach((cost, gap) => {
      const skipped = gap === 0 ? Number.POSITIVE_INFINITY : (least[gap - 1] ?? 0) + COST.length;
      least.push(Math.min(cost, skipped));
      skip.push(skipped <= cost);
    });
    skips.push(skip);
  }
  return (least[gaps] ?? 0) >= tooMuch ? undefined : traceBack();

  function traceBack(): Pair[] {
    const pairs: Pair[] = [];
    let [row, gap] = [rows, gaps];
    while (row > 0 || gap > 0) {
      const isGap = row === 0 || skips[row]?.[gap] === true;
      if (isGap) {
        gap--;
        const position = row + gap;
        pairs.push(
          surplus > 0
            ? { segment: segments[position] ?? "", cost: COST.length }
            : { text: texts[position] ?? "", cost: COST.length },
        );
      } else {
        row--;
        const [segment, text] = [segmentAt(row, gap), textAt(row, gap)];
        pairs.push({ segment, text, cost: costOf(segment, text, isNear) });
      }
    }
    return pairs.reverse();
  }
}
