/** What the hooks around a route have from the app, for one request. */

import type { Inside } from "./hooks/around.ts";
import { HttpError } from "./message/errors.ts";
import type { Exchange } from "./message/exchange.ts";
import { joinHeaders } from "./message/headers.ts";
import { type Request, requestOf } from "./message/request.ts";
import type { Answer } from "./message/result.ts";
import type { Source } from "./message/stream.ts";
import type { ParamValue } from "./routing/param.ts";
import type { Route } from "./routing/route.ts";

/** What the app does for all of them. */
export interface Outside {
  /** @param giver what messages call the function that returned it. @throws for what can't be sent. */
  toAnswer(result: unknown, exchange: Exchange, giver: string): Answer<Source>;
  /** Starts the stream of an answer, if it has one. */
  start(answer: Answer<Source>, exchange: Exchange): Promise<Answer>;
  failure(error: unknown, exchange: Exchange): Answer;
  tell(message: string, error: unknown, exchange: Exchange): void;
}

/** A class, because its one getter would make an object literal slow. */
export class AppInside implements Inside {
  readonly #goOn: Inside["answer"];
  readonly #app: Outside;
  readonly #exchange: Exchange;
  readonly #found: Found | undefined;

  constructor(app: Outside, exchange: Exchange, goOn: Inside["answer"], found?: Found) {
    this.#goOn = goOn;
    this.#app = app;
    this.#exchange = exchange;
    this.#found = found;
  }

  get request(): Request {
    return requestOf(this.#exchange, this.#found?.item.route, this.#found?.values);
  }

  answer(): Answer | Promise<Answer> {
    // The client has its answer, a 503: nothing must happen for it any more.
    if (this.#exchange.givenUp) throw this.#exchange.givenUp;
    return this.#goOn();
  }

  async toAnswer(result: unknown, giver: string): Promise<Answer> {
    return this.#app.start(this.#app.toAnswer(result, this.#exchange, giver), this.#exchange);
  }

  fail(error: unknown): Answer {
    return this.#app.failure(error, this.#exchange);
  }

  report(error: unknown): void {
    this.#app.tell("The handler failed.", error, this.#exchange);
  }
}

interface Found {
  readonly item: { readonly route: Route };
  readonly values: readonly ParamValue[];
}

/** Throws it as an error, so that the hooks can answer it. The automatic answer to OPTIONS is not one. */
export function throwRefusal(answer: Answer): Answer {
  const { status, headers, body } = answer;
  if (status < 400) return answer;
  throw new HttpError(status, JSON.parse(String(body)), { headers: joinHeaders(headers) });
}
