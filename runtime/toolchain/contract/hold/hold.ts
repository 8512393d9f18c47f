/** Has each result of a handler looked at before it is sent, as what is sent for it. */

import type { BoundRoute } from "#runtime/core/app";
import { type Answer, type Answering, isThenable, toAnswer } from "#runtime/core/message/result";
import type { Source } from "#runtime/core/message/stream";

/** @returns the answer that is sent: the one that it was given, or another. */
export type Look = (answer: Answer<Source>) => Answer<Source>;

/** What a handler throws, and what hooks answer, is not looked at. */
export function holdResults(bound: BoundRoute, look: Look): BoundRoute {
  const call = bound.handler as (...args: unknown[]) => unknown;
  const handler = (...args: unknown[]): unknown => {
    const result = call(...args);
    return isThenable(result)
      ? Promise.resolve(result).then((settled) => new HeldResult(settled, look))
      : new HeldResult(result, look);
  };
  return { ...bound, handler };
}

/** A class, because a plain object would be sent as JSON. */
class HeldResult implements Answering {
  readonly #result: unknown;
  readonly #look: Look;

  constructor(result: unknown, look: Look) {
    this.#result = result;
    this.#look = look;
  }

  "~answer"(): Answer<Source> {
    return this.#look(toAnswer(this.#result));
  }
}
