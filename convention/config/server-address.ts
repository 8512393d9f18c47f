/** How a server of the contract is written: a URL, or a path on the server that gives the contract out. Paths of routes follow it. */

import type { Refusal } from "../refusal.ts";

const EXAMPLE = 'Write it like this: "https://api.example" or "/v1"';

/**
 * @returns the text itself, or what is wrong with it.
 * @example parseServer("https://api.example/") // { why: "the path of a route could not follow it", hint: "Did you mean `https://api.example`?" }
 */
export function parseServer(text: string): string | Refusal {
  const meant = /[\s\\{}]/.test(text.trim()) ? undefined : toServer(text.trim());
  if (meant === undefined) return { why: "it is neither a URL of http or https nor a path", hint: EXAMPLE };
  if (meant === text) return text;
  const why = /^https?:\/\/[^/]*@/i.test(text)
    ? "everyone who reads the contract would see the password"
    : "the path of a route could not follow it";
  return { why, hint: `Did you mean \`${meant}\`?` };
}

/** @returns the server that a text most likely means. */
function toServer(text: string): string | undefined {
  const [bare = ""] = text.split(/[?#]/);
  const scheme = /^(?:\/\/)?(?:localhost\b|127\.|\[::1\])/i.test(bare) ? "http" : "https";
  const whole = /^\/(?!\/)|^https?:\/\//i.test(bare) ? bare : `${scheme}://${bare.replace(/^\/\//, "")}`;
  if (whole.startsWith("/")) return whole.replace(/(?<=.)\/+$/, "");
  if (!/^[^/]+\/\/(?:[^/@]*@)?(?:[\w-]+(?:\.[\w-]+)+|localhost|\[[\da-f:.]+\])(?::\d+)?(?:\/|$)/i.test(whole))
    return undefined;
  return URL.canParse(whole) ? whole.replace(/(?<=\/\/)[^/]*@/, "").replace(/\/+$/, "") : undefined;
}
