import { escapeKey } from "./log.js";
import { METHODS } from "./routing.js";

/** Response headers in the flat form of node:http: name, value, name, value, … */

/** RFC 9110 section 7.6.1: these are about the connection that a response came from, not about ours. */
const HOP_BY_HOP = /^(?:connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;
/** A name (RFC 9110 section 5.1). */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
/** What a value must not hold. */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Refuses control characters (RFC 9110 section 5.5): of these, WHATWG's `Headers` refuses only line breaks, which would split the
 * response (CWE-113).
 *
 * @param drops names to leave out, in lower case, besides those that are about another connection.
 * @returns each `Set-Cookie` on its own: they can't be joined (RFC 6265 section 3).
 * @throws {TypeError} when a value can't be sent.
 */
function flattenHeaders(headers, ...drops) {
  const flat = [];
  for (const [name, value] of headers) {
    if (UNSENDABLE.test(value))
      throw new TypeError(`The value of the header ${name} holds a control character.`);
    if (!HOP_BY_HOP.test(name) && !drops.includes(name.toLowerCase())) flat.push(name, value);
  }
  return flat;
}

/** @returns the `Content-Length`; undefined for one that is not a number of bytes. */
function readLength(headers) {
  const text = headers.get("content-length") ?? "";
  return /^[0-9]+$/.test(text) ? Number(text) : undefined;
}

/** @param name in lower case. */
function hasHeader(flat, name) {
  return flat.some((text, at) => at % 2 === 0 && text.toLowerCase() === name);
}

/** @returns `own`, and before it what has other names in `base`. */
function overrideHeaders(base, own) {
  return [...base.filter((_, at) => !hasHeader(own, String(base[at - (at % 2)]).toLowerCase())), ...own];
}

/** The inverse of {@link flattenHeaders}. */
function joinHeaders(flat) {
  const headers = new Headers();
  for (let index = 0; index < flat.length; index += 2) headers.append(flat[index], flat[index + 1]);
  return headers;
}

/** What JSON can't hold, drops or leaves empty: found in what handlers give, named, with what to do about it. */

/** What most handlers return. Checked before the platform's classes, which Node loads when code first names them. */
function isPlainObject(value) {
  return Object.getPrototypeOf(value) === Object.prototype && !(Symbol.asyncIterator in value);
}

/** True for a response of this platform, or of a package with a class of its own, such as undici. */
function isResponse(value) {
  if (!isObject(value)) return false;
  try {
    if (value instanceof Response) return true;
    return tagOf(value) === "Response" && "status" in value && "headers" in value;
  } catch {
    // A Proxy may throw at any access.
    return false;
  }
}

/** True for what has to be awaited. */
function isThenable(value) {
  return isObject(value) && "then" in value && typeof value.then === "function";
}

/**
 * @param holder as in "The handler returned".
 * @throws {TypeError} for a value that has no JSON, or the JSON `{}` whatever is in it: a promise, a query, an iterator, a stream, a Map;
 * for a BigInt in it; and whatever a `toJSON` throws.
 */
function toJson(value, holder) {
  requireAwaited(value, holder);
  const instead = isObject(value) ? giveInstead(value) : undefined;
  let json;
  try {
    if (instead === undefined && !Number.isNaN(value)) json = JSON.stringify(value);
  } catch (error) {
    const problem = String(error).includes("BigInt") ? explainLost(holder, value) : undefined;
    throw problem === undefined ? error : new TypeError(problem);
  }
  // Undefined for a function, too, although the type of `JSON.stringify` says otherwise.
  if (json !== undefined) return json;
  throw new TypeError(`${holder} ${nameOf(value)}, which has no JSON.${instead ?? ""}`);
}

/** @throws {TypeError} for a promise, and for a query that did not run. The methods of a plain object are left out of its JSON, as any others. */
function requireAwaited(value, holder) {
  if (isThenable(value) || (isQuery(value) && !isPlainObject(value)))
    throw new TypeError(describeLost(holder, { place: "", value }));
}

/** @returns what to do about an object without JSON. */
function giveInstead(value) {
  if (Array.isArray(value) || isPlainObject(value)) return undefined;
  if (Symbol.iterator in value && "next" in value)
    return " Give an array or a stream instead, as in [...…] or events(…).";
  if (value instanceof Map) return " Give an array or an object instead, as in Object.fromEntries(…).";
  if (value instanceof Set) return " Give an array or an object instead, as in [...…].";
  if ("toJSON" in value) return undefined;
  if (value instanceof Error) return " Throw it, or pass it as `cause`.";
  const isBody = isResponse(value) || value instanceof Blob || Symbol.asyncIterator in value;
  return isBody ? " Send it by itself, and give a Response its status." : undefined;
}

/**
 * Looks where `JSON.stringify` looks, also into what a `toJSON` returns: so it costs about as much. The search ends where a `toJSON` or a
 * getter throws when it is called again, or where the value is nested too deep.
 *
 * @param holder as in "The handler returned".
 * @returns a message about the first promise, query or BigInt; undefined if none is found.
 */
function explainLost(holder, value) {
  try {
    const lost = findLost(toSent(value, ""));
    return lost && describeLost(holder, lost);
  } catch {
    return undefined;
  }
}

function describeLost(holder, { place, value }) {
  const what = `${holder} ${value instanceof Promise ? "a promise" : nameOf(value)}${place && ` at ${place}`}`;
  if (typeof value === "bigint") return `${what}, which has no JSON. Give String(id) or Number(id).`;
  return isQuery(value)
    ? `${what}, a query that did not run. Did you forget to call execute()?`
    : `${what}, whose value is not sent. Await it first.`;
}

/** `JSON.stringify` calls no `toJSON` on what a `toJSON` returned. */
function toSent(value, key) {
  const { toJSON } = Object(value ?? 0);
  return typeof toJSON === "function" ? toJSON.call(value, key) : value;
}

/** @example findLost({ items: [{ rows: Promise.resolve([]) }] }) // { place: "/items/0/rows", value: Promise } */
function findLost(sent) {
  if (typeof sent === "bigint" || sent instanceof Promise) return { place: "", value: sent };
  if (!isObject(sent)) return undefined;
  let isEmpty = !Array.isArray(sent);
  for (const [name, inner] of Object.entries(sent)) {
    const member = toSent(inner, name);
    const lost = findLost(member);
    if (lost !== undefined) return { ...lost, place: `/${escapeKey(name)}${lost.place}` };
    isEmpty &&= member === undefined || typeof member === "function" || typeof member === "symbol";
  }
  // A rule such as `{ if: 1, then: () => 2 }` is data.
  return isEmpty && (isThenable(sent) || isQuery(sent)) ? { place: "", value: sent } : undefined;
}

/** True for a query that is a builder: Kysely's runs only by its `execute`, Drizzle's by that or when it is awaited. */
function isQuery(value) {
  if (!isObject(value) || !("execute" in value) || "toJSON" in value) return false;
  if (typeof value.execute !== "function") return false;
  return ("compile" in value && typeof value.compile === "function") || isThenable(value);
}

function isObject(value) {
  return typeof value === "object" && value !== null;
}

/** @example nameOf([]) // "an Array" */
function nameOf(value) {
  if (value === undefined || value === null || Number.isNaN(value)) return String(value);
  const name = typeof value === "object" || typeof value === "bigint" ? nameOfClass(value) : typeof value;
  return `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name}`;
}

function nameOfClass(value) {
  try {
    const tag = tagOf(value);
    // As in "AsyncGenerator" and "Array Iterator", whose classes have no names.
    if (/(?:Generator|Iterator)$/.test(tag)) return tag.replace(/\B(?=[A-Z])/g, " ").toLowerCase();
    return String(value.constructor?.name ?? "object");
  } catch {
    return "object";
  }
}

/** @example tagOf(new Response()) // "Response" */
function tagOf(value) {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** The error that a handler throws to answer with a status of its own choice. */

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
class HttpError extends Error {
  name = "HttpError";
  status;
  headers;
  /**
   * The JSON of an object.
   *
   * @internal
   */
  json;
  #object;

  /** The message of an object is its `error`, where that is a text, and its JSON otherwise. */
  constructor(status, body, options = {}) {
    const object = Object(body) === body ? body : undefined;
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
    this.#object = object;
    this.json = json;
    this.headers = options.headers && new Headers(options.headers);
    if (this.headers) flattenHeaders(this.headers);
  }

  /** What the client gets: the object that was passed, or `{ error: message }`. */
  get body() {
    return this.#object ?? { error: this.message };
  }
}

/** Whether the log has it: a failure of the server is behind it. */
function hasFailure({ status, cause }) {
  return status >= 500 && cause !== undefined;
}

function messageOf(object, json) {
  return "error" in object && typeof object.error === "string" ? object.error : json;
}

/** The client closed the connection before it sent everything, or before its answer. */
function clientGone() {
  return new DOMException("The client closed the connection.", "AbortError");
}

/** A server that stops has ended an endless stream. */
function serverStops() {
  return new DOMException("The server is stopping.", "AbortError");
}

/** Once the answer is out, the rest of a body is read and dropped, so that the next request can arrive. */
function bodyDropped() {
  return new TypeError("The body was dropped when the response was sent. Read it before.");
}

function bodyUsed() {
  return new TypeError(
    "The body has already been read. Use the Body or Form parameter, or call request.clone() before the first read.",
  );
}

function bodyTooLarge(limit) {
  return new HttpError(413, `The request body is larger than ${limit} bytes.`);
}

/** The border between the app and an adapter: a request with the way to answer it, and who answers it. */

/** One request. A member that is not a plain field may be costly: read it once. */
class Exchange {
  method;
  /** Path and query as they were sent, from the first slash; no fragment. */
  target;
  /** The target without its query. */
  path;
  /** The route that serves it, once it is found. */
  route = undefined;
  /** The values of the route's path params, in the order of the path. */
  values = [];
  /** When it arrived, on the clock of `performance.now()`. Set only if requests are logged or the app waits for the handler. */
  began = 0;
  /** Set only if requests are logged. */
  id = undefined;
  /** Ends the wait for the first piece of a stream. */
  start = undefined;
  isAnswered = false;
  /** What every function of the project gets as the request, once one has asked for it. */
  request = undefined;
  isBodyUsed = false;
  /** The generators of providers that wait for the end of the handler. */
  opened = undefined;
  /** Why the app no longer waits for the handler. What has not been called by then is not called. */
  givenUp = undefined;

  constructor(method, target) {
    const mark = target.indexOf("?");
    this.method = method;
    this.target = target;
    this.path = mark === -1 ? target : target.slice(0, mark);
  }
}

/** Streams in one shape: pieces of bytes, each pulled only when the one before is on its way. */

const LONGEST_CANCEL_MS = 1000;

/** Cancels the rest, and waits for the end of the source, but not forever. */
async function endSoon({ cancel }) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, LONGEST_CANCEL_MS);
  });
  await Promise.race([cancel(), late]);
  clearTimeout(timer);
}

function toReadableStream({ next, cancel }) {
  return new ReadableStream(
    {
      async pull(controller) {
        const chunk = await next();
        if (chunk === undefined) controller.close();
        else controller.enqueue(toBytes(chunk));
      },
      cancel,
    },
    // Nothing is read ahead: the first read is the first to touch the source.
    { highWaterMark: 0 },
  );
}

/**
 * Starts a stream before its response, so that one that fails at once is a 500. A slow one holds back the head of the response
 * only if the first piece decides the content type.
 *
 * @throws whatever the stream throws at its start; {TypeError} when it is locked, or when its first piece can't be sent.
 */
async function startChunks(source, start) {
  const pieces = new Pieces(source, start);
  start.until?.addEventListener("abort", pieces.cancel);
  try {
    return await pieces.start();
  } catch (error) {
    void pieces.cancel();
    throw error;
  }
}

class Pieces {
  #iterator;
  #start;
  #first;
  /** The step after the pieces that were read before the response. */
  #pulled;
  #sent = 0;
  #cancelled;

  constructor(source, start) {
    this.#iterator = toIterator(source);
    this.#start = start;
  }

  async start() {
    this.#pulled = Promise.resolve(this.#iterator.next());
    const step = await (this.#start.until ? this.#pulled : withinOneTurn(this.#pulled));
    const isText = typeof step?.value === "string";
    if (step === undefined || step.done) return { body: this, isText };
    const first = this.#read(step);
    this.#first = first;
    this.#pulled = undefined;
    if (this.#start.isEndless) return { body: this, isText };
    this.#pulled = Promise.resolve(this.#iterator.next());
    // A failure shows again when `next` comes to this piece.
    const second = await withinOneTurn(this.#pulled.catch(() => undefined));
    if (second?.done) {
      this.#read(second);
      return { body: first ?? "", isText };
    }
    return { body: this, isText };
  }

  next = async () => {
    const first = this.#first;
    this.#first = undefined;
    if (first !== undefined) return first;
    const pulled = this.#pulled;
    this.#pulled = undefined;
    try {
      return this.#read(await (pulled ?? this.#iterator.next()));
    } catch (error) {
      if (this.#cancelled) return undefined;
      this.#start.onError(error);
      void this.cancel();
      throw error;
    }
  };

  cancel = () => {
    this.#cancelled ??= this.#leave();
    return this.#cancelled;
  };

  async #leave() {
    try {
      await this.#iterator.return?.();
    } catch {
      // The client has gone, or has its 500.
    }
  }

  /** With more bytes than the head promised, the client would read the rest as the next response; with fewer, it would wait forever. */
  #read({ done, value }) {
    const { length } = this.#start;
    const chunk = done ? undefined : toChunk(value);
    if (length === undefined) return chunk;
    const bytes = chunk && toBytes(chunk);
    this.#sent += bytes?.length ?? 0;
    if (this.#sent > length || (chunk === undefined && this.#sent < length))
      throw new RangeError(
        `The stream has ${bytes ? "more" : "fewer"} bytes than its Content-Length, ${length}.`,
      );
    return bytes;
  }
}

/** @returns undefined if it takes longer than a turn of the event loop. */
function withinOneTurn(promise) {
  return Promise.race([promise, new Promise((resolve) => setTimeout(resolve, 0, undefined))]);
}

/** Not by a stream's own iterator: its `return` waits for a read that may never end. */
function toIterator(source) {
  if (!(source instanceof ReadableStream)) return source[Symbol.asyncIterator]();
  const reader = source.getReader();
  return {
    next: () => reader.read(),
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}

const utf8 = new TextEncoder();

function toBytes(chunk) {
  return typeof chunk === "string" ? utf8.encode(chunk) : chunk;
}

function toChunk(value) {
  const chunk = typeof value === "string" ? value : viewBytes(value);
  if (chunk !== undefined) return chunk;
  throw new TypeError(`A stream can send strings and bytes, not ${value === null ? "null" : typeof value}.`);
}

/** @returns the same memory, or undefined for anything but bytes. */
function viewBytes(value) {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined;
}

/** Turns what a handler returned into an answer: status, headers and body, as plain data for any adapter. */

const HANDLER = "The handler";
const JSON_HEADERS = ["Content-Type", "application/json; charset=utf-8"];
const TEXT_HEADERS = ["Content-Type", "text/plain; charset=utf-8"];
/** The content types of JSON. */
const IS_JSON = /^application\/(?:[\w.-]+\+)?json\b/i;
const BYTES_HEADERS = ["Content-Type", "application/octet-stream"];

/**
 * | result | answer |
 * |---|---|
 * | object, array, number, boolean | 200 and its JSON |
 * | `[object, status]` | that status and the object's JSON |
 * | string | 200 and the text |
 * | `Response` | its status, headers and stream |
 * | `ReadableStream`, async iterable | 200 and its pieces: text if the first is a string, otherwise bytes |
 * | `Uint8Array`, `ArrayBuffer`, `Blob` | 200 and the bytes |
 * | undefined, null | 204 |
 * | `reply(…)`, `events(…)` | what they say |
 *
 * @param giver what the message calls the function that returned it.
 * @throws {Error} for what can't be sent. It is the function's mistake, and the message names it.
 */
function toAnswer(result, giver = HANDLER) {
  if (typeof result === "object" && result !== null) return objectAnswer(result, giver);
  if (typeof result === "string") return { status: 200, headers: TEXT_HEADERS, body: result };
  return result === undefined || result === null
    ? emptyAnswer(204)
    : jsonAnswer(200, result, JSON_HEADERS, giver);
}

/** @throws {TypeError} when the value has no JSON; with a status that has no body, only when it has to be awaited. */
function jsonAnswer(status, value, headers = JSON_HEADERS, giver = HANDLER) {
  const holder = `${giver} returned`;
  if (!hasNoBody(status)) return { status, headers, body: toJson(value, holder) };
  requireAwaited(value, holder);
  return emptyAnswer(status);
}

/** RFC 9110 sections 15.3.5, 15.3.6 and 15.4.5. */
function hasNoBody(status) {
  return status === 204 || status === 205 || status === 304;
}

/** `{"error": message}`, with more members in dev. */
function errorAnswer(status, message, headers = [], more) {
  return jsonAnswer(status, { error: message, ...more }, [...JSON_HEADERS, ...headers]);
}

/** Leaves out the headers that are about another body, such as those of a response that the handler passes on. */
function httpErrorAnswer({ status, body, headers: own, json }) {
  const type = IS_JSON.test(own?.get("content-type") ?? "") ? "" : "content-type";
  const headers = flattenHeaders(own ?? [], "content-length", "content-encoding", type);
  return { status, headers: overrideHeaders(JSON_HEADERS, headers), body: json ?? JSON.stringify(body) };
}

function emptyAnswer(status, headers = []) {
  return { status, headers, body: null };
}

function objectAnswer(result, giver) {
  if (Array.isArray(result)) return arrayAnswer(result, giver);
  if (isPlainObject(result)) return jsonAnswer(200, result);
  if (answersItself(result)) return result["~answer"]();
  if (isResponse(result)) return responseAnswer(result, giver);
  if (Symbol.asyncIterator in result) return { ...bytesAnswer(result), isBare: true };
  if (result instanceof Blob) {
    const headers = result.type === "" ? BYTES_HEADERS : ["Content-Type", result.type];
    return { status: 200, headers, body: result.stream(), length: result.size };
  }
  const bytes = viewBytes(result);
  if (bytes) return bytesAnswer(bytes);
  // A returned error was meant to be thrown. Its JSON would be `{}`.
  if (result instanceof Error) throw result;
  return jsonAnswer(200, result, JSON_HEADERS, giver);
}

function bytesAnswer(body) {
  return { status: 200, headers: BYTES_HEADERS, body };
}

function arrayAnswer(result, giver) {
  if (!isPair(result)) return jsonAnswer(200, result);
  const [first, status] = result;
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new RangeError(`${giver} returned the status ${status}. A status is an integer from 200 to 599.`);
  }
  if (first instanceof Error) throw first;
  return jsonAnswer(status, first, JSON_HEADERS, giver);
}

/** `fetch` decodes its responses, so their encoding and length no longer apply. */
function responseAnswer({ status, headers, body, bodyUsed, type }, giver) {
  if (status < 200) throw new RangeError(`${giver} answered with Response.error(), which has no status.`);
  if (bodyUsed) {
    throw new TypeError(
      `${giver} answered with a Response whose body was already read. Make one for each request.`,
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

/** The headers of an answer, with the length of its body. @param bytes the size of a body that is not a stream. */
function frameHeaders(answer, method, bytes) {
  const length = contentLength(answer, method, bytes);
  return length === undefined ? [...answer.headers] : [...answer.headers, "Content-Length", String(length)];
}

/**
 * A HEAD keeps the length that the GET would have.
 *
 * @param bytes the size of a body that is not a stream.
 * @returns undefined where the answer has to do without.
 */
function contentLength({ status, body, length }, method, bytes) {
  // RFC 9110 section 8.6 forbids it on a 204, section 15.3.6 requires 0 on a 205.
  if (status === 204) return undefined;
  const isEmpty = body === null && method !== "HEAD" && status !== 304;
  return isEmpty || typeof body === "string" || body instanceof Uint8Array ? bytes : length;
}

/** True for a body that is not a stream. */
function isPlain(body) {
  return typeof body === "string" || body === null || body instanceof Uint8Array;
}

/** Cancels the stream of an answer that is not sent. */
function discard({ body }) {
  if (!isPlain(body)) void body.cancel();
}

/** True for what `reply` and `events` return, and for no Proxy that throws at any access. */
function answersItself(value) {
  try {
    return typeof Object(value)["~answer"] === "function";
  } catch {
    return false;
  }
}

/** The part of a result that becomes JSON. */
function bodyOf(result) {
  if (answersItself(result)) return "value" in result ? result.value : undefined;
  return isPair(result) ? result[0] : result;
}

/** True for a result that chooses its status itself. */
function hasStatus(result) {
  return isPair(result) || answersItself(result) || isResponse(result);
}

/** True for an object and a number, which is meant as its status. */
function isPair(result) {
  if (!Array.isArray(result) || result.length !== 2) return false;
  const [first, status] = result;
  return typeof status === "number" && typeof first === "object" && first !== null && !Array.isArray(first);
}

/** The adapter to the fetch API: takes what `fetch` takes, and answers with a WHATWG response. */

/** Rejects with a TypeError for input that `fetch` would refuse as well. */
function answerFetch(responder, input, init) {
  return new Promise((resolve) => {
    const request = toWebRequest(input, init);
    responder.respond(new FetchExchange(request, responder.settings.bodyLimit, resolve));
  });
}

class FetchExchange extends Exchange {
  origin;
  ip = "";
  isDraining = false;
  #request;
  #limit;
  #resolve;
  #controller = new AbortController();
  #signal;

  constructor(request, limit, resolve) {
    const { origin, pathname, search } = new URL(request.url);
    super(request.method, pathname + search);
    this.origin = origin;
    this.#request = request;
    this.#limit = limit;
    this.#resolve = resolve;
  }

  get headers() {
    return this.#request.headers;
  }

  header(name) {
    return this.#request.headers.get(name) ?? undefined;
  }

  get signal() {
    this.#signal ??= AbortSignal.any([this.#request.signal, this.#controller.signal]);
    return this.#signal;
  }

  get isGone() {
    return this.#request.signal.aborted || this.#controller.signal.aborted;
  }

  get hasBody() {
    // Cloudflare's engine gives a stream for a body of no bytes, too.
    return this.#request.body !== null && this.#request.headers.get("content-length") !== "0";
  }

  async read(parse) {
    const parts = [];
    for await (const chunk of this.chunks()) parts.push(new Uint8Array(chunk));
    return parse(new Uint8Array(await new Blob(parts).arrayBuffer()));
  }

  async *chunks() {
    if (this.isGone) throw clientGone();
    let size = 0;
    for await (const chunk of this.#request.body ?? []) {
      size += chunk.length;
      if (size > this.#limit) throw bodyTooLarge(this.#limit);
      yield chunk;
    }
  }

  send(answer) {
    const { status } = answer;
    if (this.isAnswered) {
      discard(answer);
      return;
    }
    this.isAnswered = true;
    const body = typeof answer.body === "string" ? new TextEncoder().encode(answer.body) : answer.body;
    const headers = joinHeaders(
      frameHeaders(answer, this.method, body instanceof Uint8Array ? body.length : 0),
    );
    const content = isPlain(body) ? body && new Uint8Array(body) : toReadableStream(body);
    this.#resolve(new Response(this.method === "HEAD" ? null : content, { status, headers }));
  }

  abort(reason) {
    this.#controller.abort(reason);
  }
}

/** The origin of a path alone. */
const ORIGIN = "http://localhost";

function toWebRequest(input, init) {
  if (typeof input === "string") return new globalThis.Request(new URL(input, ORIGIN), init);
  if (typeof input !== "object" || input === null)
    throw new TypeError(`app.fetch takes a URL, a path or a Request, not ${nameOf(input)}.`);
  const request = "toWeb" in input ? input.toWeb() : input;
  // Passed on as it is, also if it is of a package's own class.
  if ("url" in request && !isInit(init)) {
    if (request.bodyUsed) throw bodyUsed();
    return request;
  }
  return new globalThis.Request(request, init);
}

/** The parts of a request that an app can see. */
const PARTS = ["method", "headers", "body", "signal"];

/** Bun, Deno and Cloudflare call `fetch(request, …)` with a second argument of their own, which says nothing about the request. */
function isInit(second) {
  return typeof second === "object" && second !== null && PARTS.some((part) => part in second);
}

/** Reads what is not JSON: the header `Cookie`, and the form in a body. */

/** A record that a client fills, where `__proto__` is a name like any other. */
function withoutPrototype(pairs) {
  const record = Object.create(null);
  for (const [name, value] of pairs) record[name] = value;
  return record;
}

/**
 * @returns the values by name, decoded. Of two with one name, the first counts (RFC 6265 section 5.4: the more specific path).
 * @example parseCookies("flavour=oat%20milk; other=1").flavour // "oat milk"
 */
function parseCookies(header) {
  const cookies = Object.create(null);
  for (const pair of header.split(";")) {
    const equals = pair.indexOf("=");
    if (equals === -1) continue;
    const value = pair.slice(equals + 1).trim();
    cookies[pair.slice(0, equals).trim()] ??= decodeCookie(value.replace(/^"(.*)"$/, "$1"));
  }
  return cookies;
}

function decodeCookie(value) {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/**
 * @param type the content type, with its parameters.
 * @throws {HttpError} 400 when the body is neither `multipart/form-data` nor `application/x-www-form-urlencoded`.
 */
async function parseForm(bytes, type) {
  try {
    // A copy, because the bytes may be in a buffer which other requests share.
    return await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
  } catch (cause) {
    throw new HttpError(400, "The request body is not valid form data.", { cause });
  }
}

/** Reads a request's JSON, and refuses values that can harm the code that uses them. */

/** Nobody sends deeper values on purpose, and code that walks them would run out of stack. */
const MAX_DEPTH = 1000;
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * @throws {HttpError} 400 for no body, invalid UTF-8 (RFC 8259 section 8.1) or JSON, for nesting beyond 1000 levels,
 * and for keys that poison prototypes when the value is merged into another: `__proto__`, `constructor.prototype`.
 */
function parseJson(bytes) {
  const value = readJson(bytes);
  if (isObject(value)) refuseHarmful(value, 0);
  return value;
}

/**
 * The same without a look at nesting and keys, for who takes out of the value only what was declared.
 *
 * @throws {HttpError} 400 for no body, invalid UTF-8 or JSON.
 */
function readJson(bytes) {
  if (bytes.length === 0) throw new HttpError(400, "The request body is empty where JSON was expected.");
  let what = "UTF-8.";
  try {
    const text = strictUtf8.decode(bytes);
    what = "JSON";
    return JSON.parse(text);
  } catch (cause) {
    const reason = what === "JSON" ? `: ${withoutExcerpt(String(Object(cause).message))}` : "";
    throw new HttpError(400, `The request body is not valid ${what}${reason}`, { cause });
  }
}

/**
 * Engines quote a piece of the text, which may be a password, and answers end up in logs.
 *
 * @example withoutExcerpt(`Unexpected token 'h', "hunter2" is not valid JSON`) // "Unexpected token 'h'"
 */
function withoutExcerpt(reason) {
  return reason.replace(/[, .]*"[\s\S]*$/, "") || "Unexpected token";
}

/**
 * Walks the values, which takes less time than a look at each character of the text.
 *
 * @param depth how many levels are above `outer`. It bounds the recursion, too.
 * @throws {HttpError} 400
 */
function refuseHarmful(outer, depth) {
  if (depth === MAX_DEPTH) throw tooDeep();
  if (Array.isArray(outer)) {
    for (let index = 0; index < outer.length; index++)
      if (isObject(outer[index])) refuseHarmful(outer[index], depth + 1);
    return;
  }
  for (const key in outer) {
    if (key === "__proto__") throw poisoned(key);
    const inner = outer[key];
    if (!isObject(inner)) continue;
    if (key === "constructor" && Object.hasOwn(inner, "prototype")) throw poisoned("constructor.prototype");
    refuseHarmful(inner, depth + 1);
  }
}

function tooDeep() {
  return new HttpError(400, `The JSON is nested deeper than ${MAX_DEPTH} levels.`);
}

function poisoned(key) {
  return new HttpError(400, `The key "${key}" is refused, because it can poison prototypes.`);
}

/** The request that a handler gets: the members of the WHATWG class, each made only when read, and what routing found. */

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
class Request {
  method;
  /** The path as the client sent it: percent-encoded, without the query. */
  path;
  /** The route that serves this request. A request from `new Request(…)` has a stand-in, whose pattern is the path. */
  route;
  #exchange;
  #values;
  /** The exchange, until the request is cloned. */
  #source;
  /** Gives a body to each clone. All clones of a request have one. */
  #share;
  #body;
  #headers;
  #query;
  #params;
  #cookies;

  constructor(input, second, values) {
    // Not by `instanceof`, which is slower: the app makes one for most requests.
    const isRouted = values !== undefined;
    const exchange = isRouted ? input : toExchange(input, second);
    this.method = exchange.method;
    this.path = exchange.path;
    this.route = isRouted ? second : standIn(exchange);
    this.#exchange = exchange;
    this.#values = values ?? [];
    this.#source = exchange;
  }

  /** The whole URL. The client chose its host: don't build links for other people from it. */
  get url() {
    return this.#exchange.origin + this.#exchange.target;
  }

  get headers() {
    this.#headers ??= this.#exchange.headers;
    return this.#headers;
  }

  /** Aborts when the client closes the connection before its answer, and when the handler takes too long. */
  get signal() {
    return this.#exchange.signal;
  }

  /** The address of the peer: behind a proxy, the proxy's. "" if the platform does not know it. */
  get ip() {
    return this.#exchange.ip;
  }

  /** The query, decoded. @example request.query.get("page") */
  get query() {
    this.#query ??= new URLSearchParams(this.#exchange.target.slice(this.path.length));
    return this.#query;
  }

  /** The values of the path's params by name: numbers for `int`, decoded text for `str`. */
  get params() {
    this.#params ??= withoutPrototype(
      this.route.segments
        .filter((segment) => typeof segment !== "string")
        .map(({ name }, index) => [name, this.#values[index] ?? ""]),
    );
    return this.#params;
  }

  /** The cookies by name, decoded. Of two with one name, the first counts (RFC 6265 section 5.4: the more specific path). */
  get cookies() {
    this.#cookies ??= parseCookies(this.headers.get("cookie") ?? "");
    return this.#cookies;
  }

  /** The body as a stream, or null if the request has none. */
  get body() {
    if (!this.#exchange.hasBody) return null;
    let chunks;
    // Nothing is read before the stream is: until then the body is unused.
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

  /** True once the body was read, in whole or in part. */
  get bodyUsed() {
    return this.#source.isBodyUsed;
  }

  /** @throws {HttpError} 400 when the body is empty, not JSON, nested deeper than 1000 levels, or has a key that poisons prototypes. */
  // biome-ignore lint/suspicious/noExplicitAny: as in WHATWG's Request; only the handler knows the shape that it asks for.
  json() {
    return this.#read(parseJson);
  }

  text() {
    return this.#read((bytes) => new TextDecoder().decode(bytes));
  }

  bytes() {
    return this.#read(toOwn);
  }

  /**
   * For a handler's `Body` or `Form`. `parse` may call the handler, so it runs in the async context of whoever takes the body, and not in
   * that of the last bytes: a middleware may have made one.
   *
   * @internal
   */
  "~take"(parse) {
    if (!this.#isUnusable()) return this.#read((bytes) => bytes).then(parse);
    const message =
      "The Body or Form parameter found the body already read. A middleware or a guard must read request.clone() instead.";
    return Promise.reject(new TypeError(message));
  }

  async arrayBuffer() {
    return (await this.bytes()).buffer;
  }

  async blob() {
    return new Blob([await this.bytes()], { type: this.headers.get("content-type") ?? "" });
  }

  /** @throws {HttpError} 400 when the body is neither `multipart/form-data` nor `application/x-www-form-urlencoded`. */
  async formData() {
    return this.#read((bytes) => parseForm(bytes, this.headers.get("content-type") ?? ""));
  }

  /** @throws {TypeError} when the body has been read. A clone's body is kept in memory, up to the body limit. */
  clone() {
    if (this.#isUnusable()) throw bodyUsed();
    const clone = new Request(this.#exchange, this.route, this.#values);
    this.#share ??= shareBody(this.#source);
    this.#source = this.#share();
    clone.#share = this.#share;
    clone.#source = this.#share();
    return clone;
  }

  /**
   * The same request as the platform's own class, for functions that need one, such as `fetch`. Both share one body: once either
   * reads it, it is used. In that class, GET and HEAD have no body.
   *
   * @throws {TypeError} when the body has been read.
   */
  toWeb() {
    if (this.#isUnusable()) throw bodyUsed();
    const { method, headers, signal, url } = this;
    const body = method === "GET" || method === "HEAD" ? null : this.body;
    return new globalThis.Request(url, { method, headers, signal, body, duplex: "half" });
  }

  #isUnusable() {
    return this.bodyUsed || this.#body?.locked === true;
  }

  #read(parse) {
    if (this.#isUnusable()) return Promise.reject(bodyUsed());
    if (!this.#exchange.hasBody) return Promise.resolve(new Uint8Array(0)).then(parse);
    return this.#use().read(parse);
  }

  #use() {
    if (this.bodyUsed) throw bodyUsed();
    this.#source.isBodyUsed = true;
    return this.#source;
  }
}

function toExchange(input, init) {
  const request = new globalThis.Request(input instanceof Request ? input.toWeb() : input, init);
  return new FetchExchange(request, Number.POSITIVE_INFINITY, () => {});
}

/**
 * Reads the body for a handler's `Body` or `Form`, as the request object of the exchange would: what has cloned it still reads its own.
 *
 * @throws {TypeError} as a rejection, when somebody has read the body of that object.
 */
function takeBody(exchange, parse) {
  if (exchange.request !== undefined) return exchange.request["~take"](parse);
  exchange.isBodyUsed = true;
  return exchange.read(parse);
}

/** @returns the request of an exchange, the same one for each function of the project. */
function requestOf(exchange) {
  exchange.request ??= new Request(exchange, exchange.route ?? standIn(exchange), exchange.values);
  return exchange.request;
}

function standIn({ method, path }) {
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

/** @returns a function that gives the same body to a request and its clones. The first of them that reads fills it. */
function shareBody(body) {
  let whole;
  const copy = async () => {
    whole ??= body.read(toOwn);
    // None sees what another changes.
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

/** Copies bytes that are in a buffer which other requests share. */
function toOwn(bytes) {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes);
}

/** Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): one event as text, and a stream of them. */

/**
 * An event with more than data, for the source of `events`.
 *
 * @throws {TypeError} when the data has no JSON, or a line break or NUL is in `event` or `id`; {RangeError} for `retry`.
 * @example yield event({ event: "price", id: 7, data: { eur: 5 } });
 */
function event(fields) {
  return new ServerSentEvent(fields);
}

/** What `event` returns. A class, so that an object that merely has such keys is data. */
class ServerSentEvent {
  fields;
  /** @internal */
  text;

  // Formats here, because the stack of what this throws then leads to the source.
  constructor(fields) {
    this.fields = fields;
    this.text = formatEvent(fields);
  }
}

/** @example formatEvent({ id: 7, data: "a\nb" }) // "id: 7\ndata: a\ndata: b\n\n" */
function formatEvent({ comment, event, id, retry, data }) {
  if (retry !== undefined && (!Number.isSafeInteger(retry) || retry < 0))
    throw new RangeError(`The retry of an event is a whole number of milliseconds, not ${retry}.`);
  const before = comment === undefined ? "" : toLines("", comment);
  const fields = toLine("event", event) + toLine("id", id) + toLine("retry", retry);
  return before + fields + (data === undefined ? "\n" : formatData(data));
}

function formatValue(value) {
  return value instanceof ServerSentEvent ? value.text : formatData(value);
}

/** @example formatData({ eur: 5 }) // 'data: {"eur":5}\n\n' */
function formatData(data) {
  return `${toLines("data", toText(data))}\n`;
}

/** A line break ends a field in each of its three forms. */
function toLines(field, text) {
  return `${field}: ${text.replace(/\r\n|\r|\n/g, `\n${field}: `)}\n`;
}

/** A line break would begin a field, or an event, of the client's choice (CWE-93). Clients ignore an id with NUL. */
function toLine(field, value) {
  if (!/[\r\n\0]/.test(String(value))) return value === undefined ? "" : `${field}: ${value}\n`;
  throw new TypeError(`The ${field} of an event can't hold a line break or NUL.`);
}

function toText(data) {
  if (typeof data === "string") return data;
  if (viewBytes(data)) throw new TypeError(`The event holds ${nameOf(data)}. Events are text.`);
  const json = toJson(data, "The event holds");
  // Refused in production, too: a stream that goes on would send each event without what it is about.
  const problem = json.includes("{}") ? explainLost("The event holds", data) : undefined;
  if (problem !== undefined) throw new TypeError(problem);
  return json;
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
function events(source, { heartbeat = 15 } = {}) {
  const isIterable = Symbol.asyncIterator in Object(source) || Symbol.iterator in Object(source);
  if (!isIterable || typeof source === "string")
    throw new TypeError(`events() takes a generator or an iterable of events, not ${nameOf(source)}.`);
  if (!(heartbeat >= 0 && heartbeat <= 86_400))
    throw new RangeError(`events() takes a heartbeat from 0 to 86400 seconds, not ${heartbeat}.`);
  return new EventStream(source, heartbeat * 1000);
}

/** What `events` returns. A test can iterate it for the text that is sent, and its `source` for the events. */
class EventStream {
  source;
  #heartbeat;

  /** @internal */
  constructor(source, heartbeat) {
    this.source = source;
    this.#heartbeat = heartbeat;
  }

  async *[Symbol.asyncIterator]() {
    yield COMMENT;
    for await (const value of this.source) yield formatValue(value);
  }

  /** @internal */
  "~answer"() {
    return {
      status: 200,
      headers: HEADERS,
      body: new EventText(this.source, this.#heartbeat),
      isEndless: true,
    };
  }
}

/** Shows the client that it is connected, and keeps proxies from closing the connection. */
const COMMENT = ":\n\n";

/**
 * The text of events, with a comment at once, and at each heartbeat for which no event comes. By hand, because the `return` of an async
 * generator waits for what its `next` waits for.
 */
class EventText {
  #events;
  #heartbeat;
  #timer;
  /** The first comment, until it is given. */
  #first = COMMENT;
  #isPulling = false;
  /** What the source was asked for, once it has come. */
  #given;
  /** Ends the wait for it. */
  #wake = () => {};

  constructor(source, heartbeat) {
    this.#events = toIterator(Symbol.asyncIterator in source ? source : each(source));
    this.#heartbeat = heartbeat;
  }

  async next() {
    const first = this.#first;
    if (first !== "") this.#start();
    if (!this.#isPulling) this.#pull();
    if (this.#given === undefined)
      await new Promise((resolve) => {
        this.#wake = resolve;
      });
    const step = await this.#given;
    this.#first = "";
    if (step === undefined || (step.done && first !== "")) return { done: false, value: COMMENT };
    if (step.done) return this.#end();
    this.#isPulling = false;
    this.#given = undefined;
    return { done: false, value: first + formatValue(step.value) };
  }

  async return() {
    const ended = this.#end();
    await this.#events.return?.();
    return ended;
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  /** Without `Promise.race`, of which something stays at the promise for each heartbeat until the event comes. */
  #pull() {
    this.#isPulling = true;
    const pulled = Promise.resolve(this.#events.next());
    const give = () => {
      this.#given = pulled;
      this.#wake();
    };
    pulled.then(give, give);
  }

  #start() {
    setTimeout(() => this.#first && this.#wake(), 0);
    // A timer for each stream: a platform such as workerd ends a timer with its request.
    if (this.#heartbeat > 0) this.#timer = setInterval(() => this.#wake(), this.#heartbeat);
    // Not every platform that speaks fetch has `unref`.
    this.#timer?.unref?.();
  }

  #end() {
    clearInterval(this.#timer);
    return { done: true, value: undefined };
  }
}

const HEADERS = [
  "Content-Type",
  "text/event-stream",
  "Cache-Control",
  "no-cache",
  // nginx would keep events back until its buffer is full.
  "X-Accel-Buffering",
  "no",
];

async function* each(source) {
  yield* source;
}

/** What a handler returns to choose a status, or headers, for a result of any kind. */

/**
 * Sends what a handler may return with a status and headers of its own choice.
 *
 * @param value an object, an array (always as JSON), a text, bytes, a `Blob`, a stream, `events(…)`; nothing for no body.
 * @param status 200 to 599. With 204, 205 and 304 nothing of the value is sent.
 * @param headers are added. A `content-type` replaces the value's own. Pairs or a `Headers` can hold several `set-cookie`.
 * @throws {RangeError} for another status, {TypeError} for a header that can't be sent, and for a promise or a `Response`.
 * @example return reply(products, 201, { location: `/products/${id}` });
 */
function reply(value, status, headers) {
  return new Reply(value, status, headers);
}

/** What `reply` returns. The answer's value and status are part of its type. */
class Reply {
  value;
  status;
  headers;

  // Refuses here what it can: the stack of what this throws leads to the handler.
  constructor(value, status, headers) {
    if (!Number.isInteger(status) || status < 200 || status > 599)
      throw new RangeError(`reply() takes a status from 200 to 599, not ${status}.`);
    refuse(value);
    this.value = value;
    this.status = status;
    this.headers = headers && new Headers(headers);
    if (this.headers) flattenHeaders(this.headers);
  }

  /** @internal */
  "~answer"() {
    const { value, status, headers } = this;
    // Here a number after an object is not a status.
    const answer = Array.isArray(value) ? jsonAnswer(200, value) : toAnswer(value);
    const made = hasNoBody(status) ? withoutBody(answer) : answer;
    return headers ? withHeaders({ ...made, status }, headers) : { ...made, status };
  }

  /**
   * It is not a part of another result, where its status would be lost.
   *
   * @internal
   */
  toJSON() {
    throw new TypeError("A Reply is a whole result. Return it by itself, and not inside another value.");
  }
}

function refuse(value) {
  if (isThenable(value)) throw new TypeError("reply() takes a value, not a promise. Await it first.");
  if (value instanceof Reply) throw new TypeError("reply() takes a value, not another Reply.");
  if (isResponse(value))
    throw new TypeError(`reply() does not take ${nameOf(value)}. Give it its own status.`);
}

function withoutBody({ status, body }) {
  if (body instanceof ReadableStream) body.cancel().catch(() => undefined);
  return { status, headers: [], body: null };
}

/** The framework counts the bytes of what is not a stream. */
function withHeaders(answer, own) {
  return {
    ...answer,
    headers: overrideHeaders(answer.headers, flattenHeaders(own, "content-length")),
    length: isPlain(answer.body) ? undefined : (answer.length ?? readLength(own)),
    isBare: answer.isBare === true && !own.has("content-type"),
  };
}

export {
  EventStream,
  Exchange,
  FetchExchange,
  HOP_BY_HOP,
  HttpError,
  MAX_DEPTH,
  Reply,
  Request,
  ServerSentEvent,
  TEXT_HEADERS,
  TOKEN,
  UNSENDABLE,
  answerFetch,
  answersItself,
  bodyDropped,
  bodyOf,
  bodyTooLarge,
  bodyUsed,
  clientGone,
  contentLength,
  discard,
  emptyAnswer,
  endSoon,
  errorAnswer,
  event,
  events,
  explainLost,
  flattenHeaders,
  frameHeaders,
  hasFailure,
  hasHeader,
  hasNoBody,
  hasStatus,
  httpErrorAnswer,
  isObject,
  isPair,
  isPlain,
  isPlainObject,
  isResponse,
  isThenable,
  joinHeaders,
  jsonAnswer,
  nameOf,
  overrideHeaders,
  parseCookies,
  parseForm,
  parseJson,
  poisoned,
  readJson,
  readLength,
  refuseHarmful,
  reply,
  requestOf,
  requireAwaited,
  serverStops,
  startChunks,
  takeBody,
  toAnswer,
  toIterator,
  toJson,
  toReadableStream,
  tooDeep,
  viewBytes,
  withoutPrototype,
};
