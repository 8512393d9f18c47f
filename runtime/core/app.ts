/** The way of a request: find its route, call the handler, turn the result into a reply. */

import { HttpError } from "./errors.ts";
import { answerFetch } from "./fetch.ts";
import { consoleLog, type Log } from "./log.ts";
import { type ListenOptions, listen, type Server } from "./node.ts";
import { type Exchange, Request } from "./request.ts";
import { emptyReply, errorReply, isPlain, jsonReply, type Reply, toReply } from "./result.ts";
import type { Argument, Route } from "./route.ts";
import { createRouter, type Found, type Match, methodsServed, type Router } from "./router.ts";
import type { ServerSettings } from "./settings.ts";
import { type Source, startChunks } from "./stream.ts";

/** A function that serves a route. What its parameters are is the route's to know. */
export type Handler = (...args: never[]) => unknown;

export interface BoundRoute {
  readonly route: Route;
  readonly handler: Handler;
}

export interface CoreOptions {
  readonly settings: ServerSettings;
  /** Answers tell a developer more than a stranger should know: stacks, and why no route matched. */
  readonly dev?: boolean;
  readonly log?: Log;
  readonly explainMiss?: (method: string, path: string) => string;
}

export interface App {
  /** Answers one request without a socket: for tests, and for platforms that speak fetch. */
  fetch(request: globalThis.Request): Promise<Response>;
  /**
   * Serves the app on Node, by default where `[server]` in `framework.toml` says.
   *
   * @throws the system's error when it can't listen, as in `EADDRINUSE`.
   */
  listen(options?: ListenOptions): Promise<Server>;
  readonly routes: readonly Route[];
}

/** What an adapter needs of the app. */
export interface Responder {
  readonly settings: ServerSettings;
  readonly log: Log;
  /** How many handlers have not ended yet. */
  readonly running: number;
  /** Answers by `exchange.send`, at once or later. Never throws. */
  respond(exchange: Exchange): void;
}

export function createCoreApp(routes: readonly BoundRoute[], options: CoreOptions): App {
  const core = new Core(routes, options);
  return {
    fetch: (request) => answerFetch(core, request),
    listen: (where) => listen(core, where),
    routes: routes.map((bound) => bound.route),
  };
}

/** A handler that is waited for. */
interface Running {
  readonly route: Route;
  readonly exchange: Exchange;
}

class Core implements Responder {
  readonly settings: ServerSettings;
  readonly log: Log;
  readonly #router: Router<BoundRoute>;
  readonly #methods: string;
  readonly #health: string | undefined;
  readonly #dev: boolean;
  readonly #explainMiss: CoreOptions["explainMiss"];
  /** In the order in which they began. */
  readonly #running = new Set<Running>();
  #clock: ReturnType<typeof setInterval> | undefined;

  constructor(routes: readonly BoundRoute[], options: CoreOptions) {
    this.settings = options.settings;
    this.log = options.log ?? consoleLog;
    this.#router = createRouter(routes);
    this.#methods = methodsServed(routes.map(({ route }) => route)).join(", ");
    this.#health = options.settings.health || undefined;
    this.#dev = options.dev === true;
    this.#explainMiss = options.explainMiss;
  }

  get running(): number {
    return this.#running.size;
  }

  respond(exchange: Exchange): void {
    let route: Route | undefined;
    try {
      if (exchange.path === this.#health && (exchange.method === "GET" || exchange.method === "HEAD")) {
        this.#send(exchange.isDraining ? NOT_WELL : WELL, exchange);
        return;
      }
      const found = this.#router.find(exchange.method, exchange.path);
      if (found.kind !== "match") {
        this.#send(this.#miss(found, exchange), exchange);
        return;
      }
      route = found.item.route;
      const result = callHandler(found, exchange);
      const pending = isThenable(result) ? result : toReply(result);
      if (isReady(pending)) this.#send(pending, exchange);
      else void this.#settle(pending, { exchange, route });
    } catch (error) {
      this.#fail(error, exchange, route);
    }
  }

  /** The steps that need waiting: for the handler's promise, and for a stream to start. */
  async #settle(pending: PromiseLike<unknown> | Reply<Source>, running: Running): Promise<void> {
    const { exchange, route } = running;
    this.#running.add(running);
    this.#clock ??= this.#startClock();
    try {
      const reply = isThenable(pending) ? toReply(await pending) : pending;
      this.#send(isReady(reply) ? reply : await this.#start(reply, exchange, route), exchange);
    } catch (error) {
      this.#fail(error, exchange, route);
    }
    this.#running.delete(running);
  }

  /** One clock for all handlers: a timer for each of them would cost more. It stands still while none is running. */
  #startClock(): ReturnType<typeof setInterval> | undefined {
    const limit = this.settings.handlerTimeout * 1000;
    if (limit === 0) return undefined;
    const tick = (): void => {
      for (const running of this.#running) {
        if (performance.now() - running.exchange.began < limit) return;
        this.#running.delete(running);
        this.#giveUp(running);
      }
      clearInterval(this.#clock);
      this.#clock = undefined;
    };
    const clock = setInterval(tick, Math.min(1000, limit / 4));
    // No reason for a process to live on. Not every platform that speaks fetch has it.
    clock.unref?.();
    return clock;
  }

  #giveUp({ exchange, route }: Running): void {
    const error = new DOMException("The handler took longer than [server] handler_timeout.", "TimeoutError");
    this.#tell("The handler was given up.", error, exchange, route);
    this.#send(errorReply(503, "Service Unavailable"), exchange);
    exchange.abort(error);
  }

  async #start(reply: Reply<Source>, exchange: Exchange, route: Route): Promise<Reply> {
    if (isPlain(reply.body)) return { ...reply, body: reply.body };
    const onError = (error: unknown): void => {
      this.#tell("The stream failed, so that the response was cut off.", error, exchange, route);
    };
    const body = await startChunks(reply.body, onError, reply.length);
    if (isPlain(body) || exchange.method !== "HEAD") return { ...reply, body };
    body.cancel();
    return { ...reply, body: null };
  }

  #send(reply: Reply, exchange: Exchange): void {
    const { began, method, path } = exchange;
    const { status } = reply;
    if (this.#dev) this.log.info({ message: "", method, path, status, duration: performance.now() - began });
    exchange.send(reply);
  }

  #miss(found: Exclude<Found<BoundRoute>, { kind: "match" }>, { method, path }: Exchange): Reply {
    const isOptions = method === "OPTIONS";
    if (found.kind === "bad-path")
      return isOptions && path === "*" ? allowReply(this.#methods) : errorReply(400, found.reason);
    const allow = found.kind === "wrong-method" ? found.allow.join(", ") : undefined;
    if (allow !== undefined && isOptions) return allowReply(allow);
    const detail = this.#dev && this.#explainMiss ? { detail: this.#explainMiss(method, path) } : undefined;
    if (allow !== undefined)
      return errorReply(405, "Method Not Allowed", new Headers({ Allow: allow }), detail);
    return detail === undefined ? NOT_FOUND : errorReply(404, "Not Found", undefined, detail);
  }

  #fail(error: unknown, exchange: Exchange, route: Route | undefined): void {
    if (error instanceof HttpError) {
      this.#send(errorReply(error.status, error.message, error.headers), exchange);
      return;
    }
    this.#tell("The handler failed.", error, exchange, route);
    const stack = error instanceof Error ? String(error.stack) : String(error);
    this.#send(errorReply(500, "Internal Server Error", undefined, this.#dev ? { stack } : {}), exchange);
  }

  #tell(message: string, error: unknown, exchange: Exchange, route: Route | undefined): void {
    // Whoever left has taken the reason for many an error along, and nobody waits for an answer.
    if (exchange.isGone) return;
    const place = route && { handler: route.handler, location: route.location };
    this.log.error({ message, error, method: exchange.method, path: exchange.path, ...place });
  }
}

const NOT_FOUND: Reply = errorReply(404, "Not Found");
const WELL: Reply = jsonReply(200, { status: "ok" });
const NOT_WELL: Reply = errorReply(503, "The server is stopping.");

function allowReply(allow: string): Reply {
  return emptyReply(204, ["Allow", allow]);
}

/** The request object is made only for a handler that asks for it. The usual signatures are called without an array. */
function callHandler({ item, values }: Match<BoundRoute>, exchange: Exchange): unknown {
  // What the signature says was read from the source text; nothing at run time could check it.
  const call = item.handler as (...args: unknown[]) => unknown;
  const { route } = item;
  const toValue = (argument: Argument | undefined): unknown =>
    argument === "request" ? new Request(exchange, route, values) : values[argument ?? -1];
  const [first, second] = route.arguments;
  switch (route.arguments.length) {
    case 0:
      return call();
    case 1:
      return call(toValue(first));
    case 2:
      return call(toValue(first), toValue(second));
    default:
      return call(...route.arguments.map(toValue));
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

function isReady(pending: PromiseLike<unknown> | Reply<Source>): pending is Reply<never> {
  return "body" in pending && isPlain(pending.body);
}
