/** What a process with open servers does about signals, and about errors that belong to no request. */

import type { Log } from "./log.ts";

interface Closable {
  close(): Promise<void>;
}

const open = new Map<Closable, Log>();
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
export function keepOpen(server: Closable, log: Log): void {
  if (open.size === 0) {
    process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
    process.on("uncaughtException", onUncaught).on("unhandledRejection", onRejection);
  }
  open.set(server, log);
  tellFirst();
}

/** After the last one the process is as it was, so that it ends by itself once it has nothing else to do. */
export function letGo(server: Closable): void {
  if (!open.delete(server) || open.size > 0) return;
  process.off("SIGTERM", onSignal).off("SIGINT", onSignal);
  process.off("uncaughtException", onUncaught).off("unhandledRejection", onRejection);
  isStopping = false;
}

/** Drains every open server of this process, as the first signal does. */
export async function closeServers(): Promise<void> {
  await Promise.all([...open.keys()].map((server) => server.close()));
}

function onSignal(signal: NodeJS.Signals): void {
  if (isStopping) {
    // The default action of a signal without a listener, so that whoever waits for the process sees what ended it.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    return;
  }
  isStopping = true;
  void closeServers();
}

function onUncaught(error: unknown): void {
  tell("An error outside a request was not caught.", error);
}

function onRejection(reason: unknown): void {
  tell("A promise was rejected and nobody handled it: is an await missing?", reason);
}

function tell(message: string, error: unknown): void {
  const [log] = open.values();
  log?.error({ message, error });
}
