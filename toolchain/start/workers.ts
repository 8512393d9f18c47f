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
/** Those that reach every process of a group. The primary gets its own, and decides what to do. */
const OF_THE_GROUP: readonly (string | null)[] = ["SIGHUP", "SIGINT", "SIGTERM"];

export interface Workers {
  /** Resolves with the exit status once all have ended: after `stop` or `kill`, or because the first can't be started. */
  readonly ended: Promise<number>;
  /** Puts a new worker in the place of each, one by one. The old one serves until the new one listens. */
  restart(): void;
  /** Drains all. */
  stop(): void;
  /** Ends all at once. */
  kill(): void;
}

/** One of the places for workers. */
interface Place {
  worker: Worker;
  /** Ends in a row that came soon after a start. */
  failures: number;
}

export function startWorkers(count: number, fork: Fork, log: Log): Workers {
  const alive = new Set<Worker>();
  const places: Place[] = [];
  const pauses = new Set<NodeJS.Timeout>();
  let lastNote = "";
  let isStopping = false;
  let isRestarting = false;
  let mustRestart = false;
  let resolveEnded: (status: number) => void;
  const ended = new Promise<number>((resolve) => {
    resolveEnded = resolve;
  });
  void begin();
  return { ended, restart, stop, kill };

  /** The first one alone, so that a mistake in the project is reported once. */
  async function begin(): Promise<void> {
    const first = launch();
    const ready = await first.ready;
    if (ready === undefined) return beginAgain(first, await first.ended);
    if (isStopping) return;
    log.info({ message: `Listening on ${ready.url} with ${count} ${count === 1 ? "worker" : "workers"}` });
    occupy({ worker: first, failures: 0 });
    while (places.length < count) occupy({ worker: launch(), failures: 0 });
    if (mustRestart) restart();
  }

  /** A worker that is only starting obeys no signal yet, and ends by it; what ends it otherwise would end the next one, too. */
  function beginAgain(first: Worker, end: End): void {
    if (isStopping) return;
    if (OF_THE_GROUP.includes(end.signal)) {
      tellReplaced(first, end, "now");
      void begin();
    } else {
      resolveEnded(end.status || FAILED);
    }
  }

  function occupy(place: Place): void {
    places.push(place);
    watch(place);
  }

  function launch(): Worker {
    const worker = fork((text) => {
      if (text !== lastNote) log.info({ message: text });
      lastNote = text;
    });
    alive.add(worker);
    limitStart(worker);
    void worker.ended.then(() => {
      alive.delete(worker);
      if (isStopping && alive.size === 0) resolveEnded(0);
    });
    return worker;
  }

  function limitStart(worker: Worker): void {
    const slow = setTimeout(() => {
      log.error({
        message: `Worker ${worker.pid} does not listen yet, after ${SLOW_START_MS / 1000} seconds. Does app.ts call \`await app.listen()\`?`,
      });
    }, SLOW_START_MS);
    const late = setTimeout(() => {
      log.error({
        message: `Ending worker ${worker.pid}: it does not listen after ${READY_LIMIT_MS / 1000} seconds.`,
      });
      worker.kill();
    }, READY_LIMIT_MS);
    void worker.ready.then(() => {
      clearTimeout(slow);
      clearTimeout(late);
    });
  }

  /** Whoever is in the place when it ends by itself is replaced. */
  function watch(place: Place): void {
    const { worker } = place;
    let stable: NodeJS.Timeout | undefined;
    void worker.ready.then(() => {
      stable = setTimeout(() => {
        place.failures = 0;
      }, STABLE_MS).unref();
    });
    void worker.ended.then((end) => {
      clearTimeout(stable);
      if (!isStopping && place.worker === worker) replace(place, end);
    });
  }

  function replace(place: Place, end: End): void {
    const dead = place.worker;
    const pause = pauseAfter(place.failures);
    place.failures += 1;
    const when = pause === 0 ? "now" : `in ${pause / 1000} s`;
    tellReplaced(dead, end, when);
    const timer = setTimeout(() => {
      pauses.delete(timer);
      // A restart may have filled the place meanwhile.
      if (place.worker === dead) fill(place, launch());
    }, pause);
    pauses.add(timer);
  }

  function tellReplaced({ pid }: Worker, end: End, when: string): void {
    log.error({ message: `Worker ${pid} ${formatEnd(end)}. Starting another one ${when}.` });
  }

  function fill(place: Place, worker: Worker): void {
    place.worker = worker;
    watch(place);
  }

  function restart(): void {
    mustRestart = true;
    const isBegun = places.length > 0;
    if (isBegun && !isRestarting) void restartAll();
  }

  /** If asked again meanwhile, it begins again at the end: the workers that it replaced first may have loaded old files. */
  async function restartAll(): Promise<void> {
    isRestarting = true;
    while (mustRestart && !isStopping) {
      mustRestart = false;
      lastNote = "";
      tellRestarted(await renewAll());
    }
    isRestarting = false;
  }

  async function renewAll(): Promise<boolean> {
    for (const place of places) if (isStopping || !(await renew(place))) return false;
    return true;
  }

  function tellRestarted(isDone: boolean): void {
    if (isStopping) return;
    if (isDone) log.info({ message: "All workers were restarted." });
    else
      log.error({
        message: "Gave up the restart: the new worker ended before it listened. The others keep serving.",
      });
  }

  /** @returns false when the new worker can't serve: then the old one does. */
  async function renew(place: Place): Promise<boolean> {
    const next = launch();
    if ((await next.ready) === undefined || isStopping) return false;
    const old = place.worker;
    place.failures = 0;
    fill(place, next);
    old.drain();
    await old.ended;
    return true;
  }

  function stop(): void {
    isStopping = true;
    for (const timer of pauses) clearTimeout(timer);
    if (alive.size === 0) resolveEnded(0);
    for (const worker of alive) worker.drain();
  }

  function kill(): void {
    stop();
    for (const worker of alive) worker.kill();
  }
}

/** Milliseconds. The first end is no pattern yet; a crash loop slows down. */
export function pauseAfter(failures: number): number {
  return failures === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
}

function formatEnd({ status, signal }: End): string {
  return signal === null ? `ended with status ${status}` : `was ended by ${signal}`;
}
