/** Tracks running handlers, and finds those that exceed their time limit with one interval: a timer for each would cost more. */

import type { Exchange } from "./message/exchange.ts";

export class RunningHandlers {
  readonly #exchanges = new Set<Exchange>();
  readonly #limit: number;
  readonly #onOverdue: (exchange: Exchange) => void;
  #clock: ReturnType<typeof setInterval> | undefined;

  /** @param limit seconds that a handler may take, unless its route overrides it; 0 disables it. */
  constructor(limit: number, onOverdue: (exchange: Exchange) => void) {
    this.#limit = limit;
    this.#onOverdue = onOverdue;
  }

  /** The number of running handlers. */
  get size(): number {
    return this.#exchanges.size;
  }

  enter(exchange: Exchange): void {
    this.#exchanges.add(exchange);
    // Already set if requests are logged.
    exchange.began ||= performance.now();
    const limit = this.#limitOf(exchange);
    if (this.#clock !== undefined || limit === 0) return;
    this.#clock = setInterval(() => this.#giveUpOverdue(), Math.min(250, limit / 4));
    // The clock must not keep a process alive. Not every platform that speaks fetch has `unref`.
    this.#clock.unref?.();
  }

  leave(exchange: Exchange): void {
    this.#exchanges.delete(exchange);
  }

  /** @returns milliseconds; 0 for none. */
  #limitOf({ limits }: Exchange): number {
    return (limits?.handlerTimeout ?? this.#limit) * 1000;
  }

  /** Stops the clock when no handler is running. */
  #giveUpOverdue(): void {
    const now = performance.now();
    for (const exchange of this.#exchanges) {
      const limit = this.#limitOf(exchange);
      if (limit === 0 || exchange.began > now - limit) continue;
      this.leave(exchange);
      this.#onOverdue(exchange);
    }
    if (this.size > 0) return;
    clearInterval(this.#clock);
    this.#clock = undefined;
  }
}
