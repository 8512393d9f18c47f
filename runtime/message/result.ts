/** Converts a handler's result to an answer: status, headers and body, as plain data for any adapter. */

import type { HttpError } from "./errors.ts";
import { flattenHeaders, overrideHeaders, readLength } from "./headers.ts";
import { isPlainObject, isResponse, requireAwaited, toJson } from "./sendable.ts";
import { type Chunks, type Source, viewBytes } from "./stream.ts";

/** A response as plain data. */
export interface Answer<Stream = Chunks> {
  readonly status: number;
  /** Name, value, name, value, …: the flat form of node:http. A name may occur twice. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array | Stream | null;
  /** The length in bytes of a stream, or of the body of a GET for HEAD, if known. The adapter counts other bodies. */
  readonly length?: number | undefined;
  /** True for a stream without a content type: the type of its first chunk decides between text and bytes. */
  readonly isBare?: boolean;
  /** True for a stream that may have no end, such as events. A stopping server ends it. */
  readonly isEndless?: boolean;
  /** Chooses the final answer by the request's headers: 206 with a part of the body, or 304. */
  readonly choose?: (asked: Asking) => Answer<Source>;
}

/** The parts of a request on which an answer may depend. */
export interface Asking {
  readonly method: string;
  header(name: string): string | undefined;
}

/**
 * A result that converts itself to an answer, as those of `reply` and `events` do. Detected by a method instead of a class, so that
 * bundles leave out `reply` and `events` if they are unused.
 */
export interface Answering {
  "~answer"(): Answer<Source>;
}

const HANDLER = "The handler";
const JSON_HEADERS = ["Content-Type", "application/json; charset=utf-8"] as const;
export const TEXT_HEADERS: readonly string[] = ["Content-Type", "text/plain; charset=utf-8"];
/** Matches the content types of JSON. */
export const IS_JSON: RegExp = /^application\/(?:[\w.-]+\+)?json\b/i;
const BYTES_HEADERS: readonly string[] = ["Content-Type", "application/octet-stream"];

/**
 * | result | answer |
 * |---|---|
 * | object, array, number, boolean | 200 and its JSON |
 * | `[object, status]` | that status and the object's JSON |
 * | string | 200 and the text |
 * | `Response` | its status, headers and stream |
 * | `ReadableStream`, async iterable | 200 and its chunks: text if the first is a string, otherwise bytes |
 * | `Uint8Array`, `ArrayBuffer`, `Blob` | 200 and the bytes |
 * | undefined, null | 204 |
 * | `reply(…)`, `events(…)` | their own |
 *
 * @param callee the function that returned the result, as messages name it.
 * @throws {Error} if the result can't be sent. The message names the function.
 */
export function toAnswer(result: unknown, callee: string = HANDLER): Answer<Source> {
  if (typeof result === "object" && result !== null) return objectAnswer(result, callee);
  if (typeof result === "string") return { status: 200, headers: TEXT_HEADERS, body: result };
  return result === undefined || result === null
    ? emptyAnswer(204)
    : jsonAnswer(200, result, JSON_HEADERS, callee);
}

/** @throws {TypeError} if the value has no JSON; with a status that has no body, only if the value has to be awaited. */
export function jsonAnswer(
  status: number,
  value: unknown,
  headers: readonly string[] = JSON_HEADERS,
  callee: string = HANDLER,
): Answer<never> {
  const prefix = `${callee} returned`;
  if (!hasNoBody(status)) return { status, headers, body: toJson(value, prefix) };
  requireAwaited(value, prefix);
  return emptyAnswer(status);
}

/** RFC 9110 sections 15.3.5, 15.3.6 and 15.4.5. */
export function hasNoBody(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

/** `{"error": message}`, with more members in dev. */
export function errorAnswer(
  status: number,
  message: string,
  headers: readonly string[] = [],
  more?: Record<string, string>,
): Answer<never> {
  return jsonAnswer(status, { error: message, ...more }, [...JSON_HEADERS, ...headers]);
}

/** Drops headers about another body, such as those of a response that the handler passes on. */
export function httpErrorAnswer({ status, body, headers: own, json }: HttpError): Answer<never> {
  const type = IS_JSON.test(own?.get("content-type") ?? "") ? "" : "content-type";
  const headers = flattenHeaders(own ?? [], "content-length", "content-encoding", type);
  return { status, headers: overrideHeaders(JSON_HEADERS, headers), body: json ?? JSON.stringify(body) };
}

export function emptyAnswer(status: number, headers: readonly string[] = []): Answer<never> {
  return { status, headers, body: null };
}

function objectAnswer(result: object, callee: string): Answer<Source> {
  if (Array.isArray(result)) return arrayAnswer(result, callee);
  if (isPlainObject(result)) return jsonAnswer(200, result);
  if (answersItself(result)) return result["~answer"]();
  if (isResponse(result)) return responseAnswer(result, callee);
  if (Symbol.asyncIterator in result) return { ...bytesAnswer(result as Source), isBare: true };
  if (result instanceof Blob) {
    const headers = result.type === "" ? BYTES_HEADERS : ["Content-Type", result.type];
    return { status: 200, headers, body: result.stream(), length: result.size };
  }
  const bytes = viewBytes(result);
  if (bytes) return bytesAnswer(bytes);
  // A returned error was probably meant to be thrown. Its JSON would be `{}`.
  if (result instanceof Error) throw result;
  return jsonAnswer(200, result, JSON_HEADERS, callee);
}

function bytesAnswer(body: Uint8Array | Source): Answer<Source> {
  return { status: 200, headers: BYTES_HEADERS, body };
}

function arrayAnswer(result: readonly unknown[], callee: string): Answer<never> {
  if (!isPair(result)) return jsonAnswer(200, result);
  const [first, status] = result;
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new RangeError(`${callee} returned the status ${status}. A status is an integer from 200 to 599.`);
  }
  if (first instanceof Error) throw first;
  return jsonAnswer(status, first, JSON_HEADERS, callee);
}

/** `fetch` decodes bodies, so their encoding and length no longer apply. */
function responseAnswer({ status, headers, body, bodyUsed, type }: Response, callee: string): Answer<Source> {
  if (status < 200) throw new RangeError(`${callee} answered with Response.error(), which has no status.`);
  if (bodyUsed) {
    throw new TypeError(
      `${callee} answered with a Response whose body was already read. Make one for each request.`,
    );
  }
  const wasDecoded = type !== "default" && headers.has("content-encoding");
  return {
    status,
    headers: flattenHeaders(headers, "content-length", wasDecoded ? "content-encoding" : ""),
    body: status === 205 ? null : body,
    length: wasDecoded ? undefined : readLength(headers),
  };
}

/** @returns the headers of an answer, with its `Content-Length`. @param bytes the size of a body that is not a stream. */
export function frameHeaders(answer: Answer, method: string, bytes: number): string[] {
  const length = contentLength(answer, method, bytes);
  return length === undefined ? [...answer.headers] : [...answer.headers, "Content-Length", String(length)];
}

/**
 * HEAD has the length of the GET's body.
 *
 * @param bytes the size of a body that is not a stream.
 * @returns undefined if the length is unknown or must not be sent.
 */
export function contentLength(
  { status, body, length }: Answer,
  method: string,
  bytes: number,
): number | undefined {
  // RFC 9110 section 8.6 forbids it on a 204, section 15.3.6 requires 0 on a 205.
  if (status === 204) return undefined;
  const isEmpty = body === null && method !== "HEAD" && status !== 304;
  return isEmpty || typeof body === "string" || body instanceof Uint8Array ? bytes : length;
}

/** True for a body that is not a stream. */
export function isPlain(body: Answer<unknown>["body"]): body is string | Uint8Array | null {
  return typeof body === "string" || body === null || body instanceof Uint8Array;
}

/** Cancels the stream of an answer that is not sent. */
export function discard({ body }: Answer): void {
  if (!isPlain(body)) void body.cancel();
}

/** True for the results of `reply` and `events`; false for a Proxy that throws at any access. */
export function answersItself(value: unknown): value is Answering {
  try {
    return typeof Object(value)["~answer"] === "function";
  } catch {
    return false;
  }
}

/** @returns the part of a result that becomes JSON. */
export function bodyOf(result: unknown): unknown {
  if (answersItself(result)) return "value" in result ? result.value : undefined;
  return isPair(result) ? result[0] : result;
}

/** True for a result with a status of its own. */
export function hasStatus(result: unknown): boolean {
  return isPair(result) || answersItself(result) || isResponse(result);
}

/** True for `[object, number]`, in which the number is meant as the status. */
export function isPair(result: unknown): result is readonly [object, number] {
  if (!Array.isArray(result) || result.length !== 2) return false;
  const [first, status] = result;
  return typeof status === "number" && typeof first === "object" && first !== null && !Array.isArray(first);
}
