/** Processes a request: finds its route, runs its hooks and handler, and turns the result into an answer. */

import { callHandler } from "./call-handler.ts";
import type { Docs } from "./docs.ts";
import type { Files } from "./files/folders.ts";
import type { Cors } from "./hooks/cors.ts";
import type { HookChain, HookHost } from "./hooks/hooks.ts";
import { consoleLog, formatThrown, isError, type Log } from "./log/log.ts";
import { createDecoders } from "./message/decode.ts";
import { createEncode, type Encode } from "./message/encoding.ts";
import { HttpError, hasFailure } from "./message/errors.ts";
import type { Exchange, Responder, Watch } from "./message/exchange.ts";
import { answerFetch } from "./message/fetch-exchange.ts";
import { joinHeaders, overrideHeaders } from "./message/headers.ts";
import type { Request } from "./message/request.ts";
import { identify, logRequest, toEvent, withRequestId } from "./message/request-log.ts";
import {
  type Answer,
  answersItself,
  emptyAnswer,
  errorAnswer,
  httpErrorAnswer,
  isPlain,
  jsonAnswer,
  TEXT_HEADERS,
  toAnswer,
} from "./message/result.ts";
import { isResponse, isThenable, nameOf } from "./message/sendable.ts";
import { endSoon, endWith, type Source, startChunks } from "./message/stream.ts";
import { type ListenOptions, listen, type Server } from "./node/server.ts";
import { createResultCheck, type ResultCheck } from "./result-check.ts";
import { METHODS, type Method, type Route } from "./routing/route.ts";
import { createRouter, type Found, type Match, methodsServed, type Router } from "./routing/router.ts";
import type { Routed } from "./routing/router-tree.ts";
import { RunningHandlers } from "./running.ts";
import { isProbe, type RouteLimits, type ServerSettings } from "./settings.ts";
import type { Serve } from "./wire/inputs.ts";

/** A project function that serves a route. `Route.arguments` describes its parameters. */
export type Handler = (...args: never[]) => unknown;

export interface BoundRoute extends Routed {
  readonly handler: Handler;
  /** Calls a handler that has validated inputs, guards or providers. */
  readonly serve?: Serve;
  /** The hooks of the folders that contain the handler. */
  readonly hooks?: HookChain;
  /** The limits of these folders, which override the server's. */
  readonly limits?: RouteLimits;
  /** Receives each answer made from the handler's result, and returns the answer to send. */
  readonly look?: ((answer: Answer<Source>) => Answer<Source>) | undefined;
}

export interface CoreOptions {
  readonly settings: ServerSettings;
  /** Adds debugging details to answers, such as the stack of an error. */
  readonly dev?: boolean;
  /** Treats a promise inside a result as an error. Otherwise the answer is sent, and logged once per route. */
  readonly strict?: boolean;
  readonly log?: Log | undefined;
  /** In dev, explains to the client why no route matched. */
  readonly explainMiss?: ((method: string, path: string) => string) | undefined;
  /** The root's hooks, which run around requests that no route serves. */
  readonly unmatched?: HookChain | undefined;
  readonly cors?: Cors | undefined;
  /** The contract and its docs page, served on paths that no route serves. */
  readonly docs?: Docs | undefined;
  /** The folders of static files, served on paths that neither a route nor the docs serve. */
  readonly files?: Files | undefined;
}

export interface App {
  /**
   * Answers one request without a socket: for tests, and for platforms that call a `fetch` function.
   *
   * @param input any input of `fetch`, or a path alone.
   * @returns the response. An error in a handler becomes a 500 response.
   * @throws {TypeError} for input that `fetch` would refuse, too.
   * @example await app.fetch("/items", { method: "POST", body: JSON.stringify({ name: "lamp" }) })
   */
  fetch(input: string | URL | globalThis.Request | Request, init?: RequestInit): Promise<Response>;
  /**
   * Serves the app on Node, by default at the address in `[server]` of `framework.toml`.
   *
   * @returns the server, as soon as it listens.
   * @throws the system's error if it can't listen, such as `EADDRINUSE`.
   * @example const server = await app.listen({ port: 0 });
   */
  listen(options?: ListenOptions): Promise<Server>;
  /** All routes of the app, in the order of `framework routes list`. */
  readonly routes: readonly Route[];
}

export function createCoreApp(routes: readonly BoundRoute[], options: CoreOptions): App {
  const core = new Core(routes, options);
  return {
    fetch: (input, init) => answerFetch(core, input, init),
    listen: (where) => listen(core, where),
    routes: routes.map((bound) => bound.route),
  };
}

class Core implements Responder, HookHost {
  readonly settings: ServerSettings;
  readonly log: Log;
  readonly decoders: Responder["decoders"];
  readonly #options: CoreOptions;
  readonly #router: Router<BoundRoute>;
  readonly #methods: string;
  readonly #check: ResultCheck;
  readonly #logsRequests: boolean;
  readonly #running: RunningHandlers;
  readonly #encode: Encode | undefined;
  /** The number of requests whose providers are closing their resources. */
  #closing = 0;

  constructor(routes: readonly BoundRoute[], options: CoreOptions) {
    const { settings, log = consoleLog, dev = false, strict = false } = options;
    this.settings = settings;
    this.log = log;
    this.#options = options;
    this.#router = createRouter(routes);
    this.#methods = methodsServed(routes.map(({ route }) => route)).join(", ");
    this.#check = createResultCheck(strict, log);
    this.#logsRequests = dev || settings.accessLog;
    this.decoders = createDecoders(settings);
    this.#encode = createEncode(settings);
    this.#running = new RunningHandlers(settings.handlerTimeout, (late) => this.#giveUp(late));
  }

  get running(): number {
    return this.#running.size + this.#closing;
  }

  limitsOf({ method, path }: Exchange): RouteLimits | undefined {
    const found = this.#router.find(method, path);
    return found.kind === "match" ? found.item.limits : undefined;
  }

  respond(exchange: Exchange): void {
    try {
      const { method, path } = exchange;
      // 1. A health probe is answered before all else, and not logged: one each second would hide the other requests.
      if (isProbe(this.settings.health, method, path)) {
        exchange.send(this.#share(exchange.isDraining ? STOPPING : HEALTHY, exchange));
        return;
      }
      // 2. If requests are logged, this one is given its start time and its id.
      this.#begin(exchange);
      // 3. A CORS preflight is answered from the settings alone.
      const preflight = this.#options.cors?.preflight(exchange, () => this.#methodsAt(path));
      if (preflight !== undefined) {
        this.#sendComplete(preflight, exchange);
        return;
      }
      // 4. The router finds the route for the method and the path.
      const found = this.#router.find(method, path);
      // 5. The hooks, guards, providers and handler run, and the result becomes an answer. Without a route it is an error.
      const answer =
        found.kind === "match" ? this.#answerMatch(found, exchange) : this.#answerMiss(found, exchange);
      // 6. The answer is sent, in the same turn unless a step is asynchronous.
      if (answer instanceof Promise) void this.#sendLate(answer, exchange);
      else this.#send(answer, exchange);
    } catch (error) {
      // 7. An HttpError is sent with its status, a thrown response unchanged. Any other error is logged and sent as 500.
      this.#answerThrown(error, exchange);
    }
  }

  refuse(exchange: Exchange, answer: Answer): void {
    this.#begin(exchange);
    this.#send(answer, exchange);
  }

  #begin(exchange: Exchange): void {
    // Already set if a request breaks off and is refused.
    if (!this.#logsRequests || exchange.began > 0) return;
    exchange.began = performance.now();
    if (this.settings.accessLog) identify(exchange);
  }

  #answerMatch({ item, values }: Match<BoundRoute>, exchange: Exchange): Answer | Promise<Answer> {
    exchange.route = item.route;
    exchange.values = values;
    exchange.limits = item.limits;
    if (item.hooks === undefined) return this.#answer(item, exchange);
    return item.hooks(this, exchange, () => {
      // After `handler_timeout` the client was sent a 503, so no further function is called.
      if (exchange.givenUp !== undefined) throw exchange.givenUp;
      return this.#answer(item, exchange);
    });
  }

  /** Answers with the docs, a static file, or an error. The root's hooks run around files and errors. */
  #answerMiss(found: Miss, exchange: Exchange): Answer | Promise<Answer> {
    const { docs, files, unmatched } = this.#options;
    const shown = docs?.(exchange);
    if (shown !== undefined) return shown;
    const findFile = async (): Promise<Answer | undefined> => {
      const file = found.kind === "bad-path" ? undefined : await files?.(exchange);
      return file && this.#start(file, exchange);
    };
    const miss = (): Answer => this.#miss(found, exchange);
    if (unmatched !== undefined)
      return unmatched(this, exchange, async () => (await findFile()) ?? throwIfError(miss()));
    return files === undefined ? miss() : findFile().then((file) => file ?? miss());
  }

  /** @returns a promise only if the handler or its answer is asynchronous. */
  #answer(item: BoundRoute, exchange: Exchange): Answer | Promise<Answer> {
    const result = callHandler(item, exchange);
    if (isThenable(result)) return this.#finish(result, exchange, item.look);
    const answer = this.#toAnswer(result, exchange, HANDLER, item.look);
    return isReady(answer) ? answer : this.#finish(result, exchange, item.look, answer);
  }

  /** Awaits the handler's promise, the start of a stream, and providers. @param made the answer, if the result is not a promise. */
  async #finish(
    result: unknown,
    exchange: Exchange,
    look?: BoundRoute["look"],
    made?: Answer<Source>,
  ): Promise<Answer> {
    try {
      const answer = made ?? this.#toAnswer(await result, exchange, HANDLER, look);
      const ready = isReady(answer) ? answer : await this.#start(answer, exchange);
      const { opened } = exchange;
      return opened === undefined ? ready : await opened.finish(ready, this.#watch(exchange));
    } catch (error) {
      const { opened } = exchange;
      throw opened === undefined ? error : await opened.fail(error, this.#watch(exchange));
    }
  }

  /** Converts and checks every result of handlers and hooks. @param look the route's, for a handler's result. */
  #toAnswer(result: unknown, exchange: Exchange, callee: string, look?: BoundRoute["look"]): Answer<Source> {
    const answer = toAnswer(result, callee);
    const refusal = this.#check(`${callee} returned`, result, answer, exchange);
    if (refusal !== undefined) throw refusal;
    return look === undefined ? answer : look(answer);
  }

  async #sendLate(answer: Promise<Answer>, exchange: Exchange): Promise<void> {
    this.#running.enter(exchange);
    try {
      this.#send(await answer, exchange);
      this.#running.leave(exchange);
    } catch (error) {
      this.#running.leave(exchange);
      this.#answerThrown(error, exchange);
    }
  }

  /** Counts providers that are closing, because a stopping server waits for them. Logs an error that is too late for a response. */
  #watch(exchange: Exchange): Watch {
    return async (closing) => {
      this.#closing++;
      try {
        await closing;
      } catch (error) {
        if (exchange.isAnswered || exchange.isGone)
          this.log.error({ ...toEvent("A provider failed after the handler.", exchange), error });
      }
      this.#closing--;
    };
  }

  /** A thrown response is sent, like a returned one. */
  #answerThrown(thrown: unknown, exchange: Exchange): void {
    if (isResponse(thrown)) void this.#sendLate(this.#finish(thrown, exchange), exchange);
    else this.#send(this.failure(thrown, exchange), exchange);
  }

  #giveUp(exchange: Exchange): void {
    const isOwn = exchange.limits?.handlerTimeout !== undefined;
    const limit = isOwn ? "the timeout in its folder's limits" : "[server] handler_timeout";
    const error = new DOMException(`The handler took longer than ${limit}.`, "TimeoutError");
    this.report("The handler took too long and was given up.", error, exchange);
    this.#send(errorAnswer(503, "Service Unavailable"), exchange);
    exchange.givenUp = error;
    exchange.abort(error);
    exchange.start?.abort(error);
    void exchange.opened?.fail(error, this.#watch(exchange));
  }

  startAnswer(result: unknown, exchange: Exchange, callee: string): Promise<Answer> {
    return this.#start(this.#toAnswer(result, exchange, callee), exchange);
  }

  async #start(answer: Answer<Source>, exchange: Exchange): Promise<Answer> {
    const { body, choose, headers, isBare = false, isEndless = false, length } = answer;
    if (isPlain(body)) return { ...answer, body };
    // Only GET and HEAD can be answered with a part (206) or with 304.
    if (choose !== undefined && answer.status === 200 && /^(?:GET|HEAD)$/.test(exchange.method)) {
      const chosen = choose(exchange);
      return this.#start({ ...chosen, headers: overrideHeaders(chosen.headers, headers) }, exchange);
    }
    const onError = (error: unknown): void => {
      this.report("The stream failed, so the response was cut off.", error, exchange);
    };
    // Not the request's signal: it aborts when a client half-closes, although it may still wait for the answer.
    if (isBare) exchange.start = new AbortController();
    const started = await startChunks(body, { isEndless, length, until: exchange.start?.signal, onError });
    // The content type of a bare stream comes first, before headers that `reply` adds.
    const typed =
      isBare && started.isText
        ? { ...answer, headers: [...TEXT_HEADERS, ...headers.slice(TEXT_HEADERS.length)] }
        : answer;
    if (isPlain(started.body) || exchange.method !== "HEAD") return { ...typed, body: started.body };
    const ended = endSoon(started.body);
    if (exchange.opened) await ended;
    return { ...typed, body: null };
  }

  #send(answer: Answer, exchange: Exchange): void {
    const { body } = answer;
    if (isPlain(body)) exchange.end();
    // A stream may still read the request's body.
    const isReading = !isPlain(body) && exchange.hasBody;
    const ending = isReading ? { ...answer, body: endWith(body, () => exchange.end()) } : answer;
    const shared = this.#share(ending, exchange);
    const encoded = this.#encode === undefined ? shared : this.#encode(shared, exchange);
    if (encoded instanceof Promise) void encoded.then((late) => this.#sendComplete(late, exchange));
    else this.#sendComplete(encoded, exchange);
  }

  #share(answer: Answer, exchange: Exchange): Answer {
    const { cors } = this.#options;
    return cors === undefined ? answer : cors.share(answer, exchange);
  }

  /** Logs and sends a complete answer, with the request's id if it has one. */
  #sendComplete(answer: Answer, exchange: Exchange): void {
    if (this.#logsRequests && !exchange.isAnswered) logRequest(this.log, answer, exchange);
    exchange.send(exchange.id === undefined ? answer : withRequestId(answer, exchange.id));
  }

  /** @returns undefined if no route serves the path. */
  #methodsAt(path: string): readonly Method[] | undefined {
    const found = this.#router.find("", path);
    if (found.kind === "match") return METHODS;
    return found.kind === "wrong-method" ? found.allow : undefined;
  }

  #miss(found: Miss, { method, path }: Exchange): Answer {
    const isOptions = method === "OPTIONS";
    if (found.kind === "bad-path")
      return isOptions && path === "*"
        ? emptyAnswer(204, ["Allow", this.#methods])
        : errorAnswer(400, found.reason);
    const allow = found.kind === "wrong-method" ? found.allow.join(", ") : undefined;
    if (allow !== undefined && isOptions) return emptyAnswer(204, ["Allow", allow]);
    const { explainMiss } = this.#options;
    const detail = explainMiss && { detail: explainMiss(method, path) };
    if (allow !== undefined) return errorAnswer(405, "Method Not Allowed", ["Allow", allow], detail);
    return detail === undefined ? NOT_FOUND : errorAnswer(404, "Not Found", [], detail);
  }

  /** @returns the answer to a thrown value. The value is logged unless it is an `HttpError` without a server failure behind it. */
  failure(error: unknown, exchange: Exchange): Answer {
    const isNativeError = isError(error);
    if (isNativeError && error instanceof HttpError) {
      if (hasFailure(error)) this.report(`The handler failed with a ${error.status}.`, error, exchange);
      const answer = httpErrorAnswer(error);
      const refusal = this.#check("The HttpError holds", error.body, answer, exchange);
      return refusal === undefined ? answer : httpErrorAnswer(refusal);
    }
    const hint = answersItself(error) ? " Return it instead." : "";
    const what = isNativeError ? "failed." : `threw ${nameOf(error)}, not an Error.${hint}`;
    this.report(`The handler ${what}`, error, exchange);
    const more = this.#options.dev ? { stack: formatThrown(error) } : {};
    return errorAnswer(500, "Internal Server Error", [], more);
  }

  report(message: string, error: unknown, exchange: Exchange): void {
    // A client that disconnects causes errors by it, and no longer waits for an answer.
    if (!exchange.isGone) this.log.error({ ...toEvent(message, exchange), error });
  }
}

type Miss = Exclude<Found<BoundRoute>, { kind: "match" }>;

const HANDLER = "The handler";
const NOT_FOUND: Answer = errorAnswer(404, "Not Found");
const HEALTHY: Answer = jsonAnswer(200, { status: "ok" });
const STOPPING: Answer = errorAnswer(503, "The server is stopping.");

/** Throws an error answer, so that error hooks can handle it. The automatic answer to OPTIONS is not one. */
function throwIfError(answer: Answer): Answer {
  const { status, headers, body } = answer;
  if (status < 400) return answer;
  throw new HttpError(status, JSON.parse(String(body)), { headers: joinHeaders(headers) });
}

function isReady(answer: Answer<Source>): answer is Answer<never> {
  return isPlain(answer.body);
}
