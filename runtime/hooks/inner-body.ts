/** The body of the response that `next()` gives: read once, as a stream or as a whole, and sent if the middleware returns the response. */

import { type Answer, isPlain } from "../message/result.ts";
import { type Chunks, toPull, toReadableStream } from "../message/stream.ts";

export type Bytes = Uint8Array<ArrayBuffer>;

/** What was not a stream, or was read as a whole, is known, and can still be sent. */
export class InnerBody {
  #content: Answer["body"];
  #stream: ReadableStream<Bytes> | undefined;
  #isRead: boolean;
  #isCut = false;
  /** Ends when all of the stream was read. */
  #reading: Promise<Bytes> | undefined;

  constructor(content: Answer["body"], isRead: boolean) {
    this.#content = content;
    this.#isRead = isRead;
  }

  get stream(): ReadableStream<Bytes> | null {
    if (this.#content === null) return null;
    this.#stream ??= toReadableStream(this.#toChunks()) as ReadableStream<Bytes>;
    return this.#stream;
  }

  get isUsed(): boolean {
    return this.#isRead && this.#content !== null;
  }

  async text(): Promise<string> {
    const content = await this.#read();
    return typeof content === "string" ? content : new TextDecoder().decode(content);
  }

  /** @returns a copy. */
  async bytes(): Promise<Bytes> {
    return toBytes(await this.#read());
  }

  /** @throws {TypeError} when it has been read. */
  copy(): Bytes | ReadableStream<Bytes> | null {
    const content = this.#content;
    if (content === null) return null;
    this.#requireUnread();
    if (isPlain(content)) return toBytes(content);
    const [mine, copy] = toReadableStream(content).tee();
    this.#content = toChunks(mine);
    this.#stream = undefined;
    return copy as ReadableStream<Bytes>;
  }

  /** @returns what to send. Rejects if it is a stream that was read in part, or is being read. */
  async take(): Promise<Answer["body"]> {
    await this.#reading;
    if (!isPlain(this.#content)) this.#requireUnread();
    this.#isRead = true;
    return this.#content;
  }

  /** Cancels a stream, unless somebody reads it. */
  drop(): void {
    if (this.#stream?.locked !== true && this.#reading === undefined) this.cut();
  }

  /** Cancels a stream, also under its reader. */
  cut(): void {
    if (isPlain(this.#content)) return;
    this.#isCut = true;
    void this.#content.cancel();
  }

  async #read(): Promise<string | Uint8Array> {
    const content = this.#content;
    if (content === null) return "";
    this.#requireUnread();
    this.#isRead = true;
    if (isPlain(content)) return content;
    this.#reading = this.#readAll(content);
    return this.#reading;
  }

  async #readAll(chunks: Chunks): Promise<Bytes> {
    const parts: Bytes[] = [];
    for (let chunk = await chunks.next(); chunk !== undefined; chunk = await chunks.next())
      parts.push(new Uint8Array(chunk));
    // A stream that is cut ends, too. Its part must not look like the whole.
    if (this.#isCut) throw alreadyRead();
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    this.#content = bytes;
    return bytes;
  }

  /** They count as read once the first is asked for. */
  #toChunks(): Chunks {
    const chunks = isPlain(this.#content) ? once(toBytes(this.#content ?? "")) : this.#content;
    let isBegun = false;
    return {
      next: async () => {
        if (!isBegun && this.#isRead) throw alreadyRead();
        isBegun = this.#isRead = true;
        return chunks.next();
      },
      cancel: () => {
        this.#isRead = true;
        return chunks.cancel();
      },
    };
  }

  #requireUnread(): void {
    if (this.#isRead || this.#isCut || this.#stream?.locked === true) throw alreadyRead();
  }
}

function alreadyRead(): TypeError {
  return new TypeError(
    "The body of the response has already been read. Call response.clone() before the first read.",
  );
}

function toBytes(content: string | Uint8Array): Bytes {
  return typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
}

function once(bytes: Bytes): Chunks {
  const left = [bytes];
  return { next: async () => left.shift(), cancel: async () => {} };
}

function toChunks(stream: ReadableStream<Uint8Array>): Chunks {
  const pull = toPull(stream);
  return {
    next: async () => (await pull.next()).value as Uint8Array | undefined,
    cancel: pull.cancel,
  };
}
