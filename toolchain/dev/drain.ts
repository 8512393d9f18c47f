/** How a worker ends: it finishes its requests, and lets the project close what it has open. */

import { closeServers, isClosedAsked } from "#runtime/node/server";

/** What a handler has begun without awaiting it, such as a write, has this long. */
const LAST_MOMENT_MS = 250;
/** A project that listens to SIGTERM, or has asked for `server.closed`, has this long. */
const CLOSING_MS = 2_000;
/** To SIGTERM, in this file. */
const OWN_LISTENERS = 1;

let hasBegun = false;
/** True if the system has sent SIGTERM, and so to the project too. */
let wasSignalled = false;

/** Ends the worker only when its supervisor says so, or is gone: signals such as Ctrl-C reach the whole group. */
export function followSupervisor(): void {
  process.on("disconnect", () => void drain());
  for (const signal of ["SIGINT", "SIGHUP"]) process.on(signal, () => {});
  process.on("SIGTERM", () => {
    wasSignalled = true;
  });
}

/** @returns true from the moment when the worker gets no more requests. */
export function isDraining(): boolean {
  return hasBegun;
}

/**
 * Finishes what is in flight, and then signals the project as production does. A process that has nothing left to do ends at once; no
 * timer and no connection keeps another one for long.
 */
export async function drain(): Promise<void> {
  if (hasBegun) return;
  hasBegun = true;
  await closeServers();
  const isHeard = wasSignalled || process.listenerCount("SIGTERM") > OWN_LISTENERS;
  if (!wasSignalled) process.emit("SIGTERM", "SIGTERM");
  if (process.connected) process.disconnect();
  setTimeout(() => process.exit(), isHeard || isClosedAsked() ? CLOSING_MS : LAST_MOMENT_MS).unref();
}
