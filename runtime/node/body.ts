/** The body of a node:http message: read into memory within a limit, or dropped as it arrives. */

import type { IncomingMessage } from "node:http";
import { bodyTooLarge, clientGone } from "../message/errors.ts";
import { isNodesOwn } from "./own.ts";

/** Gets the chunks of a body, and null behind the last one. */
type ChunkListener = (chunk: Buffer | null) => void;

const TAKE: unique symbol = Symbol("takes the body past the stream");
type Message = IncomingMessage & { [TAKE]?(listener: ChunkListener): boolean };

/** What is not documented of a message. */
interface InnerMessage extends IncomingMessage {
  /** From Node 24.12 on. node:http calls it for a request without a body. */
  _dumpAndCloseReadable?(): void;
}

/** Who listens to one of these, or replaces one of the methods, has to hear of the body. */
const EVENTS: readonly string[] = ["data", "readable", "end", "close"];
const METHODS = ["on", "addListener", "emit", "read"] as const;

/**
 * @returns the class, with a body that can be taken as node:http parses it: a stream would wait several turns to hand over what has
 * arrived, a tenth of the processor time of a small POST. The class itself where node:http is not Node's, or too old.
 */
export function withDirectBody(Base: typeof IncomingMessage): typeof IncomingMessage {
  const { _dumpAndCloseReadable: close }: InnerMessage = Base.prototype;
  if (close === undefined || !isNodesOwn()) return Base;
  const { prototype: own } = process.getBuiltinModule("node:stream").Readable;
  return class extends Base {
    #listener: ChunkListener | undefined;

    /** @returns false if the body has to come as a stream: part of it has arrived, or somebody else listens. */
    [TAKE](listener: ChunkListener): boolean {
      // Something that stands for the message is handed no chunk.
      if (!(#listener in this) || this.complete || this.readableLength > 0) return false;
      if (EVENTS.some((event) => this.listenerCount(event) > 0)) return false;
      if (super.push !== own.push || METHODS.some((name) => this[name] !== own[name])) return false;
      this.#listener = listener;
      // Otherwise node:http would drop what comes behind an answer.
      this._read(0);
      return true;
    }

    override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
      if (this.#listener === undefined) return super.push(chunk, encoding);
      this.#listener(chunk);
      if (chunk !== null) return true;
      close.call(this);
      // To a message that is answered before its end, node:http adds a listener. Who listens to chunks by now would take it for empty.
      if (this.listenerCount("data") === 0) this.emit("end");
      return false;
    }
  };
}

/**
 * Listens to `data` events where the body can't be taken directly, because an async iterator takes a tenth longer. The listeners are
 * closures: shared ones would find their state on the message, and one more property on it slows down all that node:http does with it.
 *
 * @param parse makes the value of the whole body; what it throws rejects the promise.
 * @returns rejects with `HttpError` 413 above the limit, with `AbortError` when the client leaves before the end.
 */
export function readBody<T>(incoming: Message, limit: number, parse: (bytes: Uint8Array) => T): Promise<T> {
  if (incoming.destroyed) return Promise.reject(clientGone());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onChunk: ChunkListener = (chunk) => {
      if (size > limit) return;
      if (chunk === null) {
        const [first] = chunks;
        try {
          resolve(parse(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, size)));
        } catch (error) {
          reject(error);
        }
        return;
      }
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      chunks.length = 0;
      reject(bodyTooLarge(limit));
    };
    if (!incoming[TAKE]?.(onChunk)) incoming.on("data", onChunk).on("end", () => onChunk(null));
    incoming.on("error", () => reject(clientGone()));
  });
}

/** node:http lets go of a message once it is answered. Whoever still reads its body would wait for ever when the client leaves. */
export function endWithConnection(incoming: IncomingMessage): void {
  const { socket } = incoming;
  const onClose = (): void => void incoming.destroy(clientGone());
  socket.once("close", onClose);
  incoming.once("end", () => socket.off("close", onClose));
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
  // node:http calls this when it has handed the last response of a connection to the socket.
  socket.destroySoon = () => {
    socket.destroySoon = () => {};
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
