/**
 * The servers of this process that are open, and how the process stops, from SIGTERM to its end:
 *
 * 1. `onSignal` closes every open server. So do an error that nobody caught and the death of a worker's primary.
 * 2. `stop` accepts the connections in the backlog, stops listening, and ends the streams that may have no end.
 * 3. Each response then closes its connection, the health path answers 503, and a quiet connection is ended. At the time-out all are cut.
 * 4. `server.closed` resolves, and the project closes what it has open. The process ends when nothing keeps it alive, or
 *    shortly before the time-out.
 */

import type { Server as HttpServer } from "node:http";
import type { Responder } from "../message/exchange.ts";
import { currentWorker, isWorker, tellPrimary } from "../worker.ts";
import { endQuiet } from "./connection.ts";
import type { ServerState } from "./exchange.ts";

/** A connection that has been quiet for so long has no request on its way to us. */
const QUIET_MS = 400;
const TICK_MS = 50;
/** What the connections leave of the shutdown time-out to the project, and what the project leaves to the process. */
const CLOSING_MS = 500;
const LAST_MOMENT_MS = 250;
const LONGEST_ACCEPT_MS = 1000;

/** A server that listens. */
export interface Server {
  /** As in `http://localhost:8000`. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /**
   * Stops accepting, finishes what is in flight, and closes the connections. A second call returns the same promise.
   *
   * @returns resolves when all connections are closed, at the latest after `[server] shutdown_timeout`. It never rejects.
   * @example await server.close();
   */
  close(): Promise<void>;
  /**
   * Resolves after the last answer, once `close()` or a signal has stopped the server. What the project closes then may take the
   * rest of `[server] shutdown_timeout`; under `framework dev`, two seconds. Don't await it at the top level of a module: the
   * module would never finish loading.
   *
   * @example server.closed.then(() => pool.end());
   */
  readonly closed: Promise<void>;
}

/** The parts of a server that it takes to stop it. */
export interface Parts {
  readonly http: HttpServer;
  readonly responder: Responder;
  readonly state: ServerState;
  /** Looks for idle connections. */
  readonly clock: NodeJS.Timeout;
  stopAccepting(): Promise<void> | undefined;
}

/** With the app behind each. */
const openServers = new Map<Server, Responder>();
let isStopping = false;
let wasClosedAsked = false;
let resolveFirst: () => void;

/** Resolves when the first server of this process is open. */
export const firstServer: Promise<void> = new Promise((resolve) => {
  resolveFirst = resolve;
});

/** True if a server of this process listens on the port. */
export function isOpenAt(port: number): boolean {
  return [...openServers.keys()].some((server) => server.port === port);
}

/** True once the project has asked for the `closed` of a server of this process: it may have something to close. */
export function isClosedAsked(): boolean {
  return wasClosedAsked;
}

/** Adds `close` and `closed` to the address of a server that listens, and keeps the process ready for signals while it is open. */
export function openServer(address: Pick<Server, "url" | "host" | "port">, parts: Parts): Server {
  let closing: Promise<void> | undefined;
  let resolveClosed = (): void => {};
  const closed = new Promise<void>((resolve) => {
    resolveClosed = resolve;
  });
  const server: Server = {
    ...address,
    get closed() {
      wasClosedAsked = true;
      return closed;
    },
    close() {
      closing ??= stop(parts).finally(() => {
        leaveOpen(server);
        resolveClosed();
      });
      return closing;
    },
  };
  if (openServers.size === 0) listenToProcess();
  openServers.set(server, parts.responder);
  resolveFirst();
  return server;
}

/** Logs where a server listens. Of several workers at one address, the primary logs it, once. */
export function announce({ url }: Server, { log, settings: { shutdownTimeout } }: Responder): void {
  if (!tellPrimary({ framework: "listening", url, shutdownTimeout }))
    log.info({ message: `Listening on ${url}` });
}

/** Closes every open server of this process, as the first signal does. */
export async function closeServers(): Promise<void> {
  await Promise.all([...openServers.keys()].map((server) => server.close()));
}

async function stop({ http, responder, state, clock, stopAccepting }: Parts): Promise<void> {
  const { requestTimeout, shutdownTimeout } = responder.settings;
  const limit = shutdownTimeout * 1000;
  const end = performance.now() + Math.max(limit - CLOSING_MS, limit / 2);
  state.isDraining = true;
  state.closesConnections = true;
  clearInterval(clock);
  await acceptBacklog(http);
  const stopped = stopAccepting();
  // Their clients come back, and must not find this server.
  for (const endStream of state.endless) endStream();
  // An idle connection is not ended at once, because a request may be on its way.
  const quiet = performance.now() + QUIET_MS;
  while (state.connections.size + responder.running > 0 && performance.now() < end) {
    const idleLimit = performance.now() > quiet ? QUIET_MS : Number.POSITIVE_INFINITY;
    endQuiet(state.connections, idleLimit, requestTimeout * 1000, true);
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  for (const { socket } of state.connections) socket.destroy();
  await stopped;
  // Stops the timer that looks for time-outs.
  http.close(() => undefined);
}

/**
 * The system resets the connections in its backlog when the server stops listening. A process accepts one connection in a turn of the
 * event loop, so this waits for a turn that brings none, but not for ever.
 */
async function acceptBacklog(http: HttpServer): Promise<void> {
  const { setImmediate: nextTurn } = process.getBuiltinModule("node:timers/promises");
  const end = performance.now() + LONGEST_ACCEPT_MS;
  let hasAccepted = true;
  const onConnection = (): void => {
    hasAccepted = true;
  };
  http.on("connection", onConnection);
  // The rest of this turn comes after its look for connections.
  await nextTurn();
  while (hasAccepted && performance.now() < end) {
    hasAccepted = false;
    await nextTurn();
  }
  http.off("connection", onConnection);
}

/** From the first server to the last. */
function listenToProcess(): void {
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  process.on("uncaughtException", onUncaught).on("unhandledRejection", onRejection);
  // Requests are answered although nobody reads the output any more (`| head`).
  for (const stream of [process.stdout, process.stderr]) stream.off("error", ignore).on("error", ignore);
  const worker = currentWorker();
  // node:cluster ends a worker at once when its primary dies. The worker can still finish what is in flight.
  worker?.once("disconnect", () => {
    worker.exitedAfterDisconnect = true;
    stopProcess();
  });
}

function ignore(): void {}

/** After the last server the process is as it was before the first, and ends by itself once it has nothing else to do. */
function leaveOpen(server: Server): void {
  openServers.delete(server);
  if (openServers.size > 0) return;
  process.off("uncaughtException", onUncaught).off("unhandledRejection", onRejection);
  if (isStopping && isWorker()) {
    // The signals keep their listeners: a second one must not end the worker while the project closes what it has open.
    // The channel to the primary alone must not keep the worker alive.
    process.channel?.unref();
    return;
  }
  process.off("SIGTERM", onSignal).off("SIGINT", onSignal);
  isStopping = false;
}

function onSignal(signal: NodeJS.Signals): void {
  if (!isStopping) stopProcess();
  // A terminal and a service manager signal every process of a group, and the primary its workers: a worker gets one signal twice.
  else if (!isWorker()) {
    // The default action of a signal without a listener, so that whoever waits for the process sees what ended it.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
}

function stopProcess(): void {
  if (isStopping) return;
  isStopping = true;
  const limit = Math.max(...[...openServers.values()].map(({ settings }) => settings.shutdownTimeout)) * 1000;
  // Something else may keep the process alive, such as a connection to a database that the project never closes.
  setTimeout(() => process.exit(), Math.max(limit - LAST_MOMENT_MS, limit * 0.75)).unref();
  void closeServers();
}

/** What threw may have left anything half done, so the process does not go on. What is in flight is still answered. */
function onUncaught(error: unknown): void {
  report("An error outside a request was not caught, so this process ends after its requests.", error);
  // Last of all, because the command that started the server may still set its own status.
  process.once("exit", () => {
    process.exitCode = 1;
  });
  stopProcess();
}

export const REJECTED = "A promise was rejected and nobody handled it: is an await missing?";

/** A missing await breaks off one promise, and nothing else. The server goes on. */
function onRejection(reason: unknown): void {
  report(REJECTED, reason);
}

function report(message: string, error: unknown): void {
  const [owner] = openServers.values();
  owner?.log.error({ message, error });
}
