/** Streams in one shape: pieces of bytes, each pulled only when the one before is on its way. */

/** A stream as a handler returns it. */
export type Source = ReadableStream<unknown> | AsyncIterable<unknown>;

export type Chunk = string | Uint8Array;

/** A body that is sent piece by piece. */
export interface Chunks {
  /** @returns undefined at the end. */
  next(): Promise<Chunk | undefined>;
  /**
   * Ends the source: the rest is not wanted. Errors are ignored. Resolves when the source has ended, which a generator can't do before
   * what it waits for has come.
   */
  cancel(): Promise<void>;
}

const LONGEST_CANCEL_MS = 1000;

/** @param call is called when nothing is left to read. @returns the same chunks. */
export function endWith(chunks: Chunks, call: () => unknown): Chunks {
  const next = async (): Promise<Chunk | undefined> => {
    const chunk = await chunks.next().catch((error) => {
      call();
      throw error;
    });
    if (chunk === undefined) call();
    return chunk;
  };
  return { next, cancel: () => chunks.cancel().finally(call) };
}

/** Cancels the rest, and waits for the end of the source, but not forever. */
export async function endSoon({ cancel }: Pick<Chunks, "cancel">): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LONGEST_CANCEL_MS);
  });
  await Promise.race([cancel(), late]);
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
    // Nothing is read ahead: the first read is the first to touch the source.
    { highWaterMark: 0 },
  );
}

/** How to start a stream. */
export interface Start {
  /** The bytes that the response's head promises, if it does. */
  readonly length: number | undefined;
  /** Wait for the first piece until this aborts, and then cancel the source. Without it, wait for one turn of the event loop. */
  readonly until: AbortSignal | undefined;
  /** Don't wait for the end of a stream that may have none. */
  readonly isEndless: boolean;
  /** Called when a later piece fails, before `next` rejects. */
  onError(error: unknown): void;
}

export interface Started {
  /** The bytes themselves if they come in one turn and in one piece, as those of `new Response("text")` do. */
  readonly body: Chunks | Chunk;
  /** The first piece is a string. */
  readonly isText: boolean;
}

/**
 * Starts a stream before its response, so that one that fails at once is a 500. A slow one holds back the head of the response
 * only if the first piece decides the content type.
 *
 * @throws whatever the stream throws at its start; {TypeError} when it is locked, or when its first piece can't be sent.
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
  /** The step after the pieces that were read before the response. */
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
    // A failure shows again when `next` comes to this piece.
    const second = await withinOneTurn(this.#pulled.catch(() => undefined));
    if (second?.done) {
      this.#read(second);
      return { body: first ?? "", isText };
    }
    return { body: this, isText };
  }

  // No async function: its frame lives until the piece comes, which for 1,000 clients of events is 25 MB (`npm run bench -- events`).
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
    this.#cancelled ??= this.#leave();
    return this.#cancelled;
  };

  async #leave(): Promise<void> {
    try {
      await this.#iterator.return?.();
    } catch {
      // The client has gone, or has its 500.
    }
  }

  /** With more bytes than the head promised, the client would read the rest as the next response; with fewer, it would wait forever. */
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

/** Not by a stream's own iterator: its `return` waits for a read that may never end. */
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

/** @returns the same memory, or undefined for anything but bytes. */
export function viewBytes(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined;
}
