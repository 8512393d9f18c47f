/** Finds the routes that a request comes near to, and says what keeps it from matching each. */

import { int } from "#runtime/routing/param";
import type { Segment } from "#runtime/routing/route";
import type { Definitions } from "#runtime/wire/shape";
import { closest } from "../diagnostics/closest.ts";
import { listed } from "../diagnostics/entry.ts";
import { formatParam } from "../pattern.ts";
import { spreadWhole } from "../rule/path-shape.ts";
import { findMisfits, type RouteTable } from "../rule/table-router.ts";
import type { TypedRoute } from "../wire/typed-route.ts";

export interface NearMiss {
  readonly route: TypedRoute;
  /** Everything that keeps the request from matching the route, as a sentence. */
  readonly reason: string;
  /** A path of the route that was probably meant; the same method is served there. */
  readonly suggestion: string | null;
}

/** The path, if the method is served there; else null. */
export type Confirm = (path: string) => string | null;

const MOST_NEAR_MISSES = 5;
/** What a difference costs: a path that fits comes before every other, whatever the method. */
const COST = { method: 0.5, methodToo: 3, slip: 1, length: 2, other: 3 };
/** From here on a route has nothing to do with the request. */
const TOO_MUCH = 7;
/** A route that costs so much more than the nearest does not help. */
const MOST_BEHIND = 2;
/** Up to here a difference is a slip; a larger one is probably meant. */
const MOST_SLIP = 2;

interface Candidate {
  readonly route: TypedRoute;
  readonly cost: number;
  readonly reasons: readonly string[];
  /** The path without its slips; undefined where a value would have to be invented. */
  readonly meant: string | undefined;
}

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
    .map(({ route, reasons, meant }) => {
      const suggestion = meant === undefined ? null : confirm(meant);
      const reason = reasons.join("; ");
      const sentence = reason.charAt(0).toUpperCase() + reason.slice(1);
      const end = suggestion === null ? "." : `: did you mean ${suggestion}?`;
      return { route, reason: sentence + end, suggestion };
    });
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
  const unlike = segments.findIndex((one, index) => costOf(one, texts[index] ?? "") > COST.slip);
  const start = Math.min(unlike === -1 ? segments.length : unlike, texts.length);
  const more = segments.slice(start, start + Math.max(0, surplus));
  const fewer = texts.slice(start, start + Math.max(0, -surplus));
  const written = segments.toSpliced(start, more.length);
  const asked = texts.toSpliced(start, fewer.length);
  const isNear = written.map((segment, index) => costOf(segment, asked[index] ?? "") <= COST.slip);
  const isAlike =
    written.some((segment, index) => isStatic(segment) && isNear[index]) ||
    (surplus === 0 && !segments.some(isStatic));
  if (!isAlike) return undefined;
  const reasons = written.flatMap((segment, index) => explainSegment(segment, asked[index] ?? ""));
  const misfits = surplus === 0 ? explainMisfits(route, texts, definitions) : [];
  const inPath = written.reduce((sum, segment, index) => sum + costOf(segment, asked[index] ?? ""), 0);
  const cost = inPath + Math.abs(surplus) * COST.length + misfits.length * COST.slip;
  const serves =
    route.method === "ALL" || route.method === method || (method === "HEAD" && route.method === "GET");
  const isInvented =
    misfits.length > 0 ||
    !more.every(isStatic) ||
    written.some((segment, index) => !isStatic(segment) && costOf(segment, asked[index] ?? "") > 0);
  const isCut = fewer.length > 0 && start === segments.length;
  const isMeant = serves && cost <= MOST_SLIP && !isCut && !isInvented;
  const repaired = asked.toSpliced(start, 0, ...more.filter(isStatic));
  const path = segments.map((segment, index) => (isStatic(segment) ? segment : (repaired[index] ?? "")));
  const why = `the route serves ${route.method} and not ${method}`;
  return {
    route,
    cost: serves ? cost : cost + (cost === 0 ? COST.method : COST.methodToo),
    reasons: [
      ...reasons,
      ...misfits,
      ...(more.length > 0 ? [`the route has ${count(more.length)} more, ${listed(more.map(show))}`] : []),
      ...(fewer.length > 0 ? [`the route has no segment for ${listed(fewer.map(quote))}`] : []),
      ...(serves ? [] : [cost === 0 ? `the path fits, but ${why}` : why]),
    ],
    meant: isMeant ? `/${path.map(encodeText).join("/")}` : undefined,
  };
}

/** Of the params whose texts are of their type. */
function explainMisfits(
  { segments }: TypedRoute,
  texts: readonly string[],
  definitions: Definitions,
): string[] {
  return segments.flatMap((segment, at) => {
    const text = texts[at] ?? "";
    if (typeof segment === "string" || costOf(segment, text) > 0) return [];
    const value = segment.type === "int" ? Number(text) : segment.type === "str" ? text : texts.slice(at);
    return findMisfits([segment], [value], definitions).map(
      (misfit) => `${quote(misfit.text)} does not fit, because \`${segment.name}\` must be ${misfit.wanted}`,
    );
  });
}

function isStatic(segment: Segment): segment is string {
  return typeof segment === "string";
}

function costOf(segment: Segment, text: string): number {
  if (segment === text) return 0;
  if (isStatic(segment)) return closest(text, [segment]) === undefined ? COST.other : COST.slip;
  return segment.type !== "int" || int(text) !== undefined ? 0 : COST.slip;
}

function explainSegment(segment: Segment, text: string): readonly string[] {
  if (costOf(segment, text) === 0) return [];
  if (!isStatic(segment)) {
    const why = /^[0-9]+$/.test(text) ? `is above ${Number.MAX_SAFE_INTEGER}` : "is not digits";
    return [`${quote(text)} ${why}, and \`${segment.name}\` is int`];
  }
  const isCase = text.toLowerCase() === segment.toLowerCase();
  return [`${quote(text)} is not ${quote(segment)}${isCase ? ", because case counts" : ""}`];
}

function show(segment: Segment): string {
  return isStatic(segment) ? quote(segment) : `\`${formatParam(segment)}\``;
}

function count(segments: number): string {
  return segments === 1 ? "one segment" : `${segments} segments`;
}

/** Long enough for any word; a path may be kilobytes long. */
const LONGEST_QUOTE = 40;

function quote(text: string): string {
  const chars = [...text];
  return `\`${chars.length > LONGEST_QUOTE ? `${chars.slice(0, LONGEST_QUOTE).join("")}…` : text}\``;
}

/** One segment as a client sends it. */
function encodeText(text: string): string {
  return encodeURI(text).replace(/[/?#]/g, encodeURIComponent);
}
