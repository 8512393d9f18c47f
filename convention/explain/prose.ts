/** An explanation in sentences, for people. */

import type { Segment } from "#runtime/routing/route";
import { listed } from "../diagnostics/entry.ts";
import { formatParam } from "../pattern.ts";
import { type Explanation, hasEmptySegment, type Missed } from "./explain.ts";
import { type Difference, isStatic, type NearMiss } from "./near-misses.ts";

/**
 * All of an explanation as lines of plain text.
 * @example
 * No route serves GET /users/by/id/abc.
 * GET /users/by/id/<user_id>: `abc` is not digits, and `user_id` is int.
 */
export function formatExplanation(explanation: Explanation): string {
  if (explanation.kind === "match") {
    const { method, path, route } = explanation;
    return `${method} ${path} is served by \`${route.handler}\` in ${route.module}.`;
  }
  const { suggestion, near } = explanation;
  const summary = formatSummary(explanation);
  const first = suggestion === null ? summary : `${summary} Did you mean ${suggestion}?`;
  return [
    first,
    ...near.map((miss) => `${miss.route.method} ${miss.route.pattern}: ${formatReason(miss)}`),
  ].join("\n");
}

/** A sentence on the request itself. */
export function formatSummary({ kind, method, path, status, allow, fault }: Missed): string {
  switch (kind) {
    case "health":
      return `\`health = ${JSON.stringify(path)}\` in framework.toml answers ${method} ${path} before any route: 200, or 503 while the server stops.`;
    case "bad-path":
      return fault ?? "The server can't read the target: a client never sends a `#` or what follows it.";
    case "wrong-method":
      if (status === 204) return formatOptions(path, allow.join(", "));
      return `No route serves ${method} ${path}: only ${listed(allow)} ${allow.length === 1 ? "is" : "are"} served there.`;
    case "no-match":
      return hasEmptySegment(path)
        ? "The path has an empty segment (`//`), and no route has one."
        : `No route serves ${method} ${path}.`;
  }
}

function formatOptions(path: string, allow: string): string {
  return path === "*"
    ? `OPTIONS * asks about the whole server, which answers without a handler: 204, Allow: ${allow}.`
    : `No handler serves OPTIONS ${path}, so the server answers without one: 204, Allow: ${allow}.`;
}

/** Why a request misses the route, as a sentence. */
export function formatReason({ differences, suggestion }: NearMiss): string {
  const [first] = differences;
  if (first?.kind === "method" && differences.length === 1)
    return `The path fits, but the route serves ${first.served} and not ${first.asked}.`;
  const reason = differences.map(formatDifference).join("; ");
  const sentence = reason.charAt(0).toUpperCase() + reason.slice(1);
  return suggestion === null ? `${sentence}.` : `${sentence}: did you mean ${suggestion}?`;
}

function formatDifference(difference: Difference): string {
  switch (difference.kind) {
    case "method":
      return `the route serves ${difference.served} and not ${difference.asked}`;
    case "digits":
      return `${quote(difference.text)} is not digits, and \`${difference.param.name}\` is int`;
    case "limit":
      return `${quote(difference.text)} is above ${Number.MAX_SAFE_INTEGER}, and \`${difference.param.name}\` is int`;
    case "misfit":
      return `${quote(difference.text)} does not fit, because \`${difference.param.name}\` must be ${difference.wanted}`;
    case "text":
      return `${quote(difference.text)} is not ${quote(difference.wanted)}${explainCase(difference)}`;
    case "more":
      return `the route has ${countSegments(difference.segments.length)} more, ${listed(difference.segments.map(showSegment))}`;
    case "fewer":
      return `the route has no segment for ${listed(difference.texts.map(quote))}`;
  }
}

function explainCase({ text, wanted }: Difference & { readonly kind: "text" }): string {
  return text.toLowerCase() === wanted.toLowerCase() ? ", because case counts" : "";
}

function showSegment(segment: Segment): string {
  return isStatic(segment) ? quote(segment) : `\`${formatParam(segment)}\``;
}

function countSegments(count: number): string {
  return count === 1 ? "one segment" : `${count} segments`;
}

/** Long enough for any word; a path may be kilobytes long. */
const LONGEST_QUOTE = 40;

function quote(text: string): string {
  const chars = [...text];
  return `\`${chars.length > LONGEST_QUOTE ? `${chars.slice(0, LONGEST_QUOTE).join("")}…` : text}\``;
}
