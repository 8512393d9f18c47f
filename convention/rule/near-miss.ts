/** Names that nearly are handler names: `getAll`, `gte_all`, `fetch_all`. We suggest what was meant, and never guess silently. */

import { METHODS, type Method } from "#runtime/routing/route";
import { closest, isSwap } from "../diagnostics/closest.ts";

const METHOD_WORDS: readonly string[] = METHODS.map((method) => method.toLowerCase());

/** Words that other frameworks and habits put in the place of the method. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ["fetch", "get"],
  ["retrieve", "get"],
  ["list", "get"],
  ["create", "post"],
  ["update", "put"],
  ["remove", "delete"],
  ["destroy", "delete"],
  ["del", "delete"],
]);

const CAMEL_CASE = /^([A-Za-z]+?)([A-Z][\s\S]*)$/;

/**
 * The handler name that another name probably meant, or undefined. Only {@link parseHandlerName} says whether it keeps
 * the rule.
 * @example suggestHandlerName("getAll") // "get_all"
 */
export function suggestHandlerName(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (METHOD_WORDS.includes(lower) || lower === "del") return `${meantMethod(lower)}_index`;
  const underscore = name.indexOf("_");
  if (underscore > 0) {
    const method = meantMethod(name.slice(0, underscore));
    if (method !== undefined) return `${method}${name.slice(underscore)}`;
  }
  const camel = CAMEL_CASE.exec(name);
  const [word, rest] = [camel?.[1], camel?.[2]];
  if (word === undefined || rest === undefined || !METHOD_WORDS.includes(word.toLowerCase()))
    return undefined;
  return `${word.toLowerCase()}_${snakeCase(rest)}`;
}

/** The lowercase method that a word in its place probably meant, or undefined where the word may mean itself. */
function meantMethod(word: string): string | undefined {
  const lower = word.toLowerCase();
  if (METHOD_WORDS.includes(lower)) return lower;
  return SYNONYMS.get(lower) ?? METHOD_WORDS.find((method) => isSlip(lower, method));
}

/** Swapped or doubled letters; a replaced one only in the long words, since `set` or `port` mean themselves. */
function isSlip(word: string, method: string): boolean {
  const isLong = method.length >= 6 && Math.abs(word.length - method.length) <= 1;
  return (
    isSwap(word, method) ||
    word.replace(/(.)\1/, "$1") === method ||
    (isLong && closest(word, [method]) !== undefined)
  );
}

/** `ByID` → `by_id`, `AllItems` → `all_items`. */
function snakeCase(camelCase: string): string {
  return camelCase
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}

/**
 * The method export of a route file that another name probably meant.
 * @example suggestMethodExport("GET") // "get"; suggestMethodExport("get_index") // "get"
 */
export function suggestMethodExport(name: string): Method | undefined {
  const word = name.includes("_") ? name.slice(0, name.indexOf("_")) : name;
  const lower = word.toLowerCase();
  const exact = METHODS.find((method) => method.toLowerCase() === lower);
  if (exact !== undefined) return exact;
  if (word !== name) return undefined;
  return METHODS.find((method) => method !== "OPTIONS" && isSwap(lower, method.toLowerCase()));
}
