/** The shape of a path: what decides which requests it serves. Two routes of one method may not share it. */

import type { Segment } from "#runtime/core/routing/route";

/** Params count by their type alone, not by their name. @returns a text that is the same for the same shape. */
export function shapeOf(segments: readonly Segment[]): string {
  return segments.map((segment) => (typeof segment === "string" ? `=${segment}` : segment.type)).join("/");
}
