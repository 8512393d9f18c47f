/** How an origin is written: as a browser sends it in the header `Origin` (https://html.spec.whatwg.org/#ascii-serialisation-of-an-origin). */

import type { Refusal } from "../refusal.ts";

/**
 * @returns the text itself, which is then what a browser sends; or what is wrong with it.
 * @example parseOrigin("https://Shop.example/") // { why: "browsers send it in another form", hint: "Did you mean `https://shop.example`?" }
 */
export function parseOrigin(text: string): string | Refusal {
  const origin = toOrigin(text);
  if (origin === undefined) return { why: "it is not an origin", hint: EXAMPLE };
  if (origin === text) return origin;
  return { why: "browsers send it in another form", hint: `Did you mean \`${origin}\`?` };
}

const EXAMPLE = 'Write each on its own, as in "https://shop.example". "*" alone is every one.';

/** This machine is seldom reached by https. */
const LOCAL = /^(?:localhost|127\.|0\.|\[::1\])/i;
const HOST = /^(?:\w[\w.-]*|\[[\da-f:.]+\])(?::\d+)?$/;

/** @returns the origin that a text most likely means. */
function toOrigin(text: string): string | undefined {
  const whole = text.trim().replace(/^(https?):\/?(?!\/)/i, "$1://");
  const [, scheme, rest = whole] = /^(?:([a-z][a-z\d+.-]*):)?\/\/(.*)$/is.exec(whole) ?? [];
  // Browsers send `null` for files, and for sandboxed pages of every site.
  if (whole === "null") return undefined;
  const url = `${scheme ?? (LOCAL.test(rest) ? "http" : "https")}://${rest}`;
  if (rest.startsWith("/") || !URL.canParse(url)) return undefined;
  const { protocol, host } = new URL(url);
  return HOST.test(host.toLowerCase()) ? `${protocol}//${host.toLowerCase()}` : undefined;
}
