/** Finds the match for a method and a path by walking down the tree of `router-tree.ts`, usually once. */

import { type ParamValue, toInt } from "./param.ts";
import {
  type BadPath,
  isReadable,
  PLAIN,
  PLAIN_AND_PERCENT,
  readSegment,
  refusePath,
  respellPath,
  SLASH,
  UNREADABLE,
} from "./path.ts";
import { METHODS, type Method, type Route } from "./route.ts";
import {
  ALL,
  CHECKED,
  createTree,
  findStatic,
  INT,
  ITEM,
  ROOT,
  type Routed,
  STATIC,
  STR,
  type Tree,
  toMethodNumber,
  WHOLE,
} from "./router-tree.ts";

export interface Match<T> {
  readonly kind: "match";
  readonly item: T;
  /** The cast values of the params, in the order of the path. */
  readonly values: readonly ParamValue[];
}

export type Found<T> =
  | Match<T>
  /** The path is served for other methods only: those in `allow`, which includes the automatic HEAD and OPTIONS. */
  | { readonly kind: "wrong-method"; readonly allow: readonly Method[] }
  | { readonly kind: "no-match" }
  | BadPath;

export interface Router<T> {
  /** @param path the path as the client sent it, without the query. */
  find(method: string, path: string): Found<T>;
}

/**
 * In each segment static beats int beats str beats a whole path, with backtracking. The method takes part in the match. A trailing
 * slash is ignored. An empty segment matches nothing. GET routes serve HEAD, unless there is a HEAD route of the same shape. A route for
 * every method comes last.
 *
 * @param items the routes in any order. Of two with the same method and shape the later one wins. (The table refuses such pairs, empty
 * segments and dot segments.)
 * @example createRouter([{ route, handler }]).find("GET", "/users/by/id/7") // { kind: "match", item, values: [7] }
 */
export function createRouter<T extends Routed>(items: readonly T[]): Router<T> {
  const tree = createTree(items);
  return {
    find(method, path) {
      const number = toMethodNumber(method);
      let index = walk(tree, path, number, PLAIN);
      const isEncoded = index === UNREADABLE && path.includes("%");
      if (isEncoded) index = walk(tree, respellPath(path) ?? "", number, PLAIN_AND_PERCENT);
      if (index === UNREADABLE) return refusePath(path);
      if (index === MISS)
        return servedMethods === 0
          ? NO_MATCH
          : { kind: "wrong-method", allow: withAutomatic(METHODS.filter(isServed)) };
      const item = items[index] as T;
      return { kind: "match", item, values: isEncoded ? readValues(item.route, path) : values };
    },
  };
}

/** Casts the params of an encoded path, or of a route with constraints. For all others the walk itself collects the values. */
function readValues({ segments }: Route, path: string): ParamValue[] {
  const raw = path.slice(1, path.endsWith("/") ? -1 : undefined).split("/");
  const texts = allowed === PLAIN ? raw : raw.map(decodeURIComponent);
  return segments.flatMap((segment, at): ParamValue[] => {
    if (typeof segment === "string") return [];
    const text = texts[at] as string;
    return [segment.type === "int" ? Number(text) : segment.type === "str" ? text : texts.slice(at)];
  });
}

const NO_MATCH: Found<never> = { kind: "no-match" };
const MISS = -2;
const GET: number = toMethodNumber("GET");
const HEAD: number = toMethodNumber("HEAD");

/** The state of the current walk: the end of the part already read, the accepted characters, and a bit for each method served. */
let readTo = 0;
let allowed = PLAIN;
let servedMethods = 0;
/** The values of the match: allocated at the end of the path, and filled in as the recursion returns. */
let values: ParamValue[] = [];
const NO_VALUES: ParamValue[] = [];

/**
 * Walks the tree, and reads the rest of a path without a match, because an invalid path is a 400 and not a 404.
 *
 * @returns the index of an item, `MISS` or `UNREADABLE`.
 */
function walk(tree: Tree, path: string, method: number, allow: number): number {
  servedMethods = 0;
  allowed = allow;
  readTo = 1;
  if (path.charCodeAt(0) !== SLASH) return UNREADABLE;
  const index = descend(tree, ROOT, path, 1, 0, method);
  if (index !== MISS || readTo >= path.length) return index;
  return isReadable(path, readTo, allow) ? MISS : UNREADABLE;
}

/** Continues the walk from a node, with the segment that begins at `start`. */
function descend(
  tree: Tree,
  node: number,
  path: string,
  start: number,
  params: number,
  method: number,
): number {
  const { numbers } = tree;
  if (start >= path.length) return arrive(tree, numbers[node + ITEM] as number, path, params, method);
  const end = readSegment(path, start, allowed);
  if (end === UNREADABLE) return UNREADABLE;
  if (end > readTo) readTo = end;
  const child = numbers[node + STATIC] === 0 ? 0 : findStatic(tree, node, path, start, end);
  if (child !== 0) {
    const found = descend(tree, child, path, end + 1, params, method);
    if (found !== MISS) return found;
  }
  const int = numbers[node + INT] as number;
  const str = numbers[node + STR] as number;
  if (int !== 0) {
    const value = toInt(path, start, end);
    if (value !== undefined) {
      const found = descend(tree, int, path, end + 1, params + 1, method);
      if (found >= 0) values[params] = value;
      if (found !== MISS) return found;
    }
  }
  if (str !== 0 && start !== end) {
    const found = descend(tree, str, path, end + 1, params + 1, method);
    if (found >= 0) values[params] = path.slice(start, end);
    if (found !== MISS) return found;
  }
  const whole = numbers[node + WHOLE] as number;
  return whole === 0 ? MISS : takeRest(tree, whole, path, start, params, method);
}

/** Matches a whole path: all segments from `start` on, if none is empty. */
function takeRest(
  tree: Tree,
  node: number,
  path: string,
  start: number,
  params: number,
  method: number,
): number {
  const texts: string[] = [];
  for (let next = start, end = start; next < path.length; next = end + 1) {
    end = readSegment(path, next, allowed);
    if (end === UNREADABLE) return UNREADABLE;
    if (end > readTo) readTo = end;
    if (end === next) return MISS;
    texts.push(path.slice(next, end));
  }
  const found = arrive(tree, tree.numbers[node + ITEM] as number, path, params + 1, method);
  if (found >= 0) values[params] = texts;
  return found;
}

function arrive(tree: Tree, first: number, path: string, params: number, method: number): number {
  let found = MISS;
  for (let item = first; item !== 0 && found === MISS; item = tree.nextItems[item >> 4] as number) {
    if ((item & CHECKED) !== 0) {
      const { fits, route } = tree.items[(item >> 4) - 1] as Routed;
      if (!fits?.(readValues(route, path))) continue;
    }
    servedMethods |= 1 << (item & 7);
    if ((item & 7) === method) found = (item >> 4) - 1;
  }
  if (found === MISS && method !== ALL) return arrive(tree, first, path, params, method === HEAD ? GET : ALL);
  if (found !== MISS) values = params === 0 ? NO_VALUES : params === 1 ? [""] : new Array<ParamValue>(params);
  return found;
}

function isServed(method: Method): boolean {
  return (servedMethods & (1 << toMethodNumber(method))) !== 0;
}

/** @returns all methods of all routes, including the automatic HEAD and OPTIONS: for `OPTIONS *` (RFC 9110 section 9.3.7). */
export function methodsServed(routes: readonly Route[]): Method[] {
  return withAutomatic(routes.flatMap(({ method }) => (method === "ALL" ? METHODS : method)));
}

function withAutomatic(methods: readonly Method[]): Method[] {
  const all = new Set<Method>([...methods, "OPTIONS"]);
  if (all.has("GET")) all.add("HEAD");
  return METHODS.filter((method) => all.has(method));
}
