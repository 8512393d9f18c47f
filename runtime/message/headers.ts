/** Response headers in the flat form of node:http: name, value, name, value, … */

/** What `new Headers(…)` takes: an object, pairs, or a `Headers`. The last two can hold several of one name, such as `set-cookie`. */
export type HeadersInit = NonNullable<ConstructorParameters<typeof Headers>[0]>;

/** RFC 9110 section 7.6.1: these are about the connection that a response came from, not about ours. */
export const HOP_BY_HOP: RegExp =
  /^(?:connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;

/** A name (RFC 9110 section 5.1). */
export const TOKEN: RegExp = /^[\w!#$%&'*+.^`|~-]+$/;

/** What a value must not hold. */
export const UNSENDABLE: RegExp = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Refuses control characters (RFC 9110 section 5.5): of these, WHATWG's `Headers` refuses only line breaks, which would split the
 * response (CWE-113).
 *
 * @param drops names to leave out, in lower case, besides those that are about another connection.
 * @returns each `Set-Cookie` on its own: they can't be joined (RFC 6265 section 3).
 * @throws {TypeError} when a value can't be sent.
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

/** @returns the `Content-Length`; undefined for one that is not a number of bytes. */
export function readLength(headers: Headers): number | undefined {
  const text = headers.get("content-length") ?? "";
  return /^[0-9]+$/.test(text) ? Number(text) : undefined;
}

/**
 * The values of one header, joined as in `IncomingMessage.headers` (RFC 9110 section 5.3).
 *
 * @param raw name, value, name, value, …
 * @param name in lower case.
 * @example readHeader(["Host", "a.example"], "host") // "a.example"
 */
export function readHeader(raw: readonly string[], name: string): string | undefined {
  let found: string | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    const field = raw[index] as string;
    if (field.length !== name.length || field.toLowerCase() !== name) continue;
    const value = raw[index + 1] as string;
    found = found === undefined ? value : `${found}${name === "cookie" ? "; " : ", "}${value}`;
  }
  return found;
}

/** @param name in lower case. */
export function hasHeader(flat: readonly string[], name: string): boolean {
  return flat.some((text, at) => at % 2 === 0 && text.toLowerCase() === name);
}

/** @returns `own`, and before it what has other names in `base`. */
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

/** RFC 9110 section 13.1.2: by weak comparison, because a proxy that compresses weakens the tag. */
export function hasTag(wanted: string, tag: string): boolean {
  return wanted.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === tag);
}
