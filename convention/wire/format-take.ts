/** Formats takes for lists and messages, as in `body: NewUser` and `page?: int`. */

import { isCredential } from "#runtime/wire/credentials";
import type { DeclaredInput } from "#runtime/wire/inputs";
import { formatShape } from "./format-shape.ts";

/** The maximum length of a type, so that several takes fit in a line. */
const WIDTH = 40;

/**
 * The place and the key, with a `?` if the value is optional. The place "query" is omitted.
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
