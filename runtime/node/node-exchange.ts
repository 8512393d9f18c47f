/** One request and its response on node:http: the request as the app reads it, and the answer written to the socket. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { bodyDropped, bodyTooLarge, clientGone, serverStops } from "../message/errors.ts";
import { Exchange } from "../message/exchange.ts";
import { joinHeaders } from "../message/headers.ts";
import { type Answer, discard, frameHeaders, isPlain } from "../message/result.ts";
import { type Chunks, limitChunks } from "../message/stream.ts";
import { endWithConnection, linger, readBody } from "./body.ts";
import type { DirectWriter } from "./direct.ts";
import { enter, leave } from "./in-flight.ts";
import { readHeader } from "./raw-headers.ts";
import { formatAuthority, splitAbsoluteForm } from "./target.ts";

/** What the exchanges of one server share. */
export interface ServerState {
  readonly bodyLimit: number;
  /** The value of the Keep-Alive header; "" if an idle connection is kept forever. */
  readonly keepAlive: string;
  readonly direct: DirectWriter;
  /** True while the server stops. */
  isDraining: boolean;
  /** Every response then closes its connection: while the server stops, and under `framework dev`. */
  closesConnections: boolean;
  /** Ends the streams that may have no end, such as server-sent events. */
  readonly endless: Set<() => void>;
}

/** The newest request of a connection, while something is left to do for it. A property, because a look-up in a map costs more. */
export const NEWEST: unique symbol = Symbol("newest request");
export type Connection = Socket & { [NEWEST]?: NodeExchange | undefined };

export class NodeExchange extends Exchange {
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #state: ServerState;
  /** The client waits for a 100 before it sends its body (RFC 9110 section 10.1.1). */
  readonly #mustInvite: boolean;
  #wasInvited = false;
  #controller: AbortController | undefined;
  #hasLeft = false;
  #mustClose = false;
  /** The handler takes the body in pieces. If it stops before the end, node:http reads nothing more from the connection. */
  #isInPieces = false;
  /** Part of the body had not arrived when the request was answered. */
  #isUnread = false;
  #isLast = false;
  /** The whole answer has gone to the socket, past node:http. */
  #isWritten = false;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, state: ServerState, mustInvite: boolean) {
    const { method = "GET", url = "" } = incoming;
    // In origin form, or `*`. What can't be read stays as it is, and the router refuses it.
    super(method, splitAbsoluteForm(url)?.target ?? url);
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#state = state;
    this.#mustInvite = mustInvite;
    enter(incoming.socket);
  }

  get origin(): string {
    const { socket, url = "" } = this.#incoming;
    const scheme = "encrypted" in socket && socket.encrypted ? "https" : "http";
    // RFC 9112 section 3.2.2: the target's own host overrides the header. HTTP/1.0 may name none.
    const authority = splitAbsoluteForm(url)?.authority ?? this.header("host");
    return `${scheme}://${authority ?? formatAuthority(socket.localAddress ?? "", socket.localPort ?? 0)}`;
  }

  get headers(): Headers {
    return joinHeaders(this.#incoming.rawHeaders);
  }

  header(name: string): string | undefined {
    return readHeader(this.#incoming.rawHeaders, name);
  }

  get ip(): string {
    return this.#incoming.socket.remoteAddress ?? "";
  }

  get isGone(): boolean {
    return this.#hasLeft || this.#incoming.socket.destroyed;
  }

  /** True until the whole response has gone to the socket. */
  get isOpen(): boolean {
    return !this.#isWritten && !this.#outgoing.writableFinished;
  }

  /** True once its answer has announced the end of the connection. */
  get isLast(): boolean {
    return this.#isLast;
  }

  /** True once the whole answer is written, and it announced the end of the connection. */
  get isEnding(): boolean {
    return this.#isLast && this.#outgoing.writableEnded;
  }

  /** True once the whole request has arrived. */
  get isComplete(): boolean {
    return this.#incoming.complete;
  }

  get isDraining(): boolean {
    return this.#state.isDraining;
  }

  get hasBody(): boolean {
    const length = this.header("content-length");
    return length === undefined ? this.#isChunked : length !== "0";
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      this.#onGone(() => controller.abort(clientGone()));
    }
    return this.#controller.signal;
  }

  read<T>(parse: (bytes: Uint8Array) => T): Promise<T> {
    return this.#inviteBody() ?? readBody(this.#incoming, this.#state.bodyLimit, parse);
  }

  chunks(): AsyncGenerator<Uint8Array> {
    this.#isInPieces = true;
    // Destroying the message would destroy the socket, and with it the response.
    const chunks = this.#incoming.iterator({ destroyOnReturn: false });
    return limitChunks(chunks, this.#state.bodyLimit, this.#inviteBody());
  }

  /**
   * Makes the answer the last one of its connection.
   *
   * @param onSent is called after the answer, if its head was already out and could not announce the end.
   */
  close(onSent?: () => void): void {
    // Called again for every piece that arrives after what can't be read.
    if (!this.#mustClose && this.isAnswered && onSent) this.#outgoing.once("finish", onSent);
    this.#mustClose = true;
  }

  /** Ends the connection behind the answer that was given, or within it if more of it would have to come. */
  cut(): void {
    const outgoing = this.#outgoing;
    const { socket } = this.#incoming;
    if (!this.isOpen) socket.destroySoon();
    // The answers before this one are due.
    else if (outgoing.socket === null) outgoing.once("socket", () => this.cut());
    else if (outgoing.writableEnded) outgoing.once("finish", () => socket.destroySoon());
    else socket.destroy();
  }

  send(answer: Answer): void {
    if (this.isAnswered || this.#outgoing.destroyed) {
      discard(answer);
      return;
    }
    this.isAnswered = true;
    leave(this.#incoming.socket);
    const { body } = answer;
    if (isPlain(body)) this.#sendPlain(answer, body);
    else void this.#sendChunks(answer, body);
  }

  abort(reason: unknown): void {
    this.#hasLeft = true;
    this.#controller?.abort(reason);
  }

  #sendPlain(answer: Answer, body: string | Uint8Array | null): void {
    const length = body === null ? 0 : typeof body === "string" ? Buffer.byteLength(body) : body.length;
    if (this.#sendDirectly(answer, body, length)) return;
    this.#writeHead(answer, length);
    if (body === null || this.method === "HEAD") this.#outgoing.end();
    // A text as long as its bytes is ASCII. As Latin-1, node:http writes it in one piece with the head, without encoding it.
    else if (length === body.length) this.#outgoing.end(body, "latin1");
    else this.#outgoing.end(body);
    if (this.#outgoing.writableLength === 0) this.#leaveConnection();
  }

  /** @returns false if node:http has to send the answer. */
  #sendDirectly(answer: Answer, body: string | Uint8Array | null, length: number): boolean {
    const { direct } = this.#state;
    const { socket } = this.#outgoing;
    const text = this.method === "HEAD" ? "" : (body ?? "");
    if (typeof text !== "string") return false;
    if (socket === null || !this.#staysOpen || !direct.takes(this.#outgoing)) return false;
    const head = direct.formatHead(answer, this.method, length);
    if (head === undefined) return false;
    // A text as long as its bytes is ASCII. Latin-1 is written without encoding it.
    socket.write(head + text, text.length === length ? "latin1" : "utf8");
    direct.record(this.#outgoing, answer.status, head);
    if (socket.writableLength === 0 && socket.errored === null) this.#finishDirectly();
    else
      socket.write("", (error) => {
        if (!error) this.#finishDirectly();
      });
    return true;
  }

  #finishDirectly(): void {
    this.#isWritten = true;
    this.#outgoing.emit("finish");
    this.#leaveConnection();
  }

  /** True if nothing about the request or the server ends the connection after the answer. */
  get #staysOpen(): boolean {
    const { complete, httpVersionMinor } = this.#incoming;
    return (
      httpVersionMinor === 1 &&
      !this.#mustInvite &&
      !this.#mustClose &&
      !this.#state.closesConnections &&
      (complete || !this.hasBody)
    );
  }

  /** Otherwise an idle connection would keep its last request in memory, with the body and what was made of it. */
  #leaveConnection(): void {
    const { socket }: { socket: Connection } = this.#incoming;
    if (!this.#isLast && !this.#isUnread && socket[NEWEST] === this) socket[NEWEST] = undefined;
  }

  async #sendChunks(answer: Answer, chunks: Chunks): Promise<void> {
    const outgoing = this.#outgoing;
    const { endless, isDraining } = this.#state;
    const end = (): void => {
      void chunks.cancel();
      this.#controller?.abort(serverStops());
    };
    this.#onGone(chunks.cancel);
    if (answer.isEndless) endless.add(end);
    if (answer.isEndless && isDraining) end();
    this.#writeHead(answer, 0);
    // The head goes out with the first piece, if that comes at once.
    const flush = setImmediate(() => outgoing.flushHeaders());
    try {
      for (let chunk = await chunks.next(); chunk !== undefined; chunk = await chunks.next()) {
        clearImmediate(flush);
        if (outgoing.destroyed) return;
        if (!outgoing.write(chunk)) await drained(outgoing);
      }
      // A cancelled stream ends, too. Its part must not look like the whole.
      if (this.#hasLeft) this.cut();
      else outgoing.end();
    } catch {
      // The error is logged. Only a cut connection can show the client that this is not all. What was written goes out before.
      setImmediate(() => this.cut());
    } finally {
      endless.delete(end);
      clearImmediate(flush);
    }
  }

  #writeHead(answer: Answer, length: number): void {
    const headers = frameHeaders(answer, this.method, length);
    this.#isUnread = !this.#incoming.complete && this.hasBody;
    if (this.#isUnread) endWithConnection(this.#incoming);
    // Where the client has asked for the end, node:http would reset the connection under what is on its way.
    const isLeft = this.#isUnread && (this.#isBestLeft() || !this.#outgoing.shouldKeepAlive);
    // node:http ends the connection behind an answer to an expectation for which no invitation was sent.
    const isUninvited = this.#mustInvite && !this.#wasInvited;
    if (this.#mustClose || (this.#state.closesConnections && this.#isNewest) || isLeft || isUninvited) {
      if (this.#isUnread) linger(this.#incoming);
      headers.push("Connection", "close");
      this.#isLast = true;
    } else if (this.#state.keepAlive !== "" && this.#outgoing.shouldKeepAlive && this.#hasEnd(headers))
      headers.push("Keep-Alive", this.#state.keepAlive);
    this.#outgoing.writeHead(answer.status, headers);
    // Where it waits behind another answer, node:http would put the head of bytes before all that was written, the invitation, too.
    if (this.#wasInvited && this.#outgoing.socket === null) this.#outgoing.flushHeaders();
  }

  /** In HTTP/1.0 a response without a length ends with its connection. */
  #hasEnd(headers: readonly string[]): boolean {
    return this.#incoming.httpVersionMinor === 1 || headers.includes("Content-Length");
  }

  /** False if a later request was taken up: its answer would be lost with the connection. */
  get #isNewest(): boolean {
    const { socket }: { socket: Connection } = this.#incoming;
    return socket[NEWEST] === this;
  }

  /** True for an unread body that may be too long to read just to drop it. The connection then ends. */
  #isBestLeft(): boolean {
    return (
      this.#mustInvite || this.#isInPieces || this.#isChunked || this.#declaredLength > this.#state.bodyLimit
    );
  }

  get #isChunked(): boolean {
    return this.header("transfer-encoding") !== undefined;
  }

  get #declaredLength(): number {
    return Number(this.header("content-length") ?? 0);
  }

  /** Asks the client for the body if it waits for that. @returns a rejection if the body is too large or was dropped. */
  #inviteBody(): Promise<never> | undefined {
    const { bodyLimit } = this.#state;
    if (!this.isOpen) return Promise.reject(bodyDropped());
    if (this.#declaredLength > bodyLimit) return Promise.reject(bodyTooLarge(bodyLimit));
    if (this.#mustInvite && !this.#outgoing.headersSent) {
      this.#wasInvited = true;
      this.#outgoing.writeContinue();
    }
    return undefined;
  }

  /** A client that ends its side may still wait for the answer. So only code that must stop then listens to this. */
  #onGone(listener: () => void): void {
    const { socket } = this.#incoming;
    const outgoing = this.#outgoing;
    const onGone = (): void => {
      this.#hasLeft = true;
      listener();
    };
    // node:http does not report a closed socket to a response that waits behind another one.
    socket.once("end", onGone).once("close", onGone);
    outgoing.once("close", () => {
      socket.off("end", onGone).off("close", onGone);
      if (this.isOpen) onGone();
    });
    if (socket.destroyed) onGone();
  }
}

/** Also by the socket itself, because node:http no longer listens to it behind a CONNECT. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const onSocket = (socket: Socket): void => void socket.once("drain", onDone);
    const onDone = (): void => {
      outgoing.off("drain", onDone).off("close", onDone).off("socket", onSocket);
      outgoing.socket?.off("drain", onDone);
      resolve();
    };
    outgoing.once("drain", onDone).once("close", onDone);
    if (outgoing.socket === null) outgoing.once("socket", onSocket);
    else onSocket(outgoing.socket);
  });
}
