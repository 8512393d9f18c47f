/** One call of a middleware: what `next()` gives to it, and what becomes of that. */

import type { Request } from "../message/request.ts";
import type { Answer } from "../message/result.ts";
import { isResponse } from "../message/sendable.ts";
import type { Around, BoundHooks, HookFunction, Inside, Next } from "./around.ts";
import { InnerResponse } from "./inner-response.ts";

/** @returns rejects with what the middleware throws, unless that is a response. */
export function throughMiddleware({ folder }: BoundHooks, middleware: HookFunction, inner: Around): Around {
  const name = `The middleware of ${folder === "" ? "" : `${folder}/`}_hooks.ts`;
  InnerResponse.inherit();
  return (request, inside) => new Turn(name, inner, request, inside).answer(middleware);
}

class Turn {
  readonly #name: string;
  readonly #inner: Around;
  readonly #request: Request;
  readonly #inside: Inside;
  #wasCalled = false;
  #isOver = false;
  /** What `next()` gave. */
  #given: InnerResponse | undefined;

  constructor(name: string, inner: Around, request: Request, inside: Inside) {
    this.#name = name;
    this.#inner = inner;
    this.#request = request;
    this.#inside = inside;
  }

  async answer(middleware: HookFunction): Promise<Answer> {
    try {
      const result = await this.#call(middleware);
      if (result === undefined || result === null)
        throw new TypeError(`${this.#name} returned nothing. Return the response of next().`);
      if (result === this.#given) return await this.#given.toAnswer();
      const answer = await this.#inside.toAnswer(result);
      this.#given?.drop();
      return answer;
    } catch (thrown) {
      this.#given?.cut();
      throw thrown;
    }
  }

  /** A thrown response is as good as a returned one. */
  async #call(middleware: HookFunction): Promise<unknown> {
    try {
      return await middleware(this.#request, this.#next);
    } catch (thrown) {
      if (isResponse(thrown)) return thrown;
      throw thrown;
    } finally {
      this.#isOver = true;
    }
  }

  readonly #next: Next = () => {
    if (this.#wasCalled || this.#isOver) return this.#refuse();
    this.#wasCalled = true;
    return this.#enter();
  };

  async #enter(): Promise<Response> {
    const response = new InnerResponse(await this.#inner(this.#request, this.#inside));
    // The middleware did not wait: what it returned is the answer.
    if (this.#isOver) response.drop();
    else this.#given = response;
    return response;
  }

  #refuse(): Promise<never> {
    const when = this.#wasCalled ? "twice" : "after it had returned";
    const refused = Promise.reject(
      new Error(`${this.#name} called next() ${when}. Call it once, and await it.`),
    );
    // Perhaps nobody awaits it, and that would end the process.
    refused.catch(() => undefined);
    return refused;
  }
}
