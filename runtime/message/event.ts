/** One server-sent event: its fields, checked, and its lines (https://html.spec.whatwg.org/multipage/server-sent-events.html). */

import { nameOf, toJson } from "./sendable.ts";
import { viewBytes } from "./stream.ts";
import { explainPromise } from "./unawaited.ts";

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
  const lines = [
    ...(comment === undefined ? [] : toLines("", comment)),
    ...(event === undefined ? [] : [`event: ${onOneLine("event", event)}`]),
    ...(id === undefined ? [] : [`id: ${onOneLine("id", String(id))}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
  ];
  const fields = lines.map((line) => `${line}\n`).join("");
  return fields + (data === undefined ? "\n" : formatData(data));
}

/** @example formatData({ eur: 5 }) // 'data: {"eur":5}\n\n' */
export function formatData(data: unknown): string {
  return `${toLines("data", toText(data)).join("\n")}\n\n`;
}

/** A line break ends a field in each of its three forms. */
function toLines(field: string, text: string): string[] {
  return text.split(/\r\n|\r|\n/).map((line) => `${field}: ${line}`);
}

/** A line break would begin a field, or an event, of the client's choice (CWE-93). Clients ignore an id with NUL. */
function onOneLine(field: string, text: string): string {
  if (!/[\r\n\0]/.test(text)) return text;
  throw new TypeError(`The ${field} of an event can't hold a line break or NUL.`);
}

function toText(data: unknown): string {
  if (typeof data === "string") return data;
  if (viewBytes(data)) throw new TypeError(`The event holds ${nameOf(data)}. Events are text.`);
  if (typeof data === "object" && data !== null) return toAwaitedJson(data);
  // Undefined for a function, for example, although the type says otherwise.
  const json: string | undefined = Number.isNaN(data) ? undefined : JSON.stringify(data);
  if (json === undefined) throw new TypeError(`The event holds ${nameOf(data)}, which has no JSON.`);
  return json;
}

/** Refuses a promise in production, too: a stream that fails is logged, and one that goes on sends each event without what it is about. */
function toAwaitedJson(data: object): string {
  const json = toJson(data, "The event holds");
  const problem = json.includes("{}") ? explainPromise("The event holds", data) : undefined;
  if (problem === undefined) return json;
  throw new TypeError(problem);
}
