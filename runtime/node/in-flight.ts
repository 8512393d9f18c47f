/**
 * Stops reading from a connection on which many requests wait for their answers. node:http does so only once answers wait for the
 * client: until then a client that sends requests one behind another, to a handler that takes its time, fills the memory.
 */

import type { Socket } from "node:net";

/**
 * No client that means well comes near it: while a connection is not read from, nobody sees that its client has left, and time-outs go
 * on. One read can bring some two thousand, which are taken up whatever this is.
 */
const MOST_IN_FLIGHT = 1000;

/** On the socket itself, because a look-up in a map costs more. */
const IN_FLIGHT: unique symbol = Symbol("requests in flight");
type Counted = Socket & { [IN_FLIGHT]?: number };

/** Counts a request that has arrived. */
export function enter(connection: Counted): void {
  const count = (connection[IN_FLIGHT] ?? 0) + 1;
  connection[IN_FLIGHT] = count;
  // node:http reads on at the end of each message, and for each body that is read.
  if (count === MOST_IN_FLIGHT) connection.on("resume", connection.pause).pause();
}

/** Counts a request that is answered. */
export function leave(connection: Counted): void {
  const count = (connection[IN_FLIGHT] ?? 0) - 1;
  connection[IN_FLIGHT] = count;
  if (count === MOST_IN_FLIGHT - 1) connection.off("resume", connection.pause).resume();
}
