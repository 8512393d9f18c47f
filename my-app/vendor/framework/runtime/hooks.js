import {
  emptyAnswer,
  TOKEN,
  joinHeaders,
  isPlain,
  flattenHeaders,
  toReadableStream,
  requestOf,
  isResponse,
  HttpError,
  hasFailure,
  hasStatus,
  overrideHeaders,
} from "./message.js";
import { METHODS } from "./routing.js";

/** Cross-origin requests, as the Fetch standard has them (https://fetch.spec.whatwg.org/#http-cors-protocol). */

/** No cache that several clients share may keep a preflight's answer, although some keep those to OPTIONS. */
const PREFLIGHT = [
  "Vary",
  "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
  "Cache-Control",
  "private",
];

const REFUSED = emptyAnswer(204, PREFLIGHT);

function createCors({ credentials, expose, maxAge, origins }) {
  const withCredentials = credentials ? ["Access-Control-Allow-Credentials", "true"] : [];
  const permits = new Map(
    origins.map((origin) => [origin, ["Access-Control-Allow-Origin", origin, ...withCredentials]]),
  );
  const forEvery = permits.get("*");
  const permitOf = (origin = "") => forEvery ?? permits.get(origin);
  const exposed = expose.length === 0 ? [] : ["Access-Control-Expose-Headers", expose.join(", ")];
  return {
    preflight(exchange, findMethods) {
      if (exchange.method !== "OPTIONS") return undefined;
      const origin = exchange.header("origin");
      const method = exchange.header("access-control-request-method");
      if (origin === undefined || method === undefined) return undefined;
      const permit = permitOf(origin);
      if (permit === undefined) return REFUSED;
      // Where nothing is served, the browser has to send the request, or its script would not see the 404.
      const methods = findMethods() ?? METHODS.filter((known) => known === method);
      const names = readNames(exchange.header("access-control-request-headers") ?? "");
      return emptyAnswer(204, [
        ...permit,
        ...(methods.length === 0 ? [] : ["Access-Control-Allow-Methods", methods.join(", ")]),
        ...(names.length === 0 ? [] : ["Access-Control-Allow-Headers", names.join(", ")]),
        "Access-Control-Max-Age",
        String(maxAge),
        ...PREFLIGHT,
      ]);
    },
    share(answer, exchange) {
      const permit = permitOf(exchange.header("origin"));
      const added = permit ? [...permit, ...exposed] : [];
      return { ...answer, headers: addShared(answer.headers, added, forEvery === undefined) };
    },
  };
}

/** In characters. Proxies take only a few KiB of response headers. */
const LONGEST_NAMES = 2048;

/** The names in `Access-Control-Request-Headers`, without those that can't be a header's (RFC 9110 section 5.1). */
function readNames(text) {
  if (text.length > LONGEST_NAMES) return [];
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => TOKEN.test(name));
}

const VARIES = /(?:^|,)\s*(?:\*|origin)\s*(?:,|$)/i;

/**
 * Two `Access-Control-Allow-Origin` would be invalid, and one that the response of another server brings along would share ours with
 * its origins. So only the settings decide. What the project's `Vary` names is kept.
 *
 * @param varies also answers that are not shared differ by origin, and a cache must not give them to another one.
 */
function addShared(headers, added, varies) {
  const kept = [];
  const vary = [];
  for (let index = 0; index < headers.length; index += 2) {
    const [name = "", value = ""] = headers.slice(index, index + 2);
    if (/^vary$/i.test(name)) vary.push(value);
    else if (!/^access-control-/i.test(name)) kept.push(name, value);
  }
  if (varies && !VARIES.test(vary.join())) vary.push("Origin");
  return [...kept, ...(vary.length === 0 ? [] : ["Vary", vary.join(", ")]), ...added];
}

/**
 * The response that `next()` gives: the status and headers of an answer, and a WHATWG response only if the middleware touches the body.
 * Making one for each request takes 16 µs on Node 24 and 29 on Node 20, mostly for the stream of its body; these headers take one.
 */

/**
 * Has all members of the WHATWG class, and is an `instanceof` it. A function of the platform that needs its own class, such as
 * `cache.put`, takes `new Response(response.body, response)`.
 */
class NextResponse {
  status;
  ok;
  statusText = "";
  type = "default";
  url = "";
  redirected = false;
  #answer;
  #headers;
  #web;
  #isSent = false;
  #isCut = false;

  constructor(answer) {
    this.#answer = answer;
    this.status = answer.status;
    this.ok = answer.status < 300;
  }

  /** Not by `extends`, because the platform's constructor takes longer than the rest of a request. */
  static inherit() {
    Object.setPrototypeOf(NextResponse.prototype, Response.prototype);
  }

  get headers() {
    if (this.#headers === undefined) {
      const { headers, length } = this.#answer;
      this.#headers = joinHeaders(headers);
      if (length !== undefined) this.#headers.set("content-length", String(length));
    }
    return this.#headers;
  }

  get body() {
    return this.#toWeb().body;
  }

  get bodyUsed() {
    return (this.#isSent && this.#answer.body !== null) || this.#web?.bodyUsed === true;
  }

  async text() {
    return new TextDecoder().decode(await this.bytes());
  }

  // biome-ignore lint/suspicious/noExplicitAny: as in the WHATWG class.
  async json() {
    return JSON.parse(await this.text());
  }

  /** A body that was read whole can still be sent. */
  async bytes() {
    const bytes = new Uint8Array(await this.#toWeb().arrayBuffer());
    // Not the same memory, which the middleware may change.
    if (!isPlain(this.#answer.body)) this.#answer = { ...this.#answer, body: bytes.slice() };
    return bytes;
  }

  async arrayBuffer() {
    return (await this.bytes()).buffer;
  }

  async blob() {
    return new Response(await this.bytes(), { headers: this.headers }).blob();
  }

  async formData() {
    return new Response(await this.bytes(), { headers: this.headers }).formData();
  }

  clone() {
    return this.#toWeb().clone();
  }

  /**
   * @returns what to send if the middleware returns this response.
   * @throws {TypeError} when a part of the stream was read.
   */
  takeAnswer() {
    const headers = this.#headers ? flattenHeaders(this.#headers, "content-length") : this.#answer.headers;
    const body = this.#takeBody();
    this.#isSent = true;
    return { ...this.#answer, headers, body };
  }

  /** In place of a stream that the middleware has touched, the platform's stream is sent, of which a clone may read. */
  #takeBody() {
    const stream = this.#web?.body;
    if (isPlain(this.#answer.body) || !stream) return this.#answer.body;
    if (this.#web?.bodyUsed || stream.locked)
      throw new TypeError(
        "The body of the response has already been read. Call response.clone() before the first read.",
      );
    const reader = stream.getReader();
    const next = async () => (await reader.read()).value;
    return { next, cancel: () => reader.cancel().catch(() => undefined) };
  }

  /** Cancels the stream, unless somebody reads it: the middleware returned something else. */
  drop() {
    const stream = this.#web?.body;
    if (stream === undefined) this.cut();
    // A clone has the other branch of the stream, and keeps it.
    else if (stream?.locked === false) stream.cancel().catch(() => undefined);
  }

  /** Cancels the stream, also under its reader: the middleware failed. */
  cut() {
    const { body } = this.#answer;
    if (isPlain(body)) return;
    this.#isCut = true;
    void body.cancel();
  }

  #toWeb() {
    this.#web ??= new Response(this.#toContent(), { status: this.status, headers: this.headers });
    return this.#web;
  }

  #toContent() {
    const { body } = this.#answer;
    if (isPlain(body)) return body instanceof Uint8Array ? new Uint8Array(body) : body;
    const next = async () => {
      const chunk = await body.next();
      // Its first part must not look like the whole.
      if (this.#isCut) throw new TypeError("The stream was cut, because the middleware failed.");
      return chunk;
    };
    return toReadableStream({ next, cancel: body.cancel });
  }
}

/** What runs around the handlers of a folder and below: its `middleware` and its `error` hook. */

/** @param folders the outer first. */
function chainHooks(folders) {
  let chain = endChain(toErrorHooks(folders));
  for (const [index, { folder, middleware }] of [...folders.entries()].reverse()) {
    if (middleware === undefined) continue;
    const errorHooks = toErrorHooks(folders.slice(0, index + 1));
    chain = addMiddleware(toHook("middleware", folder, middleware), errorHooks, chain);
  }
  return chain;
}

/** @returns the nearest first. */
function toErrorHooks(folders) {
  return folders.flatMap(({ folder, error }) => (error ? toHook("error hook", folder, error) : [])).reverse();
}

function toHook(kind, folder, call) {
  return { name: `The ${kind} of ${folder === "" ? "" : `${folder}/`}_hooks.ts`, call };
}

function endChain(errorHooks) {
  return async (app, exchange, run) => {
    try {
      return await run();
    } catch (thrown) {
      return answerThrown(errorHooks, thrown, "The handler", app, exchange);
    }
  };
}

/** @param inner runs when the middleware calls `next()`. @param errorHooks answer what the middleware throws. */
function addMiddleware({ name, call }, errorHooks, inner) {
  NextResponse.inherit();
  return async (app, exchange, run) => {
    let wasCalled = false;
    let isOver = false;
    let given;
    const next = () => {
      if (wasCalled || isOver) return refuseNext(name, wasCalled ? "twice" : "after it had returned");
      wasCalled = true;
      return inner(app, exchange, run).then((answer) => {
        const response = new NextResponse(answer);
        // The middleware did not wait: what it returned is sent instead.
        if (isOver) response.drop();
        else given = response;
        return response;
      });
    };
    try {
      const result = await call(requestOf(exchange), next);
      isOver = true;
      if (result === undefined || result === null)
        throw new TypeError(`${name} returned nothing. Return the response of next().`);
      if (given !== undefined && result === given) return given.takeAnswer();
      const replaced = await app.startAnswer(result, exchange, name);
      // Only now, because the new answer may send the body of the response.
      given?.drop();
      return replaced;
    } catch (thrown) {
      isOver = true;
      if (!isResponse(thrown)) given?.cut();
      const answer = await answerThrown(errorHooks, thrown, name, app, exchange);
      given?.drop();
      return answer;
    }
  };
}

function refuseNext(name, when) {
  const refused = Promise.reject(new Error(`${name} called next() ${when}. Call it once, and await it.`));
  // A middleware that does not await it would end the process.
  refused.catch(() => undefined);
  return refused;
}

/**
 * Calls the error hooks until one of them answers. A hook may throw another error, which the outer ones are called with.
 *
 * @param hooks the nearest first.
 * @param thrower the name of the function that threw, in messages.
 */
async function answerThrown(hooks, first, thrower, app, exchange) {
  const thrown = [];
  let answer;
  /** A thrown response is the answer. */
  const attempt = async (name, step) => {
    try {
      answer = await step();
    } catch (error) {
      if (isResponse(error)) await attempt(name, () => app.startAnswer(error, exchange, name));
      else if (thrown.length === 0 || error !== thrown.at(-1)) thrown.push(error);
    }
  };
  await attempt(thrower, () => Promise.reject(first));
  for (const hook of hooks)
    if (answer === undefined)
      await attempt(hook.name, () => callErrorHook(hook, thrown.at(-1), app, exchange));
  // The app logs the newest error itself.
  answer ??= app.failure(thrown.pop(), exchange);
  if (answer.status >= 500)
    for (const error of thrown)
      if (!(error instanceof HttpError) || hasFailure(error))
        app.report("The handler failed.", error, exchange);
  return answer;
}

/** @returns undefined if the hook leaves the error to the outer ones. */
async function callErrorHook({ name, call }, error, app, exchange) {
  const result = await call(error, requestOf(exchange));
  if (result === undefined || result === null) return undefined;
  const answer = await app.startAnswer(result, exchange, name);
  const own = error instanceof HttpError ? error : undefined;
  const status = hasStatus(result) ? answer.status : (own?.status ?? 500);
  // A 401 needs its challenge and a 405 its methods, whoever writes the body.
  const base = own?.status === status ? flattenHeaders(own.headers ?? [], ...OF_BODY) : [];
  return { ...answer, status, headers: overrideHeaders(base, answer.headers) };
}

/** The headers that are about the body. */
const OF_BODY = ["content-type", "content-length", "content-encoding"];

export { NextResponse, chainHooks, createCors };
