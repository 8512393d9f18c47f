/** Looks at what handlers and hooks give for an answer, for what JSON silently drops: a promise that nobody awaited. */

import { toEvent } from "./access.ts";
import { formatLogEvent, type Log } from "./log/log.ts";
import { HttpError } from "./message/errors.ts";
import type { Exchange } from "./message/exchange.ts";
import { type Answer, bodyOf } from "./message/result.ts";
import { findPromise } from "./message/unawaited.ts";
import type { Route } from "./routing/route.ts";

/** After so many answers of a route that hold `{}` and no promise, production walks through one of so many. */
const SURE = 100;

export class ResultCheck {
  readonly #strict: boolean;
  readonly #log: Log;
  /** How many answers with `{}` a route has given in production; infinite once one was logged. */
  readonly #seen = new Map<Route | undefined, number>();

  /** @param strict each such result is an error. Otherwise it is logged once a route, where the promise has the JSON `{}`. */
  constructor(strict: boolean, log: Log) {
    this.#strict = strict;
    this.#log = log;
  }

  /**
   * @param holder as in "The handler returned".
   * @param answer that was made of the result.
   * @returns what is sent instead; undefined to send the answer.
   */
  refuse(
    holder: string,
    result: unknown,
    answer: Answer<unknown>,
    exchange: Exchange,
  ): HttpError | undefined {
    const { body } = answer;
    const { route } = exchange;
    if (typeof body !== "string") return undefined;
    // For 10 kB, JSON.stringify takes 45 µs, this search 1 µs, and the walk 15 µs.
    if (!this.#strict && (!body.includes("{}") || !this.#isDue(route))) return undefined;
    const pointer = findPromise(bodyOf(result));
    if (pointer === undefined) return undefined;
    this.#seen.set(route, Number.POSITIVE_INFINITY);
    const place = pointer === "" ? "" : ` at ${pointer}`;
    const event = toEvent(`${holder} a promise${place}, whose JSON is {}. Await it first.`, exchange);
    this.#log.error(event);
    return this.#strict ? new HttpError(500, formatLogEvent(event)) : undefined;
  }

  /** An API may have a `{}` in every answer. */
  #isDue(route: Route | undefined): boolean {
    const seen = this.#seen.get(route) ?? 0;
    this.#seen.set(route, seen + 1);
    return seen < SURE || seen % SURE === 0;
  }
}
