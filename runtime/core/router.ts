/** Finds the match for a method and a path: a tree of segments, and a map of whole paths for routes without params. */

import { int, type ParamValue } from "./param.ts";
import { METHODS, type Method, type Route } from "./route.ts";

export interface Match<T> {
  readonly kind: "match";
  readonly item: T;
  /** The cast values of the params, in the order of the path. */
  readonly values: readonly ParamValue[];
}

/** The path is served, but by other methods. */
export interface WrongMethod {
  readonly kind: "wrong-method";
  /** Every method that the path answers, with the automatic HEAD and OPTIONS. */
  readonly allow: readonly Method[];
}

export interface NoMatch {
  readonly kind: "no-match";
}

/** A path that another reader of it could understand differently. */
export interface BadPath {
  readonly kind: "bad-path";
  readonly reason: string;
}

export type Found<T> = Match<T> | WrongMethod | NoMatch | BadPath;

export interface Router<T> {
  /** @param path as it was sent, without the query. */
  find(method: string, path: string): Found<T>;
}

/** The items whose routes have one shape, by method. HEAD is filled in from GET. */
type Leaf<T> = Map<string, T>;

interface Branch<T> {
  /** What follows by a static segment: the first one in two plain fields, because most branches have no other and a map is large. */
  text: string | undefined;
  next: Branch<T> | undefined;
  others: Map<string, Branch<T>> | undefined;
  int: Branch<T> | undefined;
  str: Branch<T> | undefined;
  leaf: Leaf<T> | undefined;
}

const NO_VALUES: readonly ParamValue[] = [];
const NO_MATCH: NoMatch = { kind: "no-match" };

/**
 * Static beats int beats str in each segment, with backtracking, and a route of another method is no match. The trailing
 * slash does not count. An empty segment matches nothing. HEAD is served by the GET of the same shape unless there is one.
 *
 * @param items in any order; of two with the same method and shape the later one counts (the table refuses them).
 * @example createRouter([{ route, handler }]).find("GET", "/users/by/id/7") // { kind: "match", item, values: [7] }
 */
export function createRouter<T extends { readonly route: Route }>(items: readonly T[]): Router<T> {
  const root = createBranch<T>();
  for (const item of items) {
    const branch = item.route.segments.reduce(growBranch<T>, root);
    branch.leaf ??= new Map();
    branch.leaf.set(item.route.method, item);
  }
  const statics = new Map<string, Map<string, Match<T>>>();
  finishBranch(root, "", statics);

  return {
    find(method, path) {
      const known = statics.get(path)?.get(method);
      return known === undefined ? findInTree(root, method, path) : known;
    },
  };
}

function createBranch<T>(): Branch<T> {
  const nothing = undefined;
  return { text: nothing, next: nothing, others: nothing, int: nothing, str: nothing, leaf: nothing };
}

function growBranch<T>(branch: Branch<T>, segment: Route["segments"][number]): Branch<T> {
  if (typeof segment !== "string") {
    branch[segment.type] ??= createBranch();
    return branch[segment.type] as Branch<T>;
  }
  const known = staticOf(branch, segment);
  if (known !== undefined) return known;
  const next = createBranch<T>();
  if (branch.text === undefined) {
    branch.text = segment;
    branch.next = next;
  } else {
    branch.others ??= new Map();
    branch.others.set(segment, next);
  }
  return next;
}

function staticOf<T>(branch: Branch<T>, text: string): Branch<T> | undefined {
  return branch.text === text ? branch.next : branch.others?.get(text);
}

/** Text that stands in a path as it is: such a path needs neither decoding nor checking. */
const PLAIN_TEXT = /^[\w~-][\w.~-]*$/;

/** Gives each leaf its HEAD, and enters the leaves without params under their whole path. `path` is undefined below a param. */
function finishBranch<T>(
  branch: Branch<T>,
  path: string | undefined,
  statics: Map<string, Map<string, Match<T>>>,
): void {
  const { leaf } = branch;
  const get = leaf?.get("GET");
  if (leaf && get && !leaf.has("HEAD")) leaf.set("HEAD", get);
  if (leaf && path !== undefined) {
    const matches = new Map<string, Match<T>>();
    for (const [method, item] of leaf) matches.set(method, { kind: "match", item, values: NO_VALUES });
    statics.set(`${path}/`, matches);
    if (path !== "") statics.set(path, matches);
  }
  const finishStatic = (next: Branch<T>, text: string): void =>
    finishBranch(next, path !== undefined && PLAIN_TEXT.test(text) ? `${path}/${text}` : undefined, statics);
  if (branch.next && branch.text !== undefined) finishStatic(branch.next, branch.text);
  branch.others?.forEach(finishStatic);
  if (branch.int) finishBranch(branch.int, undefined, statics);
  if (branch.str) finishBranch(branch.str, undefined, statics);
}

/** One look-up in the tree. After a miss, `others` holds every leaf that fits the path. */
interface Search<T> {
  readonly method: string;
  readonly segments: readonly string[];
  readonly values: ParamValue[];
  others: Leaf<T>[] | undefined;
}

function findInTree<T>(root: Branch<T>, method: string, path: string): Found<T> {
  const segments = splitPath(path);
  if (!Array.isArray(segments)) return segments;
  const search: Search<T> = { method, segments, values: [], others: undefined };
  const item = descend(root, 0, search);
  if (item !== undefined) return { kind: "match", item, values: search.values };
  return search.others === undefined ? NO_MATCH : { kind: "wrong-method", allow: allowOf(search.others) };
}

function descend<T>(branch: Branch<T>, depth: number, search: Search<T>): T | undefined {
  if (depth === search.segments.length) return itemOf(branch.leaf, search);
  const text = search.segments[depth] as string;
  const next = staticOf(branch, text);
  if (next !== undefined) {
    const item = descend(next, depth + 1, search);
    if (item !== undefined) return item;
  }
  if (branch.int !== undefined) {
    const value = int(text);
    if (value !== undefined) {
      const item = descendInto(branch.int, value, depth, search);
      if (item !== undefined) return item;
    }
  }
  return branch.str === undefined ? undefined : descendInto(branch.str, text, depth, search);
}

function descendInto<T>(
  branch: Branch<T>,
  value: ParamValue,
  depth: number,
  search: Search<T>,
): T | undefined {
  search.values.push(value);
  const item = descend(branch, depth + 1, search);
  if (item === undefined) search.values.pop();
  return item;
}

function itemOf<T>(leaf: Leaf<T> | undefined, search: Search<T>): T | undefined {
  if (leaf === undefined) return undefined;
  const item = leaf.get(search.method);
  if (item === undefined) {
    search.others ??= [];
    search.others.push(leaf);
  }
  return item;
}

function allowOf<T>(leaves: readonly Leaf<T>[]): Method[] {
  return METHODS.filter((method) => method === "OPTIONS" || leaves.some((leaf) => leaf.has(method)));
}

/** Percent, and what a path may not hold raw: backslash, space, control characters, `#`, `?`, and all beyond ASCII. */
const NOT_PLAIN = /[^!"$&->@-[\]-~]/;
const FORBIDDEN = /[^!"$->@-[\]-~]/;

/**
 * Splits at the slashes first and decodes each segment once, so that `%2F` stays inside its segment.
 *
 * @returns the decoded segments; `BadPath` for what `new URL` or a proxy would read differently: a raw backslash is a slash
 * to a browser, control characters are dropped, and dot segments walk, percent-encoded or not (WHATWG URL 4.4).
 */
function splitPath(path: string): string[] | BadPath | NoMatch {
  if (path.charCodeAt(0) !== 0x2f) return badPath("it does not begin with a slash");
  const encoded = NOT_PLAIN.test(path);
  if (encoded && FORBIDDEN.test(path)) return badPath("it holds a character that must be percent-encoded");
  const segments: string[] = [];
  let hasEmpty = false;
  for (let start = 1; start < path.length; ) {
    const slash = path.indexOf("/", start);
    const end = slash === -1 ? path.length : slash;
    const raw = path.slice(start, end);
    const segment = encoded ? decodeSegment(raw) : raw;
    if (segment === undefined) return badPath("its percent-encoding is malformed or no UTF-8");
    if (segment === "." || segment === "..") return badPath("it holds a dot segment");
    if (segment === "") hasEmpty = true;
    segments.push(segment);
    start = end + 1;
  }
  return hasEmpty ? NO_MATCH : segments;
}

function decodeSegment(raw: string): string | undefined {
  if (!raw.includes("%")) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}

function badPath(why: string): BadPath {
  return { kind: "bad-path", reason: `The path can't be read: ${why}.` };
}
