/** Reads the body of a node:http message into memory, within a limit. */

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
