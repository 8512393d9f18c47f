/**
 * The process behind `framework dev`: it keeps the port, hands each connection to the worker that serves the newest
 * source, and replaces that worker when a file changes. Connections that come meanwhile wait; none is refused.
 */

import { createServer as createHttpServer } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { listenOn } from "../../core/node.ts";
import { answerWithError } from "./error-answer.ts";
import type { DevEvents } from "./events.ts";
import type { Address, Served } from "./messages.ts";
import { watchProject } from "./watch.ts";
import { spawnWorker, type Worker } from "./worker-process.ts";

/** A worker that ended by itself is replaced after this many milliseconds, so that one that always does is no busy loop. */
const RESTART_MS = 1_000;

export interface Supervisor {
  close(): void;
}

/** After so many milliseconds of loading, those who wait are told. */
const SLOW_MS = 5_000;

/** @param first a worker to begin with. The next one is made once this one serves: before, it would take its time away. */
export function superviseProject(
  root: string,
  hasColors: boolean,
  first: Worker,
  events: DevEvents,
): Supervisor {
  const waiting: Socket[] = [];
  let spare: Worker | undefined = first;
  let loading: Worker | undefined;
  let serving: Worker | undefined;
  let listener: Listener | undefined;
  /** What every request is answered while no worker can. */
  let failure: string | undefined;
  let slow: NodeJS.Timeout | undefined;
  let isClosed = false;

  const failureServer = createHttpServer((request, response) =>
    answerWithError(request, response, failure ?? ""),
  );
  const watcher = watchProject(root, reload);
  reload([]);
  return { close };

  function reload(changed: readonly string[]): void {
    const started = performance.now();
    // A warm worker has loaded the framework: once that is edited, it is out of date.
    if (changed.some((file) => file.startsWith("vendor/"))) discardSpare();
    const worker = spare ?? spawnWorker(root, hasColors);
    spare = undefined;
    loading?.stop();
    loading = worker;
    failure = undefined;
    clearTimeout(slow);
    slow = setTimeout(() => fail("The project is still being loaded, after 5 seconds.", changed), SLOW_MS);
    worker.load({
      onServed: (served) => void take(worker, served, changed, started),
      onEnded: (status, signal) => replace(worker, signal ?? `exit status ${status}`, changed),
    });
  }

  async function take(
    worker: Worker,
    served: Served,
    changed: readonly string[],
    started: number,
  ): Promise<void> {
    // Where the project has errors, its address may be one of them.
    if (!listener || !served.failed) await listenAt(served.address);
    if (!listener || worker !== loading) return;
    clearTimeout(slow);
    serving?.drain();
    serving = worker;
    loading = undefined;
    failure = undefined;
    for (const socket of waiting.splice(0)) worker.give(socket);
    spare ??= spawnWorker(root, hasColors);
    events.onServed({ ...served, address: listener.address }, changed, performance.now() - started);
  }

  /** Where the wanted address can't be had, the one that there is stays. */
  async function listenAt(wanted: Address): Promise<void> {
    if (listener && isSame(listener.wanted, wanted)) return;
    const before = listener;
    try {
      // The same port on another host is free only once it is given up.
      if (before?.wanted.port === wanted.port) before.close();
      listener = await listen(wanted, accept);
      before?.close();
    } catch (error) {
      listener =
        before && (before.wanted.port === wanted.port ? await listen(before.wanted, accept) : before);
      events.onAddressRefused(error, listener?.address);
    }
    if (isClosed) listener?.close();
  }

  /** While a change is being loaded, a connection waits for it: nobody is answered by source that is no longer there. */
  function accept(socket: Socket): void {
    if (failure !== undefined) tellFailure(socket);
    else if (serving && !loading) serving.give(socket);
    else waiting.push(socket);
  }

  function tellFailure(socket: Socket): void {
    failureServer.emit("connection", socket);
    socket.resume();
  }

  /** From here on every request is told what is wrong, until a change has been loaded. */
  function fail(what: string, changed: readonly string[]): void {
    failure = changed.length === 0 ? what : `${what}\nWhat was changed last: ${changed.join(", ")}`;
    events.onFailed(failure);
    serving?.drain();
    serving = undefined;
    for (const socket of waiting.splice(0)) tellFailure(socket);
  }

  function discardSpare(): void {
    spare?.stop();
    spare = undefined;
  }

  function replace(worker: Worker, end: string, changed: readonly string[]): void {
    if (isClosed || (worker !== serving && worker !== loading)) return;
    clearTimeout(slow);
    const wasServing = worker === serving;
    if (wasServing) serving = undefined;
    else loading = undefined;
    const when = wasServing
      ? "It is started again."
      : "It did so while it was being loaded: save a file to try again.";
    fail(`The project ended its own process (${end}). ${when}`, changed);
    if (!wasServing) return;
    setTimeout(() => {
      if (!isClosed && !loading && !serving) reload([]);
    }, RESTART_MS);
  }

  function close(): void {
    isClosed = true;
    clearTimeout(slow);
    watcher.close();
    listener?.close();
    for (const socket of waiting) socket.destroy();
    discardSpare();
    loading?.stop();
    serving?.drain();
  }
}

interface Listener {
  /** As asked for: the port may be 0. */
  readonly wanted: Address;
  /** As it came out. */
  readonly address: Address;
  close(): void;
}

async function listen(wanted: Address, onConnection: (socket: Socket) => void): Promise<Listener> {
  // Not a byte is read here: what the client sent travels with the socket.
  const server: Server = createServer({ pauseOnConnect: true }, onConnection);
  const bound = await listenOn(server, wanted);
  return { wanted, address: { host: bound.host, port: bound.port }, close: () => void bound.close() };
}

function isSame(one: Address, other: Address): boolean {
  return one.host === other.host && one.port === other.port;
}
