/** One call of a middleware: what `next()` gives to it, and what becomes of that. */

import type { Answer } from "../message/result.ts";
import { isResponse } from "../message/sendable.ts";
import type { Around, Hook, Inside, Next } from "./around.ts";
import { answerThrown } from "./error-hook.ts";
import { InnerResponse } from "./inner-response.ts";

/** @param errorHooks are asked about what the middleware throws, the nearest first. @param inner is what `next()` goes on with. */
export function throughMiddleware(middleware: Hook, errorHooks: readonly Hook[], inner: Around): Around {
  const { name, call } = middleware;
  InnerResponse.inherit();
  return async (inside) => {
    const turn = new Turn(name, inner, inside);
    try {
      const answer = turn.finish(await call(inside.request, turn.next));
      return answer instanceof Promise ? await answer : answer;
    } catch (thrown) {
      const isAnswer = isResponse(thrown);
      turn.fail(isAnswer);
      const answer = await answerThrown(errorHooks, thrown, name, inside);
      // Only now: perhaps it sends the body of what `next()` gave.
      if (isAnswer) turn.drop();
      return answer;
    }
  };
}

class Turn {
  readonly #name: string;
  readonly #inner: Around;
  readonly #inside: Inside;
  #wasCalled = false;
  #isOver = false;
  /** What `next()` gave. */
  #given: InnerResponse | undefined;

  constructor(name: string, inner: Around, inside: Inside) {
    this.#name = name;
    this.#inner = inner;
    this.#inside = inside;
  }

  readonly next: Next = () => {
    if (this.#wasCalled || this.#isOver) return this.#refuse();
    this.#wasCalled = true;
    const answer = this.#inner(this.#inside);
    return answer instanceof Promise
      ? answer.then((late) => this.#give(late))
      : Promise.resolve(this.#give(answer));
  };

  /** @param result what the middleware returned. */
  finish(result: unknown): Answer | Promise<Answer> {
    this.#isOver = true;
    if (result === undefined || result === null)
      throw new TypeError(`${this.#name} returned nothing. Return the response of next().`);
    return result === this.#given ? this.#given.toAnswer() : this.#replace(result);
  }

  /** @param isAnswer what the middleware threw is a response, which perhaps sends what `next()` gave. */
  fail(isAnswer: boolean): void {
    this.#isOver = true;
    if (!isAnswer) this.#given?.cut();
  }

  drop(): void {
    this.#given?.drop();
  }

  async #replace(result: unknown): Promise<Answer> {
    const answer = await this.#inside.toAnswer(result, this.#name);
    this.drop();
    return answer;
  }

  #give(answer: Answer): InnerResponse {
    const response = new InnerResponse(answer);
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
