/** The way of a request with marks: credentials, then the body, then all of it against its shapes, then the handler. */

import { toBodyReader } from "./body.ts";
import { needsCredential, requireCredential } from "./credentials.ts";
import { explain } from "./explain.ts";
import { toRefusal } from "./refusal.ts";
import type { BoundCall, Serve, Taker, Wire } from "./taker.ts";
import { RequestWire } from "./wire.ts";

type Handler = Parameters<Serve>[0];

export function toServe(
  taker: Taker,
  _calls: readonly BoundCall[] = [],
  _provided: readonly number[] = [],
): Serve {
  const credentials = taker.takes.filter(needsCredential);
  const readBody = toBodyReader(taker.takes);
  return (handler, exchange, route, values) => {
    const wire = new RequestWire(exchange, route, values);
    for (const take of credentials) requireCredential(take, wire, exchange.header("authorization"));
    if (readBody === undefined) return call(taker, handler, wire, undefined);
    return readBody(exchange, wire, (body) => call(taker, handler, wire, body));
  };
}

/** @throws {HttpError} 422 */
function call(taker: Taker, handler: Handler, wire: Wire, body: unknown): unknown {
  const values = taker.read(wire, body);
  if (values instanceof Promise)
    return values.then((known) => (known ? handler(...known) : refuse(taker, wire, body)));
  if (values === undefined) return refuse(taker, wire, body);
  // The usual signatures without an array: a spread costs more than the call.
  switch (values.length) {
    case 1:
      return handler(values[0]);
    case 2:
      return handler(values[0], values[1]);
    default:
      return handler(...values);
  }
}

async function refuse(taker: Taker, wire: Wire, body: unknown): Promise<never> {
  throw toRefusal(await explain(taker, wire, body));
}
