/** The way of a request with marks: credentials, then the body, then all of it against its shapes, then the handler. */

import { toBodyReader } from "./body.ts";
import { callWith, toCallingServe } from "./calls.ts";
import { needsCredential, requireCredential } from "./credentials.ts";
import type { BoundCall, Serve, Taker } from "./taker.ts";
import { RequestWire } from "./wire.ts";

/**
 * @param calls what runs before the handler.
 * @param provided the indices of the calls whose values the handler is given. Only who replaces some of them has to know.
 */
export function toServe(
  taker: Taker,
  calls: readonly BoundCall[] = [],
  provided: readonly number[] = [...calls.keys()],
): Serve {
  if (calls.length > 0)
    return Object.assign(toCallingServe(taker, calls), { parts: { taker, calls, provided, toServe } });
  const credentials = taker.takes.filter(needsCredential);
  const readBody = toBodyReader(taker.takes);
  return (handler, exchange) => {
    const wire = new RequestWire(exchange);
    for (const take of credentials) requireCredential(take, wire, exchange.header("authorization"));
    if (readBody === undefined) return callWith(taker, taker, handler, wire, undefined);
    return readBody(exchange, wire, (body) => callWith(taker, taker, handler, wire, body));
  };
}
