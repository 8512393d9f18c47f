/** Closes a connection on which an unread body still arrives, so that the client gets the response. */

import type { IncomingMessage } from "node:http";
import { clientGone } from "../message/errors.ts";

/** How long, and for how many bytes, a refused body is read and dropped. */
export const LINGER_MS = 2000;
const LINGER_BYTES = 16 * 1024 * 1024;
const LINGER_CHECK_MS = 25;

/**
 * Closing a socket with unread bytes resets the connection, and the client may lose a response that it has not read yet.
 * So only our side ends, and what still arrives is dropped, within bounds (RFC 9112 section 9.6).
 */
export function linger(incoming: IncomingMessage): void {
  const { socket } = incoming;
  // node:http lets go of a message once it is answered. Whoever still reads the body would wait forever.
  socket.once("close", () => incoming.destroy(clientGone()));
  // node:http calls this when it has handed the last response of a connection to the socket.
  socket.destroySoon = () => {
    socket.end();
    incoming.resume();
    const bytes = socket.bytesRead + LINGER_BYTES;
    const time = performance.now() + LINGER_MS;
    const timer = setInterval(() => {
      if (incoming.complete || socket.bytesRead > bytes || performance.now() > time) socket.destroy();
    }, LINGER_CHECK_MS);
    socket.once("close", () => clearInterval(timer));
  };
}
