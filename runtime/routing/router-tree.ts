/**
 * The router's data structure: a tree of segments in a few arrays of numbers, so that a large table is as fast as a small one.
 * Objects and maps would be spread over memory, and a look-up would miss the cache at every step
 * (`npm run bench -- router` compares it with other routers).
 *
 * A node is an index into `numbers`: the members below, then the text of its segment, one byte per character, so that both share a
 * cache line. `table` holds the static children of all nodes: an open hash table by parent and hash of the text. A node has at most
 * one child for each param type. The items that end at a node form a linked list of numbers: the index of the item, from 1, and, in the
 * lowest four bits, its method and whether it is `CHECKED`.
 */

import type { ParamValue } from "./param.ts";
import { lastRead, PLAIN_AND_PERCENT, readSegment, spellText } from "./path.ts";
import { METHODS, type Method, type ParamType, type Route, type Segment } from "./route.ts";

type Numbers = Int32Array<ArrayBuffer>;

/** An item of the router. */
export interface Routed {
  readonly route: Route;
  /** Checks params with constraints such as `int & Max<9>`. If false, the route does not match. */
  readonly fits?: ((values: readonly ParamValue[]) => boolean) | undefined;
}

export interface Tree {
  readonly items: readonly Routed[];
  numbers: Numbers;
  /** A view of the memory of `numbers`. */
  bytes: Uint8Array<ArrayBuffer>;
  size: number;
  table: Numbers;
  tableSize: number;
  /** The next item that ends at the same node, by the index of an item from 1. */
  readonly nextItems: Numbers;
}

/** Offsets of a node's members. A member of 0 means none. */
const PARENT = 0;
const HASH = 1;
export const INT = 2;
export const STR = 3;
export const ITEM = 4;
const LENGTH = 5;
/** 1 if the node has static children: saves a look-up in the table if it has none. */
export const STATIC = 6;
export const WHOLE = 7;
const WIDTH = 8;

const MEMBER: Readonly<Record<ParamType, number>> = { int: INT, str: STR, "str[]": WHOLE };

/** The root node. Not 0, which means none. */
export const ROOT: number = WIDTH;

/** The number of the route method `ALL`, and of every unknown method. */
export const ALL = 0;

/** The bit of an item whose params have constraints. */
export const CHECKED = 8;

/** @returns `ALL` for an unknown method. */
export function toMethodNumber(method: string): number {
  return METHODS.indexOf(method as Method) + 1;
}

export function createTree(items: readonly Routed[]): Tree {
  const numbers = new Int32Array(1024);
  const tree: Tree = {
    items,
    numbers,
    bytes: new Uint8Array(numbers.buffer),
    size: ROOT + WIDTH,
    table: new Int32Array(64),
    tableSize: 0,
    nextItems: new Int32Array(items.length + 1),
  };
  // The nodes of the previous route: neighbours in a table usually begin with the same segments.
  const trail: number[] = [ROOT];
  let before: readonly Segment[] = [];
  items.forEach(({ route: { method, segments }, fits }, index) => {
    let depth = 0;
    while (depth < segments.length && segments[depth] === before[depth]) depth++;
    for (; depth < segments.length; depth++)
      trail[depth + 1] = growChild(tree, trail[depth] as number, segments[depth] as Segment);
    before = segments;
    const node = trail[depth] as number;
    // At the front of the list, so that the later of two equal routes wins.
    tree.nextItems[index + 1] = tree.numbers[node + ITEM] as number;
    tree.numbers[node + ITEM] = ((index + 1) << 4) | (fits ? CHECKED : 0) | toMethodNumber(method);
  });
  return tree;
}

function growChild(tree: Tree, parent: number, segment: Segment): number {
  if (typeof segment === "string") {
    const text = spellText(segment);
    readSegment(text, 0, PLAIN_AND_PERCENT);
    return findStatic(tree, parent, text, 0, text.length) || addStatic(tree, parent, text);
  }
  const member = parent + MEMBER[segment.type];
  const node = tree.numbers[member] || addNode(tree, "");
  tree.numbers[member] = node;
  return node;
}

function addNode(tree: Tree, text: string): number {
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

/** @returns an index into `bytes`. */
function textOf(node: number): number {
  return (node + WIDTH) << 2;
}

/** @param text the last segment read. */
function addStatic(tree: Tree, parent: number, text: string): number {
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

function putIntoTable({ table, numbers }: Tree, node: number): void {
  const mask = table.length - 1;
  let slot = slotOf(numbers[node + PARENT] as number, numbers[node + HASH] as number);
  while (table[slot & mask] !== 0) slot++;
  table[slot & mask] = node;
}

/** Mixes in the high bits, because the low bits of a product depend only on the low bits of its factors. */
function slotOf(parent: number, hash: number): number {
  const mixed = Math.imul(hash ^ Math.imul(parent, 0x9e3779b1), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

/** @returns the static child for the last segment read, from `start` to `end`; 0 for none. */
export function findStatic(tree: Tree, parent: number, path: string, start: number, end: number): number {
  const { numbers, table } = tree;
  const { hash } = lastRead;
  const mask = table.length - 1;
  for (let slot = slotOf(parent, hash); ; slot++) {
    const node = table[slot & mask] as number;
    if (node === 0) return 0;
    if (numbers[node + PARENT] !== parent || numbers[node + HASH] !== hash) continue;
    // Two texts can have the same hash.
    if (numbers[node + LENGTH] === end - start && isText(tree, node, path, start, end)) return node;
  }
}

function isText({ bytes }: Tree, node: number, path: string, start: number, end: number): boolean {
  const shift = textOf(node) - start;
  for (let index = start; index < end; index++)
    if (bytes[shift + index] !== path.charCodeAt(index)) return false;
  return true;
}
