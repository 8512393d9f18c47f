/** Ends connections that are quiet: nothing has arrived on them and nothing was answered for a while. */

import { type Connection, NEWEST } from "./node-exchange.ts";

/** How many bytes had arrived, and since when the number is the same. */
interface Quiet {
  bytes: number;
  since: number;
}

/** The open connections of a server. */
export type Connections = Map<Connection, Quiet>;

export function addConnection(connections: Connections, socket: Connection): void {
  // Until the first byte, the time-out of a request's head applies.
  connections.set(socket, { bytes: 0, since: Number.POSITIVE_INFINITY });
  socket.once("close", () => connections.delete(socket));
}

/** Counts the time of every connection from now on. */
export function restartQuiet(connections: Connections): void {
  const now = performance.now();
  for (const quiet of connections.values()) quiet.since = now;
}

/** Ends the connections that have been quiet for `limit` milliseconds. */
export function endQuiet(connections: Connections, limit: number): void {
  const asked = performance.now();
  // A busy event loop has not read yet what arrived meanwhile. It reads before it runs this.
  setImmediate(() => {
    const now = performance.now();
    for (const [connection, quiet] of connections) {
      if (quiet.bytes !== connection.bytesRead || connection[NEWEST]?.isOpen) {
        quiet.bytes = connection.bytesRead;
        quiet.since = now;
      } else if (asked - quiet.since >= limit) connection.destroySoon();
    }
  });
}
