/** The shape of a path, by which routes are compared. */

import type { Segment } from "#runtime/routing/route";

/**
 * What decides which requests a path serves: params count by their type alone, not by their name.
 * @returns a text that is the same for the same shape.
 */
export function shapeOf(segments: readonly Segment[]): string {
  return segments.map((segment) => (typeof segment === "string" ? `=${segment}` : segment.type)).join("/");
}
