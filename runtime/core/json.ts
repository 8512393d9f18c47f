/** Reads a request's JSON, and refuses what would hurt whoever reads the value. */

import { HttpError } from "./errors.ts";

/** Deeper values are refused: nobody means them, and what walks them, such as `JSON.stringify`, would run out of stack. */
const MAX_DEPTH = 1000;

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * @throws {HttpError} 400 for no body, invalid UTF-8 (RFC 8259 section 8.1) or JSON, for nesting beyond 1000 levels,
 * and for keys that poison prototypes when the value is merged into another: `__proto__`, `constructor.prototype`.
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw new HttpError(400, "The request body is empty where JSON was expected.");
  const text = decode(bytes);
  if (isTooDeep(text)) throw new HttpError(400, `The JSON is nested deeper than ${MAX_DEPTH} levels.`);
  const value = parse(text);
  // A key can be hidden from the text search only by an escape, as in "\u005f_proto__".
  if (text.includes("__proto__") || text.includes("constructor") || text.includes("\\u")) refusePoison(value);
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch (cause) {
    throw new HttpError(400, "The request body is not valid UTF-8.", { cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new HttpError(400, `The request body is not valid JSON: ${reason}`, { cause });
  }
}

/** Every level takes two characters, so that ordinary bodies are not read at all. */
function isTooDeep(text: string): boolean {
  if (text.length < 2 * MAX_DEPTH) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x22) index = endOfString(text, index);
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

/** @returns the index of the quote that closes the string which opens at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

function refusePoison(root: unknown): void {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, "__proto__")) throw poisoned("__proto__");
    if (hasConstructorPrototype(value)) throw poisoned("constructor.prototype");
    for (const inner of Object.values(value)) open.push(inner);
  }
}

function hasConstructorPrototype(value: object): boolean {
  if (!Object.hasOwn(value, "constructor")) return false;
  const inner: unknown = value.constructor;
  return typeof inner === "object" && inner !== null && Object.hasOwn(inner, "prototype");
}

function poisoned(key: string): HttpError {
  return new HttpError(
    400,
    `The JSON has the key "${key}", which is refused because it can poison prototypes.`,
  );
}
