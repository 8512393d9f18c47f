/** The handlers that are waited for, and one clock that tells which of them take too long: a timer for each would cost more. */

import type { Exchange } from "./request.ts";
import type { Route } from "./route.ts";

/** Of a ring, in the order in which they were entered: to enter a Set and to leave it takes 3 % of a small request. */
class Link {
  before: Link = this;
  after: Link = this;
}

class Running extends Link {
  readonly exchange: Exchange;
  readonly route: Route;
  readonly since: number = performance.now();
  /** Ends the wait for the first piece of a stream. */
  start: AbortController | undefined = undefined;

  constructor(exchange: Exchange, route: Route) {
    super();
    this.exchange = exchange;
    this.route = route;
  }
}

export type { Running };

export class RunningHandlers {
  /** How many have not ended yet. */
  size = 0;
  readonly #ring = new Link();
  readonly #limit: number;
  readonly #onOverdue: (running: Running) => void;
  #clock: ReturnType<typeof setInterval> | undefined;

  /** @param limit milliseconds until a handler is given up; 0 is no limit. */
  constructor(limit: number, onOverdue: (running: Running) => void) {
    this.#limit = limit;
    this.#onOverdue = onOverdue;
  }

  enter(exchange: Exchange, route: Route): Running {
    const running = new Running(exchange, route);
    const last = this.#ring.before;
    running.before = last;
    running.after = this.#ring;
    last.after = running;
    this.#ring.before = running;
    this.size++;
    if (this.#clock === undefined && this.#limit > 0) this.#startClock();
    return running;
  }

  /** To leave twice does nothing. */
  leave(running: Running): void {
    if (running.after === running) return;
    running.before.after = running.after;
    running.after.before = running.before;
    running.before = running;
    running.after = running;
    this.size--;
  }

  #startClock(): void {
    this.#clock = setInterval(() => this.#giveUpOverdue(), Math.min(1000, this.#limit / 4));
    // No reason for a process to live on. Not every platform that speaks fetch has it.
    this.#clock.unref?.();
  }

  /** The clock stands still while none is running. */
  #giveUpOverdue(): void {
    for (let { after } = this.#ring; after instanceof Running; after = this.#ring.after) {
      if (performance.now() - after.since < this.#limit) return;
      this.leave(after);
      this.#onOverdue(after);
    }
    clearInterval(this.#clock);
    this.#clock = undefined;
  }
}
