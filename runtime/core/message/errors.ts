/** The error that a handler throws to answer with a status of its own choice. */

import { flattenHeaders } from "./headers.ts";
import { toJson } from "./sendable.ts";

/**
 * Thrown anywhere in a handler, it becomes the answer: the status, and as JSON the object, or `{"error": message}` for a text.
 *
 * @param status 400 to 599.
 * @param body goes to the client, an object as it is at this moment.
 * @param options.headers are added to the answer. A `content-type` counts where it is JSON, as `application/problem+json` is.
 * @throws {RangeError} when the status is not an error status, {TypeError} when the body has no JSON or a header can't be sent.
 * @example throw new HttpError(404, "There is no product 7");
 * @example throw new HttpError(422, { errors: { name: ["is required"] } });
 * @example throw new HttpError(503, "Try again later", { headers: { "Retry-After": "30" } });
 */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  readonly headers: Headers | undefined;
  /**
   * The text of an object.
   *
   * @internal
   */
  readonly json: string | undefined;
  readonly #object: object | undefined;

  /** The message of an object is its `error`, where that is a text, and its JSON otherwise. */
  constructor(status: number, body: string | object, options: HttpErrorOptions = {}) {
    const object = isObject(body) ? body : undefined;
    // Here the stack still leads to the handler, if it has none.
    const json = object && toJson(object, "The HttpError holds");
    super(
      object ? messageOf(object, json) : String(body ?? ""),
      "cause" in options ? { cause: options.cause } : undefined,
    );
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new RangeError(`HttpError takes a status from 400 to 599, not ${status}.`);
    }
    this.status = status;
    this.#object = object;
    this.json = json;
    this.headers = options.headers && new Headers(options.headers);
    if (this.headers) flattenHeaders(this.headers);
  }

  /** What the client gets: the object that was given, or `{ error: message }`. */
  get body(): object {
    return this.#object ?? { error: this.message };
  }
}

export interface HttpErrorOptions {
  readonly cause?: unknown;
  /** Pairs, or a `Headers`, may hold several of one name, as of `set-cookie`. */
  readonly headers?: Headers | Readonly<Record<string, string>> | [name: string, value: string][];
}

function isObject(body: unknown): body is object {
  return (typeof body === "object" && body !== null) || typeof body === "function";
}

function messageOf(object: object, json: string | undefined): string | undefined {
  return "error" in object && typeof object.error === "string" ? object.error : json;
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
