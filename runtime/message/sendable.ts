/** Finds values in a result that JSON can't represent or silently drops, and explains how to fix each. */

import { escapeKey } from "../escape.ts";

/** True for most results. Checked before the platform's classes, which Node loads when code first names them. */
export function isPlainObject(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype && !(Symbol.asyncIterator in value);
}

/** True for a `Response` of this platform, or of a package such as undici. */
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

/** True for a value that has to be awaited. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && "then" in value && typeof value.then === "function";
}

/**
 * @param prefix the beginning of the message, as in "The handler returned".
 * @throws {TypeError} for a value without JSON, or whose JSON is always `{}`: a promise, a query, an iterator, a stream, a Map;
 * for a BigInt inside it; and any error of a `toJSON`.
 */
export function toJson(value: unknown, prefix: string): string {
  requireAwaited(value, prefix);
  const advice = isObject(value) ? adviceFor(value) : undefined;
  let json: string | undefined;
  try {
    // NaN and Infinity would become `null`.
    if (advice === undefined && (typeof value !== "number" || Number.isFinite(value)))
      json = JSON.stringify(value);
  } catch (error) {
    const problem = String(error).includes("BigInt") ? explainLost(prefix, value) : undefined;
    throw problem === undefined ? error : new TypeError(problem);
  }
  // Undefined for a function, too, although the type of `JSON.stringify` says otherwise.
  if (json !== undefined) return json;
  throw new TypeError(`${prefix} ${nameOf(value)}, which has no JSON.${advice ?? ""}`);
}

/** @throws {TypeError} for a promise, and for a query that did not run. A plain object with an `execute` method is not a query. */
export function requireAwaited(value: unknown, prefix: string): void {
  if (isThenable(value) || (isQuery(value) && !isPlainObject(value)))
    throw new TypeError(describeLost(prefix, { place: "", value }));
}

/** @returns advice for an object without JSON. */
function adviceFor(value: object): string | undefined {
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
  /** The JSON pointer to the value. */
  readonly place: string;
  readonly value: unknown;
}

/**
 * Visits all values that `JSON.stringify` visits, including results of `toJSON`, so it costs about as much. The search stops if a
 * `toJSON` or a getter throws at its second call, or if the value is nested too deep.
 *
 * @returns a message about the first promise, query or BigInt; undefined if there is none.
 */
export function explainLost(prefix: string, value: unknown): string | undefined {
  try {
    const lost = findLost(toSent(value, ""));
    return lost && describeLost(prefix, lost);
  } catch {
    return undefined;
  }
}

function describeLost(prefix: string, { place, value }: Lost): string {
  const what = `${prefix} ${value instanceof Promise ? "a promise" : nameOf(value)}${place && ` at ${place}`}`;
  if (typeof value === "bigint") return `${what}, which has no JSON. Give String(id) or Number(id).`;
  return isQuery(value)
    ? `${what}, a query that did not run. Did you forget to call execute()?`
    : `${what}, whose value is not sent. Await it first.`;
}

/** `JSON.stringify` calls no `toJSON` on the result of another. */
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

/** True for a query builder: Kysely's runs only by `execute`, Drizzle's by `execute` or when it is awaited. */
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
    // Classes such as "AsyncGenerator" and "Array Iterator" have a tag, but no name.
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
