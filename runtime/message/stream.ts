/** Streams in one shape: pieces of bytes, each pulled only when the one before is on its way. */

import { bodyTooLarge } from "./errors.ts";

/** A stream as a handler returns it. */
export type Source = ReadableStream<unknown> | AsyncIterable<unknown>;

/** A body that is sent piece by piece. */
export interface Chunks {
  /** @returns undefined at the end. */
  next(): Promise<Uint8Array | undefined>;
  /** Nobody wants the rest. Resolves when the source has ended, which a generator can't do before what it waits for has come. */
  cancel(): Promise<void>;
}

const LONGEST_CANCEL_MS = 1000;

/** Cancels the rest, and waits for the end of the source, but not for ever. */
export async function endSoon({ cancel }: Pick<Chunks, "cancel">): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LONGEST_CANCEL_MS);
  });
  await Promise.race([cancel(), late]);
  clearTimeout(timer);
}

/** @throws {HttpError} 413 instead of the piece that exceeds the limit. */
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
    // Nothing is read ahead: the first read is the first to touch the source.
    { highWaterMark: 0 },
  );
}

/** How to start a stream. */
export interface Start {
  /**
   * The bytes that the response's head promises, if it does. With more, the client would read the rest as the next response; with
   * fewer, it would wait forever.
   */
  readonly length: number | undefined;
  /** Wait for the first piece until this aborts, and then cancel the source. Without it, wait for one turn of the event loop. */
  readonly until: AbortSignal | undefined;
  /** Called when a later piece fails, before `next` rejects. */
  onError(error: unknown): void;
}

export interface Started {
  /** The bytes themselves if they come in one turn and in one piece, as those of `new Response("text")` do. */
  readonly body: Chunks | Uint8Array;
  /** The first piece is a string. */
  readonly isText: boolean;
}

/**
 * Starts a stream before its response, so that one that fails at once is a 500. A slow one holds back the head of the response
 * only if the first piece decides the content type.
 *
 * @throws whatever the stream throws at its start; {TypeError} when it is locked, or when its first piece can't be sent.
 */
export async function startChunks(source: Source, { length, until, onError }: Start): Promise<Started> {
  const pull = toPull(source);
  const { cancel } = pull;
  const read = createReader(length);
  const pulled = [pull.next()];
  until?.addEventListener("abort", cancel);
  const first = await (until ? pulled[0] : Promise.race([pulled[0], oneTurn()]));
  const started: Uint8Array[] = [];
  if (first !== undefined && !first.done) {
    try {
      started.push(read(first) ?? NOTHING);
    } catch (error) {
      void cancel();
      throw error;
    }
    pulled[0] = pull.next();
    // A failure shows again when `next` comes to this piece.
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

/** Compares the bytes with those that the head promised. */
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

function ignore(): void {}

function oneTurn(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, 0, undefined));
}

const NOTHING = new Uint8Array(0);

/** A source as it is read. */
export interface Pull {
  next(): Promise<IteratorResult<unknown, unknown>>;
  /** Resolves when the source has ended. Nobody is left to hear of an error meanwhile. */
  cancel(): Promise<void>;
}

export function toPull(source: Source): Pull {
  if (source instanceof ReadableStream) {
    // Not by the stream's own iterator: its `return` waits for a read that may never end.
    const reader = source.getReader();
    return {
      next: () => reader.read() as Promise<IteratorResult<unknown, unknown>>,
      cancel: () => reader.cancel().catch(ignore),
    };
  }
  const iterator = source[Symbol.asyncIterator]();
  return { next: async () => iterator.next(), cancel: () => cancelIterator(iterator) };
}

async function cancelIterator(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // As for a stream.
  }
}

const utf8 = new TextEncoder();

function toBytes(chunk: unknown): Uint8Array {
  const bytes = typeof chunk === "string" ? utf8.encode(chunk) : viewBytes(chunk);
  if (bytes) return bytes;
  throw new TypeError(`A stream can send strings and bytes, not ${chunk === null ? "null" : typeof chunk}.`);
}

/** @returns the same memory, or undefined for anything but bytes. */
export function viewBytes(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined;
}
