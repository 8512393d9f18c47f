/** Reads the body of a node:http message into memory, within a limit. */

import type { IncomingMessage } from "node:http";
import { clientGone } from "./errors.ts";
import { bodyTooLarge } from "./stream.ts";

const READING = Symbol("the body being read");

interface ReadMessage extends IncomingMessage {
  [READING]?: Reading;
}

/** The listeners are shared by all requests and find their state on the message: closures for each request cost 12 to 30 %. */
class Reading {
  readonly limit: number;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
  size = 0;
  first: Buffer | undefined;
  rest: Buffer[] | undefined;

  constructor(limit: number, resolve: (bytes: Uint8Array) => void, reject: (error: unknown) => void) {
    this.limit = limit;
    this.resolve = resolve;
    this.reject = reject;
  }
}

/** Rejects with `HttpError` 413 above the limit, with `AbortError` when the client leaves before the end. */
export function readBody(incoming: IncomingMessage, limit: number): Promise<Uint8Array> {
  if (incoming.destroyed) return Promise.reject(clientGone());
  return new Promise((resolve, reject) => {
    const message: ReadMessage = incoming;
    message[READING] = new Reading(limit, resolve, reject);
    message.on("data", onData).on("end", onEnd).on("error", onError);
  });
}

function onData(this: ReadMessage, chunk: Buffer): void {
  const reading = this[READING] as Reading;
  reading.size += chunk.length;
  if (reading.size > reading.limit) {
    this.off("data", onData).off("end", onEnd);
    reading.reject(bodyTooLarge(reading.limit));
  } else if (reading.first === undefined) reading.first = chunk;
  else if (reading.rest === undefined) reading.rest = [reading.first, chunk];
  else reading.rest.push(chunk);
}

function onEnd(this: ReadMessage): void {
  const { first, rest, size, resolve } = this[READING] as Reading;
  resolve(rest === undefined ? (first ?? Buffer.alloc(0)) : Buffer.concat(rest, size));
}

function onError(this: ReadMessage): void {
  (this[READING] as Reading).reject(clientGone());
}
