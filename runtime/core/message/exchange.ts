/** What lies between the app and an adapter: one request and the way back, and who answers it. */

import type { Log } from "../log/log.ts";
import type { Route } from "../routing/route.ts";
import type { ServerSettings } from "../settings.ts";
import type { Reply } from "./result.ts";

/** What is not a plain member may cost something, and is asked for once. */
export abstract class Exchange {
  readonly method: string;
  /** Path and query as they were sent, from the first slash; no fragment. */
  readonly target: string;
  /** The target without its query. */
  readonly path: string;
  /** The one that serves it, once it was found. */
  route: Route | undefined = undefined;
  /** When it came, on the clock of `performance.now()`: noted where it is logged, or its handler is waited for. */
  began = 0;
  /** Of a request that is logged. */
  id: string | undefined = undefined;
  /** Among those whose handlers are waited for. */
  place = -1;
  /** Ends the wait for the first piece of a stream. */
  start: AbortController | undefined = undefined;
  isAnswered = false;

  constructor(method: string, target: string) {
    const mark = target.indexOf("?");
    this.method = method;
    this.target = target;
    this.path = mark === -1 ? target : target.slice(0, mark);
  }

  /** As in `http://localhost:8000`. */
  abstract readonly origin: string;
  abstract readonly headers: Headers;
  /** One header, and not the first time all of them. @param name in lower case. */
  abstract header(name: string): string | undefined;
  /** The address of the peer, or "" where the platform does not tell. */
  abstract readonly ip: string;
  abstract readonly signal: AbortSignal;
  /** True once nobody is left to be answered. */
  abstract readonly isGone: boolean;
  /** True while the server stops. */
  abstract readonly isDraining: boolean;
  abstract readonly hasBody: boolean;
  /**
   * What `parse` makes of the whole body, at most once. Rejects with `HttpError` 413 above the limit, with `AbortError` when the
   * client leaves, and with what `parse` throws.
   */
  abstract read<T>(parse: (bytes: Uint8Array) => T): Promise<T>;
  /** The body in pieces, in place of `read` and with its rejections. */
  abstract chunks(): AsyncGenerator<Uint8Array>;
  /** Only the first reply is sent. */
  abstract send(reply: Reply): void;
  /** Tells whoever listens to the signal that nobody waits for the result any more. */
  abstract abort(reason: unknown): void;
}

/** What an adapter needs of the app. */
export interface Responder {
  readonly settings: ServerSettings;
  readonly log: Log;
  /** How many handlers have not ended yet. */
  readonly running: number;
  /** Answers by `exchange.send`, at once or later. Never throws. */
  respond(exchange: Exchange): void;
  /** Answers what must not come to a handler. */
  refuse(exchange: Exchange, reply: Reply): void;
}
