/** What the log has of a request: its line, its place in the project, and the id that its response, errors and proxies share. */

import type { Log, LogEvent } from "./log/log.ts";
import type { Exchange } from "./message/exchange.ts";
import { hasHeader } from "./message/headers.ts";
import { REQUEST_ID } from "./message/request-log.ts";
import type { Answer } from "./message/result.ts";

export function logRequest(log: Log, { status }: Answer, { began, id, method, path, route }: Exchange): void {
  const event: LogEvent = { message: "", method, path, status, duration: performance.now() - began };
  log.info(Object.assign(event, route && { route: route.pattern }, id && { id }));
}

/** What happened to a request, with its place in the project. */
export function toEvent(message: string, { id, method, path, route }: Exchange): LogEvent {
  const place = route && { route: route.pattern, handler: route.handler, location: route.location };
  return { message, method, path, ...place, ...(id && { id }) };
}

/** Adds the id, unless the handler has set one itself. */
export function withRequestId(answer: Answer, id: string): Answer {
  const { headers } = answer;
  if (hasHeader(headers, REQUEST_ID)) return answer;
  return { ...answer, headers: [...headers, "X-Request-Id", id] };
}
