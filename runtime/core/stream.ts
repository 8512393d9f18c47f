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

/**
 * Starts a stream and waits for its first piece for as long as one turn of the event loop, so that one that fails at once can
 * still be answered with a 500, and one that is slow to begin does not hold back the head of the response.
 *
 * @param onError is told when a later piece fails, before `next` rejects.
 * @param length the bytes that the response's head promises, if it does: with more or fewer, the client would read the
 * rest of this response as the next one, or wait for it for ever.
 * @returns the bytes themselves where they come in that turn and in one piece, as those of `new Response("text")` do.
 * @throws whatever the stream throws at its start; {TypeError} when it is locked.
 */
export async function startChunks(
  source: Source,
  onError: (error: unknown) => void,
  length: number | undefined,
): Promise<Chunks | Uint8Array> {
  const pull = toPull(source);
  let sent = 0;
  const read = (step: IteratorResult<unknown, unknown>): Uint8Array | undefined => {
    const chunk = step.done ? undefined : toBytes(step.value);
    sent += chunk?.length ?? 0;
    if (length !== undefined && (sent > length || (chunk === undefined && sent < length))) {
      throw new RangeError(
        `The stream has ${chunk ? "more" : "fewer"} bytes than its Content-Length, ${length}.`,
      );
    }
    return chunk;
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const turn = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, 0, undefined);
  });
  const pulled = [pull.next()];
  const first = await Promise.race([pulled[0], turn]);
  if (first !== undefined && !first.done) {
    const second = pull.next();
    pulled.push(second);
    // It fails again when it is its turn.
    const end = await Promise.race([second.catch(() => undefined), turn]);
    clearTimeout(timer);
    if (end?.done) {
      const bytes = read(first);
      read(end);
      return bytes ?? NOTHING;
    }
  }
  return {
    async next() {
      try {
        return read(await (pulled.shift() ?? pull.next()));
      } catch (error) {
        onError(error);
        throw error;
      }
    },
    // A source that fails while it is cancelled has nobody left to tell.
    cancel: () => void pull.cancel().catch(() => undefined),
  };
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
  if (typeof chunk === "string") return utf8.encode(chunk);
  if (chunk instanceof Uint8Array) return chunk;
  if (ArrayBuffer.isView(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  if (chunk instanceof ArrayBuffer) return new Uint8Array(chunk);
  throw new TypeError(`A stream can send strings and bytes, not ${chunk === null ? "null" : typeof chunk}.`);
}
