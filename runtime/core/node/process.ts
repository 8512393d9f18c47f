/** What a process with open servers does about signals, and about errors that belong to no request. */

import type { Log } from "../log/log.ts";
import type { ServerSettings } from "../settings.ts";
import { isWorker, letPrimaryGo, onPrimaryDeath, tellPrimary } from "../worker.ts";

interface Closable {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

interface Owner {
  readonly log: Log;
  readonly settings: Pick<ServerSettings, "shutdownTimeout">;
}

/** What is left of the shutdown time-out, by when a process ends that something else than requests keeps alive. */
const LAST_MOMENT_MS = 250;

const open = new Map<Closable, Owner>();
let isStopping = false;
let tellFirst: () => void;

/** Resolves when the first server of this process is open. */
export const firstServer: Promise<void> = new Promise((resolve) => {
  tellFirst = resolve;
});

/**
 * While a server is open, SIGTERM and SIGINT drain all open servers (a second one ends the process at once), and an error
 * that nobody caught is logged and takes no other request down.
 */
export function keepOpen(server: Closable, owner: Owner): void {
  if (open.size === 0) {
    process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
    process.on("uncaughtException", onUncaught).on("unhandledRejection", onRejection);
    onPrimaryDeath(stop);
  }
  open.set(server, owner);
  tellFirst();
}

/** Says where a server listens; of several workers at one address the primary says it, once. */
export function announce({ url }: Closable, { log, settings: { shutdownTimeout } }: Owner): void {
  if (!tellPrimary({ framework: "listening", url, shutdownTimeout }))
    log.info({ message: `Listening on ${url}` });
}

/** After the last one the process is as it was, so that it ends by itself once it has nothing else to do. */
export function letGo(server: Closable): void {
  if (!open.delete(server) || open.size > 0) return;
  process.off("uncaughtException", onUncaught).off("unhandledRejection", onRejection);
  if (isStopping && isWorker()) {
    // Its signals stay without effect: the second one must not end it while the project closes what it has open.
    letPrimaryGo();
    return;
  }
  process.off("SIGTERM", onSignal).off("SIGINT", onSignal);
  isStopping = false;
}

/** True where a server of this process listens on the port. */
export function isOpenAt(port: number): boolean {
  return [...open.keys()].some((server) => server.port === port);
}

/** Drains every open server of this process, as the first signal does. */
export async function closeServers(): Promise<void> {
  await Promise.all([...open.keys()].map((server) => server.close()));
}

function onSignal(signal: NodeJS.Signals): void {
  if (isStopping) {
    // A terminal and a service manager signal every process of a group, and the primary its workers: the same wish, told twice.
    if (isWorker()) return;
    // The default action of a signal without a listener, so that whoever waits for the process sees what ended it.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    return;
  }
  stop();
}

function stop(): void {
  isStopping = true;
  const limit = Math.max(...[...open.values()].map(({ settings }) => settings.shutdownTimeout)) * 1000;
  // A connection to a database, say, that the project never ends. What it does at the signal has this long, as a request has.
  setTimeout(() => process.exit(), Math.max(limit - LAST_MOMENT_MS, limit * 0.75)).unref();
  void closeServers();
}

function onUncaught(error: unknown): void {
  tell("An error outside a request was not caught.", error);
}

function onRejection(reason: unknown): void {
  tell("A promise was rejected and nobody handled it: is an await missing?", reason);
}

function tell(message: string, error: unknown): void {
  const [owner] = open.values();
  owner?.log.error({ message, error });
}
