/** One request and its response on node:http: the request as a source, and the reply written to the socket. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { readBody } from "./body.ts";
import { clientGone } from "./errors.ts";
import type { RequestSource } from "./request.ts";
import { frameHeaders, type Reply } from "./result.ts";
import { bodyTooLarge, type Chunks, limitChunks } from "./stream.ts";

/** What the exchanges of one server share. */
export interface ServerState {
  readonly bodyLimit: number;
  /** True while the server stops: every response closes its connection. */
  draining: boolean;
}

export class Exchange implements RequestSource {
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #state: ServerState;
  /** The client waits to be asked for its body (RFC 9110 section 10.1.1). */
  readonly #mustInvite: boolean;
  #controller: AbortController | undefined;
  #left = false;
  #refused = false;

  /** @param target in origin form, or `*`. */
  constructor(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    target: string,
    state: ServerState,
    mustInvite: boolean,
  ) {
    const mark = target.indexOf("?");
    this.method = incoming.method ?? "GET";
    this.target = target;
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#state = state;
    this.#mustInvite = mustInvite;
  }

  get origin(): string {
    const { socket, url = "", headers } = this.#incoming;
    const scheme = "encrypted" in socket ? "https" : "http";
    // RFC 9112 section 3.2.2: the target's own host outranks the header. HTTP/1.0 may name none.
    const authority = splitAbsoluteForm(url)?.authority ?? headers.host;
    return `${scheme}://${authority ?? formatAuthority(socket.localAddress ?? "", socket.localPort ?? 0)}`;
  }

  get headers(): Headers {
    const { rawHeaders } = this.#incoming;
    const headers = new Headers();
    for (let index = 0; index < rawHeaders.length; index += 2) {
      headers.append(rawHeaders[index] as string, rawHeaders[index + 1] as string);
    }
    return headers;
  }

  get ip(): string {
    return this.#incoming.socket.remoteAddress ?? "";
  }

  get gone(): boolean {
    return this.#left || this.#incoming.socket.destroyed;
  }

  get hasBody(): boolean {
    const { headers } = this.#incoming;
    const length = headers["content-length"];
    return (length !== undefined && length !== "0") || headers["transfer-encoding"] !== undefined;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      this.#onGone(() => controller.abort(clientGone()));
    }
    return this.#controller.signal;
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  bytes(): Promise<Uint8Array> {
    const { bodyLimit } = this.#state;
    if (this.#declaredLength() > bodyLimit) return Promise.reject(bodyTooLarge(bodyLimit));
    this.#inviteBody();
    return readBody(this.#incoming, bodyLimit);
  }

  chunks(): AsyncIterable<Uint8Array> {
    const { bodyLimit } = this.#state;
    if (this.#declaredLength() > bodyLimit) throw bodyTooLarge(bodyLimit);
    this.#inviteBody();
    // Destroying the message would destroy the socket, and with it the response.
    return limitChunks(this.#incoming.iterator({ destroyOnReturn: false }), bodyLimit);
  }

  /** Answers a request that never came to the app, and ends its connection. */
  refuse(reply: Reply): void {
    this.#refused = true;
    this.send(reply);
  }

  /** Writes the reply; a promise only for a stream. */
  send(reply: Reply): Promise<void> | undefined {
    const { body } = reply;
    if (isChunks(body)) return this.#sendChunks(reply, body);
    if (this.#outgoing.destroyed) return undefined;
    const length = body === null ? 0 : typeof body === "string" ? Buffer.byteLength(body) : body.length;
    this.#writeHead(reply, length);
    if (body === null || this.method === "HEAD") this.#outgoing.end();
    // A text as long as its bytes is ASCII: as Latin-1 it is written in one piece with the head, and not encoded.
    else if (length === body.length) this.#outgoing.end(body, "latin1");
    else this.#outgoing.end(body);
    return undefined;
  }

  async #sendChunks(reply: Reply, chunks: Chunks): Promise<void> {
    const outgoing = this.#outgoing;
    this.#onGone(chunks.cancel);
    this.#writeHead(reply, 0);
    // The head goes with the first piece, if that comes at once.
    const flush = setImmediate(() => outgoing.flushHeaders());
    try {
      for (let step = await chunks.next(); !step.done; step = await chunks.next()) {
        clearImmediate(flush);
        if (outgoing.destroyed) return;
        if (!outgoing.write(step.value)) await drained(outgoing);
      }
      clearImmediate(flush);
      outgoing.end();
    } catch {
      // It has been logged. The head is out, so that only a cut connection can tell the client that this is not all.
      clearImmediate(flush);
      outgoing.destroy();
    }
  }

  #writeHead(reply: Reply, length: number): void {
    const headers = frameHeaders(reply, this.method, length);
    const mustClose = this.#refused || this.#state.draining || this.#hasTooMuchUnread();
    if (mustClose && this.hasBody && !this.#incoming.complete) linger(this.#incoming);
    if (mustClose) headers.push("Connection", "close");
    this.#outgoing.writeHead(reply.status, headers);
  }

  /** A body that nobody read, and that is too long to be read for nothing, ends the connection. */
  #hasTooMuchUnread(): boolean {
    if (!this.hasBody || this.#incoming.complete) return false;
    const isChunked = this.#incoming.headers["transfer-encoding"] !== undefined;
    return this.#mustInvite || isChunked || this.#declaredLength() > this.#state.bodyLimit;
  }

  #declaredLength(): number {
    return Number(this.#incoming.headers["content-length"] ?? 0);
  }

  #inviteBody(): void {
    if (this.#mustInvite && !this.#outgoing.headersSent) this.#outgoing.writeContinue();
  }

  /** A client that ends its side may still wait for the answer, so that this is asked only by who has to stop for it. */
  #onGone(listener: () => void): void {
    const { socket } = this.#incoming;
    const outgoing = this.#outgoing;
    const onGone = (): void => {
      this.#left = true;
      listener();
    };
    socket.once("end", onGone);
    outgoing.once("close", () => {
      socket.off("end", onGone);
      if (!outgoing.writableFinished) onGone();
    });
    if (socket.destroyed) onGone();
  }
}

/** How long, and for how many bytes, a refused body is read and dropped. */
const LINGER_MS = 2000;
const LINGER_BYTES = 16 * 1024 * 1024;
const LINGER_CHECK_MS = 25;

/**
 * To close a socket with unread bytes resets the connection, and the client may lose the response that it has not read yet.
 * So only our side ends, and what still comes is dropped, within bounds (RFC 9112 section 9.6).
 */
function linger(incoming: IncomingMessage): void {
  const { socket } = incoming;
  // What node:http calls when the last response of a connection has been handed to the socket.
  socket.destroySoon = () => {
    socket.end();
    incoming.resume();
    const bytes = socket.bytesRead + LINGER_BYTES;
    const time = performance.now() + LINGER_MS;
    const timer = setInterval(() => {
      if (incoming.complete || socket.bytesRead > bytes || performance.now() > time) socket.destroy();
    }, LINGER_CHECK_MS);
    socket.once("close", () => clearInterval(timer));
  };
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const onDone = (): void => {
      outgoing.off("drain", onDone);
      outgoing.off("close", onDone);
      resolve();
    };
    outgoing.once("drain", onDone);
    outgoing.once("close", onDone);
  });
}

function isChunks(body: Reply["body"]): body is Chunks {
  return typeof body === "object" && body !== null && "next" in body;
}

/** @example splitAbsoluteForm("http://a.example/b?c") // { authority: "a.example", target: "/b?c" } */
export function splitAbsoluteForm(url: string): { authority: string; target: string } | undefined {
  if (url.startsWith("/")) return undefined;
  const [, authority, rest] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (authority === undefined || rest === undefined) return undefined;
  return { authority, target: rest.startsWith("/") ? rest : `/${rest}` };
}

/** @example formatAuthority("::1", 8000) // "[::1]:8000" */
export function formatAuthority(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
