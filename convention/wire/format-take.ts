/** What a handler takes as a short text, as in `body: NewUser` and `page?: int`, for lists and messages. */

import { isCredential } from "#runtime/wire/credentials";
import type { DeclaredInput } from "#runtime/wire/inputs";
import { formatShape } from "./format-shape.ts";

/** A list of several takes has to fit a line. */
const WIDTH = 40;

/**
 * The place and the key, with a `?` where the request may leave it out. A value of the query has no place before it.
 *
 * @example formatTakeName(take) // "body", "page?", "header etag", "bearer"
 */
export function formatTakeName(take: DeclaredInput): string {
  return `${labelOf(take)}${take.optional ? "?" : ""}`;
}

function labelOf({ in: place, key, from }: DeclaredInput): string {
  if (key === undefined || place === "body") return place;
  if (from !== undefined) return `${place} ${from} ${key}`;
  return place === "query" ? key : `${place} ${key}`;
}

/** @example formatTake(take) // "body: NewUser", "page: int = 1", "header etag?: string", "bearer" */
export function formatTake(take: DeclaredInput): string {
  if (isCredential(take.in)) return formatTakeName(take);
  const type = formatShape(take.shape, WIDTH);
  if (take.default === undefined) return `${formatTakeName(take)}: ${type}`;
  return `${labelOf(take)}: ${type} = ${JSON.stringify(take.default)}`;
}
