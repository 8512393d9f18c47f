/** An explanation in sentences, for people. */

import { listed } from "../diagnostics/entry.ts";
import { type Explanation, hasEmptySegment, type Missed } from "./explain.ts";

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
  return [first, ...near.map(({ route, reason }) => `${route.method} ${route.pattern}: ${reason}`)].join(
    "\n",
  );
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
