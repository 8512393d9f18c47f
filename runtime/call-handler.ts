/** Calls a handler with what its signature asks for. */

import type { BoundRoute } from "./app.ts";
import type { Exchange } from "./message/exchange.ts";
import { requestOf } from "./message/request.ts";
import type { Argument } from "./routing/route.ts";

/** Makes the request object only for a handler that asks for it, and calls the usual signatures without an array. */
export function callHandler({ handler, route, serve }: BoundRoute, exchange: Exchange): unknown {
  if (serve !== undefined) return serve(handler, exchange);
  // The signature was read from the source text. Nothing at run time could check it.
  const call = handler as (...args: unknown[]) => unknown;
  const { arguments: order } = route;
  switch (order.length) {
    case 0:
      return call();
    case 1:
      return call(toValue(order[0], exchange));
    case 2:
      return call(toValue(order[0], exchange), toValue(order[1], exchange));
    default:
      return call(...order.map((argument) => toValue(argument, exchange)));
  }
}

function toValue(argument: Argument | undefined, exchange: Exchange): unknown {
  return typeof argument === "number" ? exchange.values[argument] : requestOf(exchange);
}
