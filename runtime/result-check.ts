/** Finds promises that were not awaited in the results of handlers and hooks: their JSON would silently be `{}`. */

import { formatLogEvent, type Log } from "./log/log.ts";
import { HttpError } from "./message/errors.ts";
import type { Exchange } from "./message/exchange.ts";
import { toEvent } from "./message/request-log.ts";
import { type Answer, bodyOf } from "./message/result.ts";
import { explainLost } from "./message/sendable.ts";
import type { Route } from "./routing/route.ts";

/**
 * @param prefix the beginning of the message, as in "The handler returned".
 * @param answer the result's answer.
 * @returns the error to send instead; undefined to send the answer.
 */
export type ResultCheck = (
  prefix: string,
  result: unknown,
  answer: Answer<unknown>,
  exchange: Exchange,
) => HttpError | undefined;

/** @param strict true to fail for each such result. Otherwise it is logged once per route, and only if its JSON has a `{}`. */
export function createResultCheck(strict: boolean, log: Log): ResultCheck {
  const logged = new Set<Route | undefined>();
  return (prefix, result, { body }, exchange) => {
    // For 10 kB, JSON.stringify takes 45 µs, the search for `{}` 1 µs, and the walk 15 µs.
    if (typeof body !== "string" || (!strict && (!body.includes("{}") || logged.has(exchange.route))))
      return undefined;
    const problem = explainLost(prefix, bodyOf(result));
    if (problem === undefined) return undefined;
    logged.add(exchange.route);
    const event = toEvent(problem, exchange);
    log.error(event);
    return strict ? new HttpError(500, formatLogEvent(event)) : undefined;
  };
}
