/** Tells what can be sent as JSON or as a response, and how a message names what can't. */

/** What most handlers return. Checked before the platform's classes, which Node loads when code first names them. */
export function isPlainObject(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype && !(Symbol.asyncIterator in value);
}

/** True for a response of this platform, or of a package with a class of its own, such as undici. */
export function isResponse(value: unknown): value is Response {
  if (typeof value !== "object" || value === null) return false;
  try {
    return (
      value instanceof Response ||
      (Object.prototype.toString.call(value) === "[object Response]" &&
        "status" in value &&
        "headers" in value)
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

/**
 * Refuses what has the JSON `{}` whatever is in it: promises, iterators, a Map, a Set.
 *
 * @param holder as in "The handler returned".
 */
export function refuseWithoutJson(value: object, holder: string): void {
  if (isThenable(value))
    throw new TypeError(`${holder} ${nameOf(value)}, which has no JSON. Await it first.`);
  const isIterator = Symbol.iterator in value && "next" in value;
  if (!isIterator && !(value instanceof Map) && !(value instanceof Set)) return;
  const instead = value instanceof Map ? "Object.fromEntries(…)" : "[...…]";
  throw new TypeError(
    `${holder} ${nameOf(value)}, which has no JSON. Give an array or an object instead, as in ${instead}.`,
  );
}

/** @throws {TypeError} for what has no JSON, and whatever a `toJSON` throws. */
export function toJson(value: object, holder: string): string {
  refuseWithoutJson(value, holder);
  if (!isPlainObject(value)) refuseOtherKinds(value, holder);
  // Undefined for a function, for example, although the type says otherwise.
  const json: string | undefined = JSON.stringify(value);
  if (json === undefined) throw new TypeError(`${holder} ${nameOf(value)}, which has no JSON.`);
  return json;
}

function refuseOtherKinds(value: object, holder: string): void {
  if (value instanceof Error && !("toJSON" in value))
    throw new TypeError(`${holder} ${nameOf(value)}, whose JSON is empty. Pass it as \`cause\`.`);
  if (isResponse(value) || value instanceof Blob || Symbol.asyncIterator in value)
    throw new TypeError(`${holder} ${nameOf(value)}, which has no JSON. Throw a Response instead.`);
}

/** @example nameOf([]) // "an Array" */
export function nameOf(value: unknown): string {
  if (value === undefined || value === null || Number.isNaN(value)) return String(value);
  const name = typeof value === "object" ? nameOfClass(value) : typeof value;
  return `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name}`;
}

function nameOfClass(value: object): string {
  try {
    return String(value.constructor?.name ?? "object");
  } catch {
    return "object";
  }
}
