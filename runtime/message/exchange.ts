/** The border between the app and an adapter: a request with the way to answer it, and who answers it. */

import type { Log } from "../log/log.ts";
import type { ParamValue } from "../routing/param.ts";
import type { Route } from "../routing/route.ts";
import type { RouteLimits, ServerSettings } from "../settings.ts";
import type { Decode } from "./decode.ts";
import type { Request } from "./request.ts";
import type { Answer } from "./result.ts";

const NO_CALLS: readonly [] = [];

/** One request. A member that is not a plain field may be costly: read it once. */
export abstract class Exchange {
  readonly method: string;
  /** Path and query as they were sent, from the first slash; no fragment. */
  readonly target: string;
  /** The target without its query. */
  readonly path: string;
  /** The route that serves it, once it is found. */
  route: Route | undefined = undefined;
  /** The values of the route's path params, in the order of the path. */
  values: readonly ParamValue[] = [];
  /** Of the route's folders. */
  limits: RouteLimits | undefined = undefined;
  /** When it arrived, on the clock of `performance.now()`. Set only if requests are logged or the app waits for the handler. */
  began = 0;
  /** Set only if requests are logged, or somebody has asked for it. */
  id: string | undefined = undefined;
  /** Ends the wait for the first piece of a stream. */
  start: AbortController | undefined = undefined;
  isAnswered = false;
  /** Called when its handler has ended and its answer is over, in whatever way. Undefined from then on. */
  whenOver: readonly (() => unknown)[] | undefined = NO_CALLS;
  /** What every function of the project gets as the request, once one has asked for it. */
  request: Request | undefined = undefined;
  isBodyUsed = false;
  /** The generators of providers that wait for the end of the handler. */
  opened: Opened | undefined = undefined;
  /** Why the app no longer waits for the handler. What has not been called by then is not called. */
  givenUp: Error | undefined = undefined;

  constructor(method: string, target: string) {
    const mark = target.indexOf("?");
    this.method = method;
    this.target = target;
    this.path = mark === -1 ? target : target.slice(0, mark);
  }

  abstract readonly owner: Owner;
  /** As in `http://localhost:8000`: what a trusted proxy says, or the request itself. */
  abstract readonly origin: string;
  /** As in `localhost:8000`: what the request itself names, whatever a proxy says. */
  abstract readonly authority: string;
  abstract readonly headers: Headers;
  /** One header, without making a `Headers` of all. @param name in lower case. */
  abstract header(name: string): string | undefined;
  /** The address of the client that trusted proxies name, or of the peer; "" if the platform does not know it. */
  abstract readonly ip: string;
  abstract readonly signal: AbortSignal;
  /** True once nobody waits for the answer. */
  abstract readonly isGone: boolean;
  /** True while the server stops. */
  abstract readonly isDraining: boolean;
  abstract readonly hasBody: boolean;
  /** In bytes. */
  get bodyLimit(): number {
    return this.limits?.bodyLimit ?? this.owner.settings.bodyLimit;
  }
  /** By what its head says. */
  get isTooLarge(): boolean {
    return Number(this.header("content-length") ?? 0) > this.bodyLimit;
  }
  /** Undoes the coding of this body; undefined for one that has none, or another one. `read` and `chunks` call it. */
  get decode(): Decode | undefined {
    const { decoders } = this.owner;
    return decoders.size === 0
      ? undefined
      : decoders.get(this.header("content-encoding")?.toLowerCase() ?? "");
  }
  /**
   * Reads the whole body, once, and passes it to `parse`. Rejects with `HttpError` 413 above the limit, with `AbortError` when the
   * client leaves, and with what `parse` throws.
   */
  abstract read<T>(parse: (bytes: Uint8Array) => T): Promise<T>;
  /** The body in pieces, instead of `read`. Rejects as `read` does. */
  abstract chunks(): AsyncIterableIterator<Uint8Array>;
  /** Sends the first answer and drops the others. */
  abstract send(answer: Answer): void;
  /** Aborts the signal: nobody waits for the result any more. */
  abstract abort(reason: unknown): void;
  /** Its answer is over. */
  end(): void {
    const { whenOver = NO_CALLS } = this;
    this.whenOver = undefined;
    for (const call of whenOver) call();
  }
}

/** What an exchange needs of its app. A request that no app answers has its own. */
export interface Owner extends Pick<Responder, "decoders" | "log"> {
  readonly settings: Pick<ServerSettings, "bodyLimit">;
}

/** The body of a request, or of its clone. */
export type Body = Pick<Exchange, "isBodyUsed" | "read" | "chunks">;

/** What providers have opened for a request, and has to be closed exactly once. After the first call, the others change nothing. */
export interface Opened {
  /**
   * Resumes them, the last first, when the handler has answered: at once, or for a stream at its end.
   *
   * @returns the answer to send. Rejects with what one of them throws.
   */
  finish(answer: Answer, watch: Watch): Promise<Answer>;
  /** Throws the error into them, the last first. @returns the error to answer: one of them may throw another. */
  fail(error: unknown, watch: Watch): Promise<unknown>;
}

/** Gets the closing when it begins. It rejects with what a generator threw of its own. */
export type Watch = (closing: Promise<void>) => void;

/** The app, as an adapter sees it. */
export interface Responder {
  readonly settings: ServerSettings;
  readonly log: Log;
  /** How many handlers have not ended yet, with what providers have opened for them. */
  readonly running: number;
  /** For the bodies of requests, by their content coding. */
  readonly decoders: ReadonlyMap<string, Decode>;
  /** The limits of the route that will serve it, for what has to know them before. */
  limitsOf(exchange: Exchange): RouteLimits | undefined;
  /** Answers by `exchange.send`, now or later. Never throws. */
  respond(exchange: Exchange): void;
  /** Answers what must not reach a handler. */
  refuse(exchange: Exchange, answer: Answer): void;
  /** True if every response closes its connection, unless the next request has arrived on it. */
  readonly closesConnections?: boolean;
}
