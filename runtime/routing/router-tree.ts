/**
 * The table as the router searches it: a tree of segments in a few arrays of numbers. So a large table is as fast as a small
 * one: objects and maps would be spread over the memory, and a look-up would wait for the memory at every step.
 *
 * A node is its place in `numbers`: the members below, then the text of its segment, one byte a character, in the same line of
 * the processor's cache. A node with one static child holds that child's place. A node with several has them in `table`, an
 * open hash table of nodes by parent and hash of the text. A node has at most one `int` and one `str` child. The items that end
 * at a node are a list of numbers: the index of the item and, in the lowest three bits, its method.
 */

import { lastRead, PLAIN_AND_PERCENT, readSegment, SLASH, spellText } from "./path.ts";
import { METHODS, type Method, type Route, type Segment } from "./route.ts";

type Numbers = Int32Array<ArrayBuffer>;

export interface Tree {
  numbers: Numbers;
  /** The same memory. */
  bytes: Uint8Array<ArrayBuffer>;
  size: number;
  table: Numbers;
  tableSize: number;
  /** For each item, by its index: the next one that ends at the same node. */
  readonly nextItems: Numbers;
}

/** The members of a node. 0 means none. */
const PARENT = 0;
const HASH = 1;
const LENGTH = 2;
/** The only static child, or `MANY`. */
export const CHILD = 3;
export const INT = 4;
export const STR = 5;
export const ITEM = 6;
const WIDTH = 7;

export const MANY = -1;
/** Not 0, which means none. */
export const ROOT: number = WIDTH;

/** @returns 0 for a method that no route can have. */
export function toMethodNumber(method: string): number {
  return METHODS.indexOf(method as Method) + 1;
}

export function createTree(routes: readonly Route[]): Tree {
  const numbers = new Int32Array(1024);
  const tree: Tree = {
    numbers,
    bytes: new Uint8Array(numbers.buffer),
    size: ROOT + WIDTH,
    table: new Int32Array(64),
    tableSize: 0,
    nextItems: new Int32Array(routes.length),
  };
  // The nodes of the previous route: neighbours in a table usually begin with the same segments.
  const trail: number[] = [ROOT];
  let before: readonly Segment[] = [];
  routes.forEach(({ method, segments }, index) => {
    let depth = 0;
    while (depth < segments.length && segments[depth] === before[depth]) depth++;
    for (; depth < segments.length; depth++)
      trail[depth + 1] = growChild(tree, trail[depth] as number, segments[depth] as Segment);
    before = segments;
    addItem(tree, trail[depth] as number, index, method);
  });
  return tree;
}

/** Adds an item at the front of the list, so that the later of two counts. */
function addItem({ numbers, nextItems }: Tree, node: number, index: number, method: Method): void {
  nextItems[index] = numbers[node + ITEM] as number;
  numbers[node + ITEM] = (index << 3) | toMethodNumber(method);
}

function growChild(tree: Tree, parent: number, segment: Segment): number {
  if (typeof segment === "string") return growStatic(tree, parent, spellText(segment));
  const member = parent + (segment.type === "int" ? INT : STR);
  const known = tree.numbers[member] as number;
  if (known !== 0) return known;
  const node = addNode(tree, parent, "", 0);
  tree.numbers[member] = node;
  return node;
}

function growStatic(tree: Tree, parent: number, text: string): number {
  const child = tree.numbers[parent + CHILD] as number;
  if (child > 0 && endOfText(tree, child, text, 0) !== 0) return child;
  readSegment(text, 0, PLAIN_AND_PERCENT);
  const known = child === MANY ? findAmongMany(tree, parent, text, 0) : 0;
  if (known !== 0) return known;
  const node = addNode(tree, parent, text, lastRead.hash);
  tree.numbers[parent + CHILD] = child === 0 ? node : MANY;
  if (child > 0) enterTable(tree, child);
  if (child !== 0) enterTable(tree, node);
  return node;
}

function addNode(tree: Tree, parent: number, text: string, hash: number): number {
  const node = tree.size;
  tree.size += WIDTH + Math.ceil(text.length / 4);
  while (tree.size > tree.numbers.length) {
    const { numbers } = tree;
    tree.numbers = new Int32Array(2 * numbers.length);
    tree.numbers.set(numbers);
    tree.bytes = new Uint8Array(tree.numbers.buffer);
  }
  const { numbers, bytes } = tree;
  numbers[node + PARENT] = parent;
  numbers[node + HASH] = hash;
  numbers[node + LENGTH] = text.length;
  const first = textOf(node);
  for (let index = 0; index < text.length; index++) bytes[first + index] = text.charCodeAt(index);
  return node;
}

/** The place in `bytes`. */
function textOf(node: number): number {
  return (node + WIDTH) << 2;
}

function enterTable(tree: Tree, node: number): void {
  if (++tree.tableSize * 2 > tree.table.length) {
    const { table } = tree;
    tree.table = new Int32Array(2 * table.length);
    for (const entered of table) if (entered !== 0) putIntoTable(tree, entered);
  }
  putIntoTable(tree, node);
}

function putIntoTable({ table, numbers }: Tree, node: number): void {
  const mask = table.length - 1;
  let slot = slotOf(numbers[node + PARENT] as number, numbers[node + HASH] as number);
  while (table[slot & mask] !== 0) slot++;
  table[slot & mask] = node;
}

/** The low bits of a product depend only on the low bits of its factors, so the high bits are mixed in. */
function slotOf(parent: number, hash: number): number {
  const mixed = Math.imul(hash ^ Math.imul(parent, 0x9e3779b1), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

/** @returns the static child for the segment that was read last, which begins at `start`, or 0. */
export function findAmongMany(tree: Tree, parent: number, path: string, start: number): number {
  const { numbers, table } = tree;
  const { hash } = lastRead;
  const mask = table.length - 1;
  for (let slot = slotOf(parent, hash); ; slot++) {
    const node = table[slot & mask] as number;
    if (node === 0) return 0;
    if (numbers[node + PARENT] !== parent || numbers[node + HASH] !== hash) continue;
    // Two texts can have the same hash.
    if (endOfText(tree, node, path, start) !== 0) return node;
  }
}

/** @returns the end of the segment that begins at `start` if it is the node's text, else 0. */
export function endOfText({ numbers, bytes }: Tree, node: number, path: string, start: number): number {
  const end = start + (numbers[node + LENGTH] as number);
  if (end > path.length) return 0;
  const shift = textOf(node) - start;
  for (let index = start; index < end; index++) if (bytes[shift + index] !== path.charCodeAt(index)) return 0;
  return end === path.length || path.charCodeAt(end) === SLASH ? end : 0;
}
