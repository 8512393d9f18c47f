/** Finds the routes that a request comes near to, with everything that keeps it from matching them. */

import { int } from "#runtime/routing/param";
import type { Param, RouteMethod, Segment } from "#runtime/routing/route";
import type { Definitions } from "#runtime/wire/shape";
import { closest } from "../diagnostics/closest.ts";
import { spreadWhole } from "../rule/path-shape.ts";
import { findMisfits, type Misfit, type RouteTable } from "../rule/table-router.ts";
import type { TypedRoute } from "../wire/typed-route.ts";

export interface NearMiss {
  readonly route: TypedRoute;
  /** Everything that keeps the request from matching the route; never empty. */
  readonly differences: readonly Difference[];
  /** A path of the route that was probably meant; the same method is served there. */
  readonly suggestion: string | null;
}

export type Difference =
  | { readonly kind: "method"; readonly served: RouteMethod; readonly asked: string }
  | { readonly kind: "digits" | "limit"; readonly text: string; readonly param: Param }
  | Misfit
  | { readonly kind: "text"; readonly text: string; readonly wanted: string }
  /** Segments that the route has and the path has not. */
  | { readonly kind: "more"; readonly segments: readonly Segment[] }
  /** Segments that the path has and the route has not. */
  | { readonly kind: "fewer"; readonly texts: readonly string[] };

/** The path, if the method is served there; else null. */
export type Confirm = (path: string | undefined) => string | null;

const MOST_NEAR_MISSES = 5;
/** What a difference costs: a path that fits comes before every other, whatever the method. */
const COST = { method: 0.5, methodToo: 3, slip: 1, length: 2, other: 3 };
/** From here on a route has nothing to do with the request. */
const TOO_MUCH = 7;
/** A route that costs so much more than the nearest does not help. */
const MOST_BEHIND = 2;
/** Up to here a difference is a slip; a larger one is probably meant. */
const MOST_SLIP = 2;

/** @param texts the decoded segments of the path. */
export function findNearMisses(
  { routes, definitions }: RouteTable,
  method: string,
  texts: readonly string[],
  confirm: Confirm,
): NearMiss[] {
  const candidates = routes
    .flatMap((route) => toCandidate(route, method, texts, definitions) ?? [])
    .filter(({ cost }) => cost < TOO_MUCH)
    .sort((one, other) => one.cost - other.cost);
  const least = candidates[0]?.cost ?? 0;
  return candidates
    .filter(({ cost }) => cost <= least + MOST_BEHIND)
    .slice(0, MOST_NEAR_MISSES)
    .map(({ meant, ...near }) => ({ ...near, suggestion: confirm(meant) }));
}

interface Candidate extends Omit<NearMiss, "suggestion"> {
  readonly cost: number;
  /** The path without its slips. */
  readonly meant: string | undefined;
}

/** @returns undefined for a route that has nothing in common with the path. */
function toCandidate(
  route: TypedRoute,
  method: string,
  texts: readonly string[],
  definitions: Definitions,
): Candidate | undefined {
  const segments = spreadWhole(route.segments, texts.length);
  const surplus = segments.length - texts.length;
  if (Math.abs(surplus) * COST.length >= TOO_MUCH) return undefined;
  // What one has more than the other is in one place, behind what fits.
  const fits = segments.findIndex((one, index) => costOf(one, texts[index] ?? "") > COST.slip);
  const start = Math.min(fits === -1 ? segments.length : fits, texts.length);
  const more = segments.slice(start, start + Math.max(0, surplus));
  const fewer = texts.slice(start, start + Math.max(0, -surplus));
  const aligned: Segment[] = [...texts];
  aligned.splice(start, fewer.length, ...more);
  const pairs = segments.map((segment, index) => ({ segment, text: aligned[index] ?? "" }));
  const written = pairs.toSpliced(start, more.length);
  const isAlike =
    written.some(({ segment, text }) => isStatic(segment) && costOf(segment, text) <= COST.slip) ||
    (surplus === 0 && !segments.some(isStatic));
  if (!isAlike) return undefined;
  const serves =
    route.method === "ALL" || route.method === method || (method === "HEAD" && route.method === "GET");
  const inPath = pairs.reduce((sum, { segment, text }) => sum + costOf(segment, text), 0);
  const misfits = surplus === 0 ? misfitsOf(route, texts, definitions) : [];
  const cost = inPath + Math.abs(surplus) * COST.length + misfits.length * COST.slip;
  const differences: Difference[] = [
    ...written.flatMap(({ segment, text }) => toDifference(segment, text)),
    ...misfits,
    ...(more.length > 0 ? [{ kind: "more", segments: more } as const] : []),
    ...(fewer.length > 0 ? [{ kind: "fewer", texts: fewer } as const] : []),
    ...(serves ? [] : [{ kind: "method", served: route.method, asked: method } as const]),
  ];
  const isCut = fewer.length > 0 && start === segments.length;
  const meant = serves && cost <= MOST_SLIP && !isCut ? repair(pairs) : undefined;
  return {
    route,
    differences,
    cost: serves ? cost : cost + (cost === 0 ? COST.method : COST.methodToo),
    meant,
  };
}

/** Of the params whose texts are of their type. */
function misfitsOf({ segments }: TypedRoute, texts: readonly string[], definitions: Definitions): Misfit[] {
  return segments.flatMap((segment, at) => {
    const text = texts[at] ?? "";
    if (isStatic(segment) || costOf(segment, text) > 0) return [];
    const value = segment.type === "int" ? Number(text) : segment.type === "str" ? text : texts.slice(at);
    return findMisfits([segment], [value], definitions);
  });
}

interface Pair {
  readonly segment: Segment;
  /** The segment itself where the path has none. */
  readonly text: Segment;
}

export function isStatic(segment: Segment): segment is string {
  return typeof segment === "string";
}

function costOf(segment: Segment, text: Segment): number {
  if (segment === text || !isStatic(text)) return 0;
  if (isStatic(segment)) return closest(text, [segment]) === undefined ? COST.other : COST.slip;
  return segment.type !== "int" || int(text) !== undefined ? 0 : COST.slip;
}

function toDifference(segment: Segment, text: Segment): readonly Difference[] {
  if (!isStatic(text) || costOf(segment, text) === 0) return [];
  if (isStatic(segment)) return [{ kind: "text", text, wanted: segment }];
  return [{ kind: /^[0-9]+$/.test(text) ? "limit" : "digits", text, param: segment }];
}

/** Undefined where a value would have to be invented or a word replaced. */
function repair(pairs: readonly Pair[]): string | undefined {
  const fixed = pairs.map(({ segment, text }) => {
    const cost = costOf(segment, text);
    if (isStatic(segment)) return cost === COST.other ? undefined : segment;
    return isStatic(text) && cost === 0 ? text : undefined;
  });
  const whole = fixed.filter((one) => one !== undefined);
  return whole.length < fixed.length ? undefined : `/${whole.map(encodeText).join("/")}`;
}

/** One segment as a client sends it. */
function encodeText(text: string): string {
  return encodeURI(text).replace(/[/?#]/g, encodeURIComponent);
}
