/** The `Request` of handlers: the members of the WHATWG class, each created when first read, and the result of routing. */

import type { ParamValue } from "../routing/param.ts";
import { METHODS, type Param, type Route } from "../routing/route.ts";
import { bodyUsed } from "./errors.ts";
import type { Body, Exchange } from "./exchange.ts";
import { FetchExchange } from "./fetch-exchange.ts";
import { type Fields, parseCookies, parseForm, withoutPrototype } from "./form.ts";
import { parseJson } from "./json.ts";
import { createRequestLog, identify, type RequestLog } from "./request-log.ts";
import { toReadableStream } from "./stream.ts";
import { readForm } from "./upload.ts";

/**
 * A request. `method url headers body bodyUsed signal json() text() arrayBuffer() bytes() blob() formData() clone()` mean the same
 * as in the WHATWG class (https://fetch.spec.whatwg.org/#request-class), with two differences: `json()` and `formData()` reject
 * with an `HttpError` 400 for a body that can't be parsed, and every way to read the body rejects with 413 above
 * `[server] body_limit`.
 *
 * @example
 * export async function post_index(request: Request) {
 *   const { name } = (await request.json()) ?? {};
 *   return [{ id: 7, name }, 201];
 * }
 */
export class Request {
  readonly method: string;
  /** The path as the client sent it: percent-encoded, without the query. */
  readonly path: string;
  /** The route that serves this request. For `new Request(…)` it is a placeholder, whose pattern is the path. */
  readonly route: Route;
  readonly #exchange: Exchange;
  readonly #values: readonly ParamValue[];
  /** The body's source: the exchange, until the request is cloned. */
  #source: Body;
  /** Creates a body for each clone. All clones of a request share this function. */
  #share: (() => Body) | undefined;
  #body: ReadableStream<Uint8Array> | undefined;
  #headers: Headers | undefined;
  #query: URLSearchParams | undefined;
  #params: Readonly<Record<string, ParamValue>> | undefined;
  #cookies: Readonly<Record<string, string>> | undefined;

  /** Creates a request for a test that calls a handler directly. It was not routed, so `params` is empty. */
  constructor(input: string | URL | globalThis.Request | Request, init?: RequestInit);
  /**
   * Creates the request of an exchange.
   *
   * @internal
   */
  constructor(exchange: Exchange, route: Route, values: readonly ParamValue[]);
  constructor(input: FetchInput | Exchange, second?: Route | RequestInit, values?: readonly ParamValue[]) {
    // Not `instanceof`, which is slower: this runs for most requests.
    const isRouted = values !== undefined;
    const exchange = isRouted ? (input as Exchange) : toExchange(input as FetchInput, second as RequestInit);
    this.method = exchange.method;
    this.path = exchange.path;
    this.route = isRouted ? (second as Route) : placeholder(exchange);
    this.#exchange = exchange;
    this.#values = values ?? [];
    this.#source = exchange;
  }

  /** The URL, with the scheme and host from trusted proxies. The client chooses the host: don't build links for other people from it. */
  get url(): string {
    return this.#exchange.origin + this.#exchange.target;
  }

  get headers(): Headers {
    this.#headers ??= this.#exchange.headers;
    return this.#headers;
  }

  /** Aborts when the client closes the connection before the answer, and when the handler times out. */
  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  /**
   * The client's address. Behind a proxy it is the proxy's, unless `[server] trust_proxy` trusts it. "" if the platform does not
   * know it.
   */
  get ip(): string {
    return this.#exchange.ip;
  }

  /** The client's `x-request-id` if it is well formed, otherwise a new id. The response has the same `x-request-id`. */
  get id(): string {
    return identify(this.#exchange);
  }

  /** The project's logger, with `method`, `path`, `route` and `id` in each line. @example request.log.info({ order: 7 }, "Paid.") */
  get log(): RequestLog {
    return createRequestLog(this.#exchange);
  }

  /** The decoded query. @example request.query.get("page") */
  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#exchange.target.slice(this.path.length));
    return this.#query;
  }

  /** The path params by name: a number for `int`, decoded text for `str`, a list of decoded segments for a whole path. */
  get params(): Readonly<Record<string, ParamValue>> {
    this.#params ??= withoutPrototype(
      this.route.segments
        .filter((segment): segment is Param => typeof segment !== "string")
        .map(({ name }, index) => [name, this.#values[index] ?? ""]),
    );
    return this.#params;
  }

  /** The decoded cookies by name. The first of two with the same name wins (RFC 6265 section 5.4: the more specific path). */
  get cookies(): Readonly<Record<string, string>> {
    this.#cookies ??= parseCookies(this.headers.get("cookie") ?? "");
    return this.#cookies;
  }

  /** The body as a stream; null if the request has none. */
  get body(): ReadableStream<Uint8Array> | null {
    if (!this.#exchange.hasBody) return null;
    let chunks: AsyncIterableIterator<Uint8Array> | undefined;
    // Reading starts at the first pull, so that the body stays unused until then.
    this.#body ??= toReadableStream({
      next: async () => {
        chunks ??= this.#use().chunks();
        return (await chunks.next()).value;
      },
      cancel: async () => {
        this.#source.isBodyUsed = true;
        void chunks?.return?.();
      },
    });
    return this.#body;
  }

  /** True once any part of the body was read. */
  get bodyUsed(): boolean {
    return this.#source.isBodyUsed;
  }

  /** @throws {HttpError} 400 if the body is empty, not JSON, nested deeper than 1000 levels, or has a key that poisons prototypes. */
  // biome-ignore lint/suspicious/noExplicitAny: as in WHATWG's Request; only the handler knows the shape that it expects.
  json(): Promise<any> {
    return this.#read(parseJson);
  }

  text(): Promise<string> {
    return this.#read((bytes) => new TextDecoder().decode(bytes));
  }

  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#read(toOwn);
  }

  /**
   * For a `Body` or `Form` parameter.
   *
   * @internal
   */
  "~take"(): Body {
    if (!this.#isUnusable()) return this.#use();
    throw new TypeError(
      "The Body or Form parameter found the body already read. A middleware or a guard must read request.clone() instead.",
    );
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer;
  }

  async blob(): Promise<Blob> {
    return new Blob([await this.bytes()], { type: this.headers.get("content-type") ?? "" });
  }

  /** @throws {HttpError} 400 if the body is neither `multipart/form-data` nor `application/x-www-form-urlencoded`. */
  async formData(): Promise<FormData> {
    if (this.#isUnusable()) throw bodyUsed();
    const form = await (this.#exchange.hasBody
      ? readForm(this.#use(), this.#exchange, (read) => read)
      : parseForm(new Uint8Array(0), this.headers.get("content-type") ?? ""));
    if (form instanceof FormData) return form;
    const fields = new FormData();
    for (const [name, value] of form) fields.append(name, value);
    return fields;
  }

  /** Keeps the body in memory, up to the body limit. @throws {TypeError} if the body has been read. */
  clone(): Request {
    if (this.#isUnusable()) throw bodyUsed();
    const clone = new Request(this.#exchange, this.route, this.#values);
    this.#share ??= shareBody(this.#source);
    this.#source = this.#share();
    clone.#share = this.#share;
    clone.#source = this.#share();
    return clone;
  }

  /**
   * Converts the request to the platform's class, for functions such as `fetch`. Both share one body: when one reads it, it is used
   * for both. In the platform's class, GET and HEAD have no body.
   *
   * @throws {TypeError} if the body has been read.
   */
  toWeb(): globalThis.Request {
    if (this.#isUnusable()) throw bodyUsed();
    const { method, headers, signal, url } = this;
    const body = method === "GET" || method === "HEAD" ? null : this.body;
    const request = new globalThis.Request(url, { method, headers, signal, body, duplex: "half" });
    // The body is already decompressed, so these headers no longer apply.
    if (this.#exchange.decode !== undefined)
      for (const name of ["content-encoding", "content-length"]) request.headers.delete(name);
    return request;
  }

  #isUnusable(): boolean {
    return this.bodyUsed || this.#body?.locked === true;
  }

  #read<T>(parse: (bytes: Uint8Array) => T): Promise<T> {
    if (this.#isUnusable()) return Promise.reject(bodyUsed());
    if (!this.#exchange.hasBody) return Promise.resolve(new Uint8Array(0)).then(parse);
    return this.#use().read(parse);
  }

  #use(): Body {
    if (this.bodyUsed) throw bodyUsed();
    this.#source.isBodyUsed = true;
    return this.#source;
  }
}

/** The first argument of `fetch`. */
export type FetchInput = string | URL | globalThis.Request | Request;

function toExchange(input: FetchInput, init?: RequestInit): Exchange {
  const request = new globalThis.Request(input instanceof Request ? input.toWeb() : input, init);
  return new FetchExchange(request, () => {});
}

/**
 * Reads the body for a handler's `Body` parameter, through the request object if there is one, so that its clones can still be read.
 *
 * @param parse may call the handler. Behind a middleware it runs in the caller's async context, not in that of the last chunk.
 * @throws {TypeError} if the body has been read.
 */
export function takeBody<T>(exchange: Exchange, parse: (bytes: Uint8Array) => T): Promise<T> {
  if (exchange.request !== undefined)
    return exchange.request["~take"]()
      .read((bytes) => bytes)
      .then(parse);
  exchange.isBodyUsed = true;
  return exchange.read(parse);
}

/** Like `takeBody`, for `Form`. */
export function takeForm<T>(exchange: Exchange, next: (form: Fields) => T): Promise<T> {
  const body = exchange.request?.["~take"]() ?? exchange;
  body.isBodyUsed = true;
  return readForm(body, exchange, next);
}

/** @returns the request of an exchange, the same object for each function of the project. */
export function requestOf(exchange: Exchange): Request {
  exchange.request ??= new Request(exchange, exchange.route ?? placeholder(exchange), exchange.values);
  return exchange.request;
}

function placeholder({ method, path }: Exchange): Route {
  return {
    method: METHODS.find((known) => known === method) ?? "GET",
    pattern: path,
    segments: [],
    arguments: ["request"],
    handler: "",
    module: "",
    app: null,
    convention: "routes",
    location: { file: "", line: 1, column: 1 },
  };
}

/** @returns a function that creates a body for each clone. The first read loads the bytes for all. */
function shareBody(body: Body): () => Body {
  let whole: Promise<Uint8Array> | undefined;
  const copy = async (): Promise<Uint8Array> => {
    whole ??= body.read(toOwn);
    // A copy, because the project may change the bytes.
    return new Uint8Array(await whole);
  };
  return () => ({
    isBodyUsed: false,
    read: async (parse) => parse(await copy()),
    async *chunks() {
      yield await copy();
    },
  });
}

/** Copies bytes out of a pooled buffer, which other requests share. */
function toOwn(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes);
}
