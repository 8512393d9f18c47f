/** Finds a promise that nobody awaited in what is sent as JSON. Its JSON is `{}`, whatever becomes of it. */

import { MAX_DEPTH } from "./json.ts";

/** What may be in an object. */
interface Members {
  readonly toJSON?: unknown;
  readonly then?: unknown;
  readonly [key: string]: unknown;
}

/**
 * Looks where `JSON.stringify` looks, also into what a `toJSON` returns. Call that first: it throws for a cycle. A `toJSON` or a getter
 * that throws when it is called again ends the search.
 *
 * @returns a JSON pointer to the first promise or other thenable, "" for the value itself; undefined if none is found.
 * @example findPromise({ items: [{ rows: Promise.resolve([]) }] }) // "/items/0/rows"
 */
export function findPromise(value: unknown): string | undefined {
  try {
    return findBelow(value, "", 0);
  } catch {
    return undefined;
  }
}

function findBelow(value: unknown, key: string, depth: number): string | undefined {
  if (!hasMembers(value) || depth === MAX_DEPTH) return undefined;
  if (typeof value.toJSON === "function") return findBelow(value.toJSON(key), key, depth + 1);
  if (typeof value.then === "function") return "";
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = findBelow(value[index], String(index), depth + 1);
      if (found !== undefined) return `/${index}${found}`;
    }
    return undefined;
  }
  for (const name of Object.keys(value)) {
    const found = findBelow(value[name], name, depth + 1);
    if (found !== undefined) return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}${found}`;
  }
  return undefined;
}

function hasMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null;
}
