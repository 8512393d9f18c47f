/** The order of the table. */

import { compareLocations, compareText } from "#convention/diagnostics/order";
import { METHODS, type Route, type Segment } from "#runtime/routing/route";

/** By path, segment by segment, static before int before str, as the router tries them; then by method and place. */
export function compareRoutes(one: Route, other: Route): number {
  return (
    comparePaths(one, other) ||
    METHODS.indexOf(one.method) - METHODS.indexOf(other.method) ||
    compareLocations(one.location, other.location)
  );
}

export function comparePaths(one: Route, other: Route): number {
  const shared = Math.min(one.segments.length, other.segments.length);
  for (let position = 0; position < shared; position++) {
    const order = compareSegments(one.segments[position] ?? "", other.segments[position] ?? "");
    if (order !== 0) return order;
  }
  return one.segments.length - other.segments.length;
}

function compareSegments(one: Segment, other: Segment): number {
  if (typeof one === "string" && typeof other === "string") return compareText(one, other);
  return rankOf(one) - rankOf(other);
}

function rankOf(segment: Segment): number {
  return typeof segment === "string" ? 0 : segment.type === "int" ? 1 : 2;
}
