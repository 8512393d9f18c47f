/** What the server knows of one connection: its newest request, how many wait for their answers, and since when no byte has moved. */

import type { Socket } from "node:net";
import type { Responder } from "../message/exchange.ts";
import { type Answer, errorAnswer } from "../message/result.ts";
import { LINGER_MS } from "./body.ts";
import type { NodeExchange } from "./exchange.ts";

/**
 * node:http stops reading from a connection only once answers wait for the client. Until then a client that pipelines requests to a
 * slow handler would fill the memory. No honest client has as many in flight. One read can bring some two thousand.
 */
const MOST_IN_FLIGHT = 1000;

/** By the code of an error of node:http: what it can't read, or no longer waits for. */
const BROKEN: Readonly<Record<string, Answer>> = {
  ERR_HTTP_REQUEST_TIMEOUT: errorAnswer(408, "Request Timeout"),
  HPE_INVALID_VERSION: errorAnswer(505, "HTTP Version Not Supported"),
  HPE_HEADER_OVERFLOW: errorAnswer(431, "Request Header Fields Too Large"),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: errorAnswer(413, "The extensions of the body's chunks are too large."),
};
const MALFORMED: Answer = errorAnswer(400, "The request is malformed.");

/** On the socket itself, because a look-up in a map costs more. */
const CONNECTION: unique symbol = Symbol("connection");
type Known = Socket & { [CONNECTION]?: Connection };

export function connectionOf(socket: Known): Connection {
  socket[CONNECTION] ??= new Connection(socket);
  return socket[CONNECTION];
}

export class Connection {
  /** The newest request, while the server has to remember it. */
  newest: NodeExchange | undefined;
  readonly socket: Socket;
  #inFlight = 0;
  #moved = 0;
  /** Until the first byte, the time-out of a request's head applies. */
  #quietSince = Number.POSITIVE_INFINITY;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  /** A request has arrived. */
  enter(exchange: NodeExchange): void {
    this.newest = exchange;
    this.#inFlight++;
    const socket = this.socket;
    // node:http resumes the socket at the end of each message, and for each body that is read.
    if (this.#inFlight === MOST_IN_FLIGHT) socket.on("resume", socket.pause).pause();
  }

  /** A request was answered. */
  leave(): void {
    this.#inFlight--;
    const socket = this.socket;
    if (this.#inFlight === MOST_IN_FLIGHT - 1) socket.off("resume", socket.pause).resume();
  }

  /** Counts the quiet time from now on. */
  restart(): void {
    this.#quietSince = performance.now();
  }

  /** Ends the connection if it has been idle since `idle`, and cuts it if its client has read nothing of a response since `unread`. */
  endIfQuiet(idle: number, unread: number): void {
    const socket = this.socket;
    const isUnread = socket.writableLength > 0;
    // Below zero, so that the number changes whenever the connection begins to wait for its client, or no longer does.
    const moved = isUnread ? -1 - bytesTaken(socket) : socket.bytesRead;
    if (moved !== this.#moved || (!isUnread && this.newest?.isOpen)) {
      this.#moved = moved;
      this.restart();
    } else if (this.#quietSince > (isUnread ? unread : idle)) return;
    else if (isUnread) socket.destroy();
    else socket.destroySoon();
  }

  /** Answers what node:http can't read, or cuts the connection. */
  refuseBroken(responder: Responder, { code = "" }: NodeJS.ErrnoException): void {
    const { newest } = this;
    const answer = BROKEN[code] ?? (code.startsWith("HPE_") ? MALFORMED : undefined);
    if (answer === undefined) this.socket.destroy();
    // The last response was sent, and the connection is closing.
    else if (newest?.isEnding || !this.socket.writable) return;
    else if (newest === undefined || newest.isComplete) this.refuseNext(answer);
    // The broken part is this request's body. Its answer may be out already, at least in part.
    else if (newest.isAnswered) newest.cut();
    else {
      newest.close();
      responder.refuse(newest, answer);
    }
  }

  /** Refuses behind the responses that are out. If one is due, the connection ends behind it. */
  refuseNext(answer: Answer): void {
    const { newest } = this;
    // Nothing follows a response that has announced the end.
    if (newest?.isLast) return;
    if (newest?.isOpen) newest.close();
    else this.#refuse(answer);
  }

  /** Answers without a response of node:http. */
  #refuse({ status, headers, body }: Answer): void {
    const { STATUS_CODES } = process.getBuiltinModule("node:http");
    const lines = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Date: ${new Date().toUTCString()}`,
      "Connection: close",
      `Content-Length: ${String(body).length}`,
      `${headers[0]}: ${headers[1]}`,
    ];
    const socket = this.socket;
    // Unread bytes would hide that the client has left, and could cost it the answer.
    socket.on("error", () => {}).resume();
    socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }
}

/** The undocumented part of a socket: `bytesWritten` of the socket itself changes only once the system has taken a whole write. */
interface InnerSocket extends Socket {
  readonly _handle?: { readonly bytesWritten?: number; readonly writeQueueSize?: number } | null;
}

/** How much of what was written the system has taken. Only Node's sockets have a handle. */
function bytesTaken(socket: InnerSocket): number {
  const { bytesWritten = socket.bytesWritten, writeQueueSize = socket.writableLength } = socket._handle ?? {};
  return bytesWritten - writeQueueSize;
}

/**
 * Looks for quiet connections, see {@link Connection.endIfQuiet}. Both limits are in milliseconds. A busy event loop has not read yet what
 * has arrived meanwhile: it reads before it runs what is asked for here.
 */
export function endQuiet(connections: Iterable<Connection>, idleLimit: number, unreadLimit: number): void {
  const now = performance.now();
  setImmediate(() => {
    for (const connection of connections) connection.endIfQuiet(now - idleLimit, now - unreadLimit);
  });
}
