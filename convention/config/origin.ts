/** How an origin is written: as a browser sends it in the header `Origin` (https://html.spec.whatwg.org/#ascii-serialisation-of-an-origin). */

import type { Refusal } from "../refusal.ts";

/**
 * @returns the text itself, which is then what a browser sends; or what is wrong with it.
 * @example parseOrigin("https://Shop.example/") // { why: "browsers send it in another form", hint: "Did you mean `https://shop.example`?" }
 */
export function parseOrigin(text: string): string | Refusal {
  const impossible = explainImpossible(text);
  if (impossible !== undefined) return impossible;
  const origin = toOrigin(text);
  if (origin === undefined)
    return { why: "it is not a URL", hint: 'Write it like this: "https://shop.example"' };
  if (origin === text) return origin;
  return { why: "browsers send it in another form", hint: `Did you mean \`${origin}\`?` };
}

/** What no form of the text could make right. */
function explainImpossible(text: string): Refusal | undefined {
  if (text === "null" || /^file:/i.test(text))
    return {
      why: "browsers send `null` for files and for sandboxed pages of every site",
      hint: "Serve the page, as from http://localhost:5173, and list that origin.",
    };
  if (text.includes("*"))
    return { why: "`*` can't be a part of it", hint: 'List each origin. "*" alone is every one.' };
  if (/[\s,;]/.test(text.trim()))
    return {
      why: "it holds a space or a comma",
      hint: 'Write each on its own: ["https://a.example", "https://b.example"]',
    };
  return undefined;
}

/** This machine is seldom reached by https. */
const LOCAL = /^(?:localhost|127\.|0\.|\[::1\])/i;
const HOST = /^(?:\w[\w.-]*|\[[\da-f:.]+\])(?::\d+)?$/;

/** @returns the origin that a text most likely means. */
function toOrigin(text: string): string | undefined {
  const whole = text.trim().replace(/^(https?):\/?(?!\/)/i, "$1://");
  const [, scheme, rest = whole] = /^(?:([a-z][a-z\d+.-]*):)?\/\/(.*)$/is.exec(whole) ?? [];
  const url = `${scheme ?? (LOCAL.test(rest) ? "http" : "https")}://${rest}`;
  if (rest.startsWith("/") || !URL.canParse(url)) return undefined;
  const { protocol, host } = new URL(url);
  return HOST.test(host.toLowerCase()) ? `${protocol}//${host.toLowerCase()}` : undefined;
}
