/** Turns what a handler returned into a reply: status, headers and body, as plain data for any adapter. */

import { flattenHeaders, withoutLength } from "./headers.ts";
import type { Chunks } from "./stream.ts";

/** What an adapter sends. The length of a string or of bytes is the adapter's to tell. */
export interface Reply<Stream = Chunks> {
  readonly status: number;
  /** Name, value, name, value, …: the form that node:http takes without looking into it. A name may stand twice. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array | Stream | null;
}

/** A stream as a handler gives it, which has not been touched. */
export type Source = ReadableStream<unknown> | AsyncIterable<unknown>;

const NONE: readonly string[] = [];
const JSON_HEADERS = ["Content-Type", "application/json; charset=utf-8"] as const;
const TEXT_HEADERS = ["Content-Type", "text/plain; charset=utf-8"] as const;
const BYTES_HEADERS = ["Content-Type", "application/octet-stream"] as const;
const NO_CONTENT: Reply<never> = { status: 204, headers: NONE, body: null };

/**
 * | result | reply |
 * |---|---|
 * | object, array, number, boolean | 200 and its JSON |
 * | `[object, status]` | that status and the object's JSON |
 * | string | 200 and the text |
 * | `Response` | its status, headers and stream |
 * | `ReadableStream`, async iterable, `Uint8Array`, `ArrayBuffer`, `Blob` | 200 and the bytes |
 * | undefined, null | 204 |
 *
 * @throws {Error} for what can't be sent: it is the handler's mistake, and the message says which.
 */
export function toReply(result: unknown): Reply<Source> {
  switch (typeof result) {
    case "object":
      return result === null ? NO_CONTENT : objectReply(result);
    case "undefined":
      return NO_CONTENT;
    case "string":
      return { status: 200, headers: TEXT_HEADERS, body: result };
    default:
      return jsonReply(200, result);
  }
}

/** @throws {TypeError} when the value has no JSON. */
export function jsonReply(
  status: number,
  value: unknown,
  headers: readonly string[] = JSON_HEADERS,
): Reply<never> {
  if (status === 204 || status === 205 || status === 304) return { status, headers: NONE, body: null };
  const body = Number.isNaN(value) ? undefined : stringify(value);
  if (body === undefined) throw new TypeError(`The handler returned ${nameOf(value)}, which has no JSON.`);
  return { status, headers, body };
}

/** `{"error": message}`, with more members in dev. */
export function errorReply(
  status: number,
  message: string,
  headers?: Headers,
  more?: Record<string, string>,
): Reply<never> {
  const own = headers === undefined ? NONE : flattenHeaders(headers, ["content-type", "content-length"]);
  return jsonReply(status, { error: message, ...more }, [...JSON_HEADERS, ...own]);
}

/** `JSON.stringify` gives undefined for a function, though its type hides it. */
function stringify(value: unknown): string | undefined {
  return JSON.stringify(value);
}

function objectReply(result: object): Reply<Source> {
  if (Array.isArray(result)) return arrayReply(result);
  // What most handlers return is asked for first.
  const prototype: unknown = Object.getPrototypeOf(result);
  if (prototype === Object.prototype && !isIterable(result)) return jsonReply(200, result);
  if (result instanceof Response) return responseReply(result);
  if (isSource(result)) return { status: 200, headers: BYTES_HEADERS, body: result };
  if (result instanceof Blob) return blobReply(result);
  if (result instanceof ArrayBuffer)
    return { status: 200, headers: BYTES_HEADERS, body: new Uint8Array(result) };
  if (ArrayBuffer.isView(result)) {
    const body = new Uint8Array(result.buffer, result.byteOffset, result.byteLength);
    return { status: 200, headers: BYTES_HEADERS, body };
  }
  // An error that was returned was meant to be thrown; its JSON would be `{}`.
  if (result instanceof Error) throw result;
  return jsonReply(200, result);
}

function arrayReply(result: readonly unknown[]): Reply<never> {
  const [first, status] = result;
  const isPair = result.length === 2 && typeof status === "number";
  if (!isPair || typeof first !== "object" || first === null || Array.isArray(first))
    return jsonReply(200, result);
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new RangeError(
      `The handler returned the status ${status}. A status is an integer from 200 to 599.`,
    );
  }
  if (first instanceof Response || isSource(first)) {
    throw new TypeError(
      `The handler returned ${nameOf(first)} with a status. Give a Response its status instead.`,
    );
  }
  return jsonReply(status, first);
}

/** A response of `fetch` has been decoded, so that its encoding and its length are not true any more. */
function responseReply(response: Response): Reply<Source> {
  const { status, body } = response;
  if (status < 200) throw new RangeError("The handler returned Response.error(), which has no status.");
  if (response.bodyUsed) throw new TypeError("The handler returned a Response whose body was already read.");
  const wasDecoded = response.type !== "default" && response.headers.has("content-encoding");
  const length = response.headers.get("content-length") ?? "";
  const isLengthWrong = wasDecoded || status === 204 || status === 205 || !/^[0-9]+$/.test(length);
  const drops = [
    ...(wasDecoded ? ["content-encoding"] : NONE),
    ...(isLengthWrong ? ["content-length"] : NONE),
  ];
  return { status, headers: flattenHeaders(response.headers, drops), body: status === 205 ? null : body };
}

function blobReply(blob: Blob): Reply<Source> {
  const type = blob.type === "" ? "application/octet-stream" : blob.type;
  return {
    status: 200,
    headers: ["Content-Type", type, "Content-Length", String(blob.size)],
    body: blob.stream(),
  };
}

/**
 * The headers of a reply with the one that tells where its body ends. A HEAD keeps the length that the GET would have.
 *
 * @param length the bytes of a body that is no stream.
 */
export function frameHeaders({ status, headers, body }: Reply, method: string, length: number): string[] {
  if (typeof body === "string" || body instanceof Uint8Array)
    return [...headers, "Content-Length", String(length)];
  if (body !== null || method === "HEAD" || status === 204 || status === 304) return [...headers];
  return [...withoutLength(headers), "Content-Length", "0"];
}

function isIterable(result: object): boolean {
  return Symbol.asyncIterator in result;
}

function isSource(result: object): result is Source {
  return result instanceof ReadableStream || isIterable(result);
}

function nameOf(value: unknown): string {
  if (typeof value === "object" && value !== null) return `a ${value.constructor?.name ?? "object"}`;
  return value === undefined || Number.isNaN(value) ? String(value) : `a ${typeof value}`;
}
