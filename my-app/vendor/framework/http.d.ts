/** The package `framework/http`: what a handler's signature and body need, and nothing that starts a server. */
export { type EventStream, type ServerSentEvent, type Reply };

/**
 * What `_hooks.ts` exports as `error`. What it returns is the answer; if it returns nothing, the error hook of the outer folder is called.
 *
 * @example
 * export const error: ErrorHook = (error) => (error instanceof Conflict ? [{ error: error.message }, 409] : undefined);
 */
export type ErrorHook = (error: unknown, request: Request) => unknown;

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
export declare class Request {
  #private;
  readonly method: string;
  /** The path as the client sent it: percent-encoded, without the query. */
  readonly path: string;
  /** The route that serves this request. A request from `new Request(…)` has a stand-in, whose pattern is the path. */
  readonly route: Route;
  /** As with the WHATWG class, for a test that calls a handler itself. No app routes such a request, so `params` is empty. */
  constructor(input: string | URL | globalThis.Request | Request, init?: RequestInit);
  /** The whole URL. The client chose its host: don't build links for other people from it. */
  get url(): string;
  get headers(): Headers;
  /** Aborts when the client closes the connection before its answer, and when the handler takes too long. */
  get signal(): AbortSignal;
  /** The address of the peer: behind a proxy, the proxy's. "" if the platform does not know it. */
  get ip(): string;
  /** The query, decoded. @example request.query.get("page") */
  get query(): URLSearchParams;
  /** The values of the path's params by name: numbers for `int`, decoded text for `str`. */
  get params(): Readonly<Record<string, ParamValue>>;
  /** The cookies by name, decoded. Of two with one name, the first counts (RFC 6265 section 5.4: the more specific path). */
  get cookies(): Readonly<Record<string, string>>;
  /** The body as a stream, or null if the request has none. */
  get body(): ReadableStream<Uint8Array> | null;
  /** True once the body was read, in whole or in part. */
  get bodyUsed(): boolean;
  /** @throws {HttpError} 400 when the body is empty, not JSON, nested deeper than 1000 levels, or has a key that poisons prototypes. */
  json(): Promise<any>;
  text(): Promise<string>;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  arrayBuffer(): Promise<ArrayBuffer>;
  blob(): Promise<Blob>;
  /** @throws {HttpError} 400 when the body is neither `multipart/form-data` nor `application/x-www-form-urlencoded`. */
  formData(): Promise<FormData>;
  /** @throws {TypeError} when the body has been read. A clone's body is kept in memory, up to the body limit. */
  clone(): Request;
  /**
   * The same request as the platform's own class, for functions that need one, such as `fetch`. Both share one body: once either
   * reads it, it is used. In that class, GET and HEAD have no body.
   *
   * @throws {TypeError} when the body has been read.
   */
  toWeb(): globalThis.Request;
}

/** A route, as `app.routes` and `request.route` show it. */
export interface Route {
  readonly method: Method;
  /** The printed path, as in `/users/by/id/<user_id>`; an app's root keeps its slash: `/products/`. */
  readonly pattern: string;
  readonly segments: readonly Segment[];
  /** What to call the handler with, in its declared order. */
  readonly arguments: readonly Argument[];
  /** The export that serves the route, as in `get_by_id`, `post`, `delete`. */
  readonly handler: string;
  /** The file that exports it, relative to the project root, with forward slashes. */
  readonly module: string;
  /** The app's name, or null for a file under `routes/`. */
  readonly app: string | null;
  readonly convention: "views" | "routes";
  /** Where the handler is declared: for a re-export, in the original file. */
  readonly location: Location;
}

/** The HTTP methods that a route can have. */
export type Method = (typeof METHODS)[number];

declare const METHODS: readonly ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/** The part between two slashes of a path: static text (decoded), or a param. */
export type Segment = string | Param;

/** A dynamic segment of a path. */
export interface Param {
  readonly name: string;
  readonly type: ParamType;
}

/** `int` takes ASCII digits and is passed as a number; `str` takes any one non-empty segment. */
export type ParamType = "int" | "str";

/**
 * What a handler gets at one position: the request, the value of the param with that index in the path, what it takes off the wire, or
 * what a provider returned.
 */
export type Argument = "request" | "taken" | "provided" | number;

/** A place in the user's project; `file` is relative to the project root, with forward slashes. Lines and columns count from 1. */
export interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The value of a param: a number for `int`, decoded text for `str`. */
export type ParamValue = string | number;

/**
 * What `_hooks.ts` exports as `middleware`.
 *
 * @example
 * export const middleware: Middleware = async (request, next) => {
 *   const response = await next();
 *   response.headers.set("Cache-Control", "no-store");
 *   return response;
 * };
 */
export type Middleware = (request: Request, next: Next) => unknown;

/**
 * Goes on with the request: to the middleware of the folders below, the guards, the providers and the handler.
 *
 * @returns their response. What they throw has become a response, too.
 * @throws {Error} when it is called a second time.
 */
export type Next = () => Promise<Response>;

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
export declare class HttpError extends Error {
  #private;
  readonly name = "HttpError";
  readonly status: number;
  readonly headers: Headers | undefined;
  /** The message of an object is its `error`, where that is a text, and its JSON otherwise. */
  constructor(status: number, body: string | object, options?: HttpErrorOptions);
  /** What the client gets: the object that was passed, or `{ error: message }`. */
  get body(): object;
}

/** What else an `HttpError` takes. */
export interface HttpErrorOptions {
  /** The error behind this one. The client does not get it. The log does, where the status is 500 or more. */
  readonly cause?: unknown;
  /** Pairs or a `Headers` can hold several of one name, such as `set-cookie`. */
  readonly headers?: HeadersInit;
}

/** What `new Headers(…)` takes: an object, pairs, or a `Headers`. The last two can hold several of one name, such as `set-cookie`. */
export type HeadersInit = NonNullable<ConstructorParameters<typeof Headers>[0]>;

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

/** What else `events` takes. */
export interface EventOptions {
  /** Seconds between comments, which keep proxies from closing a quiet connection: 0 to 86400; 0 is none. By default 15. */
  readonly heartbeat?: number;
}

/** What `events` returns. A test can iterate it for the text that is sent, and its `source` for the events. */
declare class EventStream<out T = unknown> implements AsyncIterable<string> {
  #private;
  readonly source: AsyncIterable<T> | Iterable<T>;
  [Symbol.asyncIterator](): AsyncGenerator<string>;
}

/**
 * An event with more than data, for the source of `events`.
 *
 * @throws {TypeError} when the data has no JSON, or a line break or NUL is in `event` or `id`; {RangeError} for `retry`.
 * @example yield event({ event: "price", id: 7, data: { eur: 5 } });
 */
export declare function event<T>(fields: EventFields<T>): ServerSentEvent<T>;

/** What `event` returns. A class, so that an object that merely has such keys is data. */
declare class ServerSentEvent<out T = unknown> {
  readonly fields: EventFields<T>;
  constructor(fields: EventFields<T>);
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
export declare function events<T>(
  source: AsyncIterable<T> | Iterable<T>,
  { heartbeat }?: EventOptions,
): EventStream<T>;

/** What `reply` returns. The answer's value and status are part of its type. */
declare class Reply<out T = unknown, out S extends number = number> {
  readonly value: T;
  readonly status: S;
  readonly headers: Headers | undefined;
  constructor(value: T, status: S, headers?: HeadersInit);
}

/**
 * Sends what a handler may return with a status and headers of its own choice.
 *
 * @param value an object, an array (always as JSON), a text, bytes, a `Blob`, a stream, `events(…)`; nothing for no body.
 * @param status 200 to 599. With 204, 205 and 304 nothing of the value is sent.
 * @param headers are added. A `content-type` replaces the value's own. Pairs or a `Headers` can hold several `set-cookie`.
 * @throws {RangeError} for another status, {TypeError} for a header that can't be sent, and for a promise or a `Response`.
 * @example return reply(products, 201, { location: `/products/${id}` });
 */
export declare function reply<const S extends number, T>(
  value: T,
  status: S,
  headers?: HeadersInit,
): Reply<T, S>;

/**
 * In a signature: one segment of digits, passed as a number.
 *
 * @example export function get_by_id(request: Request, user_id: int) {}
 */
export type int = number;
/**
 * Casts the decoded text of a segment, as the router does.
 *
 * @returns undefined for anything but ASCII digits, and for a value above 2^53−1, which a number can't hold exactly.
 * @example int("007") // 7
 */
export declare function int(text: string): number | undefined;

/**
 * In a signature: any one segment that is not empty, passed decoded. `string` means the same.
 *
 * @example export function get_by_slug(slug: str) {}
 */
export type str = string;
/**
 * @returns the text, or undefined when it is empty.
 * @example str("") // undefined
 */
export declare function str(text: string): string | undefined;

/** What a handler is given for a mark's type: for a Standard Schema (https://standardschema.dev) its output, else the type itself. */
export type Given<T> = T extends {
  readonly "~standard": {
    readonly types?:
      | {
          readonly output: infer Output;
        }
      | undefined;
  };
}
  ? Output
  : T;

/**
 * The JSON body. The request is refused with 400 if it is not JSON, 415 without a JSON `Content-Type`, 422 if the JSON is not a `T`.
 *
 * @example export function post_index(body: Body<NewUser>) { return [{ id: 8, name: body.name }, 201]; }
 */
export type Body<T> = Given<T>;
export declare const Body = "Body";

/**
 * An urlencoded or multipart body, with `File` and `File[]` for uploads.
 *
 * @example export function post_avatar(form: Form<{ title: string; image: File }>) {}
 */
export type Form<T> = Given<T>;
export declare const Form = "Form";

/**
 * From the query: an object type names the keys, any other type is the value of the parameter's own name.
 *
 * @example export function get_index(page: Query<int> = 1, tag: Query<string[]> = []) {}
 */
export type Query<T> = Given<T>;
export declare const Query = "Query";

/** From the headers. A `_` of the name is a `-`. @example get_index(if_none_match?: Header<string>) */
export type Header<T> = Given<T>;
export declare const Header = "Header";

/** From the cookies. @example get_index(theme: Cookie<"dark" | "light"> = "light") */
export type Cookie<T> = Given<T>;
export declare const Cookie = "Cookie";

/** The token of `Authorization: Bearer …` (RFC 6750). A request without one is refused with 401. */
export type Bearer = string;
export declare const Bearer = "Bearer";

/** The credentials of `Authorization: Basic …` (RFC 7617). A request without them is refused with 401. */
export type Basic = {
  readonly username: string;
  readonly password: string;
};
export declare const Basic = "Basic";

/** A key in a header. A request without it is refused with 401. @example get_index(key: ApiKey<"x-api-key">) */
export type ApiKey<_Name extends string> = string;
export declare const ApiKey = "ApiKey";

/**
 * What a provider returns: a function of the project that runs before the handler. Its own parameters count as if the handler had
 * declared them.
 *
 * @example export function get_index(me: From<typeof requireUser>) { return { name: me.name }; }
 */
export type From<F extends (...args: never[]) => unknown> = Provided<ReturnType<F>>;
export declare const From = "From";

/** What a generator yields, or what is left when the promises are awaited. */
export type Provided<R> = R extends AsyncGenerator<infer Yielded> | Generator<infer Yielded>
  ? Yielded
  : Awaited<R>;

/** At least so many characters. @example string & MinLength<1> */
export type MinLength<_N extends number> = {};
export declare const MinLength = "MinLength";

/** At most so many characters. */
export type MaxLength<_N extends number> = {};
export declare const MaxLength = "MaxLength";

/** Fits a regular expression with the flag `u`. @example string & Pattern<"^[a-z]+$"> */
export type Pattern<_Source extends string> = {};
export declare const Pattern = "Pattern";

/** At least this number. @example int & Min<0> & Max<100> */
export type Min<_N extends number> = {};
export declare const Min = "Min";

/** At most this number. */
export type Max<_N extends number> = {};
export declare const Max = "Max";

/** More than this number. */
export type ExclusiveMin<_N extends number> = {};
export declare const ExclusiveMin = "ExclusiveMin";

/** Less than this number. */
export type ExclusiveMax<_N extends number> = {};
export declare const ExclusiveMax = "ExclusiveMax";

/** A multiple of this number. */
export type MultipleOf<_N extends number> = {};
export declare const MultipleOf = "MultipleOf";

/** At least so many items. @example string[] & MinItems<1> */
export type MinItems<_N extends number> = {};
export declare const MinItems = "MinItems";

/** At most so many items. */
export type MaxItems<_N extends number> = {};
export declare const MaxItems = "MaxItems";

/** No two items that the handler receives are equal. */
export type UniqueItems = {};
export declare const UniqueItems = "UniqueItems";

/** An email address (RFC 5321 section 4.1.2). @example string & Email */
export type Email = {};
export declare const Email = "Email";

/** A UUID (RFC 9562). */
export type Uuid = {};
export declare const Uuid = "Uuid";

/** A URI (RFC 3986). */
export type Uri = {};
export declare const Uri = "Uri";

/** A date as in `2026-11-22` (RFC 3339 section 5.6). */
export type DateOnly = {};
export declare const DateOnly = "DateOnly";

/** A time as in `10:30:00Z` (RFC 3339 section 5.6). */
export type TimeOnly = {};
export declare const TimeOnly = "TimeOnly";

/** A date with a time (RFC 3339 section 5.6), as text; the type `Date` gives a `Date` instead. */
export type DateTime = {};
export declare const DateTime = "DateTime";

/** A duration as in `P3DT12H` (RFC 3339 appendix A). */
export type Duration = {};
export declare const Duration = "Duration";

/** A host name (RFC 1123 section 2.1). */
export type Hostname = {};
export declare const Hostname = "Hostname";

/** An IPv4 address (RFC 2673 section 3.2). */
export type Ipv4 = {};
export declare const Ipv4 = "Ipv4";

/** An IPv6 address (RFC 4291 section 2.2). */
export type Ipv6 = {};
export declare const Ipv6 = "Ipv6";
