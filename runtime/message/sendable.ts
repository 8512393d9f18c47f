/** What JSON can't hold, drops or leaves empty: found in what handlers give, named, with what to do about it. */

/** Nobody sends deeper values on purpose, and code that walks them, such as `JSON.stringify`, would run out of stack. */
export const MAX_DEPTH = 1000;

/** A key as a step of a JSON pointer (RFC 6901 section 3). */
export function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

export function unescapeKey(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** What most handlers return. Checked before the platform's classes, which Node loads when code first names them. */
export function isPlainObject(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype && !(Symbol.asyncIterator in value);
}

/** True for a response of this platform, or of a package with a class of its own, such as undici. */
export function isResponse(value: unknown): value is Response {
  if (typeof value !== "object" || value === null) return false;
  try {
    return (
      value instanceof Response || (tagOf(value) === "Response" && "status" in value && "headers" in value)
    );
  } catch {
    // A Proxy may throw at any access.
    return false;
  }
}

/** True for what has to be awaited. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** True for a query that is a builder: Kysely's runs only by its `execute`, Drizzle's by that or when it is awaited. */
function isQuery(value: object): boolean {
  const { execute, compile, then }: Members = value;
  return isFunction(execute) && (isFunction(compile) || isFunction(then));
}

/**
 * Refuses a whole value that has no JSON, or the JSON `{}` whatever is in it: promises, queries, iterators, streams, a Map, a Set.
 *
 * @param holder as in "The handler returned".
 * @throws {TypeError}
 */
export function refuseWithoutJson(value: object, holder: string): void {
  if (isThenable(value) || (isQuery(value) && !("toJSON" in value)))
    throw new TypeError(describeLost(holder, value, ""));
  const instead = giveInstead(value);
  if (instead) throw new TypeError(`${holder} ${nameOf(value)}, which has no JSON. ${instead}`);
}

function giveInstead(value: object): string | undefined {
  if (Symbol.iterator in value && "next" in value)
    return "Give an array or a stream instead, as in [...…] or events(…).";
  if (value instanceof Map) return "Give an array or an object instead, as in Object.fromEntries(…).";
  if (value instanceof Set) return "Give an array or an object instead, as in [...…].";
  if (isPlainObject(value) || "toJSON" in value) return undefined;
  if (value instanceof Error) return "Throw it, or pass it as `cause`.";
  const isBody = isResponse(value) || value instanceof Blob || Symbol.asyncIterator in value;
  return isBody ? "Send it by itself, and give a Response its status." : undefined;
}

/** @throws {TypeError} for what has no JSON, and whatever a `toJSON` throws. */
export function toJson(value: unknown, holder: string): string {
  if (typeof value === "object" && value !== null) refuseWithoutJson(value, holder);
  return stringify(value, holder);
}

/** @throws {TypeError} for a value that has no JSON, and what `JSON.stringify` throws, with the place of a BigInt. */
export function stringify(value: unknown, holder: string): string {
  let json: string | undefined;
  try {
    json = Number.isNaN(value) ? undefined : JSON.stringify(value);
  } catch (error) {
    const problem = String(error).includes("BigInt") ? explainLost(holder, value) : undefined;
    throw problem === undefined ? error : new TypeError(problem);
  }
  // Undefined for a function, for example, although the type says otherwise.
  if (json === undefined) throw new TypeError(`${holder} ${nameOf(value)}, which has no JSON.`);
  return json;
}

/** What may be in an object or a function. */
interface Members {
  readonly toJSON?: unknown;
  readonly then?: unknown;
  readonly execute?: unknown;
  readonly compile?: unknown;
}

interface Lost {
  /** A JSON pointer. */
  readonly place: string;
  readonly value: unknown;
}

/**
 * Looks where `JSON.stringify` looks, also into what a `toJSON` returns: so it costs about as much. A `toJSON` or a getter that throws
 * when it is called again ends the search.
 *
 * @param holder as in "The handler returned".
 * @returns a message about the first promise, query or BigInt; undefined if none is found.
 */
export function explainLost(holder: string, value: unknown): string | undefined {
  try {
    const lost = findLost(toSent(value, ""), 0);
    return lost && describeLost(holder, lost.value, lost.place && ` at ${lost.place}`);
  } catch {
    return undefined;
  }
}

function describeLost(holder: string, value: unknown, place: string): string {
  if (typeof value === "bigint")
    return `${holder} a BigInt${place}, which has no JSON. Give String(id) or Number(id).`;
  const what = `${holder} ${value instanceof Promise ? "a promise" : nameOf(value)}${place}`;
  return isQuery(Object(value))
    ? `${what}, a query that did not run. Did you forget to call execute()?`
    : `${what}, whose value is not sent. Await it first.`;
}

/** `JSON.stringify` calls no `toJSON` on what a `toJSON` returned. */
function toSent(value: unknown, key: string): unknown {
  return hasMembers(value) && typeof value.toJSON === "function" ? value.toJSON(key) : value;
}

/** @example findLost({ items: [{ rows: Promise.resolve([]) }] }, 0) // { place: "/items/0/rows", value: Promise } */
function findLost(sent: unknown, depth: number): Lost | undefined {
  if (typeof sent === "bigint") return { place: "", value: sent };
  if (isLeftOut(sent) || !hasMembers(sent) || depth === MAX_DEPTH) return undefined;
  if (sent instanceof Promise) return { place: "", value: sent };
  let isEmpty = true;
  for (const [name, inner] of Object.entries(sent)) {
    const member = toSent(inner, name);
    const lost = findLost(member, depth + 1);
    if (lost !== undefined) return { ...lost, place: `/${escapeKey(name)}${lost.place}` };
    isEmpty &&= isLeftOut(member);
  }
  // A rule such as `{ if: 1, then: () => 2 }` is data.
  const isLost = isEmpty && !Array.isArray(sent) && (isFunction(sent.then) || isQuery(sent));
  return isLost ? { place: "", value: sent } : undefined;
}

/** True for what `JSON.stringify` leaves out of an object. */
function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === "function" || typeof value === "symbol";
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

function hasMembers(value: unknown): value is Members {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** @example nameOf([]) // "an Array" */
export function nameOf(value: unknown): string {
  if (value === undefined || value === null || Number.isNaN(value)) return String(value);
  const name = typeof value === "object" ? nameOfClass(value) : typeof value;
  return `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name}`;
}

function nameOfClass(value: object): string {
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
function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}
