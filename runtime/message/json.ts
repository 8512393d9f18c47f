/** Parses a request's JSON, and refuses values that can harm the code that processes them. */

import { HttpError } from "./errors.ts";
import { isObject } from "./sendable.ts";

export { isObject };

/** The maximum nesting. Legitimate values are flatter, and recursive code would overflow the stack. */
export const MAX_DEPTH = 1000;

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * @throws {HttpError} 400 for an empty body, invalid UTF-8 (RFC 8259 section 8.1) or JSON, for nesting beyond 1000 levels,
 * and for keys that poison prototypes when the value is merged into another: `__proto__`, `constructor.prototype`.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const value = readJson(bytes);
  if (isObject(value)) refuseHarmful(value, 0);
  return value;
}

/**
 * Like `parseJson`, without the depth and key checks, for callers that read declared keys only.
 *
 * @throws {HttpError} 400 for an empty body, invalid UTF-8 or JSON.
 */
export function readJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw new HttpError(400, "The request body is empty where JSON was expected.");
  let format = "UTF-8.";
  try {
    const text = strictUtf8.decode(bytes);
    format = "JSON";
    return JSON.parse(text);
  } catch (cause) {
    const reason = format === "JSON" ? `: ${withoutExcerpt(String(Object(cause).message))}` : "";
    throw new HttpError(400, `The request body is not valid ${format}${reason}`, { cause });
  }
}

/**
 * Engines quote a part of the text, which may be a password, and answers end up in logs.
 *
 * @example withoutExcerpt(`Unexpected token 'h', "hunter2" is not valid JSON`) // "Unexpected token 'h'"
 */
function withoutExcerpt(reason: string): string {
  return reason.replace(/[, .]*"[\s\S]*$/, "") || "Unexpected token";
}

/**
 * Refuses deep nesting and harmful keys. Walking the values is faster than searching the text.
 *
 * @param depth the number of levels above `outer`. It bounds the recursion, too.
 * @throws {HttpError} 400
 */
export function refuseHarmful(outer: object, depth: number): void {
  if (depth === MAX_DEPTH) throw tooDeep();
  if (Array.isArray(outer)) {
    for (let index = 0; index < outer.length; index++)
      if (isObject(outer[index])) refuseHarmful(outer[index], depth + 1);
    return;
  }
  for (const key in outer) {
    if (key === "__proto__") throw poisoned(key);
    const inner: unknown = outer[key as keyof typeof outer];
    if (!isObject(inner)) continue;
    if (key === "constructor" && Object.hasOwn(inner, "prototype")) throw poisoned("constructor.prototype");
    refuseHarmful(inner, depth + 1);
  }
}

export function tooDeep(): HttpError {
  return new HttpError(400, `The JSON is nested deeper than ${MAX_DEPTH} levels.`);
}

export function poisoned(key: string): HttpError {
  return new HttpError(400, `The key "${key}" is refused, because it can poison prototypes.`);
}
