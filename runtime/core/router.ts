/** Finds the match for a method and a path: a tree of segments in flat arrays of numbers, so that a large table is as fast as a small one. */

import { type ParamValue, toInt } from "./param.ts";
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

/**
 * Static beats int beats str in each segment, with backtracking, and a route of another method is no match. The trailing
 * slash does not count. An empty segment matches nothing. HEAD is served by the GET of the same shape unless there is one.
 *
 * @param items in any order; of two with the same method and shape the later one counts (the table refuses them).
 * @example createRouter([{ route, handler }]).find("GET", "/users/by/id/7") // { kind: "match", item, values: [7] }
 */
export function createRouter<T extends { readonly route: Route }>(items: readonly T[]): Router<T> {
  const tree = createTree(items.map((item) => item.route));
  return {
    find(method, path) {
      const refusal = readPath(path);
      if (refusal !== undefined) return refusal;
      served = 0;
      const index = descend(tree, ROOT, 0, 0, METHODS.indexOf(method as Method));
      if (index === MISS)
        return served === 0 ? NO_MATCH : { kind: "wrong-method", allow: METHODS.filter(isServed) };
      return { kind: "match", item: items[index] as T, values: copyMatched() };
    },
  };
}

const NO_MATCH: NoMatch = { kind: "no-match" };
const MISS = -1;
const GET: number = METHODS.indexOf("GET");
const HEAD: number = METHODS.indexOf("HEAD");

/** The values on the way to the node at hand, and how many of them belong to the match. */
const matched: ParamValue[] = [];
let matchedCount = 0;
const NO_VALUES: readonly ParamValue[] = [];

/** The usual counts apart: `slice` takes as long as a small look-up. */
function copyMatched(): readonly ParamValue[] {
  if (matchedCount === 0) return NO_VALUES;
  return matchedCount === 1 ? [matched[0] as ParamValue] : matched.slice(0, matchedCount);
}

/** The methods, by their bits, of the leaves that fitted the path of the look-up at hand. */
let served = 0;

function isServed(method: Method, index: number): boolean {
  const bits = method === "HEAD" ? (1 << GET) | (1 << HEAD) : 1 << index;
  return method === "OPTIONS" || (served & bits) !== 0;
}

type Numbers = Int32Array<ArrayBuffer>;

/** What `readPath` found: a text, and where in it the segments begin and end, with the hash of each. */
let text = "";
let count = 0;
let starts = new Int32Array(64);
let ends = new Int32Array(64);
let hashes = new Int32Array(64);

const PLAIN = 0;
const FORBIDDEN = 1;
const PERCENT = 2;
const SLASH = 3;

/** By character code. Forbidden raw: the backslash, space, control characters, `#`, `?`, and all beyond ASCII. */
const KINDS: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (character === "/") return SLASH;
  return character === "%"
    ? PERCENT
    : /[!"$-~]/.test(character) && !/[?\\]/.test(character)
      ? PLAIN
      : FORBIDDEN;
});

/**
 * Splits at the slashes first and decodes each segment once, so that `%2F` stays inside its segment.
 *
 * @returns undefined when it could be read; `BadPath` for what `new URL` or a proxy would read differently: a raw backslash is
 * a slash to a browser, control characters are dropped, and dot segments walk, percent-encoded or not (WHATWG URL 4.4).
 */
function readPath(path: string): BadPath | NoMatch | undefined {
  if (path.charCodeAt(0) !== 0x2f) return badPath("it does not begin with a slash");
  text = path;
  count = 0;
  let start = 1;
  let hash = 0;
  let hasEmpty = false;
  for (let index = 1; index < path.length; index++) {
    const code = path.charCodeAt(index);
    const kind = code < 128 ? KINDS[code] : FORBIDDEN;
    if (kind === PLAIN) hash = addToHash(hash, code);
    else if (kind !== SLASH) return kind === PERCENT ? readEncoded(path) : badPath(MUST_ENCODE);
    else {
      if (index === start) hasEmpty = true;
      else if (isDots(path, start, index)) return badPath(HAS_DOTS);
      addSegment(start, index, hash);
      start = index + 1;
      hash = 0;
    }
  }
  if (start < path.length) {
    if (isDots(path, start, path.length)) return badPath(HAS_DOTS);
    addSegment(start, path.length, hash);
  }
  return hasEmpty ? NO_MATCH : undefined;
}

const MUST_ENCODE = "it holds a character that must be percent-encoded";
const HAS_DOTS = "it holds a dot segment";

/** A path with percent signs is read again, slowly, into the text of its decoded segments without the slashes between them. */
function readEncoded(path: string): BadPath | NoMatch | undefined {
  if (/[^!"$->@-[\]-~]/.test(path)) return badPath(MUST_ENCODE);
  let segments: string[];
  try {
    segments = path.replace(/\/$/, "").slice(1).split("/").map(decodeURIComponent);
  } catch {
    return badPath("its percent-encoding is malformed or no UTF-8");
  }
  if (segments.includes(".") || segments.includes("..")) return badPath(HAS_DOTS);
  text = segments.join("");
  count = 0;
  let start = 0;
  for (const segment of segments) {
    addSegment(start, start + segment.length, hashOf(segment));
    start += segment.length;
  }
  return segments.includes("") ? NO_MATCH : undefined;
}

function isDots(path: string, start: number, end: number): boolean {
  const isShort = end - start <= 2 && path.charCodeAt(start) === 0x2e;
  return isShort && (end - start === 1 || path.charCodeAt(start + 1) === 0x2e);
}

function addSegment(start: number, end: number, hash: number): void {
  if (count === starts.length) {
    starts = enlarge(starts);
    ends = enlarge(ends);
    hashes = enlarge(hashes);
  }
  starts[count] = start;
  ends[count] = end;
  hashes[count++] = hash;
}

function addToHash(hash: number, code: number): number {
  return ((hash << 5) | (hash >>> 27)) ^ code;
}

function hashOf(segment: string): number {
  let hash = 0;
  for (let index = 0; index < segment.length; index++) hash = addToHash(hash, segment.charCodeAt(index));
  return hash;
}

function badPath(why: string): BadPath {
  return { kind: "bad-path", reason: `The path can't be read: ${why}.` };
}

function enlarge(numbers: Numbers): Numbers {
  const larger = new Int32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}

/**
 * A node takes eight numbers of `nodes`, half a line of the processor's cache. Objects and maps would be spread all over the
 * memory, and a large table would wait for it at every step.
 */
interface Tree {
  nodes: Numbers;
  size: number;
  /** The text of all static segments. */
  texts: Uint16Array<ArrayBuffer>;
  textSize: number;
  /** The static children of nodes that have several: an open hash table of nodes, by parent and hash. */
  table: Numbers;
  tableSize: number;
  /** Pairs, a list for each leaf: the index of an item and, in the lowest three bits, its method; then the next pair or 0. */
  items: Numbers;
  itemSize: number;
}

const WIDTH = 8;
/** The members of a node. 0 stands for none: the tree begins at 1. */
const PARENT = 0;
const HASH = 1;
const TEXT = 2;
const LENGTH = 3;
/** The only static child, or `MANY`. */
const CHILD = 4;
const INT = 5;
const STR = 6;
const LEAF = 7;
const MANY = -1;
const ROOT = 1;

function createTree(routes: readonly Route[]): Tree {
  const tree: Tree = {
    nodes: new Int32Array(64 * WIDTH),
    size: ROOT + 1,
    texts: new Uint16Array(1024),
    textSize: 0,
    table: new Int32Array(64),
    tableSize: 0,
    items: new Int32Array(128),
    itemSize: 2,
  };
  // The nodes of the route before, and its segments: neighbours in a table mostly begin alike.
  const trail: number[] = [];
  let before: Route["segments"] = [];
  routes.forEach(({ method, segments }, index) => {
    let node = ROOT;
    let isShared = true;
    segments.forEach((segment, depth) => {
      isShared &&= segment === before[depth];
      if (isShared) node = trail[depth] as number;
      else if (typeof segment === "string") node = growStatic(tree, node, segment);
      else node = growParam(tree, node, segment.type === "int" ? INT : STR);
      trail[depth] = node;
    });
    before = segments;
    addItem(tree, node * WIDTH + LEAF, (index << 3) | METHODS.indexOf(method));
  });
  return tree;
}

/** Before those that are there already, so that the later one of two counts. */
function addItem(tree: Tree, leaf: number, item: number): void {
  const { nodes, itemSize } = tree;
  if (itemSize === tree.items.length) tree.items = enlarge(tree.items);
  tree.items[itemSize] = item;
  tree.items[itemSize + 1] = nodes[leaf] as number;
  nodes[leaf] = itemSize;
  tree.itemSize += 2;
}

function growParam(tree: Tree, parent: number, kind: typeof INT | typeof STR): number {
  const known = tree.nodes[parent * WIDTH + kind] as number;
  if (known !== 0) return known;
  const node = addNode(tree, parent);
  tree.nodes[parent * WIDTH + kind] = node;
  return node;
}

function growStatic(tree: Tree, parent: number, segment: string): number {
  text = segment;
  count = 0;
  addSegment(0, segment.length, hashOf(segment));
  const known = staticChild(tree, parent, 0);
  if (known !== 0) return known;
  const node = addNode(tree, parent);
  const { nodes } = tree;
  nodes[node * WIDTH + HASH] = hashes[0] as number;
  nodes[node * WIDTH + TEXT] = tree.textSize;
  nodes[node * WIDTH + LENGTH] = segment.length;
  while (tree.textSize + segment.length > tree.texts.length) {
    const { texts } = tree;
    tree.texts = new Uint16Array(2 * texts.length);
    tree.texts.set(texts);
  }
  for (let index = 0; index < segment.length; index++)
    tree.texts[tree.textSize++] = segment.charCodeAt(index);
  const place = parent * WIDTH + CHILD;
  const only = nodes[place] as number;
  nodes[place] = only === 0 ? node : MANY;
  if (only > 0) enterTable(tree, only);
  if (only !== 0) enterTable(tree, node);
  return node;
}

function addNode(tree: Tree, parent: number): number {
  if ((tree.size + 1) * WIDTH > tree.nodes.length) tree.nodes = enlarge(tree.nodes);
  tree.nodes[tree.size * WIDTH + PARENT] = parent;
  return tree.size++;
}

function enterTable(tree: Tree, node: number): void {
  if (++tree.tableSize * 2 > tree.table.length) {
    const { table } = tree;
    tree.table = new Int32Array(2 * table.length);
    for (const entered of table) if (entered !== 0) putIntoTable(tree, entered);
  }
  putIntoTable(tree, node);
}

function putIntoTable({ table, nodes }: Tree, node: number): void {
  let slot = slotOf(nodes[node * WIDTH + PARENT] as number, nodes[node * WIDTH + HASH] as number);
  while (table[slot & (table.length - 1)] !== 0) slot++;
  table[slot & (table.length - 1)] = node;
}

/** The low bits of the product of two numbers depend on their low bits alone: the high ones are folded in. */
function slotOf(parent: number, hash: number): number {
  const mixed = Math.imul(hash ^ Math.imul(parent, 0x9e3779b1), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

/** @returns the node below `parent` for the segment at `depth` of what was read, or 0. */
function staticChild(tree: Tree, parent: number, depth: number): number {
  const { nodes, table } = tree;
  const only = nodes[parent * WIDTH + CHILD] as number;
  if (only !== MANY) return only !== 0 && isNodeOf(tree, only, depth) ? only : 0;
  const mask = table.length - 1;
  for (let slot = slotOf(parent, hashes[depth] as number); ; slot++) {
    const node = table[slot & mask] as number;
    if (node === 0 || (nodes[node * WIDTH + PARENT] === parent && isNodeOf(tree, node, depth))) return node;
  }
}

/** Two texts may have one hash, so that the texts themselves are compared. */
function isNodeOf({ nodes, texts }: Tree, node: number, depth: number): boolean {
  const place = node * WIDTH;
  if (nodes[place + HASH] !== hashes[depth]) return false;
  const start = starts[depth] as number;
  const length = nodes[place + LENGTH] as number;
  if ((ends[depth] as number) - start !== length) return false;
  const first = nodes[place + TEXT] as number;
  for (let index = 0; index < length; index++) {
    if (texts[first + index] !== text.charCodeAt(start + index)) return false;
  }
  return true;
}

/** @returns the index of the item that serves the rest of what was read, from `depth` on, or `MISS`. */
function descend(tree: Tree, node: number, depth: number, params: number, method: number): number {
  const { nodes } = tree;
  const place = node * WIDTH;
  if (depth === count) return arrive(tree, nodes[place + LEAF] as number, params, method);
  const next = staticChild(tree, node, depth);
  if (next !== 0) {
    const found = descend(tree, next, depth + 1, params, method);
    if (found !== MISS) return found;
  }
  const int = nodes[place + INT] as number;
  if (int !== 0) {
    const value = toInt(text, starts[depth] as number, ends[depth] as number);
    if (value !== undefined) {
      matched[params] = value;
      const found = descend(tree, int, depth + 1, params + 1, method);
      if (found !== MISS) return found;
    }
  }
  const str = nodes[place + STR] as number;
  if (str === 0) return MISS;
  matched[params] = text.slice(starts[depth], ends[depth]);
  return descend(tree, str, depth + 1, params + 1, method);
}

function arrive({ items }: Tree, leaf: number, params: number, method: number): number {
  let found = MISS;
  for (let pair = leaf; pair !== 0; pair = items[pair + 1] as number) {
    const item = items[pair] as number;
    const own = item & 7;
    served |= 1 << own;
    if (own === method) return hit(item, params);
    if (own === GET && method === HEAD) found = item;
  }
  return found === MISS ? MISS : hit(found, params);
}

function hit(item: number, params: number): number {
  matchedCount = params;
  return item >> 3;
}

/** Everything that is answered somewhere, with the automatic HEAD and OPTIONS: what `OPTIONS *` tells (RFC 9110 section 9.3.7). */
export function methodsServed(routes: readonly Route[]): Method[] {
  const used = new Set<Method>(["OPTIONS", ...routes.map(({ method }) => method)]);
  if (used.has("GET")) used.add("HEAD");
  return METHODS.filter((method) => used.has(method));
}
