/** Calls a handler with the arguments that its signature declares. */

import type { BoundRoute } from "./app.ts";
import type { Exchange } from "./message/exchange.ts";
import { requestOf } from "./message/request.ts";
import type { Argument } from "./routing/route.ts";

/** Creates the request object only if the handler declares it, and calls the common signatures without an array. */
export function callHandler({ handler, route, serve }: BoundRoute, exchange: Exchange): unknown {
  if (serve !== undefined) return serve(handler, exchange);
  // The signature was read from the source text, so types can't check this call.
  const call = handler as (...args: unknown[]) => unknown;
  const { arguments: declared } = route;
  switch (declared.length) {
    case 0:
      return call();
    case 1:
      return call(toValue(declared[0], exchange));
    case 2:
      return call(toValue(declared[0], exchange), toValue(declared[1], exchange));
    default:
      return call(...declared.map((argument) => toValue(argument, exchange)));
  }
}

function toValue(argument: Argument | undefined, exchange: Exchange): unknown {
  return typeof argument === "number" ? exchange.values[argument] : requestOf(exchange);
}
