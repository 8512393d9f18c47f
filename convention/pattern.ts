/** How a path is written: a segment, an app's prefix, a route's pattern. */

import type { Param, Segment } from "#runtime/routing/route";
import type { Refusal } from "./refusal.ts";

/** What a path has without encoding (RFC 3986 section 3.3), and the letters and digits of other scripts. */
export const PATH_SEGMENT: RegExp = /^[\p{L}\p{N}\p{M}\-._~!$&'()*+,;=:@]+$/u;
export const PREFIX_SEGMENT: RegExp = /^[A-Za-z0-9\-._~!$&'()*+,;=:@]+$/;

/**
 * An app's prefix, as `app.toml` or `--prefix` give it: `/api/v1/products`; "" and "/" are the root.
 * @returns its segments, or what is wrong with it.
 */
export function parsePrefix(prefix: string): readonly string[] | Refusal {
  if (prefix === "" || prefix === "/") return [];
  const path = prefix.replace(/^[a-z]+:\/\/[^/]*/i, "");
  const segments = path.split("/").filter((segment) => segment !== "");
  const better = formatPrefix(segments.filter((segment) => PREFIX_SEGMENT.test(segment) && !isDots(segment)));
  const hint = `Did you mean \`${better}\`?`;
  const wrong = (why: string): Refusal => ({ why, hint });
  if (path !== prefix) return wrong("it is a whole URL, but a prefix is only a path");
  if (prefix.includes("//")) return wrong("it has an empty segment (`//`), but no path has one");
  if (!prefix.startsWith("/")) return wrong("it does not begin with a slash");
  if (prefix.endsWith("/")) return wrong("it ends with a slash");
  if (segments.some(isDots)) return wrong("it has a dot segment, which no request can reach");
  const bad = segments.find((segment) => !PREFIX_SEGMENT.test(segment));
  if (bad === undefined) return segments;
  const why = /[<>[\]{}]/.test(bad)
    ? "but a prefix is fixed text and has no params"
    : "which a path would have to encode";
  return { why: `it has \`${bad}\`, ${why}`, hint: "Use letters, digits, `-`, `_`, `.` and `~`." };
}

/** The inverse of {@link parsePrefix}; the root is "/". */
export function formatPrefix(segments: readonly string[]): string {
  return `/${segments.join("/")}`;
}

export function isDots(segment: string): boolean {
  return segment === "." || segment === "..";
}

/**
 * A route's printed path. Static text is as a client sends it, but the letters of other scripts stay readable.
 * @param trailingSlash for an app's root, which keeps its slash: `/products/`.
 * @example formatPattern(["users", { name: "id", type: "int" }], false) // "/users/<id>"
 * @example formatPattern(["files", { name: "path", type: "str[]" }], false) // "/files/*path"
 */
export function formatPattern(segments: readonly Segment[], trailingSlash: boolean): string {
  if (segments.length === 0) return "/";
  const parts = segments.map((segment) =>
    typeof segment === "string" ? encodeStatic(segment) : formatParam(segment),
  );
  return `/${parts.join("/")}${trailingSlash ? "/" : ""}`;
}

export function formatParam({ name, type }: Param): string {
  return type === "str[]" ? `*${name}` : `<${name}>`;
}

function encodeStatic(text: string): string {
  // It would read as a whole path.
  if (text.startsWith("*")) return `%2A${encodeStatic(text.slice(1))}`;
  // Most texts are whole already.
  if (text === "" || PATH_SEGMENT.test(text)) return text;
  return [...text].map((char) => (PATH_SEGMENT.test(char) ? char : encodeURIComponent(char))).join("");
}
