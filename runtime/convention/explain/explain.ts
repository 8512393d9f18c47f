/** Why a request finds its route or none: the match with its values, or the routes that come near, each with the reason in a sentence. */

import type { ParamValue } from "#runtime/core/routing/param";
import type { Method, Param, Route, Segment } from "#runtime/core/routing/route";
import { createRouter, type Match, methodsServed, type Router } from "#runtime/core/routing/router";
import { isProbe } from "#runtime/core/settings";
import { shapeOf } from "../rule/shape.ts";
import { align, COST, createNearness, isStatic, type Pair } from "./alignment.ts";

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
  readonly kind: "health" | "wrong-method" | "no-match" | "bad-path";
  readonly method: string;
  readonly path: string;
  /** What the server answers: the health path, and OPTIONS of a path that other methods serve, without a handler. */
  readonly status: 200 | 204 | 400 | 404 | 405;
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
  const texts = readSegments(path);
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
  return {
    ...miss,
    status: 405,
    summary: `${summary}: only ${list(allow)} ${allow.length === 1 ? "is" : "are"} served there.`,
    allow,
    near,
  };
}

/**
 * What the server does with a request's target: where it is a path, as {@link explain} tells it.
 *
 * @param health the path that the server answers itself; "" is none.
 * @param target as it is sent, with its query: a path, or `*` for OPTIONS (RFC 9112 section 3.2).
 * @example explainTarget(routes, "", "GET", "/items/a?page=2").path // "/items/a"
 */
export function explainTarget(
  routes: readonly Route[],
  health: string,
  method: string,
  target: string,
): Explanation {
  const path = target.replace(/[?#].*$/s, "");
  if (target === "*" && method === "OPTIONS") return toServerOptions(routes);
  if (!target.includes("#"))
    return isProbe(health, method, path) ? toProbe(method, path) : explain(routes, method, path);
  const suggestion = confirm(createRouter(routes.map((route) => ({ route }))), method, path);
  const summary =
    "The target can't be read: it holds a `#`, and a client keeps that and what follows to itself.";
  return { kind: "bad-path", method, path: target, status: 400, allow: [], summary, suggestion, near: [] };
}

function toProbe(method: string, path: string): Missed {
  const summary = `${method} ${path} is answered by \`health = ${JSON.stringify(path)}\` in framework.toml, before any route: 200, and 503 while the server stops.`;
  return { kind: "health", method, path, status: 200, allow: [], summary, suggestion: null, near: [] };
}

function toServerOptions(routes: readonly Route[]): Missed {
  const allow = methodsServed(routes);
  const summary = `OPTIONS * asks about the whole server and is answered without a handler: 204, Allow: ${allow.join(", ")}.`;
  return {
    kind: "wrong-method",
    method: "OPTIONS",
    path: "*",
    status: 204,
    allow,
    summary,
    suggestion: null,
    near: [],
  };
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
 * The decoded segments of a path that can be read. Each is read by the router itself, so that the two never disagree.
 * @returns undefined where one is empty.
 */
function readSegments(path: string): readonly string[] | undefined {
  const texts: string[] = [];
  for (const raw of path.replace(/\/$/, "").split("/").slice(1)) {
    const found = ANY_SEGMENT.find("GET", `/${raw}`);
    if (found.kind !== "match") return undefined;
    texts.push(...found.values.map(String));
  }
  return texts;
}

const ANY_SEGMENT: Router<Item> = createRouter([
  {
    route: {
      method: "GET",
      pattern: "/<text>",
      segments: [{ name: "text", type: "str" }],
      arguments: [],
      handler: "",
      module: "",
      app: null,
      convention: "routes",
      location: { file: "", line: 1, column: 1 },
    },
  },
]);

/** From here on a route has nothing to do with the request. */
const TOO_MUCH = 7;
/** A route that costs so much more than the nearest is no help beside it. */
const MOST_BEHIND = 2;
/** So much is a slip; what differs more was meant to be something else. */
const MOST_SLIP = 2;

interface Candidate {
  readonly route: Route;
  readonly serves: boolean;
  readonly pairs: readonly Pair[];
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
      const pairs = align(route.segments, texts, isNear, TOO_MUCH);
      return pairs && isAlike(pairs) ? [toCandidate(route, pairs, method)] : [];
    })
    .filter(({ cost }) => cost < TOO_MUCH)
    .sort((one, other) => one.cost - other.cost);
  const least = candidates[0]?.cost ?? 0;
  const shapes = new Map<string, number>();
  return candidates
    .filter(({ cost }) => cost <= least + MOST_BEHIND)
    .filter(({ cost, route }) => {
      // The same path under another method is told only where it is as near.
      const shape = shapeOf(route.segments);
      const best = shapes.get(shape) ?? cost;
      shapes.set(shape, best);
      return cost === best;
    })
    .slice(0, MOST_NEAR_MISSES)
    .map((candidate) => toNearMiss(candidate, router, method));
}

function toCandidate(route: Route, pairs: readonly Pair[], method: string): Candidate {
  const serves = route.method === method || (method === "HEAD" && route.method === "GET");
  const inPath = pairs.reduce((sum, pair) => sum + pair.cost, 0);
  const cost = serves ? inPath : inPath + (inPath === 0 ? COST.method : COST.methodToo);
  return { route, serves, pairs, cost };
}

function toNearMiss(
  { route, serves, pairs, cost }: Candidate,
  router: Router<Item>,
  method: string,
): NearMiss {
  const differences = toDifferences(pairs);
  if (!serves) differences.push({ kind: "method", served: route.method, asked: method });
  const meant = serves && cost <= MOST_SLIP ? repair(pairs) : undefined;
  const suggestion = confirm(router, method, meant);
  return { route, differences, suggestion, reason: formatReason(differences, suggestion) };
}

/** Static text in common, or nothing but params that would have to be others: else two paths only happen to be short. */
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
