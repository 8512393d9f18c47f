/** What the server knows of one connection: its newest request, how many wait for their answers, and since when no byte has moved. */

import type { Socket } from "node:net";
import type { Responder } from "../message/exchange.ts";
import { type Answer, errorAnswer } from "../message/result.ts";
import { linger } from "./body.ts";
import type { NodeExchange, ServerState } from "./exchange.ts";

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

/** On the socket itself: a look-up in a map costs more. */
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
  #quietSince: number = performance.now();

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

  /**
   * Ends the connection if it has been idle since `idle`, and cuts it if its client has read nothing of a response since `unread`.
   *
   * @param isStopping otherwise the time-out of a request's head applies until the first byte.
   */
  endIfQuiet(idle: number, unread: number, isStopping: boolean): void {
    const socket = this.socket;
    if (socket.bytesRead === 0 && !isStopping) return;
    const isUnread = socket.writableLength > 0;
    // Below zero, so that the number changes whenever the connection begins to wait for its client, or no longer does.
    const moved = isUnread ? -1 - bytesTaken(socket) : socket.bytesRead;
    if (moved !== this.#moved || (!isUnread && this.newest?.isOpen)) {
      this.#moved = moved;
      this.#quietSince = performance.now();
    } else if (this.#quietSince > (isUnread ? unread : idle)) return;
    else if (isUnread) socket.destroy();
    else socket.destroySoon();
  }

  /** Answers what node:http can't read, or cuts the connection. */
  refuseBroken(responder: Responder, { code = "" }: NodeJS.ErrnoException): void {
    const { newest } = this;
    // node:http has one time-out for all bodies. Where a folder has another one, the app answers when that has passed.
    const hasOwnTime = newest?.isAnswered === false && newest.limits?.handlerTimeout !== undefined;
    if (hasOwnTime && code === "ERR_HTTP_REQUEST_TIMEOUT") return;
    const answer = BROKEN[code] ?? (code.startsWith("HPE_") ? MALFORMED : undefined);
    if (answer === undefined) this.socket.destroy();
    else if (newest === undefined || newest.isComplete) this.refuseNext(answer);
    // The broken part is this request's body. Its answer may be out already, at least in part.
    else if (newest.isAnswered) newest.cut();
    else {
      newest.close();
      responder.refuse(newest, answer);
    }
  }

  /** Refuses behind the responses that are out. If one is due, the connection ends behind it. */
  refuseNext({ status, headers, body }: Answer): void {
    const { newest, socket } = this;
    if (newest?.isOpen) {
      newest.close();
      return;
    }
    // Nothing follows a response that has announced the end.
    if (newest?.isLast || !socket.writable) return;
    const { STATUS_CODES } = process.getBuiltinModule("node:http");
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nDate: ${new Date().toUTCString()}\r\nConnection: close`;
    const own = headers.map((text, at) => (at % 2 === 0 ? `\r\n${text}: ` : text)).join("");
    socket.resume().write(`${head}${own}\r\nContent-Length: ${String(body).length}\r\n\r\n${body}`);
    linger(socket);
  }
}

/** How much of what was written the system has taken. The socket's own numbers change only once it has taken a whole write. */
function bytesTaken(socket: Socket & { _handle?: Partial<Record<string, number>> | null }): number {
  // Undocumented, and only in Node.
  const { bytesWritten = socket.bytesWritten, writeQueueSize = socket.writableLength } = socket._handle ?? {};
  return bytesWritten - writeQueueSize;
}

/**
 * Ends the quiet connections, see {@link Connection.endIfQuiet}. A busy event loop first reads what has arrived meanwhile.
 *
 * @param idleLimit in milliseconds.
 */
export function endQuiet({ connections, isDraining, responder }: ServerState, idleLimit: number): void {
  const now = performance.now();
  const unread = now - responder.settings.requestTimeout * 1000;
  setImmediate(() => {
    for (const connection of connections) connection.endIfQuiet(now - idleLimit, unread, isDraining);
  });
}
