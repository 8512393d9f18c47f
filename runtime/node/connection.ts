/** The state of one connection: its newest request, the number of requests in flight, and the time of its last activity. */

import type { Socket } from "node:net";
import type { Responder } from "../message/exchange.ts";
import { type Answer, errorAnswer } from "../message/result.ts";
import { linger } from "./body.ts";
import type { NodeExchange, ServerState } from "./exchange.ts";

/**
 * The maximum of pipelined requests. node:http stops reading only when responses are queued, so a client that pipelines requests to a
 * slow handler would fill the memory. One read can contain some two thousand; no legitimate client has as many in flight.
 */
const MOST_IN_FLIGHT = 1000;

/** The answers to parse errors and time-outs of node:http, by error code. */
const BROKEN: Readonly<Record<string, Answer>> = {
  ERR_HTTP_REQUEST_TIMEOUT: errorAnswer(408, "Request Timeout"),
  HPE_INVALID_VERSION: errorAnswer(505, "HTTP Version Not Supported"),
  HPE_HEADER_OVERFLOW: errorAnswer(431, "Request Header Fields Too Large"),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: errorAnswer(413, "The extensions of the body's chunks are too large."),
};
const MALFORMED: Answer = errorAnswer(400, "The request is malformed.");

/** A property of the socket: a look-up in a map costs more. */
const CONNECTION: unique symbol = Symbol("connection");
type ConnectedSocket = Socket & { [CONNECTION]?: Connection };

export function connectionOf(socket: ConnectedSocket): Connection {
  socket[CONNECTION] ??= new Connection(socket);
  return socket[CONNECTION];
}

export class Connection {
  /** The newest request, as long as it may still matter. */
  newest: NodeExchange | undefined;
  readonly socket: Socket;
  #inFlight = 0;
  #activity = 0;
  #quietSince: number = performance.now();

  constructor(socket: Socket) {
    this.socket = socket;
  }

  /** Registers a new request. */
  enter(exchange: NodeExchange): void {
    this.newest = exchange;
    this.#inFlight++;
    const socket = this.socket;
    // node:http resumes the socket at the end of each message, and for each body that is read.
    if (this.#inFlight === MOST_IN_FLIGHT) socket.on("resume", socket.pause).pause();
  }

  /** Registers an answer. */
  leave(): void {
    this.#inFlight--;
    const socket = this.socket;
    if (this.#inFlight === MOST_IN_FLIGHT - 1) socket.off("resume", socket.pause).resume();
  }

  /**
   * Ends the connection if it has been idle since the time `idle`, and cuts it if the client has read nothing since the time `unread`.
   *
   * @param isStopping false to ignore connections without a first byte, for which the headers' time-out applies.
   */
  endIfQuiet(idle: number, unread: number, isStopping: boolean): void {
    const socket = this.socket;
    if (socket.bytesRead === 0 && !isStopping) return;
    const isUnread = socket.writableLength > 0;
    // Negative for writes, so that switching between reading and writing always changes the number.
    const activity = isUnread ? -1 - bytesSent(socket) : socket.bytesRead;
    if (activity !== this.#activity || (!isUnread && this.newest?.isOpen)) {
      this.#activity = activity;
      this.#quietSince = performance.now();
    } else if (this.#quietSince > (isUnread ? unread : idle)) return;
    else if (isUnread) socket.destroy();
    else socket.destroySoon();
  }

  /** Answers an error of node:http, or cuts the connection. */
  refuseBroken(responder: Responder, { code = "" }: NodeJS.ErrnoException): void {
    const { newest } = this;
    // node:http has one time-out for all bodies. If a folder has its own, the app answers when that expires.
    const hasOwnTime = newest?.isAnswered === false && newest.limits?.handlerTimeout !== undefined;
    if (hasOwnTime && code === "ERR_HTTP_REQUEST_TIMEOUT") return;
    const answer = BROKEN[code] ?? (code.startsWith("HPE_") ? MALFORMED : undefined);
    if (answer === undefined) this.socket.destroy();
    else if (newest === undefined || newest.isComplete) this.refuseNext(answer);
    // The error is in the body of this request, whose answer may already be partly sent.
    else if (newest.isAnswered) newest.cut();
    else {
      newest.close();
      responder.refuse(newest, answer);
    }
  }

  /** Sends a refusal after the previous responses. If one is still pending, the connection ends after it instead. */
  refuseNext({ status, headers, body }: Answer): void {
    const { newest, socket } = this;
    if (newest?.isOpen) {
      newest.close();
      return;
    }
    // The last response has announced the end of the connection.
    if (newest?.isLast || !socket.writable) return;
    const { STATUS_CODES } = process.getBuiltinModule("node:http");
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nDate: ${new Date().toUTCString()}\r\nConnection: close`;
    const lines = headers.map((text, at) => (at % 2 === 0 ? `\r\n${text}: ` : text)).join("");
    socket.resume().write(`${head}${lines}\r\nContent-Length: ${String(body).length}\r\n\r\n${body}`);
    linger(socket);
  }
}

/** @returns the number of bytes that the system has accepted. The socket's own counters change only after a whole write. */
function bytesSent(socket: Socket & { _handle?: Partial<Record<string, number>> | null }): number {
  // Undocumented, and only in Node.
  const { bytesWritten = socket.bytesWritten, writeQueueSize = socket.writableLength } = socket._handle ?? {};
  return bytesWritten - writeQueueSize;
}

/**
 * Ends the quiet connections, see {@link Connection.endIfQuiet}. Waits a turn, so that a busy event loop reads pending input first.
 *
 * @param idleLimit milliseconds.
 */
export function endQuiet({ connections, isDraining, responder }: ServerState, idleLimit: number): void {
  const now = performance.now();
  const unread = now - responder.settings.requestTimeout * 1000;
  setImmediate(() => {
    for (const connection of connections) connection.endIfQuiet(now - idleLimit, unread, isDraining);
  });
}
