/** The interface between the app and an adapter: a request that can be answered, and the app that answers it. */

import type { Log } from "../log/log.ts";
import type { ParamValue } from "../routing/param.ts";
import type { Route } from "../routing/route.ts";
import type { RouteLimits, ServerSettings } from "../settings.ts";
import type { Decode } from "./decode.ts";
import type { Request } from "./request.ts";
import type { Answer } from "./result.ts";

const NO_CALLS: readonly [] = [];

/** One request and its answer. Getters may be expensive: read them once. */
export abstract class Exchange {
  readonly method: string;
  /** The path and query as they were sent, from the first slash; no fragment. */
  readonly target: string;
  /** The target without its query. */
  readonly path: string;
  /** The matched route, once it is found. */
  route: Route | undefined = undefined;
  /** The values of the route's path params, in the order of the path. */
  values: readonly ParamValue[] = [];
  /** The limits of the route's folders. */
  limits: RouteLimits | undefined = undefined;
  /** The time of arrival by `performance.now()`. Set only if requests are logged or the handler is asynchronous. */
  began = 0;
  /** Set only if requests are logged, or once the project reads it. */
  id: string | undefined = undefined;
  /** Aborts waiting for the first chunk of a stream. */
  start: AbortController | undefined = undefined;
  isAnswered = false;
  /** Listeners for the end of the answer, however it ends. Undefined afterwards. */
  whenOver: readonly (() => unknown)[] | undefined = NO_CALLS;
  /** The request object that all functions of the project share, once one needs it. */
  request: Request | undefined = undefined;
  isBodyUsed = false;
  /** The providers' generators that are suspended until the handler ends. */
  opened: Opened | undefined = undefined;
  /** The reason why the app no longer waits for the handler. No further function of the project is called then. */
  givenUp: Error | undefined = undefined;

  constructor(method: string, target: string) {
    const mark = target.indexOf("?");
    this.method = method;
    this.target = target;
    this.path = mark === -1 ? target : target.slice(0, mark);
  }

  abstract readonly owner: Owner;
  /** The origin, such as `http://localhost:8000`, from a trusted proxy's headers or the request itself. */
  abstract readonly origin: string;
  /** The host and port of the request itself, such as `localhost:8000`, without regard to proxies. */
  abstract readonly authority: string;
  abstract readonly headers: Headers;
  /** Reads one header without creating a `Headers`. @param name the name in lower case. */
  abstract header(name: string): string | undefined;
  /** The client's address as trusted proxies report it, or the peer's; "" if the platform does not know it. */
  abstract readonly ip: string;
  abstract readonly signal: AbortSignal;
  /** True once the client has gone, or the app has given up the handler. */
  abstract readonly isGone: boolean;
  /** True while the server stops. */
  abstract readonly isDraining: boolean;
  abstract readonly hasBody: boolean;
  /** The body limit in bytes. */
  get bodyLimit(): number {
    return this.limits?.bodyLimit ?? this.owner.settings.bodyLimit;
  }
  /** True if `Content-Length` exceeds it. */
  get isTooLarge(): boolean {
    return Number(this.header("content-length") ?? 0) > this.bodyLimit;
  }
  /** The decoder for this body; undefined if it has no supported content coding. `read` and `chunks` apply it. */
  get decode(): Decode | undefined {
    const { decoders } = this.owner;
    return decoders.size === 0
      ? undefined
      : decoders.get(this.header("content-encoding")?.toLowerCase() ?? "");
  }
  /**
   * Reads the whole body, once, and passes it to `parse`. Rejects with `HttpError` 413 above the limit, with `AbortError` if the
   * client disconnects, and with any error of `parse`.
   */
  abstract read<T>(parse: (bytes: Uint8Array) => T): Promise<T>;
  /** Reads the body as a stream, once, instead of `read`. Rejects as `read` does. */
  abstract chunks(): AsyncIterableIterator<Uint8Array>;
  /** Sends an answer, unless one was sent before. */
  abstract send(answer: Answer): void;
  /** Aborts the signal, because the result is no longer needed. */
  abstract abort(reason: unknown): void;
  /** Calls the `whenOver` listeners. */
  end(): void {
    const { whenOver = NO_CALLS } = this;
    this.whenOver = undefined;
    for (const call of whenOver) call();
  }
}

/** The part of the app that an exchange uses. A request outside of an app has a stand-in. */
export interface Owner extends Pick<Responder, "decoders" | "log"> {
  readonly settings: Pick<ServerSettings, "bodyLimit">;
}

/** The body of a request, or of its clone. */
export type Body = Pick<Exchange, "isBodyUsed" | "read" | "chunks">;

/** Resources that providers have opened for a request. They are closed by the first call; later calls have no effect. */
export interface Opened {
  /**
   * Resumes the generators, the last first, after the handler: at once, or for a stream at its end.
   *
   * @returns the answer to send. Rejects with a generator's error.
   */
  finish(answer: Answer, watch: Watch): Promise<Answer>;
  /** Throws the error into the generators, the last first. @returns the error to answer with: a generator may throw another one. */
  fail(error: unknown, watch: Watch): Promise<unknown>;
}

/** Receives the promise of a closing when it begins. The promise rejects with a new error that a generator threw. */
export type Watch = (closing: Promise<void>) => void;

/** The app, as an adapter sees it. */
export interface Responder {
  readonly settings: ServerSettings;
  readonly log: Log;
  /** The number of requests whose handler is running or whose providers are closing. */
  readonly running: number;
  /** The decoders of request bodies, by content coding. */
  readonly decoders: ReadonlyMap<string, Decode>;
  /** Finds the limits of the route that will serve the request, for checks before `respond`. */
  limitsOf(exchange: Exchange): RouteLimits | undefined;
  /** Answers the request by `exchange.send`, now or later. Never throws. */
  respond(exchange: Exchange): void;
  /** Sends the answer to a request that must not reach a handler. */
  refuse(exchange: Exchange, answer: Answer): void;
  /** True if every response closes its connection, unless the next request has already arrived. */
  readonly closesConnections?: boolean;
}
