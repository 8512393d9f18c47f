/** Streams in one shape: pieces of bytes that are pulled, each only when the one before is on its way. */

import { bodyTooLarge } from "./errors.ts";

/** A stream as a handler gives it. */
export type Source = ReadableStream<unknown> | AsyncIterable<unknown>;

/** A body that is sent piece by piece. */
export interface Chunks {
  /** @returns undefined at the end. */
  next(): Promise<Uint8Array | undefined>;
  /** Nobody wants the rest. */
  cancel(): void;
}

/** @throws {HttpError} 413 in the place of the piece that goes beyond the limit. */
export async function* limitChunks(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limit) throw bodyTooLarge(limit);
    yield chunk;
  }
}

export function toReadableStream({ next, cancel }: Chunks): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await next();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
      cancel,
    },
    // Nothing is read ahead: the source is first touched by the first read.
    { highWaterMark: 0 },
  );
}

/** How a stream is started, and whom to tell of its end. */
export interface Start {
  /**
   * The bytes that the response's head promises, if it does: with more or fewer, the client would read the rest of this response
   * as the next one, or wait for it for ever.
   */
  readonly length: number | undefined;
  /** Waits for the first piece until this aborts, which cancels the source; without it, for one turn of the event loop. */
  readonly until: AbortSignal | undefined;
  /** Is told when a later piece fails, before `next` rejects. */
  onError(error: unknown): void;
}

export interface Started {
  /** The bytes themselves where they come in one turn and in one piece, as those of `new Response("text")` do. */
  readonly body: Chunks | Uint8Array;
  /** The first piece is a string. */
  readonly isText: boolean;
}

/**
 * Starts a stream, so that one that fails at once can still be answered with a 500; and one that is slow to begin does not hold
 * back the head of the response, unless that has to know the first piece.
 *
 * @throws whatever the stream throws at its start; {TypeError} when it is locked, or when its first piece can't be sent.
 */
export async function startChunks(source: Source, { length, until, onError }: Start): Promise<Started> {
  const pull = toPull(source);
  // A source that fails while it is cancelled has nobody left to tell.
  const cancel = (): void => void pull.cancel().catch(() => undefined);
  const read = createReader(length);
  const pulled = [pull.next()];
  until?.addEventListener("abort", cancel);
  const first = await (until ? pulled[0] : Promise.race([pulled[0], oneTurn()]));
  const started: Uint8Array[] = [];
  if (first !== undefined && !first.done) {
    try {
      started.push(read(first) ?? NOTHING);
    } catch (error) {
      cancel();
      throw error;
    }
    pulled[0] = pull.next();
    // It fails again when it is its turn.
    const end = await Promise.race([pulled[0].catch(() => undefined), oneTurn()]);
    if (end?.done) {
      read(end);
      return { body: started[0] ?? NOTHING, isText: typeof first.value === "string" };
    }
  }
  const next = async (): Promise<Uint8Array | undefined> => {
    try {
      return started.shift() ?? read(await (pulled.shift() ?? pull.next()));
    } catch (error) {
      onError(error);
      throw error;
    }
  };
  return { body: { next, cancel }, isText: typeof first?.value === "string" };
}

/** Counts the bytes against those that were promised. */
function createReader(
  length: number | undefined,
): (step: IteratorResult<unknown, unknown>) => Uint8Array | undefined {
  let sent = 0;
  return (step) => {
    const chunk = step.done ? undefined : toBytes(step.value);
    sent += chunk?.length ?? 0;
    if (length !== undefined && (sent > length || (chunk === undefined && sent < length))) {
      throw new RangeError(
        `The stream has ${chunk ? "more" : "fewer"} bytes than its Content-Length, ${length}.`,
      );
    }
    return chunk;
  };
}

function oneTurn(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, 0, undefined));
}

const NOTHING = new Uint8Array(0);

interface Pull {
  next(): Promise<IteratorResult<unknown, unknown>>;
  cancel(): Promise<unknown>;
}

function toPull(source: Source): Pull {
  if (source instanceof ReadableStream) {
    // Not the stream's own iterator: its `return` waits for a read that may never end.
    const reader = source.getReader();
    return {
      next: () => reader.read() as Promise<IteratorResult<unknown, unknown>>,
      cancel: () => reader.cancel(),
    };
  }
  const iterator = source[Symbol.asyncIterator]();
  return { next: async () => iterator.next(), cancel: async () => iterator.return?.() };
}

const utf8 = new TextEncoder();

function toBytes(chunk: unknown): Uint8Array {
  const bytes = typeof chunk === "string" ? utf8.encode(chunk) : viewBytes(chunk);
  if (bytes) return bytes;
  throw new TypeError(`A stream can send strings and bytes, not ${chunk === null ? "null" : typeof chunk}.`);
}

/** @returns the same memory, or undefined for what is no bytes. */
export function viewBytes(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined;
}
