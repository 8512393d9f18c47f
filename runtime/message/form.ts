/** Reads what is not JSON: the header `Cookie`, and the form in a body. */

import { HttpError } from "./errors.ts";

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

/**
 * @param type the content type, with its parameters.
 * @throws {HttpError} 400 when the body is neither `multipart/form-data` nor `application/x-www-form-urlencoded`.
 */
export async function parseForm(bytes: Uint8Array, type: string): Promise<FormData> {
  try {
    // A copy, because the bytes may be in a buffer which other requests share.
    return await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
  } catch (cause) {
    throw new HttpError(400, "The request body is not valid form data.", { cause });
  }
}
