/** `reply`, with which a handler sets the status and headers of any result. */

import { flattenHeaders, type HeadersInit, overrideHeaders, readLength } from "./headers.ts";
import { type Answer, hasNoBody, isPlain, jsonAnswer, toAnswer } from "./result.ts";
import { isResponse, isThenable, nameOf } from "./sendable.ts";
import type { Source } from "./stream.ts";

/**
 * Sends a result with the given status and headers.
 *
 * @param value an object, an array (always as JSON), a text, bytes, a `Blob`, a stream, `events(…)`; undefined for no body.
 * @param status 200 to 599. With 204, 205 and 304 the value is not sent.
 * @param headers headers to add. A `content-type` replaces the value's own. Pairs or a `Headers` can contain several `set-cookie`.
 * @throws {RangeError} for another status; {TypeError} for a header that can't be sent, and for a promise or a `Response`.
 * @example return reply(products, 201, { location: `/products/${id}` });
 */
export function reply<const S extends number, T>(value: T, status: S, headers?: HeadersInit): Reply<T, S> {
  return new Reply(value, status, headers);
}

/** The result of `reply`. Its type includes the value and the status. */
export class Reply<out T = unknown, out S extends number = number> {
  readonly value: T;
  readonly status: S;
  readonly headers: Headers | undefined;

  // Checked here, so that the stack of an error leads to the handler.
  constructor(value: T, status: S, headers?: HeadersInit) {
    if (!Number.isInteger(status) || status < 200 || status > 599)
      throw new RangeError(`reply() takes a status from 200 to 599, not ${status}.`);
    refuse(value);
    this.value = value;
    this.status = status;
    this.headers = headers && new Headers(headers);
    if (this.headers) flattenHeaders(this.headers);
  }

  /** @internal */
  "~answer"(): Answer<Source> {
    const { value, status, headers } = this;
    // The number in `[object, 201]` is not a status here.
    const answer = Array.isArray(value) ? jsonAnswer(200, value) : toAnswer(value);
    const made = hasNoBody(status) ? withoutBody(answer) : answer;
    return headers ? withHeaders({ ...made, status }, headers) : { ...made, status };
  }

  /**
   * Throws, because the status would be lost inside another value.
   *
   * @internal
   */
  toJSON(): never {
    throw new TypeError("A Reply is a whole result. Return it by itself, and not inside another value.");
  }
}

function refuse(value: unknown): void {
  if (isThenable(value)) throw new TypeError("reply() takes a value, not a promise. Await it first.");
  if (value instanceof Reply) throw new TypeError("reply() takes a value, not another Reply.");
  if (isResponse(value))
    throw new TypeError(`reply() does not take ${nameOf(value)}. Give it its own status.`);
}

function withoutBody({ status, body }: Answer<Source>): Answer<Source> {
  if (body instanceof ReadableStream) body.cancel().catch(() => undefined);
  return { status, headers: [], body: null };
}

/** A `Content-Length` is used for streams only. */
function withHeaders(answer: Answer<Source>, headers: Headers): Answer<Source> {
  return {
    ...answer,
    headers: overrideHeaders(answer.headers, flattenHeaders(headers, "content-length")),
    length: isPlain(answer.body) ? undefined : (answer.length ?? readLength(headers)),
    isBare: answer.isBare === true && !headers.has("content-type"),
  };
}
