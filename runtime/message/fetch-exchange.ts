/** The adapter to the fetch API: accepts the arguments of `fetch`, and answers with a WHATWG response. */

import { consoleLog } from "../log/log.ts";
import { readWhole } from "./decode.ts";
import { bodyTooLarge, bodyUsed, clientGone } from "./errors.ts";
import { Exchange, type Owner, type Responder } from "./exchange.ts";
import { joinHeaders } from "./headers.ts";
import type { FetchInput } from "./request.ts";
import { type Answer, discard, frameHeaders, isPlain } from "./result.ts";
import { nameOf } from "./sendable.ts";
import { toReadableStream } from "./stream.ts";

/** Rejects with a TypeError for input that `fetch` would refuse, too. */
export function answerFetch(responder: Responder, input: FetchInput, init?: RequestInit): Promise<Response> {
  return new Promise((resolve) => {
    const request = toWebRequest(input, init);
    responder.respond(new FetchExchange(request, resolve, responder));
  });
}

/** The owner of a request outside of an app. */
const STANDALONE: Owner = { decoders: new Map(), log: consoleLog, settings: { bodyLimit: Number.MAX_VALUE } };

export class FetchExchange extends Exchange {
  readonly owner: Owner;
  readonly origin: string;
  readonly authority: string;
  readonly ip = "";
  readonly isDraining = false;
  readonly #request: globalThis.Request;
  readonly #resolve: (response: Response) => void;
  readonly #controller = new AbortController();
  #signal: AbortSignal | undefined;

  constructor(request: globalThis.Request, resolve: (response: Response) => void, owner: Owner = STANDALONE) {
    const { host, origin, pathname, search } = new URL(request.url);
    super(request.method, pathname + search);
    this.owner = owner;
    this.origin = origin;
    this.authority = host;
    this.#request = request;
    this.#resolve = resolve;
  }

  get headers(): Headers {
    return this.#request.headers;
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }

  get signal(): AbortSignal {
    this.#signal ??= AbortSignal.any([this.#request.signal, this.#controller.signal]);
    return this.#signal;
  }

  get isGone(): boolean {
    return this.#request.signal.aborted || this.#controller.signal.aborted;
  }

  get hasBody(): boolean {
    // Cloudflare's engine has a stream for an empty body, too.
    return this.#request.body !== null && this.#request.headers.get("content-length") !== "0";
  }

  async read<T>(parse: (bytes: Uint8Array) => T): Promise<T> {
    return readWhole(this.chunks(), parse);
  }

  chunks(): AsyncIterableIterator<Uint8Array> {
    const pieces = this.#pieces();
    return this.decode?.(pieces, this.bodyLimit) ?? pieces;
  }

  async *#pieces(): AsyncGenerator<Uint8Array> {
    if (this.isGone) throw clientGone();
    if (this.isTooLarge) throw bodyTooLarge(this.bodyLimit);
    let size = 0;
    for await (const chunk of this.#request.body ?? []) {
      size += chunk.length;
      if (size > this.bodyLimit) throw bodyTooLarge(this.bodyLimit);
      yield chunk;
    }
  }

  send(answer: Answer): void {
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

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }
}

/** The origin for input that is only a path. */
const ORIGIN = "http://localhost";

function toWebRequest(input: FetchInput, init: RequestInit | undefined): globalThis.Request {
  if (typeof input === "string") return new globalThis.Request(new URL(input, ORIGIN), init);
  if (typeof input !== "object" || input === null)
    throw new TypeError(`app.fetch takes a URL, a path or a Request, not ${nameOf(input)}.`);
  const request = "toWeb" in input ? input.toWeb() : input;
  // A request is used unchanged, also one of a package's own class.
  if ("url" in request && !isInit(init)) {
    if (request.bodyUsed) throw bodyUsed();
    return request;
  }
  return new globalThis.Request(request, init);
}

/** The members of `RequestInit` that an app can see. */
const INIT_MEMBERS: readonly string[] = ["method", "headers", "body", "signal"];

/** Detects a `RequestInit`: Bun, Deno and Cloudflare call `fetch(request, …)` with an argument of their own, unrelated to the request. */
function isInit(second: unknown): boolean {
  return typeof second === "object" && second !== null && INIT_MEMBERS.some((name) => name in second);
}
