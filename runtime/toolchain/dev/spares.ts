/** Workers that are warm before they are needed, so that a change is served without waiting for a process to start. */

import type { Worker } from "./worker-process.ts";

/** With one alone, a second change would have to wait for a process where it follows at once. */
const SPARES = 2;

/** The answers to those who waited for the change come first: to start processes would slow them down. */
const REFILL_MS = 30;

export interface Spares {
  /** One will be taken soon: it is started where there is none. */
  prepare(): void;
  /** A worker to load the project; not a warm one where they are used up. */
  take(): Worker;
  /** Makes up for those that were taken, a little later. */
  refill(): void;
  /** Ends them all. */
  discard(): void;
}

/** @param first one that was started already. */
export function createSpares(spawn: () => Worker, first: Worker): Spares {
  let warm: Worker[] = [first];
  let timer: NodeJS.Timeout | undefined;
  const alive = (): Worker[] => {
    warm = warm.filter((worker) => !worker.hasEnded);
    return warm;
  };
  const fill = (wanted: number): void => {
    while (alive().length < wanted) warm.push(spawn());
  };
  return {
    prepare: () => fill(1),
    take: () => alive().shift() ?? spawn(),
    refill() {
      clearTimeout(timer);
      timer = setTimeout(() => fill(SPARES), REFILL_MS);
    },
    discard() {
      clearTimeout(timer);
      for (const worker of warm.splice(0)) worker.stop();
    },
  };
}
