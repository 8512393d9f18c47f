/** `HttpError`, for answers with an error status, and the errors of reading a body. */

import { flattenHeaders, type HeadersInit } from "./headers.ts";
import type { ValidationIssue } from "./issue.ts";
import { toJson } from "./sendable.ts";

/**
 * An error with a status and a body. Throw it anywhere in a handler: the client receives the status with the object as JSON, or
 * `{"error": message}` for a text.
 *
 * @param status 400 to 599.
 * @param body sent to the client. Later changes of the object have no effect.
 * @param options.cause the original error: logged with a status of 500 or more, never sent.
 * @param options.headers headers to add. A `content-type` is sent only if it is JSON, such as `application/problem+json`.
 * @throws {RangeError} if the status is not an error status; {TypeError} if the body has no JSON or a header can't be sent.
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
  /** The reason why the framework refused the request's credential, if it did. */
  readonly credential: HttpErrorOptions["credential"];
  readonly #object: ErrorBody | undefined;

  /** The message of an object is its `error` if that is a text, otherwise its JSON. */
  constructor(status: number, body: string | object, options: HttpErrorOptions = {}) {
    const object = Object(body) === body ? (body as ErrorBody) : undefined;
    // Serialized here, so that the stack of a failure leads to the handler.
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

  /** The body for the client: the object that was passed, or `{ error: message }`. */
  get body(): ErrorBody {
    return this.#object ?? { error: this.message };
  }
}

/** True if a failure of the server caused the error, so it has to be logged. */
export function hasFailure({ status, cause }: HttpError): boolean {
  return status >= 500 && cause !== undefined;
}

/** The body of an error answer. The framework's own have `error`, and `issues` with 422. Yours have the members you gave them. */
export interface ErrorBody {
  readonly error?: string;
  readonly issues?: readonly ValidationIssue[];
  readonly [key: string]: unknown;
}

/** Options of `HttpError`. */
export interface HttpErrorOptions {
  /** The original error. It is logged if the status is 500 or more, and never sent. */
  readonly cause?: unknown;
  /** Headers to add. Pairs or a `Headers` can contain a name several times, such as `set-cookie`. */
  readonly headers?: HeadersInit;
  /** For error hooks: the credential is missing, can't be parsed, or `Authorization` has another scheme. */
  readonly credential?: "missing" | "malformed" | "wrong_scheme" | undefined;
}

function messageOf(object: object, json: string | undefined): string | undefined {
  return "error" in object && typeof object.error === "string" ? object.error : json;
}

/** The client closed the connection before the end of its request or before its answer. */
export function clientGone(): DOMException {
  return new DOMException("The client closed the connection.", "AbortError");
}

/** A stopping server ends an endless stream. */
export function serverStops(): DOMException {
  return new DOMException("The server is stopping.", "AbortError");
}

/** After the answer, the rest of a body is read and dropped, so that the next request can arrive. */
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
