/** Reads, checks and merges headers in the flat form of node:http: name, value, name, value, … */

/** Headers as an object, pairs, or a `Headers`. The last two can contain a name several times, such as `set-cookie`. */
export type HeadersInit = NonNullable<ConstructorParameters<typeof Headers>[0]>;

/** Headers about the connection of a proxied response, not about ours (RFC 9110 section 7.6.1). */
export const HOP_BY_HOP: RegExp =
  /^(?:connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;

/** A valid header name (RFC 9110 section 5.1). */
export const TOKEN: RegExp = /^[\w!#$%&'*+.^`|~-]+$/;

/** A character that is invalid in a header value. */
export const UNSENDABLE: RegExp = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Flattens headers, and refuses control characters (RFC 9110 section 5.5): WHATWG's `Headers` refuses only line breaks, which would
 * split the response (CWE-113).
 *
 * @param drops names to leave out besides the hop-by-hop ones, in lower case.
 * @returns each `Set-Cookie` separately: they can't be joined (RFC 6265 section 3).
 * @throws {TypeError} if a value contains a control character.
 */
export function flattenHeaders(
  headers: Iterable<[name: string, value: string]>,
  ...drops: readonly string[]
): string[] {
  const flat: string[] = [];
  for (const [name, value] of headers) {
    if (UNSENDABLE.test(value))
      throw new TypeError(`The value of the header ${name} holds a control character.`);
    if (!HOP_BY_HOP.test(name) && !drops.includes(name.toLowerCase())) flat.push(name, value);
  }
  return flat;
}

/** @returns the `Content-Length`; undefined if it is missing or not a number. */
export function readLength(headers: Headers): number | undefined {
  const text = headers.get("content-length") ?? "";
  return /^[0-9]+$/.test(text) ? Number(text) : undefined;
}

/**
 * Reads one header, with several values joined as in `IncomingMessage.headers` (RFC 9110 section 5.3).
 *
 * @param raw name, value, name, value, …
 * @param name the name in lower case.
 * @example readHeader(["Host", "a.example"], "host") // "a.example"
 */
export function readHeader(raw: readonly string[], name: string): string | undefined {
  let joined: string | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    const field = raw[index] as string;
    if (field.length !== name.length || field.toLowerCase() !== name) continue;
    const value = raw[index + 1] as string;
    joined = joined === undefined ? value : `${joined}${name === "cookie" ? "; " : ", "}${value}`;
  }
  return joined;
}

/** @param name the name in lower case. */
export function hasHeader(flat: readonly string[], name: string): boolean {
  return flat.some((text, at) => at % 2 === 0 && text.toLowerCase() === name);
}

/** @returns the headers of `base` that `own` does not have, followed by `own`. */
export function overrideHeaders(base: readonly string[], own: readonly string[]): readonly string[] {
  return [...base.filter((_, at) => !hasHeader(own, String(base[at - (at % 2)]).toLowerCase())), ...own];
}

/** The inverse of {@link flattenHeaders}. */
export function joinHeaders(flat: readonly string[]): Headers {
  const headers = new Headers();
  for (let index = 0; index < flat.length; index += 2)
    headers.append(flat[index] as string, flat[index + 1] as string);
  return headers;
}

/** Weak comparison (RFC 9110 section 13.1.2), because a compressing proxy weakens the tag. */
export function hasTag(header: string, tag: string): boolean {
  return header.split(",").some((item) => item.trim() === "*" || item.trim().replace(/^W\//, "") === tag);
}
