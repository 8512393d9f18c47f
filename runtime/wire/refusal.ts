/** The answer to a request that does not fit: every issue for a program, and the first one as a sentence. */

import { HttpError } from "../message/errors.ts";
import { unescapeKey } from "../message/json.ts";
import { type Issue, MAX_ISSUES } from "./taker.ts";

/** @returns 422. */
export function toRefusal(issues: readonly Issue[]): HttpError {
  return new HttpError(422, { error: summarize(issues), issues });
}

/** @example summarize(issues) // "lines[0].qty: at least 1, and 2 more issues" */
function summarize([first, ...more]: readonly Issue[]): string {
  // A schema of the project may answer otherwise when it is asked again.
  if (first === undefined) return "The request does not fit what the handler takes.";
  // There may be more than were listed.
  const count = more.length + 1 === MAX_ISSUES ? `at least ${more.length}` : more.length;
  const rest = more.length === 0 ? "" : `, and ${count} more ${more.length === 1 ? "issue" : "issues"}`;
  return `${formatPlace(first)}: ${first.message}${rest}`;
}

/**
 * A JSON pointer (RFC 6901) as a person writes it.
 *
 * @example formatPlace({ in: "body", pointer: "/lines/0/qty" }) // "lines[0].qty"
 */
export function formatPlace({ in: place, pointer }: Pick<Issue, "in" | "pointer">): string {
  if (pointer === "") return place;
  const steps = pointer.slice(1).split("/").map(formatStep);
  return steps.join("").replace(/^\./, "");
}

function formatStep(escaped: string): string {
  const key = unescapeKey(escaped);
  if (/^[0-9]+$/.test(key)) return `[${key}]`;
  return /^[\w$-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
