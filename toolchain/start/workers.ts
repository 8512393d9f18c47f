/** The processes behind `framework start --workers`: as many as were asked for, each replaced when it dies, all renewed one by one. */

import type { Log } from "#runtime/log/log";
import type { End, Fork, Worker } from "./worker.ts";

/** A worker that has listened for so long did not fail at once: the next end of its place is a first one again. */
const STABLE_MS = 10_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** By when a worker must listen, and when a message says that it still does not. */
const READY_LIMIT_MS = 60_000;
const SLOW_START_MS = 5_000;

const FAILED = 1;

/** One of the places for workers. */
interface Place {
  worker: Worker;
  /** Ends in a row that came soon after a start. */
  failures: number;
}

export class Workers {
  /** Resolves with the exit status once all have ended: after `stop` or `kill`, or because the first can't be started. */
  readonly ended: Promise<number>;
  #resolveEnded: (status: number) => void = () => {};
  readonly #fork: Fork;
  readonly #log: Log;
  readonly #alive = new Set<Worker>();
  readonly #places: Place[] = [];
  #lastNote = "";
  #isStopping = false;
  /** What asks for a restart while one is under way begins again at its end: what was replaced first may have loaded old files. */
  #restart: "none" | "wanted" | "begun" = "none";

  constructor(count: number, fork: Fork, log: Log) {
    this.#fork = fork;
    this.#log = log;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    void this.#begin(count);
  }

  /** Puts a new worker in the place of each, one by one. The old one serves until the new one listens. */
  restart(): void {
    const isUnderWay = this.#restart !== "none" || this.#places.length === 0;
    this.#restart = "wanted";
    if (!isUnderWay) void this.#restartAll();
  }

  /** Drains all. */
  stop(): void {
    this.#isStopping = true;
    if (this.#alive.size === 0) this.#resolveEnded(0);
    for (const worker of this.#alive) worker.drain();
  }

  /** Ends all at once. */
  kill(): void {
    this.stop();
    for (const worker of this.#alive) worker.kill();
  }

  /** The first one alone, so that a mistake in the project is reported once. */
  async #begin(count: number): Promise<void> {
    const first = this.#launch();
    const ready = await first.ready;
    if (this.#isStopping) return;
    if (ready === undefined) {
      const { status } = await first.ended;
      if (!this.#isStopping) this.#resolveEnded(status || FAILED);
      return;
    }
    const message = `Listening on ${ready.url} with ${count} ${count === 1 ? "worker" : "workers"}`;
    this.#log.info({ message });
    this.#occupy(first);
    while (this.#places.length < count) this.#occupy(this.#launch());
    if (this.#restart === "wanted") void this.#restartAll();
  }

  #occupy(worker: Worker): void {
    const place = { worker, failures: 0 };
    this.#places.push(place);
    this.#watch(place);
  }

  #launch(): Worker {
    const worker = this.#fork((message) => {
      if (message !== this.#lastNote) this.#log.info({ message });
      this.#lastNote = message;
    });
    this.#alive.add(worker);
    this.#limitStart(worker);
    void worker.ended.then(() => {
      this.#alive.delete(worker);
      if (this.#isStopping && this.#alive.size === 0) this.#resolveEnded(0);
    });
    return worker;
  }

  #limitStart(worker: Worker): void {
    const slow = setTimeout(() => {
      const message = `Worker ${worker.pid} does not listen yet, after ${SLOW_START_MS / 1000} seconds. Does app.ts call \`await app.listen()\`?`;
      this.#log.error({ message });
    }, SLOW_START_MS);
    const late = setTimeout(() => {
      const message = `Ending worker ${worker.pid}: it does not listen after ${READY_LIMIT_MS / 1000} seconds.`;
      this.#log.error({ message });
      worker.kill();
    }, READY_LIMIT_MS);
    void worker.ready.then(() => {
      clearTimeout(slow);
      clearTimeout(late);
    });
  }

  /** Whoever is in the place when it ends by itself is replaced. */
  #watch(place: Place): void {
    const { worker } = place;
    let stable: NodeJS.Timeout | undefined;
    void worker.ready.then(() => {
      stable = setTimeout(() => {
        place.failures = 0;
      }, STABLE_MS).unref();
    });
    void worker.ended.then((end) => {
      clearTimeout(stable);
      if (!this.#isStopping && place.worker === worker) this.#replace(place, end);
    });
  }

  #replace(place: Place, end: End): void {
    const dead = place.worker;
    const pause = pauseAfter(place.failures);
    place.failures += 1;
    const when = pause === 0 ? "now" : `in ${pause / 1000} s`;
    this.#log.error({ message: `Worker ${dead.pid} ${formatEnd(end)}. Starting another one ${when}.` });
    const timer = setTimeout(() => {
      // A restart may have filled the place meanwhile.
      if (!this.#isStopping && place.worker === dead) this.#fill(place, this.#launch());
    }, pause);
    void this.ended.then(() => clearTimeout(timer));
  }

  #fill(place: Place, worker: Worker): void {
    place.worker = worker;
    this.#watch(place);
  }

  async #restartAll(): Promise<void> {
    while (this.#restart === "wanted" && !this.#isStopping) {
      this.#restart = "begun";
      this.#lastNote = "";
      const isDone = await this.#renewAll();
      if (this.#isStopping) return;
      if (isDone) this.#log.info({ message: "All workers were restarted." });
      else
        this.#log.error({
          message: "Gave up the restart: the new worker ended before it listened. The others keep serving.",
        });
    }
    this.#restart = "none";
  }

  /** @returns false when a new worker can't serve: then the old one does. */
  async #renewAll(): Promise<boolean> {
    for (const place of this.#places) {
      if (this.#isStopping) return false;
      const next = this.#launch();
      if ((await next.ready) === undefined || this.#isStopping) return false;
      const old = place.worker;
      place.failures = 0;
      this.#fill(place, next);
      old.drain();
      await old.ended;
    }
    return true;
  }
}

/** Milliseconds. The first end is no pattern yet; a crash loop slows down. */
export function pauseAfter(failures: number): number {
  return failures === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
}

function formatEnd({ status, signal }: End): string {
  return signal === null ? `ended with status ${status}` : `was ended by ${signal}`;
}
