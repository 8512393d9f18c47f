/** A stream of server-sent events from whatever gives them, one by one. */

import { formatData, ServerSentEvent } from "./event.ts";
import type { Answer } from "./result.ts";
import { nameOf } from "./sendable.ts";
import { type Pull, type Source, toPull } from "./stream.ts";

export { type EventFields, event, type ServerSentEvent } from "./event.ts";

/** What else `events` takes. */
export interface EventOptions {
  /** Seconds between comments, which keep proxies from closing a quiet connection: 0 to 86400; 0 is none. By default 15. */
  readonly heartbeat?: number;
}

/**
 * Sends server-sent events, as a browser's `EventSource` reads them. When the client leaves or the server stops, the source is ended
 * by its `return`.
 *
 * @param source gives what is sent: a text or, as JSON, any other value is the data of an event. `event(…)` is one with a name or an id.
 * @throws {TypeError} when the source can't be iterated, {RangeError} for `heartbeat`.
 * @example
 * async function* prices(after: string | null) {
 *   for await (const { id, eur } of changes(after)) yield event({ id, data: { eur } });
 * }
 * export function get(request: Request) {
 *   return events(prices(request.headers.get("last-event-id")));
 * }
 */
export function events<T>(
  source: AsyncIterable<T> | Iterable<T>,
  { heartbeat = 15 }: EventOptions = {},
): EventStream<T> {
  const isIterable = Symbol.asyncIterator in Object(source) || Symbol.iterator in Object(source);
  if (!isIterable || typeof source === "string")
    throw new TypeError(`events() takes a generator or an iterable of events, not ${nameOf(source)}.`);
  if (!(heartbeat >= 0 && heartbeat <= 86_400))
    throw new RangeError(`events() takes a heartbeat from 0 to 86400 seconds, not ${heartbeat}.`);
  return new EventStream(source, heartbeat * 1000);
}

/** What `events` returns. A test can iterate it for the text that is sent, and its `source` for the events. */
export class EventStream<out T = unknown> implements AsyncIterable<string> {
  readonly source: AsyncIterable<T> | Iterable<T>;
  readonly #heartbeat: number;

  /** @internal */
  constructor(source: AsyncIterable<T> | Iterable<T>, heartbeat: number) {
    this.source = source;
    this.#heartbeat = heartbeat;
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    const { source } = this;
    return new EventTexts(toPull(Symbol.asyncIterator in source ? source : each(source)), this.#heartbeat);
  }

  /** @internal */
  "~answer"(): Answer<Source> {
    return { status: 200, headers: HEADERS, body: this, isEndless: true };
  }
}

const HEADERS: readonly string[] = [
  "Content-Type",
  "text/event-stream",
  "Cache-Control",
  "no-cache",
  // nginx would keep events back until its buffer is full.
  "X-Accel-Buffering",
  "no",
];

const COMMENT = ":\n\n";

async function* each<T>(source: Iterable<T>): AsyncGenerator<T> {
  yield* source;
}

type Step = IteratorResult<string, undefined>;

const DONE: Step = { done: true, value: undefined };

/** Not a generator: its `return` would wait for the source, and the source may wait for ever. */
class EventTexts implements AsyncIterator<string, undefined> {
  readonly #pull: Pull;
  readonly #heartbeat: number;
  #timer: ReturnType<typeof setInterval> | undefined;
  #hasBegun = false;
  #isPulling = false;
  #hasEnded = false;
  /** Goes before the first event, or alone if that is late: the client sees that it is connected. */
  #opening = COMMENT;
  /** Takes the next step, while somebody waits for it. */
  #resolve: ((step: Step | Promise<never>) => void) | undefined;
  /** The step that came while nobody waited. */
  #ready: Step | Promise<never> | undefined;

  /** @param heartbeat milliseconds. */
  constructor(pull: Pull, heartbeat: number) {
    this.#pull = pull;
    this.#heartbeat = heartbeat;
  }

  next(): Promise<Step> {
    if (!this.#hasBegun) this.#begin();
    return new Promise((resolve) => {
      this.#resolve = resolve;
      if (this.#ready) this.#give(this.#ready);
      else if (this.#hasEnded) this.#give(DONE);
      else if (!this.#isPulling) void this.#take();
    });
  }

  async return(): Promise<Step> {
    const left = this.#hasEnded ? undefined : this.#leave();
    this.#end();
    this.#give(DONE);
    await left;
    return DONE;
  }

  #begin(): void {
    this.#hasBegun = true;
    // A turn later, so that a source that fails at once is still answered with an error.
    setTimeout(() => this.#opening === "" || this.#beat(), 0);
    if (this.#heartbeat === 0) return;
    this.#timer = setInterval(() => this.#beat(), this.#heartbeat);
    // Not every platform that speaks fetch has `unref`.
    this.#timer.unref?.();
  }

  #beat(): void {
    if (this.#resolve) this.#send("");
  }

  async #take(): Promise<void> {
    this.#isPulling = true;
    try {
      const { done, value } = await this.#pull.next();
      this.#isPulling = false;
      if (this.#hasEnded) return;
      if (!done) this.#send(value instanceof ServerSentEvent ? value.text : formatData(value));
      else this.#finish();
    } catch (error) {
      if (!this.#hasEnded) this.#fail(error);
    }
  }

  #finish(): void {
    this.#end();
    if (this.#opening === "") this.#give(DONE);
    else this.#send("");
  }

  #fail(error: unknown): void {
    this.#end();
    void this.#leave();
    const failed = Promise.reject(error);
    // Perhaps nobody asks for it.
    failed.catch(() => undefined);
    this.#give(failed);
  }

  #send(text: string): void {
    const value = this.#opening + text || COMMENT;
    this.#opening = "";
    this.#give({ value });
  }

  #give(step: Step | Promise<never>): void {
    const resolve = this.#resolve;
    this.#resolve = undefined;
    this.#ready = resolve ? undefined : step;
    resolve?.(step);
  }

  #end(): void {
    this.#hasEnded = true;
    clearInterval(this.#timer);
  }

  /** Resolves late, or never: a generator returns only once what it waits for has come. */
  async #leave(): Promise<void> {
    await this.#pull.cancel();
  }
}
