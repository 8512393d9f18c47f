/** The body of a node:http message: read into memory within a limit, or dropped as it arrives. */

import type { IncomingMessage } from "node:http";
import { bodyTooLarge, clientGone } from "../message/errors.ts";

/**
 * Listens to `data` events, because an async iterator takes a tenth longer. The listeners are closures: shared ones would find their
 * state on the message, and one more property on it slows down all that node:http does with it. Waits for `end`, although the
 * last byte arrives before it: to a message that is answered earlier, node:http adds a listener of its own.
 *
 * @param parse makes the value of the whole body; what it throws rejects the promise.
 * @returns rejects with `HttpError` 413 above the limit, with `AbortError` when the client leaves before the end.
 */
export function readBody<T>(
  incoming: IncomingMessage,
  limit: number,
  parse: (bytes: Uint8Array) => T,
): Promise<T> {
  if (incoming.destroyed) return Promise.reject(clientGone());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      incoming.off("data", onData).off("end", onEnd);
      reject(bodyTooLarge(limit));
    };
    const onEnd = (): void => {
      const [first] = chunks;
      try {
        resolve(parse(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, size)));
      } catch (error) {
        reject(error);
      }
    };
    incoming.on("data", onData).on("end", onEnd);
    incoming.on("error", () => reject(clientGone()));
  });
}

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
