/** The error that a handler throws to answer with a status of its own choice. */

import { flattenHeaders } from "./headers.ts";

/**
 * Thrown anywhere in a handler, it becomes the answer: the status, and `{"error": message}` as JSON.
 *
 * @param status 400 to 599.
 * @param message is sent to the client.
 * @param options.headers are added to the answer.
 * @throws {RangeError} when the status is not an error status, {TypeError} when a header can't be sent.
 * @example throw new HttpError(404, "There is no product 7");
 * @example throw new HttpError(503, "Try again later", { headers: { "Retry-After": "30" } });
 */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  readonly headers: Headers | undefined;

  constructor(status: number, message: string, options: HttpErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new RangeError(`HttpError takes a status from 400 to 599, not ${status}.`);
    }
    this.status = status;
    this.headers = options.headers && new Headers(options.headers);
    // Refused here, where the stack still leads to the handler.
    if (this.headers) flattenHeaders(this.headers);
  }
}

export interface HttpErrorOptions {
  readonly cause?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The client closed the connection before it had sent everything, or before it was answered. */
export function clientGone(): DOMException {
  return new DOMException("The client closed the connection.", "AbortError");
}

/** What has not been read by the time that the answer is out is read for nothing, so that the next request can come. */
export function bodyDropped(): TypeError {
  return new TypeError("The body was dropped when the response was sent. Read it before.");
}

export function bodyTooLarge(limit: number): HttpError {
  return new HttpError(413, `The request body is larger than ${limit} bytes.`);
}
