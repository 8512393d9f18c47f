/** Parses cookies, queries and forms. */

import { HttpError } from "./errors.ts";
import { parseMultipart } from "./multipart.ts";

/** The fields of a query or a form. Both classes are lists inside: in a hash map, a client could choose names that collide. */
export type Fields = URLSearchParams | FormData;

/** Creates a record from a client's names, in which `__proto__` is an ordinary key. */
export function withoutPrototype<T>(pairs: readonly (readonly [string, T])[]): Record<string, T> {
  const record: Record<string, T> = Object.create(null);
  for (const [name, value] of pairs) record[name] = value;
  return record;
}

/**
 * @returns the decoded values by name. The first of two with the same name wins (RFC 6265 section 5.4: the more specific path).
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

/** A run of percent-encoded bytes above ASCII, which must be complete UTF-8 characters. */
const ENCODED_BYTES = /(?:%[89a-f][0-9a-f])+/gi;

/**
 * @param text a query, or a urlencoded body. A `%` that encodes nothing is a literal character, as in WHATWG URL section 5.1.
 * @throws {URIError} if encoded bytes are not UTF-8: the platform would silently replace them.
 */
export function parseFields(text: string): URLSearchParams {
  for (const [bytes] of text.includes("%") ? text.matchAll(ENCODED_BYTES) : []) decodeURIComponent(bytes);
  // `URLSearchParams` drops one question mark. In a body it is part of the first name.
  return new URLSearchParams(`?${text}`);
}

export const URLENCODED: RegExp = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;

const formText = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * @param type the content type, with its parameters.
 * @throws {HttpError} 400 if the body is neither `multipart/form-data` nor `application/x-www-form-urlencoded`, or not UTF-8.
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
