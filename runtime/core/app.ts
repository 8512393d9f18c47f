/** The way of a request: find its route, call the handler, turn the result into a reply. */

import { HttpError } from "./errors.ts";
import { answerFetch } from "./fetch.ts";
import { declaredLength } from "./headers.ts";
import { consoleLog, type Log } from "./log.ts";
import type { ListenOptions, Server } from "./node.ts";
import type { ParamValue } from "./param.ts";
import { Request, type RequestSource } from "./request.ts";
import { errorReply, type Reply, type Source, toReply } from "./result.ts";
import { type Argument, METHODS, type Route } from "./route.ts";
import { type BadPath, createRouter, type NoMatch, type Router, type WrongMethod } from "./router.ts";
import type { ServerSettings } from "./settings.ts";
import { startChunks } from "./stream.ts";

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
  /** Never throws and never rejects. A promise only where the handler, or a stream, made one necessary. */
  respond(source: RequestSource): Reply | Promise<Reply>;
}

export function createCoreApp(routes: readonly BoundRoute[], options: CoreOptions): App {
  const core = new Core(routes, options);
  return {
    fetch: (request) => answerFetch(core, request),
    // Loaded here, because platforms that speak fetch have no node:http.
    listen: async (where) => (await import("./node.ts")).listen(core, where),
    routes: routes.map((bound) => bound.route),
  };
}

class Core implements Responder {
  readonly settings: ServerSettings;
  readonly log: Log;
  readonly #router: Router<BoundRoute>;
  readonly #methods: string;
  readonly #dev: boolean;
  readonly #explainMiss: CoreOptions["explainMiss"];

  constructor(routes: readonly BoundRoute[], options: CoreOptions) {
    this.settings = options.settings;
    this.log = options.log ?? consoleLog;
    this.#router = createRouter(routes);
    this.#methods = methodsOf(routes);
    this.#dev = options.dev === true;
    this.#explainMiss = options.explainMiss;
  }

  respond(source: RequestSource): Reply | Promise<Reply> {
    return this.#dev ? this.#respondAndTell(source) : this.#respond(source);
  }

  #respond(source: RequestSource): Reply | Promise<Reply> {
    let route: Route | undefined;
    try {
      const found = this.#router.find(source.method, source.path);
      if (found.kind !== "match") return this.#miss(found, source);
      route = found.item.route;
      const result = callHandler(found.item.handler, route.arguments, source, route, found.values);
      if (isThenable(result)) return this.#settle(result, route, source);
      const reply = toReply(result);
      return isReady(reply) ? reply : this.#settle(reply, route, source);
    } catch (error) {
      return this.#failure(error, route, source);
    }
  }

  /** The steps that need waiting: for the handler's promise, and for a stream to start. */
  async #settle(
    pending: PromiseLike<unknown> | Reply<Source>,
    route: Route,
    source: RequestSource,
  ): Promise<Reply> {
    try {
      const reply = isThenable(pending) ? toReply(await pending) : pending;
      return isReady(reply) ? reply : await this.#start(reply, route, source);
    } catch (error) {
      return this.#failure(error, route, source);
    }
  }

  async #start(reply: Reply<Source>, route: Route, source: RequestSource): Promise<Reply> {
    const { status, headers, body } = reply;
    if (isPlain(body)) return { status, headers, body };
    // The head alone is asked for, so that the stream is not even started.
    if (source.method === "HEAD") {
      if (body instanceof ReadableStream) await body.cancel();
      return { status, headers, body: null };
    }
    const onError = (error: unknown): void => {
      if (!source.gone)
        this.#tell("The stream failed, so that the response was cut off.", error, route, source);
    };
    return { status, headers, body: await startChunks(body, onError, declaredLength(headers)) };
  }

  #miss(found: WrongMethod | NoMatch | BadPath, source: RequestSource): Reply {
    const { method, path } = source;
    if (found.kind === "bad-path") {
      if (method === "OPTIONS" && path === "*") return allowReply(this.#methods);
      return errorReply(400, found.reason);
    }
    const detail = this.#dev && this.#explainMiss ? { detail: this.#explainMiss(method, path) } : undefined;
    if (found.kind === "no-match")
      return detail ? errorReply(404, "Not Found", undefined, detail) : NOT_FOUND;
    const allow = found.allow.join(", ");
    if (method === "OPTIONS") return allowReply(allow);
    return errorReply(405, "Method Not Allowed", new Headers({ Allow: allow }), detail);
  }

  #failure(error: unknown, route: Route | undefined, source: RequestSource): Reply {
    if (error instanceof HttpError) return errorReply(error.status, error.message, error.headers);
    if (!source.gone) this.#tell("The handler failed.", error, route, source);
    if (!this.#dev) return SERVER_ERROR;
    const stack = error instanceof Error ? String(error.stack) : String(error);
    return errorReply(500, "Internal Server Error", undefined, { stack });
  }

  #tell(message: string, error: unknown, route: Route | undefined, source: RequestSource): void {
    const place = route && { handler: route.handler, location: route.location };
    this.log.error({ message, error, method: source.method, path: source.path, ...place });
  }

  async #respondAndTell(source: RequestSource): Promise<Reply> {
    const start = performance.now();
    const reply = await this.#respond(source);
    const { method, path } = source;
    const { status } = reply;
    this.log.info({ message: "", method, path, status, duration: performance.now() - start });
    return reply;
  }
}

const NOT_FOUND: Reply = errorReply(404, "Not Found");
const SERVER_ERROR: Reply = errorReply(500, "Internal Server Error");

function allowReply(allow: string): Reply {
  return { status: 204, headers: ["Allow", allow], body: null };
}

/** Everything that the server answers somewhere, for `OPTIONS *` (RFC 9110 section 9.3.7). */
function methodsOf(routes: readonly BoundRoute[]): string {
  const used = new Set<string>(routes.map((bound) => bound.route.method));
  if (used.has("GET")) used.add("HEAD");
  used.add("OPTIONS");
  return METHODS.filter((method) => used.has(method)).join(", ");
}

type AnyHandler = (...args: unknown[]) => unknown;

/** The request object is made only for a handler that asks for it. The usual signatures are called without an array. */
function callHandler(
  handler: Handler,
  order: readonly Argument[],
  source: RequestSource,
  route: Route,
  values: readonly ParamValue[],
): unknown {
  // What the signature says was read from the source text; nothing at run time could check it.
  const call = handler as AnyHandler;
  switch (order.length) {
    case 0:
      return call();
    case 1:
      return call(toArgument(order[0], source, route, values));
    case 2:
      return call(toArgument(order[0], source, route, values), toArgument(order[1], source, route, values));
    default:
      return call(...order.map((argument) => toArgument(argument, source, route, values)));
  }
}

function toArgument(
  argument: Argument | undefined,
  source: RequestSource,
  route: Route,
  values: readonly ParamValue[],
): Request | ParamValue | undefined {
  return argument === "request" ? new Request(source, route, values) : values[argument ?? -1];
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

function isReady(reply: Reply<Source>): reply is Reply<never> {
  return isPlain(reply.body);
}

function isPlain(body: Reply<Source>["body"]): body is string | Uint8Array | null {
  return typeof body === "string" || body === null || body instanceof Uint8Array;
}
