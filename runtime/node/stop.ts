/**
 * How a process with open servers stops, from SIGTERM to its end:
 *
 * 1. `onSignal` closes every open server. So do an error that nobody caught and the death of a worker's primary.
 * 2. `stop` accepts the connections that the system has already made (`backlog.ts`), then stops listening.
 *    It ends the streams that may have no end, such as server-sent events.
 * 3. From then on each response closes its connection: `node-exchange.ts` reads `closesConnections`. The health path answers 503.
 * 4. `drain` waits for the handlers and ends each connection once it is quiet (`quiet.ts`). At the time-out it cuts the rest.
 * 5. `server.closed` resolves, and the project closes what it has open. The process ends when nothing keeps it alive, or
 *    shortly before the time-out (`stopProcess`).
 */

import type { Server as HttpServer } from "node:http";
import type { Responder } from "../message/exchange.ts";
import { currentWorker, isWorker } from "../worker.ts";
import { acceptBacklog } from "./backlog.ts";
import type { ServerState } from "./node-exchange.ts";
import { addOpen, openServers, type Server } from "./open.ts";
import { type Connections, endQuiet, restartQuiet } from "./quiet.ts";

/** A connection that has been quiet for so long has no request on its way to us. */
const QUIET_MS = 400;
const TICK_MS = 50;
/** What the connections leave of the shutdown time-out to the project, and what the project leaves to the process. */
const CLOSING_MS = 500;
const LAST_MOMENT_MS = 250;

const FAILED = 1;

/** The parts of a server that it takes to stop it. */
export interface Parts {
  readonly http: HttpServer;
  readonly responder: Responder;
  readonly state: ServerState;
  readonly connections: Connections;
  /** Looks for idle connections. */
  readonly clock: NodeJS.Timeout;
  stopAccepting(): Promise<void> | undefined;
}

let isStopping = false;
let wasClosedAsked = false;

/** True once the project has asked for the `closed` of a server of this process: it may have something to close. */
export function isClosedAsked(): boolean {
  return wasClosedAsked;
}

/** Adds `close` and `closed` to the address of a server that listens, and keeps the process ready for signals while it is open. */
export function openServer(address: Pick<Server, "url" | "host" | "port">, parts: Parts): Server {
  let closing: Promise<void> | undefined;
  let tellClosed = (): void => {};
  const closed = new Promise<void>((resolve) => {
    tellClosed = resolve;
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
        tellClosed();
      });
      return closing;
    },
  };
  if (openServers.size === 0) listenToProcess();
  addOpen(server, parts.responder);
  return server;
}

/** Closes every open server of this process, as the first signal does. */
export async function closeServers(): Promise<void> {
  await Promise.all([...openServers.keys()].map((server) => server.close()));
}

async function stop({ http, responder, state, connections, clock, stopAccepting }: Parts): Promise<void> {
  const began = performance.now();
  state.isDraining = true;
  state.closesConnections = true;
  clearInterval(clock);
  await acceptBacklog(http);
  // Not by the http server's own close: it cuts idle connections at once, and with them the clients' next requests.
  const stopped = stopAccepting();
  // Their clients come back, and must not find this server.
  for (const end of state.endless) end();
  await drain(responder, connections, began);
  await stopped;
  // Stops the timer that looks for time-outs.
  http.close(() => undefined);
}

/** Waits for the handlers and ends the connections one by one; idle ones not at once, because a request may be on its way. */
async function drain(responder: Responder, connections: Connections, began: number): Promise<void> {
  const { requestTimeout, shutdownTimeout } = responder.settings;
  const limit = shutdownTimeout * 1000;
  const end = began + Math.max(limit - CLOSING_MS, limit / 2);
  restartQuiet(connections);
  while (connections.size + responder.running > 0 && performance.now() < end) {
    endQuiet(connections, QUIET_MS, requestTimeout * 1000);
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  for (const connection of connections.keys()) connection.destroy();
}

/** From the first server to the last. */
function listenToProcess(): void {
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  process.on("uncaughtException", onUncaught).on("unhandledRejection", onRejection);
  for (const stream of [process.stdout, process.stderr]) stream.off("error", onUnread).on("error", onUnread);
  const worker = currentWorker();
  // node:cluster ends a worker at once when its primary dies. The worker can still finish what is in flight.
  worker?.once("disconnect", () => {
    worker.exitedAfterDisconnect = true;
    stopProcess();
  });
}

/** Nobody reads what the server writes any more (`| head`), and its requests are answered all the same. To report it would fail, too. */
function onUnread(): void {}

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
  if (!isStopping) {
    stopProcess();
    return;
  }
  // A terminal and a service manager signal every process of a group, and the primary its workers: the worker gets one wish twice.
  if (isWorker()) return;
  // The default action of a signal without a listener, so that whoever waits for the process sees what ended it.
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

function stopProcess(): void {
  isStopping = true;
  const limit = Math.max(...[...openServers.values()].map(({ settings }) => settings.shutdownTimeout)) * 1000;
  // Something else may keep the process alive, such as a connection to a database that the project never closes.
  setTimeout(() => process.exit(), Math.max(limit - LAST_MOMENT_MS, limit * 0.75)).unref();
  void closeServers();
}

/** What threw may have left anything half done, so the process does not go on. What is in flight is still answered. */
function onUncaught(error: unknown): void {
  log("An error outside a request was not caught, so this process ends after the requests in flight.", error);
  // Last of all, because the command that started the server may still set its own status.
  process.once("exit", () => {
    process.exitCode = FAILED;
  });
  if (!isStopping) stopProcess();
}

export const REJECTED = "A promise was rejected and nobody handled it: is an await missing?";

/** A missing await breaks off one promise, and nothing else. The server goes on. */
function onRejection(reason: unknown): void {
  log(REJECTED, reason);
}

function log(message: string, error: unknown): void {
  const [owner] = openServers.values();
  owner?.log.error({ message, error });
}
