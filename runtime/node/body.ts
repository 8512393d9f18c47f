/** The body of a node:http message: read whole or in pieces within a limit, or dropped as it arrives. */

import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { bodyTooLarge, clientGone } from "../message/errors.ts";
import type { ChunkListener, Message } from "./direct.ts";

/**
 * By `data` events where the body can't be taken directly, because an async iterator takes a tenth longer. The listeners are closures:
 * shared ones would find their state on the message, and one more property on it slows down all that node:http does with it.
 *
 * @param parse makes the value of the whole body; what it throws rejects the promise.
 * @returns rejects with `HttpError` 413 above the limit, with `AbortError` when the client leaves before the end.
 */
export function readBody<T>(incoming: Message, limit: number, parse: (bytes: Uint8Array) => T): Promise<T> {
  if (incoming.destroyed) return Promise.reject(clientGone());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onEnd = (): void => {
      const [first] = chunks;
      try {
        resolve(parse(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, size)));
      } catch (error) {
        reject(error);
      }
    };
    const onChunk: ChunkListener = (chunk) => {
      if (size > limit) return;
      if (chunk === null) return onEnd();
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      chunks.length = 0;
      reject(bodyTooLarge(limit));
    };
    if (!incoming.takeBody?.(onChunk)) incoming.on("data", onChunk).on("end", () => onChunk(null));
    incoming.on("error", () => reject(clientGone()));
  });
}

/** So many bytes of a body wait in memory for its reader before the socket is paused. */
const READ_AHEAD = 128 * 1024;

/**
 * The body in pieces. By hand, because with async generators a megabyte took 3.0 ms of processor time instead of 1.9 (Node 24,
 * `npm run bench -- http --case pieces-1m`).
 *
 * @returns its `next` rejects as {@link readBody} does. It must not be called again before its promise is settled.
 */
export function readPieces(incoming: IncomingMessage, limit: number): AsyncIterableIterator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let taken = 0;
  let failure: Error | undefined = incoming.destroyed ? clientGone() : undefined;
  let wake = (): void => {};
  const fail = (error: Error): void => {
    failure ??= error;
    wake();
  };
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > limit) fail(bodyTooLarge(limit));
    else pieces.push(chunk);
    if (size - taken > READ_AHEAD) incoming.pause();
    wake();
  };
  incoming.on("data", onData).on("end", () => wake());
  incoming.on("error", () => fail(clientGone()));
  const done = { done: true, value: undefined } as const;
  return {
    async next() {
      while (pieces.length === 0 && failure === undefined && !incoming.readableEnded) {
        if (incoming.isPaused()) incoming.resume();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const value = pieces.shift();
      if (value === undefined) {
        if (failure === undefined) return done;
        await this.return?.();
        throw failure;
      }
      taken += value.length;
      return { done: false, value };
    },
    async return() {
      incoming.off("data", onData).pause();
      return done;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** node:http forgets a message once it is answered. A handler that still reads its body would wait for ever when the client leaves. */
export function endWithConnection(incoming: IncomingMessage): void {
  const { socket } = incoming;
  const onClose = (): void => void incoming.destroy(clientGone());
  socket.once("close", onClose);
  incoming.once("end", () => socket.off("close", onClose));
}

/** How long, and for how many bytes, what still arrives at the end of a connection is read and dropped. */
const LINGER_MS = 2000;
const LINGER_BYTES = 16 * 1024 * 1024;
const LINGER_CHECK_MS = 25;

/** Lets the connection linger behind the response to a request whose body still arrives. */
export function lingerAtEnd(incoming: IncomingMessage): void {
  const { socket } = incoming;
  // node:http calls this when it has handed the last response of a connection to the socket.
  socket.destroySoon = () => {
    socket.destroySoon = () => {};
    incoming.resume();
    linger(socket, incoming);
  };
}

/**
 * Ends our side, and drops what still arrives, within bounds. Closing a socket with unread bytes resets the connection, and the client
 * may lose a response that it has not read yet (RFC 9112 section 9.6).
 */
export function linger(socket: Socket, incoming?: IncomingMessage): void {
  const bytes = socket.bytesRead + LINGER_BYTES;
  const end = performance.now() + LINGER_MS;
  socket.end();
  const timer = setInterval(() => {
    if (incoming?.complete || socket.bytesRead > bytes || performance.now() > end) socket.destroy();
  }, LINGER_CHECK_MS);
  socket.once("close", () => clearInterval(timer));
}
