/** Finds the routes that a request comes near to, with everything that keeps it from matching them. */

import type { Method, Param, Route, Segment } from "#runtime/routing/route";
import { shapeOf } from "../rule/path-shape.ts";
import { align, COST, isStatic, type Pair } from "./alignment.ts";

export interface NearMiss {
  readonly route: Route;
  /** Everything that keeps the request from matching the route; never empty. */
  readonly differences: readonly Difference[];
  /** A path of the route that was probably meant; the same method is served there. */
  readonly suggestion: string | null;
}

export type Difference =
  | { readonly kind: "method"; readonly served: Method; readonly asked: string }
  | { readonly kind: "digits" | "limit"; readonly text: string; readonly param: Param }
  /** `near`: a slip of the fingers away. */
  | { readonly kind: "text"; readonly text: string; readonly wanted: string; readonly near: boolean }
  /** Segments that the route has and the path has not. */
  | { readonly kind: "more"; readonly segments: readonly Segment[] }
  /** Segments that the path has and the route has not. */
  | { readonly kind: "fewer"; readonly texts: readonly string[] };

/** The path, if the method is served there; else null. */
export type Confirm = (path: string | undefined) => string | null;

const MOST_NEAR_MISSES = 5;
/** From here on a route has nothing to do with the request. */
const TOO_MUCH = 7;
/** A route that costs so much more than the nearest does not help. */
const MOST_BEHIND = 2;
/** Up to here a difference is a slip; a larger one is probably meant. */
const MOST_SLIP = 2;

interface Candidate {
  readonly route: Route;
  readonly serves: boolean;
  readonly pairs: readonly Pair[];
  readonly cost: number;
}

/** @param texts the decoded segments of the path. */
export function findNearMisses(
  routes: readonly Route[],
  method: string,
  texts: readonly string[],
  confirm: Confirm,
): NearMiss[] {
  const candidates = routes
    .flatMap((route) => {
      const pairs = align(route.segments, texts, TOO_MUCH);
      return pairs && isAlike(pairs) ? [toCandidate(route, pairs, method)] : [];
    })
    .filter(({ cost }) => cost < TOO_MUCH)
    .sort((one, other) => one.cost - other.cost);
  const least = candidates[0]?.cost ?? 0;
  const shapes = new Map<string, number>();
  return candidates
    .filter(({ cost }) => cost <= least + MOST_BEHIND)
    .filter(({ cost, route }) => {
      // The same path under another method counts only where it is as near.
      const shape = shapeOf(route.segments);
      const best = shapes.get(shape) ?? cost;
      shapes.set(shape, best);
      return cost === best;
    })
    .slice(0, MOST_NEAR_MISSES)
    .map((candidate) => toNearMiss(candidate, method, confirm));
}

function toCandidate(route: Route, pairs: readonly Pair[], method: string): Candidate {
  const serves = route.method === method || (method === "HEAD" && route.method === "GET");
  const inPath = pairs.reduce((sum, pair) => sum + pair.cost, 0);
  const cost = serves ? inPath : inPath + (inPath === 0 ? COST.method : COST.methodToo);
  return { route, serves, pairs, cost };
}

function toNearMiss({ route, serves, pairs, cost }: Candidate, method: string, confirm: Confirm): NearMiss {
  const differences = toDifferences(pairs);
  if (!serves) differences.push({ kind: "method", served: route.method, asked: method });
  const meant = serves && cost <= MOST_SLIP ? repair(pairs) : undefined;
  return { route, differences, suggestion: confirm(meant) };
}

/** They have static text in common, or the route has only params: otherwise the two paths only happen to be short. */
function isAlike(pairs: readonly Pair[]): boolean {
  return (
    pairs.some(({ segment, text, cost }) => isStatic(segment) && text !== undefined && cost <= COST.near) ||
    pairs.every(({ segment, text }) => segment !== undefined && !isStatic(segment) && text !== undefined)
  );
}

function toDifferences(pairs: readonly Pair[]): Difference[] {
  const differences = pairs.flatMap(({ segment, text, cost }): Difference[] => {
    if (segment === undefined || text === undefined || cost === 0) return [];
    if (isStatic(segment)) return [{ kind: "text", text, wanted: segment, near: cost === COST.near }];
    return [{ kind: /^[0-9]+$/.test(text) ? "limit" : "digits", text, param: segment }];
  });
  const segments = pairs.flatMap(({ segment, text }) =>
    text === undefined && segment !== undefined ? [segment] : [],
  );
  const texts = pairs.flatMap(({ segment, text }) =>
    segment === undefined && text !== undefined ? [text] : [],
  );
  if (segments.length > 0) differences.push({ kind: "more", segments });
  if (texts.length > 0) differences.push({ kind: "fewer", texts });
  return differences;
}

/** The path without its slips; undefined where a value would have to be invented, a word replaced or the end cut off. */
function repair(pairs: readonly Pair[]): string | undefined {
  if (pairs.at(-1)?.segment === undefined) return undefined;
  const fixed: string[] = [];
  for (const { segment, text, cost } of pairs) {
    if (segment === undefined) continue;
    if (isStatic(segment) && cost !== COST.other) fixed.push(segment);
    else if (text !== undefined && cost === 0) fixed.push(text);
    else return undefined;
  }
  return `/${fixed.map(encodeText).join("/")}`;
}

/** One segment as a client sends it. */
function encodeText(text: string): string {
  return encodeURI(text).replace(/[/?#]/g, encodeURIComponent);
}
