/** Converts streams of all kinds to one interface: chunks, each pulled only after the previous one was sent. */

/** A stream as a handler returns it. */
export type Source = ReadableStream<unknown> | AsyncIterable<unknown>;

export type Chunk = string | Uint8Array;

/** A body that is sent in chunks. */
export interface Chunks {
  /** @returns undefined at the end. */
  next(): Promise<Chunk | undefined>;
  /**
   * Ends the source early and ignores its errors. Resolves when the source has ended: a generator first has to finish its pending
   * `await`.
   */
  cancel(): Promise<void>;
}

const MAX_CANCEL_MS = 1000;

/** Calls `onEnd` when the stream ends, fails or is cancelled. */
export function endWith(chunks: Chunks, onEnd: () => unknown): Chunks {
  const next = async (): Promise<Chunk | undefined> => {
    const chunk = await chunks.next().catch((error) => {
      onEnd();
      throw error;
    });
    if (chunk === undefined) onEnd();
    return chunk;
  };
  return { next, cancel: () => chunks.cancel().finally(onEnd) };
}

/** Cancels the chunks, and waits up to a second for the end of the source. */
export async function endSoon({ cancel }: Pick<Chunks, "cancel">): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, MAX_CANCEL_MS);
  });
  await Promise.race([cancel(), timeout]);
  clearTimeout(timer);
}

export function toReadableStream({ next, cancel }: Chunks): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await next();
        if (chunk === undefined) controller.close();
        else controller.enqueue(toBytes(chunk));
      },
      cancel,
    },
    // No read-ahead: the source is not touched before the first read.
    { highWaterMark: 0 },
  );
}

/** Options for starting a stream. */
export interface Start {
  /** The `Content-Length` of the response, if known. */
  readonly length: number | undefined;
  /** Wait for the first chunk until this aborts, then cancel the source. If undefined, wait for one turn of the event loop. */
  readonly until: AbortSignal | undefined;
  /** True for a stream that may have no end: don't wait for a second chunk. */
  readonly isEndless: boolean;
  /** Called if a later chunk fails, before `next` rejects. */
  onError(error: unknown): void;
}

export interface Started {
  /** The plain bytes if they arrive in one turn and one chunk, as those of `new Response("text")` do. */
  readonly body: Chunks | Chunk;
  /** True if the first chunk is a string. */
  readonly isText: boolean;
}

/**
 * Starts a stream before its response, so that a stream that fails at once becomes a 500. A slow stream delays the head of the
 * response only if its first chunk decides the content type.
 *
 * @throws the stream's error at its start; {TypeError} if it is locked, or if its first chunk can't be sent.
 */
export async function startChunks(source: Source, start: Start): Promise<Started> {
  const pieces = new Pieces(source, start);
  start.until?.addEventListener("abort", pieces.cancel);
  try {
    return await pieces.start();
  } catch (error) {
    void pieces.cancel();
    throw error;
  }
}

type Step = IteratorResult<unknown, unknown>;

class Pieces implements Chunks {
  readonly #iterator: AsyncIterator<unknown, unknown>;
  readonly #start: Start;
  #first: Chunk | undefined;
  /** The pending step after the first chunk. */
  #pulled: Promise<Step> | undefined;
  #sent = 0;
  #cancelled: Promise<void> | undefined;

  constructor(source: Source, start: Start) {
    this.#iterator = toIterator(source);
    this.#start = start;
  }

  async start(): Promise<Started> {
    this.#pulled = this.#pull();
    const step = await (this.#start.until ? this.#pulled : withinOneTurn(this.#pulled));
    const isText = typeof step?.value === "string";
    if (step === undefined || step.done) return { body: this, isText };
    const first = this.#read(step);
    this.#first = first;
    this.#pulled = undefined;
    if (this.#start.isEndless) return { body: this, isText };
    this.#pulled = this.#pull();
    // An error is thrown again when `next` awaits this step.
    const second = await withinOneTurn(this.#pulled.catch(() => undefined));
    if (second?.done) {
      this.#read(second);
      return { body: first ?? "", isText };
    }
    return { body: this, isText };
  }

  // Not an async function: its frame would live until the chunk arrives, 25 MB for 1,000 clients of events (`npm run bench -- events`).
  readonly next = (): Promise<Chunk | undefined> => {
    const first = this.#first;
    this.#first = undefined;
    if (first !== undefined) return Promise.resolve(first);
    const pulled = this.#pulled ?? this.#pull();
    this.#pulled = undefined;
    return pulled.then(this.#read).catch(this.#fail);
  };

  async #pull(): Promise<Step> {
    return this.#iterator.next();
  }

  readonly #fail = (error: unknown): undefined => {
    if (this.#cancelled) return;
    this.#start.onError(error);
    void this.cancel();
    throw error;
  };

  readonly cancel = (): Promise<void> => {
    this.#cancelled ??= this.#return();
    return this.#cancelled;
  };

  async #return(): Promise<void> {
    try {
      await this.#iterator.return?.();
    } catch {
      // The client has gone, or was sent a 500.
    }
  }

  /** Enforces `Content-Length`: a client would read excess bytes as the next response, and wait forever for missing ones. */
  readonly #read = ({ done, value }: Step): Chunk | undefined => {
    const { length } = this.#start;
    const chunk = done ? undefined : toChunk(value);
    if (length === undefined) return chunk;
    const bytes = chunk && toBytes(chunk);
    this.#sent += bytes?.length ?? 0;
    if (this.#sent > length || (chunk === undefined && this.#sent < length))
      throw new RangeError(
        `The stream has ${bytes ? "more" : "fewer"} bytes than its Content-Length, ${length}.`,
      );
    return bytes;
  };
}

/** @returns undefined if it takes longer than a turn of the event loop. */
function withinOneTurn<T>(promise: Promise<T>): Promise<T | undefined> {
  return Promise.race([promise, new Promise<undefined>((resolve) => setTimeout(resolve, 0, undefined))]);
}

/** A reader, because `return` of a stream's own iterator waits for a read that may never end. */
export function toIterator(source: Source): AsyncIterator<unknown, unknown> {
  if (!(source instanceof ReadableStream)) return source[Symbol.asyncIterator]();
  const reader = source.getReader();
  return {
    next: () => reader.read() as Promise<Step>,
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}

const utf8 = new TextEncoder();

function toBytes(chunk: Chunk): Uint8Array {
  return typeof chunk === "string" ? utf8.encode(chunk) : chunk;
}

function toChunk(value: unknown): Chunk {
  const chunk = typeof value === "string" ? value : viewBytes(value);
  if (chunk !== undefined) return chunk;
  throw new TypeError(`A stream can send strings and bytes, not ${value === null ? "null" : typeof value}.`);
}

/** @returns a view of the same memory; undefined if the value is not bytes. */
export function viewBytes(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined;
}
