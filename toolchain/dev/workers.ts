/** The worker processes: one spare is warm before it is needed, so that a change does not wait for a process to start. */

import type { Worker } from "./worker-process.ts";

/** Starting a process would slow down the answers to clients that waited for the change. */
const REFILL_MS = 30;

export class Workers {
  readonly #spawn: () => Worker;
  readonly #taken = new Set<Worker>();
  #spare: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param spare a worker that runs already. */
  constructor(spawn: () => Worker, spare: Worker) {
    this.#spawn = spawn;
    this.#spare = spare;
  }

  /** @returns a worker to load the project: the warm one if there is one. */
  take(): Worker {
    const worker = this.#spare === undefined || this.#spare.hasEnded ? this.#spawn() : this.#spare;
    this.#spare = undefined;
    for (const one of this.#taken) if (one.hasEnded) this.#taken.delete(one);
    this.#taken.add(worker);
    return worker;
  }

  /** Replaces the spare that was taken, a little later. */
  refill(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#spare === undefined || this.#spare.hasEnded) this.#spare = this.#spawn();
    }, REFILL_MS);
  }

  discard(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#spare?.stop();
    this.#spare = undefined;
  }

  stop(): void {
    this.discard();
    for (const worker of this.#taken) worker.stop();
  }
}
