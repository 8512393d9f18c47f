/** Finds a promise that nobody awaited in what is sent as JSON. Its JSON is `{}`, whatever becomes of it. */

import { MAX_DEPTH } from "./json.ts";

/** What may be in an object. */
interface Members {
  readonly toJSON?: unknown;
  readonly then?: unknown;
  readonly [key: string]: unknown;
}

/**
 * Looks where `JSON.stringify` looks, also into what a `toJSON` returns. Call that first: it throws for a cycle.
 *
 * @returns a JSON pointer to the first promise or other thenable, "" for the value itself; undefined if there is none.
 * @example findPromise({ items: [{ rows: Promise.resolve([]) }] }) // "/items/0/rows"
 */
export function findPromise(value: unknown, depth = 0): string | undefined {
  if (!hasMembers(value) || depth === MAX_DEPTH) return undefined;
  if (typeof value.toJSON === "function") return findPromise(value.toJSON(), depth + 1);
  if (typeof value.then === "function") return "";
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = findPromise(value[index], depth + 1);
      if (found !== undefined) return `/${index}${found}`;
    }
    return undefined;
  }
  for (const key of Object.keys(value)) {
    const found = findPromise(value[key], depth + 1);
    if (found !== undefined) return `/${key}${found}`;
  }
  return undefined;
}

function hasMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null;
}
