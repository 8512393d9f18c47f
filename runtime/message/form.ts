/** Reads what is not JSON: the header `Cookie`, and the form in a body. */

import { HttpError } from "./errors.ts";
import { parseMultipart } from "./multipart.ts";

/** Of a query or a form. Both are lists inside: the names in a map could be chosen to collide. */
export type Fields = URLSearchParams | FormData;

/** A record that a client fills, where `__proto__` is a name like any other. */
export function withoutPrototype<T>(pairs: readonly (readonly [string, T])[]): Record<string, T> {
  const record: Record<string, T> = Object.create(null);
  for (const [name, value] of pairs) record[name] = value;
  return record;
}

/**
 * @returns the values by name, decoded. Of two with one name, the first counts (RFC 6265 section 5.4: the more specific path).
 * @example parseCookies("flavour=oat%20milk; other=1").flavour // "oat milk"
 */
export function parseCookies(header: string): Record<string, string> {
  const cookies: Record<string, string> = Object.create(null);
  for (const pair of header.split(";")) {
    const equals = pair.indexOf("=");
    if (equals === -1) continue;
    const value = pair.slice(equals + 1).trim();
    cookies[pair.slice(0, equals).trim()] ??= decodeCookie(value.replace(/^"(.*)"$/, "$1"));
  }
  return cookies;
}

function decodeCookie(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Bytes above ASCII that are encoded side by side are whole characters. */
const ENCODED_BYTES = /(?:%[89a-f][0-9a-f])+/gi;

/**
 * @param text of a query, or of a body. A `%` that encodes nothing is a character, as in WHATWG URL section 5.1.
 * @throws {URIError} where encoded bytes are not UTF-8: the platform would replace them without a word.
 */
export function parseFields(text: string): URLSearchParams {
  for (const [bytes] of text.includes("%") ? text.matchAll(ENCODED_BYTES) : []) decodeURIComponent(bytes);
  // A question mark at the beginning of a body is a part of the first name.
  return new URLSearchParams(`?${text}`);
}

export const URLENCODED: RegExp = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;

const formText = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * @param type the content type, with its parameters.
 * @throws {HttpError} 400 when the body is neither `multipart/form-data` nor `application/x-www-form-urlencoded`, or not in UTF-8.
 */
export function parseForm(bytes: Uint8Array, type: string): Fields {
  try {
    if (URLENCODED.test(type)) return parseFields(formText.decode(bytes));
    return parseMultipart(bytes, type);
  } catch (cause) {
    throw notAForm(cause);
  }
}

export function notAForm(cause: unknown): HttpError {
  return new HttpError(400, "The request body is not valid form data.", { cause });
}
