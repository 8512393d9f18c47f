/** Why a request finds its route or none, as plain data: the match with its values, or the routes that come near. */

import type { ParamValue } from "#runtime/routing/param";
import type { Method } from "#runtime/routing/route";
import { type Match, methodsServed, type Router } from "#runtime/routing/router";
import { isProbe } from "#runtime/settings";
import { createTableRouter, type RouteTable } from "../rule/table-router.ts";
import { paramsOf, type TypedParam, type TypedRoute } from "../wire/typed-route.ts";
import { findNearMisses, type NearMiss } from "./near-misses.ts";

export type Explanation = Served | Missed;

export interface Served {
  readonly kind: "match";
  readonly method: string;
  readonly path: string;
  /** For HEAD it may be the GET of the same path. */
  readonly route: TypedRoute;
  /** The params in the order of the path, with their cast values. */
  readonly values: readonly { readonly param: TypedParam; readonly value: ParamValue }[];
}

export interface Missed {
  readonly kind: "health" | "wrong-method" | "no-match" | "bad-path";
  readonly method: string;
  readonly path: string;
  /** What the server answers: the health path, and OPTIONS of a path that other methods serve, without a handler. */
  readonly status: 200 | 204 | 400 | 404 | 405;
  /** What the path answers, for the header of that name; empty where it answers nothing. */
  readonly allow: readonly Method[];
  /** Why the router can't read the path, as a sentence; null where it can, or was not asked because of a `#`. */
  readonly fault: string | null;
  /** A path that this method is served at and that was probably meant; null where none is known. */
  readonly suggestion: string | null;
  /** The most useful first. */
  readonly near: readonly NearMiss[];
}

/**
 * The same answer as the router's, with the reasons.
 *
 * @param path as it is sent, without the query.
 * @example explain(project, "GET", "/users/by/id/abc").near[0]?.differences // [{ kind: "digits", text: "abc", … }]
 */
export function explain(table: RouteTable, method: string, path: string): Explanation {
  const router = createTableRouter(table);
  const found = router.find(method, path);
  if (found.kind === "match") return toServed(found, method, path);
  const confirm = (meant: string): string | null => confirmPath(router, method, meant);
  const miss = { kind: found.kind, method, path, allow: [], fault: null, suggestion: null, near: [] };
  if (found.kind === "bad-path")
    return { ...miss, status: 400, fault: found.reason, suggestion: confirm(readAsBrowser(path)) };
  if (hasEmptySegment(path))
    return { ...miss, status: 404, suggestion: confirm(path.replace(/\/{2,}/g, "/")) };
  const allow = found.kind === "wrong-method" ? found.allow : [];
  if (method === "OPTIONS" && allow.length > 0) return { ...miss, status: 204, allow };
  const near = findNearMisses(table, method, readSegments(path), confirm);
  return { ...miss, status: allow.length > 0 ? 405 : 404, allow, near };
}

/** No route has an empty segment, and no param takes one. */
export function hasEmptySegment(path: string): boolean {
  return path.includes("//");
}

/**
 * What the server does with a request's target: where it is a path, as {@link explain} reports it.
 *
 * @param health the path that the server answers itself; "" is none.
 * @param target as it is sent, with its query: a path, or `*` for OPTIONS (RFC 9112 section 3.2).
 * @example explainTarget(project, "", "GET", "/items/a?page=2").path // "/items/a"
 */
export function explainTarget(
  table: RouteTable,
  health: string,
  method: string,
  target: string,
): Explanation {
  const path = target.replace(/[?#].*$/s, "");
  const miss = { method, path, allow: [], fault: null, suggestion: null, near: [] };
  if (target === "*" && method === "OPTIONS")
    return { ...miss, kind: "wrong-method", status: 204, allow: methodsServed(table.routes) };
  if (target.includes("#")) {
    const suggestion = confirmPath(createTableRouter(table), method, path);
    return { ...miss, kind: "bad-path", path: target, status: 400, suggestion };
  }
  return isProbe(health, method, path)
    ? { ...miss, kind: "health", status: 200 }
    : explain(table, method, path);
}

interface Item {
  readonly route: TypedRoute;
}

function toServed({ item, values }: Match<Item>, method: string, path: string): Served {
  const named = paramsOf(item.route.segments).flatMap((param, position) => {
    const value = values[position];
    return value === undefined ? [] : [{ param, value }];
  });
  return { kind: "match", method, path, route: item.route, values: named };
}

/** The path, if the method is served there. */
function confirmPath(router: Router<Item>, method: string, path: string): string | null {
  return router.find(method, path).kind === "match" ? path : null;
}

/** What a browser would send for the text: encoded where it has to be, and without dot segments. */
function readAsBrowser(path: string): string {
  const base = "http://localhost/";
  return URL.canParse(path, base) ? new URL(path, base).pathname : path;
}

/** The decoded segments of a path that the router can read; the slash at its end does not count. */
function readSegments(path: string): readonly string[] {
  const raw = path.replace(/\/$/, "").split("/").slice(1);
  return raw.map((text) => decodeURIComponent(text));
}
