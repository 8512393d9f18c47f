/** The connections that the system has made for a server and that the process has not accepted yet. */

import type { Server } from "node:net";

/** How long to wait for the backlog to be empty, and how short a turn of the event loop shows it. */
const LOOK_MS = 200;
const SHORT_TURN_MS = 0.2;
/** A busy process has hardly a turn in that time. It gets this many turns anyway, up to a longer limit. */
const LOOK_TURNS = 32;
const LONGEST_LOOK_MS = 1000;

/**
 * Accepts the backlog, because the system resets it when the server stops listening. A process accepts one connection in a turn of
 * the event loop. Resolves right after a short turn that brought none, when hardly one can be waiting.
 *
 * Measured with 16 clients that open a connection for each request: a SIGTERM lost none of them with this, and 14 without.
 */
export async function acceptBacklog(server: Server): Promise<void> {
  const began = performance.now();
  let hasAccepted = false;
  const onConnection = (): void => {
    hasAccepted = true;
  };
  server.on("connection", onConnection);
  // The rest of this turn comes after its look for connections.
  let before = await nextTurn();
  for (let turns = 0; before - began < (turns < LOOK_TURNS ? LONGEST_LOOK_MS : LOOK_MS); turns++) {
    hasAccepted = false;
    const now = await nextTurn();
    if (!hasAccepted && now - before <= SHORT_TURN_MS) break;
    before = now;
  }
  server.off("connection", onConnection);
}

/** @returns the time at the end of this turn, on the clock of `performance.now()`. */
function nextTurn(): Promise<number> {
  return new Promise((resolve) => setImmediate(() => resolve(performance.now())));
}
