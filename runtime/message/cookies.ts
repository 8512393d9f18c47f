/** Reads the header `Cookie`. */

import { withoutPrototype } from "./record.ts";

/**
 * @returns the values by name, decoded. Of two with one name, the first counts (RFC 6265 section 5.4: the more specific path).
 * @example parseCookies("flavour=oat%20milk; other=1").flavour // "oat milk"
 */
export function parseCookies(header: string): Record<string, string> {
  const pairs: [string, string][] = [];
  for (const pair of header.split(";")) {
    const equals = pair.indexOf("=");
    if (equals === -1) continue;
    const value = pair.slice(equals + 1).trim();
    pairs.push([pair.slice(0, equals).trim(), decodeCookie(value.replace(/^"(.*)"$/, "$1"))]);
  }
  // Reversed, so that the first of two with one name is set last.
  return withoutPrototype(pairs.reverse());
}

function decodeCookie(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
