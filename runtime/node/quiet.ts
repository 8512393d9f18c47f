/** Ends connections on which nothing has moved for too long: idle ones, and those whose clients do not read their responses. */

import { type Connection, NEWEST } from "./node-exchange.ts";

/** How many bytes had moved, and since when the number is the same. */
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

/**
 * Ends the connections that have been idle for `idleLimit` milliseconds, and cuts those whose clients have read nothing of a response
 * for `unreadLimit`.
 */
export function endQuiet(connections: Connections, idleLimit: number, unreadLimit: number): void {
  const asked = performance.now();
  // A busy event loop has not read yet what arrived meanwhile. It reads before it runs this.
  setImmediate(() => {
    const now = performance.now();
    for (const [connection, quiet] of connections) {
      const isUnread = connection.writableLength > 0;
      // Below zero, so that the number changes whenever the connection begins to wait for its client, or no longer does.
      const bytes = isUnread ? -1 - bytesTaken(connection) : connection.bytesRead;
      if (quiet.bytes !== bytes || (!isUnread && connection[NEWEST]?.isOpen)) {
        quiet.bytes = bytes;
        quiet.since = now;
      } else if (asked - quiet.since < (isUnread ? unreadLimit : idleLimit)) continue;
      else if (isUnread) connection.destroy();
      else connection.destroySoon();
    }
  });
}

/** What is not documented of a socket, and what other engines than Node lack. */
interface InnerSocket extends Connection {
  readonly _handle?: { readonly bytesWritten?: number; readonly writeQueueSize?: number } | null;
}

/** How much of what was written the system has taken. What is documented of a socket changes only once it has taken a whole write. */
function bytesTaken(socket: InnerSocket): number {
  const { bytesWritten = socket.bytesWritten, writeQueueSize = socket.writableLength } = socket._handle ?? {};
  return bytesWritten - writeQueueSize;
}
