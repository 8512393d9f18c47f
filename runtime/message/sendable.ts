/** What JSON can't hold, drops or leaves empty: found in what handlers give, named, with what to do about it. */

import { escapeKey } from "../escape.ts";

/** What most handlers return. Checked before the platform's classes, which Node loads when code first names them. */
export function isPlainObject(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype && !(Symbol.asyncIterator in value);
}

/** True for a response of this platform, or of a package with a class of its own, such as undici. */
export function isResponse(value: unknown): value is Response {
  if (!isObject(value)) return false;
  try {
    if (value instanceof Response) return true;
    return tagOf(value) === "Response" && "status" in value && "headers" in value;
  } catch {
    // A Proxy may throw at any access.
    return false;
  }
}

/** True for what has to be awaited. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && "then" in value && typeof value.then === "function";
}

/**
 * @param holder as in "The handler returned".
 * @throws {TypeError} for a value that has no JSON, or the JSON `{}` whatever is in it: a promise, a query, an iterator, a stream, a Map;
 * for a BigInt in it; and whatever a `toJSON` throws.
 */
export function toJson(value: unknown, holder: string): string {
  requireAwaited(value, holder);
  const instead = isObject(value) ? giveInstead(value) : undefined;
  let json: string | undefined;
  try {
    // NaN and the infinite numbers would be `null`.
    if (instead === undefined && (typeof value !== "number" || Number.isFinite(value)))
      json = JSON.stringify(value);
  } catch (error) {
    const problem = String(error).includes("BigInt") ? explainLost(holder, value) : undefined;
    throw problem === undefined ? error : new TypeError(problem);
  }
  // Undefined for a function, too, although the type of `JSON.stringify` says otherwise.
  if (json !== undefined) return json;
  throw new TypeError(`${holder} ${nameOf(value)}, which has no JSON.${instead ?? ""}`);
}

/** @throws {TypeError} for a promise, and for a query that did not run. The methods of a plain object are left out of its JSON, as any others. */
export function requireAwaited(value: unknown, holder: string): void {
  if (isThenable(value) || (isQuery(value) && !isPlainObject(value)))
    throw new TypeError(describeLost(holder, { place: "", value }));
}

/** @returns what to do about an object without JSON. */
function giveInstead(value: object): string | undefined {
  if (Array.isArray(value) || isPlainObject(value)) return undefined;
  if (Symbol.iterator in value && "next" in value)
    return " Give an array or a stream instead, as in [...…] or events(…).";
  if (value instanceof Map) return " Give an array or an object instead, as in Object.fromEntries(…).";
  if (value instanceof Set) return " Give an array or an object instead, as in [...…].";
  if ("toJSON" in value) return undefined;
  if (value instanceof Error) return " Throw it, or pass it as `cause`.";
  const isBody = isResponse(value) || value instanceof Blob || Symbol.asyncIterator in value;
  return isBody ? " Send it by itself, and give a Response its status." : undefined;
}

interface Lost {
  /** A JSON pointer. */
  readonly place: string;
  readonly value: unknown;
}

/**
 * Looks where `JSON.stringify` looks, also into what a `toJSON` returns: so it costs about as much. The search ends where a `toJSON` or a
 * getter throws when it is called again, or where the value is nested too deep.
 *
 * @param holder as in "The handler returned".
 * @returns a message about the first promise, query or BigInt; undefined if none is found.
 */
export function explainLost(holder: string, value: unknown): string | undefined {
  try {
    const lost = findLost(toSent(value, ""));
    return lost && describeLost(holder, lost);
  } catch {
    return undefined;
  }
}

function describeLost(holder: string, { place, value }: Lost): string {
  const what = `${holder} ${value instanceof Promise ? "a promise" : nameOf(value)}${place && ` at ${place}`}`;
  if (typeof value === "bigint") return `${what}, which has no JSON. Give String(id) or Number(id).`;
  return isQuery(value)
    ? `${what}, a query that did not run. Did you forget to call execute()?`
    : `${what}, whose value is not sent. Await it first.`;
}

/** `JSON.stringify` calls no `toJSON` on what a `toJSON` returned. */
function toSent(value: unknown, key: string): unknown {
  const { toJSON } = Object(value ?? 0);
  return typeof toJSON === "function" ? toJSON.call(value, key) : value;
}

/** @example findLost({ items: [{ rows: Promise.resolve([]) }] }) // { place: "/items/0/rows", value: Promise } */
function findLost(sent: unknown): Lost | undefined {
  if (typeof sent === "bigint" || sent instanceof Promise) return { place: "", value: sent };
  if (!isObject(sent)) return undefined;
  let isEmpty = !Array.isArray(sent);
  for (const [name, inner] of Object.entries(sent)) {
    const member = toSent(inner, name);
    const lost = findLost(member);
    if (lost !== undefined) return { ...lost, place: `/${escapeKey(name)}${lost.place}` };
    isEmpty &&= member === undefined || typeof member === "function" || typeof member === "symbol";
  }
  // A rule such as `{ if: 1, then: () => 2 }` is data.
  return isEmpty && (isThenable(sent) || isQuery(sent)) ? { place: "", value: sent } : undefined;
}

/** True for a query that is a builder: Kysely's runs only by its `execute`, Drizzle's by that or when it is awaited. */
function isQuery(value: unknown): value is object {
  if (!isObject(value) || !("execute" in value) || "toJSON" in value) return false;
  if (typeof value.execute !== "function") return false;
  return ("compile" in value && typeof value.compile === "function") || isThenable(value);
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** @example nameOf([]) // "an Array" */
export function nameOf(value: unknown): string {
  if (value === undefined || value === null || typeof value === "number") return String(value);
  const name = typeof value === "object" || typeof value === "bigint" ? nameOfClass(value) : typeof value;
  return `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name}`;
}

function nameOfClass(value: object | bigint): string {
  try {
    const tag = tagOf(value);
    // As in "AsyncGenerator" and "Array Iterator", whose classes have no names.
    if (/(?:Generator|Iterator)$/.test(tag)) return tag.replace(/\B(?=[A-Z])/g, " ").toLowerCase();
    return String(value.constructor?.name ?? "object");
  } catch {
    return "object";
  }
}

/** @example tagOf(new Response()) // "Response" */
function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}
