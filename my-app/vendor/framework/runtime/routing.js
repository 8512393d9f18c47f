/** The data of a route: discovery makes it, the table orders it, the router and the app read it. No verbs here. */

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/** The param types of a signature. Each is a type and a value, because type stripping keeps an import without the word `type`. */

/**
 * Casts the decoded text of a segment, as the router does.
 *
 * @returns undefined for anything but ASCII digits, and for a value above 2^53−1, which a number can't hold exactly.
 * @example int("007") // 7
 */
function int(text) {
  return toInt(text, 0, text.length);
}

/** The same for a part of a text, without copying it. */
function toInt(text, start, end) {
  if (start === end) return undefined;
  let value = 0;
  for (let index = start; index < end; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
    // Checked at each digit: a sum that has lost precision is already above the limit, and only grows.
    if (value > Number.MAX_SAFE_INTEGER) return undefined;
  }
  return value;
}

/**
 * @returns the text, or undefined when it is empty.
 * @example str("") // undefined
 */
function str(text) {
  return text === "" ? undefined : text;
}

/** Reads paths: which characters they may contain, where a segment ends, and the one spelling of an encoded path. */

const SLASH = 0x2f;
const DOT = 0x2e;
/** What no path may contain unencoded: the backslash, space, control characters, `#`, `?`, and all beyond ASCII. */
const FORBIDDEN = /[^!"$->@-[\]-~]/;
/** The same, and what is not text of a segment: `%` and `/`. */
const NOT_PLAIN = /[^!"$&-.0->@-[\]-~]+/g;
/** Which characters `readSegment` accepts in a segment. */
const PLAIN = 0;
const PLAIN_AND_PERCENT = 1;
const ANY = 2;

/** The kind of each character, by its code. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (character === "%") return PLAIN_AND_PERCENT;
  return FORBIDDEN.test(character) ? ANY : PLAIN;
});

const UNREADABLE = -1;
/** The segment that was read last. Reading and hashing are one loop, because each look at a character costs more than a nanosecond. */
const lastRead = { hash: 0 };

/**
 * @returns the end of the segment that begins at `start`, or `UNREADABLE` for what `new URL` or a proxy would read differently: browsers
 * read a raw backslash as a slash, drop control characters, and resolve dot segments (WHATWG URL 4.4).
 */
function readSegment(path, start, allowed) {
  const { length } = path;
  let hash = 0;
  let kinds = 0;
  let end = start;
  for (; end < length; end++) {
    const code = path.charCodeAt(end);
    if (code === SLASH) break;
    kinds |= KINDS[code & 127] | ((code >>> 7) << 1);
    hash = ((hash << 5) | (hash >>> 27)) ^ code;
  }
  if (kinds > allowed || isDotSegment(path, start, end)) return UNREADABLE;
  lastRead.hash = hash;
  return end;
}

function isDotSegment(path, start, end) {
  const isShort = end - start === 1 || (end - start === 2 && path.charCodeAt(start + 1) === DOT);
  return isShort && path.charCodeAt(start) === DOT;
}

/** True if `readSegment` can read each segment from `start` on. */
function isReadable(path, start, allowed) {
  for (let next = start; next < path.length; ) {
    const end = readSegment(path, next, allowed);
    if (end === UNREADABLE) return false;
    next = end + 1;
  }
  return true;
}

/**
 * Splits at the slashes first and decodes each segment once, so that `%2F` stays inside its segment.
 *
 * @returns undefined if the path can't be read.
 * @example respellPath("/caf%c3%a9/%61%2fb") // "/caf%C3%A9/a%2Fb"
 */
function respellPath(path) {
  if (!isReadable(path, 1, PLAIN_AND_PERCENT)) return undefined;
  try {
    return path.replace(/[^/]+/g, (text) => spellText(decodeURIComponent(text)));
  } catch {
    return undefined;
  }
}

/** The text of one segment as a respelled path contains it. Different texts have different spellings. */
function spellText(text) {
  return text.replace(NOT_PLAIN, encodeURIComponent);
}

/** Why a path can't be read. */
function refusePath(path) {
  return { kind: "bad-path", reason: `The path can't be read: ${explainRefusal(path)}.` };
}

function explainRefusal(path) {
  if (!path.startsWith("/")) return "it does not begin with a slash";
  if (FORBIDDEN.test(path)) return "it holds a character that must be percent-encoded";
  try {
    decodeURIComponent(path);
    return "it holds a dot segment";
  } catch {
    return "its percent-encoding is malformed or not UTF-8";
  }
}

/**
 * The table as the router searches it: a tree of segments in a few arrays of numbers. So a large table is as fast as a small
 * one: objects and maps would be spread over the memory, and a look-up would wait for the memory at every step
 * (`npm run bench -- router` compares it with others).
 *
 * A node is its place in `numbers`: the members below, then the text of its segment, one byte a character, in the same line of
 * the processor's cache. Its static children are in `table`, an open hash table of nodes by parent and hash of the text. It has at most
 * one `int` and one `str` child. The items that end at a node are a list of numbers: the index of the item and, in the lowest three
 * bits, its method.
 */

/** The members of a node. 0 means none. */
const PARENT = 0;
const HASH = 1;
const INT = 2;
const STR = 3;
const ITEM = 4;
const LENGTH = 5;
/** 1 if it has static children: one look less for a node that has none. */
const STATIC = 6;
const WIDTH = 7;
/** Not 0, which means none. */
const ROOT = WIDTH;

/** @returns 0 for a method that no route can have. */
function toMethodNumber(method) {
  return METHODS.indexOf(method) + 1;
}

function createTree(routes) {
  const numbers = new Int32Array(1024);
  const tree = {
    numbers,
    bytes: new Uint8Array(numbers.buffer),
    size: ROOT + WIDTH,
    table: new Int32Array(64),
    tableSize: 0,
    nextItems: new Int32Array(routes.length),
  };
  // The nodes of the previous route: neighbours in a table usually begin with the same segments.
  const trail = [ROOT];
  let before = [];
  routes.forEach(({ method, segments }, index) => {
    let depth = 0;
    while (depth < segments.length && segments[depth] === before[depth]) depth++;
    for (; depth < segments.length; depth++)
      trail[depth + 1] = growChild(tree, trail[depth], segments[depth]);
    before = segments;
    const node = trail[depth];
    // At the front of the list, so that the later of two counts.
    tree.nextItems[index] = tree.numbers[node + ITEM];
    tree.numbers[node + ITEM] = (index << 3) | toMethodNumber(method);
  });
  return tree;
}

function growChild(tree, parent, segment) {
  if (typeof segment === "string") {
    const text = spellText(segment);
    readSegment(text, 0, PLAIN_AND_PERCENT);
    return findStatic(tree, parent, text, 0, text.length) || addStatic(tree, parent, text);
  }
  const member = parent + (segment.type === "int" ? INT : STR);
  const node = tree.numbers[member] || addNode(tree, "");
  tree.numbers[member] = node;
  return node;
}

function addNode(tree, text) {
  const node = tree.size;
  tree.size += WIDTH + Math.ceil(text.length / 4);
  while (tree.size > tree.numbers.length) {
    const { numbers } = tree;
    tree.numbers = new Int32Array(2 * numbers.length);
    tree.numbers.set(numbers);
    tree.bytes = new Uint8Array(tree.numbers.buffer);
  }
  tree.numbers[node + LENGTH] = text.length;
  for (let index = 0; index < text.length; index++) tree.bytes[textOf(node) + index] = text.charCodeAt(index);
  return node;
}

/** The place in `bytes`. */
function textOf(node) {
  return (node + WIDTH) << 2;
}

/** @param text the segment that was read last. */
function addStatic(tree, parent, text) {
  const node = addNode(tree, text);
  tree.numbers[node + PARENT] = parent;
  tree.numbers[node + HASH] = lastRead.hash;
  tree.numbers[parent + STATIC] = 1;
  if (++tree.tableSize * 2 > tree.table.length) {
    const { table } = tree;
    tree.table = new Int32Array(2 * table.length);
    for (const entered of table) if (entered !== 0) putIntoTable(tree, entered);
  }
  putIntoTable(tree, node);
  return node;
}

function putIntoTable({ table, numbers }, node) {
  const mask = table.length - 1;
  let slot = slotOf(numbers[node + PARENT], numbers[node + HASH]);
  while (table[slot & mask] !== 0) slot++;
  table[slot & mask] = node;
}

/** The low bits of a product depend only on the low bits of its factors, so the high bits are mixed in. */
function slotOf(parent, hash) {
  const mixed = Math.imul(hash ^ Math.imul(parent, 0x9e3779b1), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

/** @returns the static child for the segment that was read last, from `start` to `end`, or 0. */
function findStatic(tree, parent, path, start, end) {
  const { numbers, table } = tree;
  const { hash } = lastRead;
  const mask = table.length - 1;
  for (let slot = slotOf(parent, hash); ; slot++) {
    const node = table[slot & mask];
    if (node === 0) return 0;
    if (numbers[node + PARENT] !== parent || numbers[node + HASH] !== hash) continue;
    // Two texts can have the same hash.
    if (numbers[node + LENGTH] === end - start && isText(tree, node, path, start, end)) return node;
  }
}

function isText({ bytes }, node, path, start, end) {
  const shift = textOf(node) - start;
  for (let index = start; index < end; index++)
    if (bytes[shift + index] !== path.charCodeAt(index)) return false;
  return true;
}

/** Finds the match for a method and a path: walks down the tree of the table (`router-tree.ts`), as a rule once. */

/**
 * In each segment static beats int beats str, with backtracking. A route of another method does not match. A trailing slash does
 * not count. An empty segment matches nothing. The GET of the same shape serves HEAD, unless there is a HEAD route.
 *
 * @param items in any order. Of two with the same method and shape the later one counts. (The table refuses them, and empty
 * segments and dot segments.)
 * @example createRouter([{ route, handler }]).find("GET", "/users/by/id/7") // { kind: "match", item, values: [7] }
 */
function createRouter(items) {
  const tree = createTree(items.map(({ route }) => route));
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
      return { kind: "match", item: items[index], values: isEncoded ? values.map(decode) : values };
    },
  };
}

function decode(value) {
  return typeof value === "string" ? decodeURIComponent(value) : value;
}

const NO_MATCH = { kind: "no-match" };
const MISS = -2;
const GET = toMethodNumber("GET");
const HEAD = toMethodNumber("HEAD");
/** The state of the current walk: up to where the path was read, what a segment may contain, and a bit for each method that serves the path. */
let readTo = 0;
let allowed = PLAIN;
let servedMethods = 0;
/** The values of the match: made where the path ends, and filled in on the way back. */
let values = [];
const NO_VALUES = [];

/**
 * A path that is found was read to its end. The rest of any other path still has to be read, because a path that can't be read is
 * a 400 and not a 404.
 *
 * @returns the index of an item, `MISS` or `UNREADABLE`.
 */
function walk(tree, path, method, allow) {
  servedMethods = 0;
  allowed = allow;
  readTo = 1;
  if (path.charCodeAt(0) !== SLASH) return UNREADABLE;
  const index = descend(tree, ROOT, path, 1, 0, method);
  if (index !== MISS || readTo >= path.length) return index;
  return isReadable(path, readTo, allow) ? MISS : UNREADABLE;
}

/** Walks on from a node, with the segment that begins at `start`. */
function descend(tree, node, path, start, params, method) {
  const { numbers } = tree;
  if (start >= path.length) return arrive(tree, numbers[node + ITEM], params, method);
  const end = readSegment(path, start, allowed);
  if (end === UNREADABLE) return UNREADABLE;
  if (end > readTo) readTo = end;
  const child = numbers[node + STATIC] === 0 ? 0 : findStatic(tree, node, path, start, end);
  if (child !== 0) {
    const found = descend(tree, child, path, end + 1, params, method);
    if (found !== MISS) return found;
  }
  const int = numbers[node + INT];
  const str = numbers[node + STR];
  if (int !== 0) {
    const value = toInt(path, start, end);
    if (value !== undefined) {
      const found = descend(tree, int, path, end + 1, params + 1, method);
      if (found >= 0) values[params] = value;
      if (found !== MISS) return found;
    }
  }
  if (str === 0 || start === end) return MISS;
  const found = descend(tree, str, path, end + 1, params + 1, method);
  if (found >= 0) values[params] = path.slice(start, end);
  return found;
}

function arrive(tree, first, params, method) {
  let found = MISS;
  for (let item = first; item !== 0 && found === MISS; item = tree.nextItems[item >> 3]) {
    servedMethods |= 1 << (item & 7);
    if ((item & 7) === method) found = item >> 3;
  }
  if (found === MISS && method === HEAD) return arrive(tree, first, params, GET);
  if (found !== MISS) values = params === 0 ? NO_VALUES : params === 1 ? [""] : new Array(params);
  return found;
}

function isServed(method) {
  return (servedMethods & (1 << toMethodNumber(method))) !== 0;
}

/** Every method that some path answers, including the automatic HEAD and OPTIONS: for `OPTIONS *` (RFC 9110 section 9.3.7). */
function methodsServed(routes) {
  return withAutomatic(routes.map(({ method }) => method));
}

function withAutomatic(methods) {
  const all = new Set([...methods, "OPTIONS"]);
  if (all.has("GET")) all.add("HEAD");
  return METHODS.filter((method) => all.has(method));
}

export {
  INT,
  ITEM,
  METHODS,
  PLAIN,
  PLAIN_AND_PERCENT,
  ROOT,
  SLASH,
  STATIC,
  STR,
  UNREADABLE,
  createRouter,
  createTree,
  findStatic,
  int,
  isReadable,
  lastRead,
  methodsServed,
  readSegment,
  refusePath,
  respellPath,
  spellText,
  str,
  toInt,
  toMethodNumber,
};
