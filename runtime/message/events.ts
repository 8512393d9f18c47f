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
  const fields = [
    comment === undefined ? "" : toLines("", comment),
    event === undefined ? "" : `event: ${onOneLine("event", event)}\n`,
    id === undefined ? "" : `id: ${onOneLine("id", String(id))}\n`,
    retry === undefined ? "" : `retry: ${retry}\n`,
  ];
  return fields.join("") + (data === undefined ? "\n" : formatData(data));
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
function onOneLine(field: string, text: string): string {
  if (!/[\r\n\0]/.test(text)) return text;
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

  [Symbol.asyncIterator](): AsyncIterator<string> {
    const { source } = this;
    const iterable = Symbol.asyncIterator in source ? source : each(source);
    return new EventTexts(toIterator(iterable), this.#heartbeat);
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

/** Not a generator: its `return` would wait for the source, and the source may wait forever. */
class EventTexts implements AsyncIterator<string, undefined> {
  readonly #source: AsyncIterator<unknown, unknown>;
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #heartbeat: number;
  #state: "new" | "idle" | "pulling" | "ended" = "new";
  /** Goes before the first event, or alone if that is late: the client sees that it is connected. */
  #opening = COMMENT;
  /** Takes the next step, while the reader waits for it. */
  #resolve: ((step: Step | Promise<never>) => void) | undefined;
  /** The step that came while no reader waited. */
  #ready: Step | Promise<never> | undefined;

  /** @param heartbeat milliseconds. */
  constructor(source: AsyncIterator<unknown, unknown>, heartbeat: number) {
    this.#source = source;
    this.#heartbeat = heartbeat;
  }

  next(): Promise<Step> {
    if (this.#state === "new") this.#begin();
    return new Promise((resolve) => {
      this.#resolve = resolve;
      if (this.#ready) this.#give(this.#ready);
      else if (this.#hasEnded) this.#give(DONE);
      else if (this.#state === "idle") void this.#pull();
    });
  }

  async return(): Promise<Step> {
    const left = this.#hasEnded ? undefined : this.#leave();
    this.#end();
    this.#give(DONE);
    await left;
    return DONE;
  }

  get #hasEnded(): boolean {
    return this.#state === "ended";
  }

  #begin(): void {
    this.#state = "idle";
    // A turn later, so that a source that fails at once is still answered with an error.
    setTimeout(() => this.#opening === "" || this.#beat(), 0);
    if (this.#heartbeat === 0) return;
    // One for each stream: Node keeps those of one length on one timer, and a platform such as workerd ends a timer with its request.
    this.#timer = setInterval(() => this.#beat(), this.#heartbeat);
    // Not every platform that speaks fetch has `unref`.
    this.#timer.unref?.();
  }

  #beat(): void {
    if (this.#resolve) this.#send("");
  }

  async #pull(): Promise<void> {
    this.#state = "pulling";
    try {
      const { done, value } = await this.#source.next();
      if (this.#hasEnded) return;
      this.#state = "idle";
      if (!done) return this.#send(value instanceof ServerSentEvent ? value.text : formatData(value));
      this.#end();
      if (this.#opening === "") this.#give(DONE);
      else this.#send("");
    } catch (error) {
      if (this.#hasEnded) return;
      const failed = Promise.reject(error);
      // Perhaps nobody asks for it.
      failed.catch(() => undefined);
      this.#end();
      void this.#leave();
      this.#give(failed);
    }
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
    this.#state = "ended";
    clearInterval(this.#timer);
  }

  /** Resolves late, or never: a generator returns only once what it waits for has come. Errors are ignored: the client has gone. */
  async #leave(): Promise<void> {
    try {
      await this.#source.return?.();
    } catch {}
  }
}
