/** The open servers of this process, and what stops them: SIGTERM, SIGINT, an error that nobody caught, the death of a worker's primary. */

import type { Responder } from "../message/exchange.ts";
import { currentWorker, isWorker } from "../worker.ts";
import type { Server } from "./stop.ts";

/** What the project leaves of the shutdown time-out to the process. */
const LAST_MOMENT_MS = 250;

/** With the app behind each. */
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

/** From the first server to the last, this listens to the process. */
export function enterOpen(server: Server, responder: Responder): void {
  openServers.set(server, responder);
  resolveFirst();
  if (openServers.size > 1) return;
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
export function leaveOpen(server: Server): void {
  openServers.delete(server);
  if (openServers.size > 0) return;
  process.off("uncaughtException", onUncaught).off("unhandledRejection", onRejection);
  if (isStopping && isWorker()) {
    // A second signal must not end the worker while the project closes what it has open, nor the channel alone keep it alive.
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
