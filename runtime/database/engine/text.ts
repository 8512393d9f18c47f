/** Which texts a database stores as they are. */

import { createRefusal } from "./refusal.ts";

/**
 * A half of a surrogate pair has no UTF-8: it would be stored as U+FFFD, and two texts would become one.
 *
 * @throws {DatabaseError} for what one of the engines refuses or changes.
 */
export function requireText(text: string): string {
  if (text.includes("\0")) throw refuse("A text has a NUL in it.");
  if (/\p{Surrogate}/u.test(text)) throw refuse("A text has half of a surrogate pair in it.");
  return text;
}

function refuse(reason: string): Error {
  return createRefusal("bad_value", { cause: new RangeError(reason) });
}
