/** Stops the servers of this process on SIGTERM, SIGINT, an uncaught error, or the death of a worker's primary. */

import type { Responder } from "../message/exchange.ts";
import { currentWorker, isWorker } from "../worker.ts";
import type { Server } from "./stop.ts";

/** The end of the shutdown time-out, reserved for the exit of the process. */
const LAST_MOMENT_MS = 250;

/** The open servers, each with its app. */
const openServers = new Map<Server, Responder>();
let isStopping = false;
let resolveFirst: () => void;

/** Resolves when the first server of this process is open. */
export const firstServer: Promise<void> = new Promise((resolve) => {
  resolveFirst = resolve;
});

/** True if a server of this process listens on the port. */
export function isOpenAt(port: number): boolean {
  return [...openServers.keys()].some((server) => server.port === port);
}

/** Closes every open server of this process, as the first signal does. */
export async function closeServers(): Promise<void> {
  await Promise.all([...openServers.keys()].map((server) => server.close()));
}

/** Registers a server. The first one starts listening to signals and uncaught errors. */
export function enterOpen(server: Server, responder: Responder): void {
  openServers.set(server, responder);
  resolveFirst();
  if (openServers.size > 1) return;
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  process.on("uncaughtException", onUncaught).on("unhandledRejection", onRejection);
  // Requests are still answered after stdout was closed (`| head`).
  for (const stream of [process.stdout, process.stderr]) stream.off("error", ignore).on("error", ignore);
  const worker = currentWorker();
  // Otherwise node:cluster ends a worker as soon as its primary dies, instead of finishing the requests in flight.
  worker?.once("disconnect", () => {
    worker.exitedAfterDisconnect = true;
    stopProcess();
  });
}

function ignore(): void {}

/** Removes a server. After the last one, the listeners are removed, so that the process ends when it has nothing else to do. */
export function leaveOpen(server: Server): void {
  openServers.delete(server);
  if (openServers.size > 0) return;
  process.off("uncaughtException", onUncaught).off("unhandledRejection", onRejection);
  if (isStopping && isWorker()) {
    // A second signal must not end the worker during the cleanup, and the channel must not keep it alive.
    process.channel?.unref();
    return;
  }
  process.off("SIGTERM", onSignal).off("SIGINT", onSignal);
  isStopping = false;
}

function onSignal(signal: NodeJS.Signals): void {
  if (!isStopping) stopProcess();
  // Terminals and service managers signal the whole process group, and the primary its workers: a worker gets each signal twice.
  else if (!isWorker()) {
    // The default action of the signal, so that the parent process sees the signal as the cause of the end.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
}

function stopProcess(): void {
  if (isStopping) return;
  isStopping = true;
  const limit = Math.max(...[...openServers.values()].map(({ settings }) => settings.shutdownTimeout)) * 1000;
  // The project may keep the process alive, for example by a database connection that it never closes.
  setTimeout(() => process.exit(), Math.max(limit - LAST_MOMENT_MS, limit * 0.75)).unref();
  void closeServers();
}

/** Stops the process, whose state may be inconsistent. Requests in flight are still answered. */
function onUncaught(error: unknown): void {
  report("An error outside a request was not caught, so this process ends after its requests.", error);
  // At exit, because the command that started the server may set its own status until then.
  process.once("exit", () => {
    process.exitCode = 1;
  });
  stopProcess();
}

export const REJECTED = "A promise was rejected and nobody handled it: is an await missing?";

/** Only logs: a missing await affects one promise, so the server continues. */
function onRejection(reason: unknown): void {
  report(REJECTED, reason);
}

function report(message: string, error: unknown): void {
  const [owner] = openServers.values();
  owner?.log.error({ message, error });
}
