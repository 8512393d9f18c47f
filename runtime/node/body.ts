/** Reads the body of a node:http message, whole or as a stream, or drops it as it arrives. */

import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { bodyTooLarge, clientGone } from "../message/errors.ts";
import type { ChunkListener, Message } from "./direct.ts";

/**
 * Uses `data` events if the direct body is unavailable, because an async iterator takes a tenth longer. The listeners are closures:
 * shared ones would need a property on the message, which slows down everything that node:http does with it.
 *
 * @param parse converts the whole body; its errors reject the promise.
 * @returns rejects with `HttpError` 413 above the limit, with `AbortError` if the client disconnects before the end.
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

/** The number of buffered bytes at which the socket is paused. */
const READ_AHEAD = 128 * 1024;

/**
 * Reads the body as a stream. Written by hand: with async generators, a megabyte took 3.0 ms of processor time instead of 1.9
 * (Node 24, `npm run bench -- http --case pieces-1m`).
 *
 * @returns an iterator whose `next` rejects as {@link readBody} does, and must not be called while it is pending.
 */
export function readPieces(incoming: IncomingMessage, limit: number): AsyncIterableIterator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let consumed = 0;
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
    if (size - consumed > READ_AHEAD) incoming.pause();
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
      consumed += value.length;
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

/** Destroys the message if the client disconnects. After the answer, node:http no longer does, and a reader would wait forever. */
export function endWithConnection(incoming: IncomingMessage): void {
  const { socket } = incoming;
  const onClose = (): void => void incoming.destroy(clientGone());
  socket.once("close", onClose);
  incoming.once("end", () => socket.off("close", onClose));
}

/** The limits for reading and dropping input at the end of a connection. */
const LINGER_MS = 2000;
const LINGER_BYTES = 16 * 1024 * 1024;
const LINGER_CHECK_MS = 25;

/** Keeps the connection open for a while after the response if the request's body is still arriving. */
export function lingerAtEnd(incoming: IncomingMessage): void {
  const { socket } = incoming;
  // node:http calls this after the last response of a connection was written.
  socket.destroySoon = () => {
    socket.destroySoon = () => {};
    incoming.resume();
    linger(socket, incoming);
  };
}

/**
 * Ends our side, and drops further input within limits. Closing a socket with unread bytes resets the connection, and the client
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
