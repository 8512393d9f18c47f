/** The shape of a path, by which routes are compared, and paths that a route serves. */

import type { ParamType, Segment } from "#runtime/routing/route";
import type { TypedSegment } from "../wire/typed-route.ts";

/**
 * What decides which requests a path serves: params count by their type alone, not by their name.
 * @returns a text that is the same for the same shape.
 */
export function shapeOf(segments: readonly Segment[]): string {
  return segments.map((segment) => (typeof segment === "string" ? `=${segment}` : segment.type)).join("/");
}

/** For params of each type: texts that no route has as a fixed one. */
export type Samples = Readonly<Record<ParamType, string>>;

export function createSamples(routes: readonly { readonly segments: readonly Segment[] }[]): Samples {
  const fixed = new Set(routes.flatMap(({ segments }) => segments));
  let digits = 1;
  let letters = "x";
  while (fixed.has(String(digits))) digits++;
  while (fixed.has(letters)) letters += "x";
  return { int: String(digits), str: letters, "str[]": letters };
}

/** With a whole path as so many params that all of it has the wanted number of segments. */
export function spreadWhole<One extends Segment>(segments: readonly One[], count: number): readonly One[] {
  const last = segments.at(-1);
  if (typeof last !== "object" || last.type !== "str[]") return segments;
  return [...segments, ...new Array<One>(Math.max(0, count - segments.length)).fill(last)];
}

/** Of a path that has this segment. Of constraints only literals count. */
export function sampleOf(segment: TypedSegment, samples: Samples): string {
  if (typeof segment === "string") return segment;
  const { type, shape } = segment;
  return shape?.kind === "literal" ? String(shape.values[0]) : samples[type];
}
