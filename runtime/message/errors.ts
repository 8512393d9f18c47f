/** The error that a handler throws to answer with a status of its own choice. */

import { flattenHeaders, type HeadersInit } from "./headers.ts";
import type { ValidationIssue } from "./issue.ts";
import { toJson } from "./sendable.ts";

/**
 * An error that is the answer. Throw it anywhere in a handler: the client gets the status, and as JSON the object, or
 * `{"error": message}` for a text.
 *
 * @param status 400 to 599.
 * @param body goes to the client. A later change of the object has no effect.
 * @param options.cause is logged with a status of 500 or more. Clients do not get it.
 * @param options.headers are added to the answer. A `content-type` is sent only if it is JSON, as `application/problem+json` is.
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
   * The JSON of an object.
   *
   * @internal
   */
  readonly json: string | undefined;
  /** What is wrong with the credential, where the framework refuses a request for it. */
  readonly credential: HttpErrorOptions["credential"];
  readonly #object: ErrorBody | undefined;

  /** The message of an object is its `error`, where that is a text, and its JSON otherwise. */
  constructor(status: number, body: string | object, options: HttpErrorOptions = {}) {
    const object = Object(body) === body ? (body as ErrorBody) : undefined;
    // Here, because the stack of what this throws then leads to the handler.
    const json = object && toJson(object, "The HttpError holds");
    super(
      object ? messageOf(object, json) : String(body ?? ""),
      "cause" in options ? { cause: options.cause } : undefined,
    );
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new RangeError(`HttpError takes a status from 400 to 599, not ${status}.`);
    }
    this.status = status;
    this.credential = options.credential;
    this.#object = object;
    this.json = json;
    this.headers = options.headers && new Headers(options.headers);
    if (this.headers) flattenHeaders(this.headers);
  }

  /** What the client gets: the object that was passed, or `{ error: message }`. */
  get body(): ErrorBody {
    return this.#object ?? { error: this.message };
  }
}

/** Whether the log has it: a failure of the server is behind it. */
export function hasFailure({ status, cause }: HttpError): boolean {
  return status >= 500 && cause !== undefined;
}

/** The framework's own errors have a text as `error`, and with 422 the `issues`. An object of the project has what you gave it. */
export interface ErrorBody {
  readonly error?: string;
  readonly issues?: readonly ValidationIssue[];
  readonly [key: string]: unknown;
}

/** What else an `HttpError` takes. */
export interface HttpErrorOptions {
  /** The error behind this one. The client does not get it. The log does, where the status is 500 or more. */
  readonly cause?: unknown;
  /** Pairs or a `Headers` can hold several of one name, such as `set-cookie`. */
  readonly headers?: HeadersInit;
  /** For error hooks: the request has no credential, one that can't be read, or `Authorization` with another scheme. */
  readonly credential?: "missing" | "malformed" | "wrong_scheme" | undefined;
}

function messageOf(object: object, json: string | undefined): string | undefined {
  return "error" in object && typeof object.error === "string" ? object.error : json;
}

/** The client closed the connection before it sent everything, or before its answer. */
export function clientGone(): DOMException {
  return new DOMException("The client closed the connection.", "AbortError");
}

/** A server that stops has ended an endless stream. */
export function serverStops(): DOMException {
  return new DOMException("The server is stopping.", "AbortError");
}

/** Once the answer is out, the rest of a body is read and dropped, so that the next request can arrive. */
export function bodyDropped(): TypeError {
  return new TypeError("The body was dropped when the response was sent. Read it before.");
}

export function bodyUsed(): TypeError {
  return new TypeError(
    "The body has already been read. Use the Body or Form parameter, or call request.clone() before the first read.",
  );
}

export function bodyTooLarge(limit: number): HttpError {
  return new HttpError(413, `The request body is larger than ${limit} bytes.`);
}
