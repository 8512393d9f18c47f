/** The order of the table. Where few files have changed since the reading before, their routes are put into the order that is there. */

import { compareLocations, compareText } from "#convention/diagnostics/order";
import { METHODS, type Route, type Segment } from "#runtime/routing/route";
import type { TypedRoute } from "#runtime/wire/take";

export interface SortedRoutes {
  readonly routes: readonly TypedRoute[];
  /** Which routes these are, file by file. */
  readonly files: ReadonlySet<readonly TypedRoute[]>;
  /** Of any two it is known which is the first, wherever their files are listed. */
  readonly isStrict: boolean;
}

export const NOTHING_SORTED: SortedRoutes = { routes: [], files: new Set(), isStrict: true };

export function sortRoutes(routes: readonly (readonly TypedRoute[])[], before: SortedRoutes): SortedRoutes {
  const files = new Set(routes);
  const inserted = before.isStrict ? changeRoutes(files, before) : undefined;
  if (inserted) return { routes: inserted, files, isStrict: true };
  const sorted = routes.flat().sort(compareRoutes);
  const isStrict = sorted.every((route, place) => place === 0 || isBefore(sorted[place - 1], route));
  return { routes: sorted, files, isStrict };
}

function changeRoutes(
  files: ReadonlySet<readonly TypedRoute[]>,
  before: SortedRoutes,
): readonly TypedRoute[] | undefined {
  const gone = new Set([...before.files].flatMap((file) => (files.has(file) ? [] : file)));
  const added = [...files]
    .flatMap((file) => (before.files.has(file) ? [] : file))
    // One that is in both stays where it is.
    .filter((route) => !gone.delete(route));
  const left = gone.size === 0 ? before.routes : before.routes.filter((route) => !gone.has(route));
  return added.length === 0 ? left : insertRoutes(left, added);
}

/** Beyond it, sorting all is the faster way. */
const MOST_ADDED = 1 / 8;

/** @returns undefined where an order has to be found otherwise. */
function insertRoutes(
  sorted: readonly TypedRoute[],
  added: readonly TypedRoute[],
): readonly TypedRoute[] | undefined {
  if (added.length > sorted.length * MOST_ADDED) return undefined;
  const pieces: (readonly TypedRoute[])[] = [];
  let [next, last]: [number, TypedRoute | undefined] = [0, undefined];
  for (const route of added.toSorted(compareRoutes)) {
    const place = findPlace(sorted, route, next);
    if (!isBefore(last, route) || !isBefore(route, sorted[place])) return undefined;
    pieces.push(sorted.slice(next, place), [route]);
    [next, last] = [place, route];
  }
  return [...pieces, sorted.slice(next)].flat();
}

/** @returns the place of the first route that is not before this one. */
function findPlace(sorted: readonly TypedRoute[], route: TypedRoute, from: number): number {
  let [low, high] = [from, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(sorted[middle], route)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** True where one of them is missing. */
function isBefore(one: Route | undefined, other: Route | undefined): boolean {
  return !one || !other || compareRoutes(one, other) < 0;
}

/** By path, segment by segment, static before int before str, as the router tries them; then by method and place. */
function compareRoutes(one: Route, other: Route): number {
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
