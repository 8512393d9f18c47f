/** Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): one event as text, and a stream of them. */

import type { Answer } from "./result.ts";
import { explainLost, nameOf, toJson } from "./sendable.ts";
import { type Source, toIterator, viewBytes } from "./stream.ts";

/** What `event` takes. */
export interface EventFields<T = unknown> {
  /** A text as it is, anything else as JSON. A browser hears of no event without data. */
  readonly data?: T;
  /** The event's name, for `addEventListener`. Without one it is `message`. */
  readonly event?: string | undefined;
  /** What the client sends as `Last-Event-ID` when it comes back. "" takes back the id before. */
  readonly id?: string | number | undefined;
  /** How many milliseconds the client waits before it comes back. */
  readonly retry?: number | undefined;
  /** Lines that clients ignore. */
  readonly comment?: string | undefined;
}

/**
 * An event with more than data, for the source of `events`.
 *
 * @throws {TypeError} when the data has no JSON, or a line break or NUL is in `event` or `id`; {RangeError} for `retry`.
 * @example yield event({ event: "price", id: 7, data: { eur: 5 } });
 */
export function event<T>(fields: EventFields<T>): ServerSentEvent<T> {
  return new ServerSentEvent(fields);
}

/** What `event` returns. A class, so that an object that merely has such keys is data. */
export class ServerSentEvent<out T = unknown> {
  readonly fields: EventFields<T>;
  /** @internal */
  readonly text: string;

  // Formats here, because the stack of what this throws then leads to the source.
  constructor(fields: EventFields<T>) {
    this.fields = fields;
    this.text = formatEvent(fields);
  }
}

/** @example formatEvent({ id: 7, data: "a\nb" }) // "id: 7\ndata: a\ndata: b\n\n" */
function formatEvent({ comment, event, id, retry, data }: EventFields): string {
  if (retry !== undefined && (!Number.isSafeInteger(retry) || retry < 0))
    throw new RangeError(`The retry of an event is a whole number of milliseconds, not ${retry}.`);
  const before = comment === undefined ? "" : toLines("", comment);
  const fields = toLine("event", event) + toLine("id", id) + toLine("retry", retry);
  return before + fields + (data === undefined ? "\n" : formatData(data));
}

function formatValue(value: unknown): string {
  return value instanceof ServerSentEvent ? value.text : formatData(value);
}

/** @example formatData({ eur: 5 }) // 'data: {"eur":5}\n\n' */
function formatData(data: unknown): string {
  return `${toLines("data", toText(data))}\n`;
}

/** A line break ends a field in each of its three forms. */
function toLines(field: string, text: string): string {
  return `${field}: ${text.replace(/\r\n|\r|\n/g, `\n${field}: `)}\n`;
}

/** A line break would begin a field, or an event, of the client's choice (CWE-93). Clients ignore an id with NUL. */
function toLine(field: string, value: string | number | undefined): string {
  if (!/[\r\n\0]/.test(String(value))) return value === undefined ? "" : `${field}: ${value}\n`;
  throw new TypeError(`The ${field} of an event can't hold a line break or NUL.`);
}

function toText(data: unknown): string {
  if (typeof data === "string") return data;
  if (viewBytes(data)) throw new TypeError(`The event holds ${nameOf(data)}. Events are text.`);
  const json = toJson(data, "The event holds");
  // Refused in production, too: a stream that goes on would send each event without what it is about.
  const problem = json.includes("{}") ? explainLost("The event holds", data) : undefined;
  if (problem !== undefined) throw new TypeError(problem);
  return json;
}

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

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    yield COMMENT;
    for await (const value of this.source) yield formatValue(value);
  }

  /** @internal */
  "~answer"(): Answer<Source> {
    return {
      status: 200,
      headers: HEADERS,
      body: new EventText(this.source, this.#heartbeat),
      isEndless: true,
    };
  }
}

/** Shows the client that it is connected, and keeps proxies from closing the connection. */
const COMMENT = ":\n\n";

/** What the source has given, or the error that it failed with. */
type Arrival = IteratorResult<unknown> | { readonly error: unknown };

/**
 * The text of events, with a comment at once, and at each heartbeat for which no event comes. By hand: the `return` of an async generator
 * waits for what its `next` waits for, and each promise more is memory for every client (`npm run bench -- events`).
 */
class EventText implements AsyncIterableIterator<string> {
  readonly #events: AsyncIterator<unknown>;
  readonly #heartbeat: number;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** The first comment, until it is given. */
  #first = COMMENT;
  #isPulling = false;
  #arrived: Arrival | undefined;
  /** Ends the `next` that waits. */
  #resolve: ((result: IteratorResult<string> | Promise<never>) => void) | undefined;

  constructor(source: AsyncIterable<unknown> | Iterable<unknown>, heartbeat: number) {
    this.#events = toIterator(Symbol.asyncIterator in source ? source : each(source));
    this.#heartbeat = heartbeat;
  }

  next(): Promise<IteratorResult<string>> {
    const result = new Promise<IteratorResult<string>>((resolve) => {
      this.#resolve = resolve;
    });
    if (this.#first !== "") this.#start();
    if (this.#arrived !== undefined) this.#give();
    else if (!this.#isPulling) this.#pull();
    return result;
  }

  async return(): Promise<IteratorResult<string>> {
    const ended = this.#end();
    await this.#events.return?.();
    return ended;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #pull(): void {
    this.#isPulling = true;
    Promise.resolve(this.#events.next()).then(this.#arrive, this.#fail);
  }

  readonly #arrive = (arrived: Arrival): void => {
    this.#isPulling = false;
    this.#arrived = arrived;
    this.#give();
  };

  readonly #fail = (error: unknown): void => this.#arrive({ error });

  /** Gives what has come to the `next` that waits, or a comment. */
  readonly #give = (): void => {
    const resolve = this.#resolve;
    if (resolve === undefined) return;
    this.#resolve = undefined;
    try {
      resolve(this.#take());
    } catch (error) {
      resolve(Promise.reject(error));
    }
  };

  #take(): IteratorResult<string> {
    const first = this.#first;
    const arrived = this.#arrived;
    if (arrived !== undefined && "error" in arrived) throw arrived.error;
    this.#first = "";
    if (arrived === undefined || (arrived.done && first !== "")) return { done: false, value: COMMENT };
    if (arrived.done) return this.#end();
    this.#arrived = undefined;
    return { done: false, value: first + formatValue(arrived.value) };
  }

  #start(): void {
    setTimeout(() => this.#first && this.#give(), 0);
    // A timer for each stream: a platform such as workerd ends a timer with its request.
    if (this.#heartbeat > 0) this.#timer = setInterval(this.#give, this.#heartbeat);
    // Not every platform that speaks fetch has `unref`.
    this.#timer?.unref?.();
  }

  #end(): IteratorReturnResult<undefined> {
    clearInterval(this.#timer);
    return { done: true, value: undefined };
  }
}

// Without the last, nginx would keep events back until its buffer is full.
const HEADERS = ["Content-Type", "text/event-stream", "Cache-Control", "no-cache", "X-Accel-Buffering", "no"];

async function* each<T>(source: Iterable<T>): AsyncGenerator<T> {
  yield* source;
}
