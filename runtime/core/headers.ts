/** Response headers in the flat form of node:http: name, value, name, value, … */

/** RFC 9110 section 7.6.1: these speak of the connection that a response came from, not of ours. */
const HOP_BY_HOP = new Set(
  "connection keep-alive proxy-connection te trailer transfer-encoding upgrade".split(" "),
);

/**
 * @param drops names in lower case that are left out, besides those that are about another connection.
 * @returns each `Set-Cookie` apart: they can't be joined (RFC 6265 section 3).
 * @throws {TypeError} when a value can't be sent.
 */
export function flattenHeaders(headers: Headers, drops: readonly string[]): string[] {
  refuseUnsafe(headers);
  const flat: string[] = [];
  for (const [name, value] of headers) {
    if (!HOP_BY_HOP.has(name) && !drops.includes(name)) flat.push(name, value);
  }
  return flat;
}

/**
 * WHATWG's `Headers` refuses line breaks, which would split the response (CWE-113), but no other control character (RFC 9110 section 5.5).
 *
 * @throws {TypeError} when a value can't be sent.
 */
export function refuseUnsafe(headers: Headers): void {
  for (const [name, value] of headers) {
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
      throw new TypeError(`The value of the header ${name} holds a control character.`);
  }
}

/** @returns the value of Content-Length, or undefined. */
export function declaredLength(headers: readonly string[]): number | undefined {
  const index = headers.findIndex((name, at) => at % 2 === 0 && isLength(name));
  return index === -1 ? undefined : Number(headers[index + 1]);
}

export function withoutLength(headers: readonly string[]): string[] {
  return headers.filter((_, index) => !isLength(headers[index - (index % 2)]));
}

function isLength(name: string | undefined): boolean {
  return name?.toLowerCase() === "content-length";
}
