/** The adapter to the fetch API: a WHATWG request in, a WHATWG response out. */

import type { Responder } from "./app.ts";
import { clientGone } from "./errors.ts";
import type { RequestSource } from "./request.ts";
import { frameHeaders, type Reply } from "./result.ts";
import { limitChunks, toReadableStream } from "./stream.ts";

export async function answerFetch(responder: Responder, request: globalThis.Request): Promise<Response> {
  const source = new FetchSource(request, responder.settings.bodyLimit);
  return toResponse(await responder.respond(source), request.method);
}

class FetchSource implements RequestSource {
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly origin: string;
  readonly ip = "";
  readonly #request: globalThis.Request;
  readonly #limit: number;

  constructor(request: globalThis.Request, limit: number) {
    const { origin, pathname, search } = new URL(request.url);
    this.method = request.method;
    this.path = pathname;
    this.target = pathname + search;
    this.origin = origin;
    this.#request = request;
    this.#limit = limit;
  }

  get headers(): Headers {
    return this.#request.headers;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  get gone(): boolean {
    return this.#request.signal.aborted;
  }

  get hasBody(): boolean {
    return this.#request.body !== null;
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }

  async bytes(): Promise<Uint8Array> {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for await (const chunk of this.chunks()) parts.push(new Uint8Array(chunk));
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  }

  chunks(): AsyncIterable<Uint8Array> {
    const { body, signal } = this.#request;
    if (signal.aborted) throw clientGone();
    return limitChunks(body ?? new ReadableStream(), this.#limit);
  }
}

function toResponse(reply: Reply, method: string): Response {
  const headers = new Headers();
  const flat = frameHeaders(reply, method, byteLength(reply.body));
  for (let index = 0; index < flat.length; index += 2) {
    headers.append(flat[index] as string, flat[index + 1] as string);
  }
  return new Response(method === "HEAD" ? null : toBody(reply.body), { status: reply.status, headers });
}

function byteLength(body: Reply["body"]): number {
  if (typeof body === "string") return new TextEncoder().encode(body).length;
  return body instanceof Uint8Array ? body.length : 0;
}

function toBody(body: Reply["body"]): string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null {
  if (typeof body === "string" || body === null) return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : toReadableStream(body);
}
