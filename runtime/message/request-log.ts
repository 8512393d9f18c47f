/** What the log has of a request, and the id that its lines, its response and its errors share. */

import { isError, type Log, type LogEvent } from "../log/log.ts";
import type { Exchange } from "./exchange.ts";
import { hasHeader } from "./headers.ts";
import type { Answer } from "./result.ts";

/**
 * The project's logger with the request in each line: `method`, `path`, `route` and `id`. These names are not taken from `fields`.
 *
 * @example
 * request.log.info("The mail is on its way.");
 * request.log.info({ order: 7 }, "The mail is on its way.");
 * request.log.error(error, "The mail was not sent.");
 */
export interface RequestLog {
  info(message: string): void;
  info(fields: object, message?: string): void;
  error(message: string): void;
  /** @param fields what was thrown, alone or as `err` with other fields. */
  error(fields: object, message?: string): void;
}

export function createRequestLog(exchange: Exchange): RequestLog {
  const { log } = exchange.owner;
  return {
    info: (given: object | string, message?: string) => log.info(toOwnEvent(exchange, given, message)),
    error: (given: object | string, message?: string) => log.error(toOwnEvent(exchange, given, message)),
  };
}

function toOwnEvent(exchange: Exchange, given: object | string, message = ""): LogEvent {
  const { method, path, route } = exchange;
  const place = { method, path, ...(route && { route: route.pattern }), id: identify(exchange) };
  if (typeof given === "string") return { message: given, ...place };
  if (isError(given)) return { message, ...place, error: given };
  const { err: error, ...fields } = copyOf(given);
  return { message, ...place, ...(error !== undefined && { error }), fields };
}

/** A getter that throws must not fail the request. */
function copyOf(fields: object): { err?: unknown } {
  try {
    return { ...fields };
  } catch (err) {
    return { err };
  }
}

export const REQUEST_ID = "x-request-id";
/** Letters, digits and what ids of other systems contain; nothing that means something to a log or a header. */
const WELL_FORMED = /^[\w.:=+/@-]{1,128}$/;

/** Gives the request an id, once: the client's own `x-request-id` if it is well formed, otherwise a new one. */
export function identify(exchange: Exchange): string {
  if (exchange.id === undefined) {
    const given = exchange.header(REQUEST_ID);
    exchange.id = given !== undefined && WELL_FORMED.test(given) ? given : crypto.randomUUID();
  }
  return exchange.id;
}

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
  return hasHeader(headers, REQUEST_ID) ? answer : { ...answer, headers: [...headers, "X-Request-Id", id] };
}
