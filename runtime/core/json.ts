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
  const value = parse(decode(bytes));
  refuseHarmful(value);
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

/** Level by level: to look at the values takes less than to look at each character of the text. */
function refuseHarmful(root: unknown): void {
  let level: object[] = [];
  if (isObject(root)) level.push(root);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new HttpError(400, `The JSON is nested deeper than ${MAX_DEPTH} levels.`);
    const next: object[] = [];
    for (const outer of level) {
      if (Array.isArray(outer)) collectItems(outer, next);
      else collectMembers(outer as Record<string, unknown>, next);
    }
    level = next;
  }
}

function collectItems(outer: readonly unknown[], found: object[]): void {
  for (let index = 0; index < outer.length; index++) {
    const inner = outer[index];
    if (isObject(inner)) found.push(inner);
  }
}

/** @throws {HttpError} 400 for a key that poisons. */
function collectMembers(outer: Readonly<Record<string, unknown>>, found: object[]): void {
  for (const key in outer) {
    if (key === "__proto__") throw poisoned(key);
    const inner = outer[key];
    if (!isObject(inner)) continue;
    if (key === "constructor" && Object.hasOwn(inner, "prototype")) throw poisoned("constructor.prototype");
    found.push(inner);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function poisoned(key: string): HttpError {
  return new HttpError(
    400,
    `The JSON has the key "${key}", which is refused because it can poison prototypes.`,
  );
}
