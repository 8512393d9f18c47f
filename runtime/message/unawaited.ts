/** Finds a promise that nobody awaited in what is sent as JSON. JSON has nothing of its value: mostly it is `{}`. */

import { escapeKey, MAX_DEPTH } from "./json.ts";

/** What may be in an object or a function. */
interface Members {
  readonly toJSON?: unknown;
  readonly then?: unknown;
  readonly [key: string]: unknown;
}

/**
 * Looks where `JSON.stringify` looks, also into what a `toJSON` returns. Call that first: it throws for a cycle. A `toJSON` or a getter
 * that throws when it is called again ends the search.
 *
 * @param holder as in "The handler returned".
 * @returns a message that has a JSON pointer to the first promise, or to what has a `then` and the JSON `{}`; undefined if none is found.
 */
export function explainPromise(holder: string, value: unknown): string | undefined {
  const pointer = findPromise(value);
  if (pointer === undefined) return undefined;
  const place = pointer === "" ? "" : ` at ${pointer}`;
  return `${holder} a promise${place}, whose value is not sent. Await it first.`;
}

/** @example findPromise({ items: [{ rows: Promise.resolve([]) }] }) // "/items/0/rows" */
function findPromise(value: unknown): string | undefined {
  try {
    return findIn(toSent(value, ""), 0);
  } catch {
    return undefined;
  }
}

/** `JSON.stringify` calls no `toJSON` on what a `toJSON` returned. */
function toSent(value: unknown, key: string): unknown {
  return hasMembers(value) && typeof value.toJSON === "function" ? value.toJSON(key) : value;
}

function findIn(sent: unknown, depth: number): string | undefined {
  if (isLeftOut(sent) || !hasMembers(sent) || depth === MAX_DEPTH) return undefined;
  if (Array.isArray(sent)) return findInItems(sent, depth);
  const isThenable = typeof sent.then === "function";
  if (isThenable && sent instanceof Promise) return "";
  let isEmpty = true;
  for (const name of Object.keys(sent)) {
    const member = toSent(sent[name], name);
    const found = findIn(member, depth + 1);
    if (found !== undefined) return `/${escapeKey(name)}${found}`;
    isEmpty &&= isLeftOut(member);
  }
  // A rule such as `{ if: 1, then: () => 2 }` is data.
  return isThenable && isEmpty ? "" : undefined;
}

function findInItems(items: readonly unknown[], depth: number): string | undefined {
  for (let index = 0; index < items.length; index++) {
    const found = findIn(toSent(items[index], String(index)), depth + 1);
    if (found !== undefined) return `/${index}${found}`;
  }
  return undefined;
}

/** True for what `JSON.stringify` leaves out of an object. */
function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === "function" || typeof value === "symbol";
}

function hasMembers(value: unknown): value is Members {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
