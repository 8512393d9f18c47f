/** The handlers that are waited for, and one clock that tells which of them take too long: a timer for each would cost more. */

import type { Exchange } from "./message/exchange.ts";

export class RunningHandlers {
  /** Each knows its place, because to enter a Set and to leave it takes 3 % of a small request. */
  readonly #exchanges: Exchange[] = [];
  readonly #limit: number;
  readonly #onOverdue: (exchange: Exchange) => void;
  #clock: ReturnType<typeof setInterval> | undefined;

  /** @param limit milliseconds until a handler is given up; 0 is no limit. */
  constructor(limit: number, onOverdue: (exchange: Exchange) => void) {
    this.#limit = limit;
    this.#onOverdue = onOverdue;
  }

  /** How many have not ended yet. */
  get size(): number {
    return this.#exchanges.length;
  }

  enter(exchange: Exchange): void {
    exchange.place = this.#exchanges.push(exchange) - 1;
    // Where the request is logged, it was noted when it came.
    exchange.began ||= performance.now();
    if (this.#clock === undefined && this.#limit > 0) this.#startClock();
  }

  /** To leave twice does nothing. */
  leave(exchange: Exchange): void {
    const { place } = exchange;
    if (this.#exchanges[place] !== exchange) return;
    const last = this.#exchanges.pop() as Exchange;
    if (last === exchange) return;
    this.#exchanges[place] = last;
    last.place = place;
  }

  #startClock(): void {
    this.#clock = setInterval(() => this.#giveUpOverdue(), Math.min(1000, this.#limit / 4));
    // No reason for a process to live on. Not every platform that speaks fetch has it.
    this.#clock.unref?.();
  }

  /** The clock stands still while none is running. */
  #giveUpOverdue(): void {
    const latest = performance.now() - this.#limit;
    for (const exchange of this.#exchanges.filter(({ began }) => began <= latest)) {
      this.leave(exchange);
      this.#onOverdue(exchange);
    }
    if (this.size > 0) return;
    clearInterval(this.#clock);
    this.#clock = undefined;
  }
}
