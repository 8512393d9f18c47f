/** Why a request finds its route or none: the match with its values, or the routes that come near, each with the reason in a sentence. */

import { int, type ParamValue } from "../core/param.ts";
import type { Method, Param, Route, Segment } from "../core/route.ts";
import { createRouter, type Match, type Router } from "../core/router.ts";
import { closest } from "./closest.ts";

export type Explanation = Served | Missed;

export interface Served {
  readonly kind: "match";
  readonly method: string;
  readonly path: string;
  /** For HEAD it may be the GET of the same path. */
  readonly route: Route;
  /** The params in the order of the path, with their cast values. */
  readonly values: readonly { readonly param: Param; readonly value: ParamValue }[];
}

export interface Missed {
  readonly kind: "wrong-method" | "no-match" | "bad-path";
  readonly method: string;
  readonly path: string;
  /** What the server answers: OPTIONS of a path that other methods serve is answered without a handler. */
  readonly status: 204 | 400 | 404 | 405;
  /** What the path answers, for the header of that name; empty where it answers nothing. */
  readonly allow: readonly Method[];
  /** A sentence on the request itself. */
  readonly summary: string;
  /** A path that this method is served at and that was probably meant; null where none is known. */
  readonly suggestion: string | null;
  /** The most useful first. */
  readonly near: readonly NearMiss[];
}

export interface NearMiss {
  readonly route: Route;
  /** Everything that keeps the request from matching the route; never empty. */
  readonly differences: readonly Difference[];
  /** The differences in a sentence. */
  readonly reason: string;
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

const MOST_NEAR_MISSES = 5;

/**
 * The same answer as the router's, with the reasons.
 *
 * @param path as it is sent, without the query.
 * @example explain(routes, "GET", "/users/by/id/abc").near[0]?.reason // "`abc` is not digits, and `user_id` is int."
 */
export function explain(routes: readonly Route[], method: string, path: string): Explanation {
  const router = createRouter(routes.map((route) => ({ route })));
  const found = router.find(method, path);
  if (found.kind === "match") return toServed(found, method, path);
  const miss = { kind: found.kind, method, path, suggestion: null, allow: [], near: [] };
  if (found.kind === "bad-path") {
    const suggestion = confirm(router, method, readAsBrowser(path));
    return { ...miss, status: 400, summary: found.reason, suggestion };
  }
  const texts = readSegments(routes, path);
  if (texts === undefined) {
    const summary = "The path holds an empty segment (`//`), and an empty segment matches nothing.";
    const suggestion = confirm(router, method, path.replace(/\/{2,}/g, "/"));
    return { ...miss, status: 404, summary, suggestion };
  }
  if (found.kind === "wrong-method" && method === "OPTIONS")
    return { ...miss, status: 204, summary: summarizeOptions(path, found.allow), allow: found.allow };
  const near = findNearMisses(routes, router, method, texts);
  const summary = `No route serves ${method} ${path}`;
  if (found.kind === "no-match") return { ...miss, status: 404, summary: `${summary}.`, near };
  const { allow } = found;
  return { ...miss, status: 405, summary: `${summary}: only ${list(allow)} are served there.`, allow, near };
}

/**
 * All of an explanation as lines of plain text.
 * @example
 * No route serves GET /users/by/id/abc.
 * GET /users/by/id/<user_id>: `abc` is not digits, and `user_id` is int.
 */
export function formatExplanation(explanation: Explanation): string {
  if (explanation.kind === "match") {
    const { method, path, route } = explanation;
    return `${method} ${path} is served by \`${route.handler}\` in ${route.module}.`;
  }
  const { summary, suggestion, near } = explanation;
  const first = suggestion === null ? summary : `${summary} Did you mean ${suggestion}?`;
  return [first, ...near.map(({ route, reason }) => `${route.method} ${route.pattern}: ${reason}`)].join(
    "\n",
  );
}

interface Item {
  readonly route: Route;
}

function toServed({ item, values }: Match<Item>, method: string, path: string): Served {
  const params = item.route.segments.filter((segment) => typeof segment !== "string");
  const named = params.flatMap((param, position) => {
    const value = values[position];
    return value === undefined ? [] : [{ param, value }];
  });
  return { kind: "match", method, path, route: item.route, values: named };
}

function summarizeOptions(path: string, allow: readonly Method[]): string {
  return `No handler serves OPTIONS ${path}, so it is answered without one: 204, Allow: ${allow.join(", ")}.`;
}

/** The path, if the method is served there. */
function confirm(router: Router<Item>, method: string, path: string | undefined): string | null {
  return path !== undefined && router.find(method, path).kind === "match" ? path : null;
}

/** What a browser would send for the text: encoded where it has to be, and without dot segments. */
function readAsBrowser(path: string): string | undefined {
  const base = "http://localhost/";
  return URL.canParse(path, base) ? new URL(path, base).pathname : undefined;
}

/**
 * The decoded segments, read by the router itself so that the two never disagree: a route of that many params takes them all.
 * @returns undefined for a path with an empty segment, or one that can't be read.
 */
function readSegments(routes: readonly Route[], path: string): readonly string[] | undefined {
  const [route] = routes;
  if (route === undefined) return [];
  const length = path.split("/").length - (path.endsWith("/") ? 2 : 1);
  const segments = Array.from({ length }, (): Param => ({ name: "", type: "str" }));
  const found = createRouter([{ route: { ...route, method: "GET", segments } }]).find("GET", path);
  return found.kind === "match" ? found.values.map(String) : undefined;
}

/** What a difference costs: the nearest route costs least. */
const COST = { method: 1, methodToo: 2, param: 1, near: 1, length: 2, other: 3 } as const;
/** Above this a route has nothing to do with the request. */
const MOST_COST = 6;
/** A route that costs so much more than the nearest is no help beside it. */
const MOST_BEHIND = 2;
/** So much is a slip; what differs more was meant to be something else. */
const MOST_SLIP = 2;

interface Candidate extends Omit<NearMiss, "reason"> {
  readonly cost: number;
}

function findNearMisses(
  routes: readonly Route[],
  router: Router<Item>,
  method: string,
  texts: readonly string[],
): NearMiss[] {
  const isNear = createNearness();
  const candidates = routes
    .flatMap((route) => {
      const aligned = align(route.segments, texts, isNear);
      const candidate = aligned && toCandidate(route, aligned, router, method);
      return candidate ? [candidate] : [];
    })
    .sort((one, other) => one.cost - other.cost);
  const least = candidates[0]?.cost ?? 0;
  const shapes = new Map<string, number>();
  return candidates
    .filter(({ cost, route }) => {
      // The same path under another method is told only where it is as near.
      const shape = shapeOf(route);
      const best = shapes.get(shape) ?? cost;
      shapes.set(shape, best);
      return cost === best && cost <= least + MOST_BEHIND;
    })
    .slice(0, MOST_NEAR_MISSES)
    .map(({ route, differences, suggestion }) => {
      return { route, differences, suggestion, reason: formatReason(differences, suggestion) };
    });
}

function shapeOf({ segments }: Route): string {
  return segments.map((segment) => (typeof segment === "string" ? `=${segment}` : segment.type)).join("/");
}

/** A segment of the route beside the text of the path that stands at its place; one of the two may be missing. */
interface Pair {
  readonly segment?: Segment;
  readonly text?: string;
  readonly cost: number;
}

function toCandidate(
  route: Route,
  pairs: readonly Pair[],
  router: Router<Item>,
  method: string,
): Candidate | undefined {
  const serves = route.method === method || (method === "HEAD" && route.method === "GET");
  const inPath = pairs.reduce((sum, pair) => sum + pair.cost, 0);
  const cost = serves ? inPath : inPath + (inPath === 0 ? COST.method : COST.methodToo);
  if (cost > MOST_COST || !isAlike(pairs)) return undefined;
  const differences = toDifferences(pairs);
  if (!serves) differences.push({ kind: "method", served: route.method, asked: method });
  const meant = serves && cost <= MOST_SLIP ? repair(pairs) : undefined;
  return { route, cost, differences, suggestion: confirm(router, method, meant) };
}

/** Static text in common, or nothing but params that would have to be others: else two paths only happen to be short. */
function isAlike(pairs: readonly Pair[]): boolean {
  return (
    pairs.some(({ segment, text, cost }) => isStatic(segment) && text !== undefined && cost <= COST.near) ||
    pairs.every(({ segment, text }) => segment !== undefined && !isStatic(segment) && text !== undefined)
  );
}

function isStatic(segment: Segment | undefined): segment is string {
  return typeof segment === "string";
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

/** The path with its slips mended; undefined where a value would have to be invented, a word replaced or the end cut off. */
function repair(pairs: readonly Pair[]): string | undefined {
  if (pairs.at(-1)?.segment === undefined) return undefined;
  const mended: string[] = [];
  for (const { segment, text, cost } of pairs) {
    if (segment === undefined) continue;
    if (isStatic(segment) && cost !== COST.other) mended.push(segment);
    else if (text !== undefined && cost === 0) mended.push(text);
    else return undefined;
  }
  return `/${mended.map(encodeText).join("/")}`;
}

/** One segment as a client sends it. */
function encodeText(text: string): string {
  return encodeURI(text).replace(/[/?#]/g, encodeURIComponent);
}

type Nearness = (text: string, wanted: string) => boolean;

/** Distances are asked for again and again: the same words stand in many routes. */
function createNearness(): Nearness {
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
 * Lays the segments of a route beside those of a path so that they differ least. The shorter of the two is stretched by
 * gaps, as late as is equally good.
 *
 * @returns undefined where the lengths alone are too far apart.
 */
function align(
  segments: readonly Segment[],
  texts: readonly string[],
  isNear: Nearness,
): readonly Pair[] | undefined {
  const surplus = segments.length - texts.length;
  const gaps = Math.abs(surplus);
  if (gaps * COST.length > MOST_COST) return undefined;
  const rows = Math.min(segments.length, texts.length);
  const segmentAt = (row: number, gap: number): Segment => segments[surplus > 0 ? row + gap : row] ?? "";
  const textAt = (row: number, gap: number): string => texts[surplus > 0 ? row : row + gap] ?? "";
  // least[gap]: the cost of the rows so far with that many gaps among or before them; skips tells the way back.
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
  return traceBack();

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

function formatReason(differences: readonly Difference[], suggestion: string | null): string {
  const [first] = differences;
  if (first?.kind === "method" && differences.length === 1)
    return `The path fits, but the route serves ${first.served} and not ${first.asked}.`;
  const reason = differences.map(formatDifference).join("; ");
  const sentence = reason.charAt(0).toUpperCase() + reason.slice(1);
  return suggestion === null ? `${sentence}.` : `${sentence}: did you mean ${suggestion}?`;
}

function formatDifference(difference: Difference): string {
  switch (difference.kind) {
    case "method":
      return `the route serves ${difference.served} and not ${difference.asked}`;
    case "digits":
      return `${quote(difference.text)} is not digits, and \`${difference.param.name}\` is int`;
    case "limit":
      return `${quote(difference.text)} is above ${Number.MAX_SAFE_INTEGER}, and \`${difference.param.name}\` is int`;
    case "text":
      return isSameButCase(difference)
        ? `${quote(difference.text)} is not ${quote(difference.wanted)}, because case counts`
        : `${quote(difference.text)} is not ${quote(difference.wanted)}`;
    case "more":
      return `the route has ${countSegments(difference.segments.length)} more, ${list(difference.segments.map(showSegment))}`;
    case "fewer":
      return `the route has no segment for ${list(difference.texts.map(quote))}`;
  }
}

function isSameButCase({ text, wanted }: { readonly text: string; readonly wanted: string }): boolean {
  return text.toLowerCase() === wanted.toLowerCase();
}

function showSegment(segment: Segment): string {
  return isStatic(segment) ? quote(segment) : `\`<${segment.name}>\``;
}

function countSegments(count: number): string {
  return count === 1 ? "one segment" : `${count} segments`;
}

/** Long enough for any word; a path may be kilobytes long. */
const LONGEST_QUOTE = 40;

function quote(text: string): string {
  const chars = [...text];
  return `\`${chars.length > LONGEST_QUOTE ? `${chars.slice(0, LONGEST_QUOTE).join("")}…` : text}\``;
}

/** @example list(["GET", "HEAD", "POST"]) // "GET, HEAD and POST" */
function list(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
