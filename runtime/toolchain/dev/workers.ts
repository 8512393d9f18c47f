/** The worker processes: two are warm before they are needed, so that a change never waits for a process to start. */

import type { Worker } from "./worker-process.ts";

/** With only one, two saves in a row would wait. */
const SPARES = 2;

/** Starting processes would slow down the answers to those who waited for the change. */
const REFILL_MS = 30;

export interface Workers {
  /** Starts a spare if there is none, because one will soon be taken. */
  prepare(): void;
  /** @returns a worker to load the project: a warm one if there is one. */
  take(): Worker;
  /** Replaces the spares that were taken, a little later. */
  refill(): void;
  /** Ends the spares. */
  discard(): void;
  /** Ends all workers at once, those that were taken too. */
  stop(): void;
}

/** @param first a worker that runs already. */
export function createWorkers(spawn: () => Worker, first: Worker): Workers {
  let spares: Worker[] = [first];
  let taken: Worker[] = [];
  let timer: NodeJS.Timeout | undefined;
  return { prepare: () => fill(1), take, refill, discard, stop };

  function fill(wanted: number): void {
    spares = spares.filter(isAlive);
    while (spares.length < wanted) spares.push(spawn());
  }

  function take(): Worker {
    spares = spares.filter(isAlive);
    const worker = spares.shift() ?? spawn();
    taken = [...taken.filter(isAlive), worker];
    return worker;
  }

  function refill(): void {
    clearTimeout(timer);
    timer = setTimeout(() => fill(SPARES), REFILL_MS);
  }

  function discard(): void {
    clearTimeout(timer);
    for (const worker of spares.splice(0)) worker.stop();
  }

  function stop(): void {
    discard();
    for (const worker of taken) worker.stop();
  }
}

function isAlive({ hasEnded }: Worker): boolean {
  return !hasEnded;
}
