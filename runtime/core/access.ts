/** A line in the log for each request, and the id that it shares with the response, with errors, and with the logs of those it passed through before. */

import type { Log, LogEvent } from "./log/log.ts";
import type { Exchange } from "./message/exchange.ts";
import type { Reply } from "./message/result.ts";

const REQUEST_ID = "x-request-id";
/** Letters, digits and what ids of other systems have in them; nothing that a log or a header could take for something else. */
const WELL_FORMED = /^[\w.:=+/@-]{1,128}$/;

/** Gives the request an id: the client's own `x-request-id`, if it sent one that is well formed. */
export function identify(exchange: Exchange): void {
  const given = exchange.header(REQUEST_ID);
  exchange.id = given !== undefined && WELL_FORMED.test(given) ? given : crypto.randomUUID();
}

export function logRequest(log: Log, { status }: Reply, { began, id, method, path, route }: Exchange): void {
  const event: LogEvent = { message: "", method, path, status, duration: performance.now() - began };
  log.info(Object.assign(event, route && { route: route.pattern }, id && { id }));
}

/** One that the handler has set itself stays. */
export function withRequestId(reply: Reply, id: string): Reply {
  const { headers } = reply;
  if (headers.some((name, index) => index % 2 === 0 && name.toLowerCase() === REQUEST_ID)) return reply;
  return { ...reply, headers: [...headers, "X-Request-Id", id] };
}
