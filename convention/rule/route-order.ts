/** The order of the table. */

import { compareLocations, compareText } from "#convention/diagnostics/order";
import { METHODS, type ParamType, type Route, type RouteMethod, type Segment } from "#runtime/routing/route";

const METHOD_ORDER: readonly RouteMethod[] = [...METHODS, "ALL"];
/** As the router tries them, after static text. */
const PARAM_ORDER: readonly ParamType[] = ["int", "str", "str[]"];

/** By path, segment by segment, as the router tries them; then by method and place. */
export function compareRoutes(one: Route, other: Route): number {
  return (
    comparePaths(one, other) ||
    METHOD_ORDER.indexOf(one.method) - METHOD_ORDER.indexOf(other.method) ||
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
  return typeof segment === "string" ? -1 : PARAM_ORDER.indexOf(segment.type);
}
