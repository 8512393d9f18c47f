/**
 * The process behind `framework dev`: it keeps the port, hands each connection to the worker that serves the newest
 * source, and replaces that worker when a file changes. Connections that come meanwhile wait; none is refused.
 */

import { createServer, type Server, type Socket } from "node:net";
import { listenOn } from "../../core/node.ts";
import type { DevEvents } from "./events.ts";
import type { Address, Served } from "./messages.ts";
import { watchProject } from "./watch.ts";
import { spawnWorker, type Worker } from "./worker-process.ts";

/** A worker that ended by itself is replaced after this many milliseconds, so that one that always does is no busy loop. */
const RESTART_MS = 1_000;

export interface Supervisor {
  close(): void;
}

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
  let isClosed = false;

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
    worker.load({
      onServed: (served) => void take(worker, served, changed, started),
      onEnded: (status, signal) => replace(worker, status, signal),
    });
  }

  async function take(
    worker: Worker,
    served: Served,
    changed: readonly string[],
    started: number,
  ): Promise<void> {
    try {
      if (!(await listenAt(served.address))) return;
    } catch (error) {
      events.onAddressRefused(error);
      return;
    }
    if (worker !== loading) return;
    serving?.drain();
    serving = worker;
    loading = undefined;
    for (const socket of waiting.splice(0)) worker.give(socket);
    spare ??= spawnWorker(root, hasColors);
    events.onServed(
      { ...served, address: listener?.address ?? served.address },
      changed,
      performance.now() - started,
    );
  }

  async function listenAt(wanted: Address): Promise<boolean> {
    if (listener && isSame(listener.wanted, wanted)) return true;
    const next = await listen(wanted, accept);
    listener?.close();
    listener = next;
    if (isClosed) next.close();
    return !isClosed;
  }

  /** While a change is being loaded, a connection waits for it: nobody is answered by source that is no longer there. */
  function accept(socket: Socket): void {
    if (serving && !loading) serving.give(socket);
    else waiting.push(socket);
  }

  function discardSpare(): void {
    spare?.stop();
    spare = undefined;
  }

  function replace(worker: Worker, status: number | null, signal: string | null): void {
    if (isClosed || (worker !== serving && worker !== loading)) return;
    if (worker === serving) serving = undefined;
    if (worker === loading) loading = undefined;
    events.onLost(status, signal);
    setTimeout(() => {
      if (!isClosed && !loading && !serving) reload([]);
    }, RESTART_MS);
  }

  function close(): void {
    isClosed = true;
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
