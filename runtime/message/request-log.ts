/** Logs requests, and assigns the id that a request's log lines, response and errors share. */

import { isError, type Log, type LogEvent } from "../log/log.ts";
import type { Exchange } from "./exchange.ts";
import { hasHeader } from "./headers.ts";
import type { Answer } from "./result.ts";

/**
 * The project's logger, with the request's `method`, `path`, `route` and `id` in each line. `fields` can't override these.
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
  /** @param fields the error, alone or as `err` beside other fields. */
  error(fields: object, message?: string): void;
}

export function createRequestLog(exchange: Exchange): RequestLog {
  const { log } = exchange.owner;
  return {
    info: (input: object | string, message?: string) => log.info(toProjectEvent(exchange, input, message)),
    error: (input: object | string, message?: string) => log.error(toProjectEvent(exchange, input, message)),
  };
}

function toProjectEvent(exchange: Exchange, input: object | string, message = ""): LogEvent {
  const { method, path, route } = exchange;
  const place = { method, path, ...(route && { route: route.pattern }), id: identify(exchange) };
  if (typeof input === "string") return { message: input, ...place };
  if (isError(input)) return { message, ...place, error: input };
  const { err: error, ...fields } = copyOf(input);
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
/** Letters, digits and the punctuation of other systems' ids; no character with a meaning in logs or headers. */
const WELL_FORMED = /^[\w.:=+/@-]{1,128}$/;

/** Assigns the request's id once: the client's `x-request-id` if it is well formed, otherwise a new one. */
export function identify(exchange: Exchange): string {
  if (exchange.id === undefined) {
    const sent = exchange.header(REQUEST_ID);
    exchange.id = sent !== undefined && WELL_FORMED.test(sent) ? sent : crypto.randomUUID();
  }
  return exchange.id;
}

export function logRequest(log: Log, { status }: Answer, { began, id, method, path, route }: Exchange): void {
  const event: LogEvent = { message: "", method, path, status, duration: performance.now() - began };
  log.info(Object.assign(event, route && { route: route.pattern }, id && { id }));
}

/** A log event about a request, with its route and handler. */
export function toEvent(message: string, { id, method, path, route }: Exchange): LogEvent {
  const place = route && { route: route.pattern, handler: route.handler, location: route.location };
  return { message, method, path, ...place, ...(id && { id }) };
}

/** Adds the `X-Request-Id` header, unless the handler has set it. */
export function withRequestId(answer: Answer, id: string): Answer {
  const { headers } = answer;
  return hasHeader(headers, REQUEST_ID) ? answer : { ...answer, headers: [...headers, "X-Request-Id", id] };
}
