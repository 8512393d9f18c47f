/** The adapter to node:http: a server that answers, listens, and stops without losing a request. */

import type { Server as HttpServer, IncomingMessage, ServerOptions, ServerResponse } from "node:http";
import type { Responder } from "../message/exchange.ts";
import { errorReply, type Reply } from "../message/result.ts";
import type { ServerSettings } from "../settings.ts";
import { createGuard } from "./guard.ts";
import { type Address, listenOn, stopAccepting, whenNoneWaits } from "./listen.ts";
import {
  type Connection,
  formatAuthority,
  LINGER_MS,
  NEWEST,
  NodeExchange,
  type ServerState,
} from "./node-exchange.ts";
import { announce, keepOpen, letGo } from "./process.ts";

export { type Address, type Listening, listenOn } from "./listen.ts";
export { closeServers, firstServer } from "./process.ts";

/** A server that listens. */
export interface Server {
  /** As in `http://localhost:8000`. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /**
   * Stops accepting, finishes what is in flight, and closes the connections. Resolves when all are closed, at the latest
   * after `[server] shutdown_timeout`; again called, it gives the same promise.
   */
  close(): Promise<void>;
  /**
   * Resolves once the server has stopped, by `close()` or by a signal: after the last answer. What a project closes then may take
   * what is left of `[server] shutdown_timeout`, and two seconds under `framework dev`. Not to be awaited at the top level of a
   * module, which would never be loaded.
   *
   * @example server.closed.then(() => pool.end());
   */
  readonly closed: Promise<void>;
}

export interface ListenOptions {
  /** 0 asks the system for a free one. */
  readonly port?: number;
  /** `localhost` means both loopback addresses. */
  readonly host?: string;
}

/** How a server gets its connections. A supervisor hands them over by `server.emit("connection", socket)`. */
export type Transport = (
  server: HttpServer,
  address: Address,
) => Promise<{ host: string; port: number; close?(): Promise<void> }>;

let transport: Transport = listenOn;

/** Replaces how the servers of this process get their connections. @returns the transport that was used before. */
export function useTransport(next: Transport): Transport {
  const before = transport;
  transport = next;
  return before;
}

let wasClosedAsked = false;

/** True once a project has asked for the `closed` of a server of this process: it may have something to close. */
export function isClosedAsked(): boolean {
  return wasClosedAsked;
}

/** @throws the system's error, untouched, when it can't listen: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, `ENOTFOUND`, … */
export async function listen(responder: Responder, options: ListenOptions = {}): Promise<Server> {
  const { settings } = responder;
  const connections: Connections = new Map();
  const keepAlive = settings.keepAliveTimeout * 1000 || Number.POSITIVE_INFINITY;
  const state: ServerState = {
    bodyLimit: settings.bodyLimit,
    stallTimeout: settings.requestTimeout * 1000,
    keepAlive: Number.isFinite(keepAlive) ? `timeout=${Math.floor(keepAlive / 1000)}` : "",
    isDraining: false,
  };
  const http = createHttpServer(responder, state, connections);
  const host = options.host ?? settings.host;
  const bound = await transport(http, { host, port: options.port ?? settings.port });
  const clock = setInterval(endQuiet, toCheckInterval(keepAlive), connections, keepAlive);
  // The server keeps the process alive, or is told not to.
  clock.unref();
  let closing: Promise<void> | undefined;
  let tellClosed = (): void => {};
  const closed = new Promise<void>((resolve) => {
    tellClosed = resolve;
  });
  const server: Server = {
    get closed() {
      wasClosedAsked = true;
      return closed;
    },
    url: formatUrl({ host, port: bound.port }),
    host: bound.host,
    port: bound.port,
    close() {
      closing ??= stop().finally(() => {
        letGo(server);
        tellClosed();
      });
      return closing;
    },
  };
  keepOpen(server, responder);
  // Who replaces the transport knows better where the server can be reached.
  if (transport === listenOn) announce(server, responder);
  return server;

  async function stop(): Promise<void> {
    const began = performance.now();
    state.isDraining = true;
    clearInterval(clock);
    // Not the http server's own close: it cuts idle connections at once, and with them the clients' next requests.
    await whenNoneWaits(http);
    const stopped = bound.close ? bound.close() : stopAccepting(http);
    await drain(responder, connections, began);
    await stopped;
    // Stops the timer that looks for time-outs.
    http.close(() => undefined);
  }
}

/**
 * The URL that a person can open: a wildcard address is no place to go to.
 *
 * @example formatUrl({ host: "0.0.0.0", port: 8000 }) // "http://localhost:8000"
 */
export function formatUrl({ host, port }: Address): string {
  const isWildcard = host === "" || host === "0.0.0.0" || host === "::";
  return `http://${formatAuthority(isWildcard ? "localhost" : host, port)}`;
}

/** How many bytes had come, and since when it has been no more. */
interface Quiet {
  bytes: number;
  since: number;
}
type Connections = Map<Connection, Quiet>;

function createHttpServer(responder: Responder, state: ServerState, connections: Connections): HttpServer {
  // Not imported, so that a platform without node:http can load this file.
  const server = process.getBuiltinModule("node:http").createServer(serverOptions(responder.settings));
  Object.assign(server, {
    // A client that has ended its side may still wait for its answer; node:http drops it unless it is told.
    httpAllowHalfOpen: true,
    // What is beyond a number of headers would be dropped silently, before the guard sees it. Their size has a limit.
    maxHeadersCount: 0,
  });
  server.on("connection", (socket: Connection) => {
    // Until something comes, what counts is the time-out of a request's head.
    connections.set(socket, { bytes: 0, since: Number.POSITIVE_INFINITY });
    // Any number of requests can wait in it for their turn, and each listens.
    socket.setMaxListeners(0).once("close", () => connections.delete(socket));
  });
  const guard = createGuard();
  const serve = (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    mustInvite: boolean,
    refusal: Reply | undefined = guard(incoming),
  ): void => {
    const exchange = new NodeExchange(incoming, outgoing, state, mustInvite);
    const connection: Connection = incoming.socket;
    connection[NEWEST] = exchange;
    if (refusal !== undefined) {
      exchange.close();
      responder.refuse(exchange, refusal);
    } else responder.respond(exchange);
  };
  server.on("request", (incoming, outgoing) => serve(incoming, outgoing, false));
  // Asked for only when the handler reads it, so that a refusal spares the client the upload.
  server.on("checkContinue", (incoming, outgoing) => serve(incoming, outgoing, true));
  server.on("checkExpectation", (incoming, outgoing) => serve(incoming, outgoing, false, UNEXPECTED));
  // From here on the socket is ours alone, with its errors and its end.
  server.on("connect", ({ socket }) =>
    refuseNext(
      socket.on("error", () => {}),
      errorReply(501, "Not Implemented"),
    ),
  );
  server.on("clientError", (error, connection: Connection) => refuseBroken(responder, error, connection));
  // Of a socket that once had to wait for its client. It may be idle now, or the app at work: only what waits again is cut off.
  server.on("timeout", (socket: Connection) => {
    if (socket.writableLength > 0) socket.destroy();
  });
  return server;
}

/** What node:http can't read, or does not want to wait for any longer. */
const BROKEN: Readonly<Record<string, Reply>> = {
  ERR_HTTP_REQUEST_TIMEOUT: errorReply(408, "Request Timeout"),
  HPE_INVALID_VERSION: errorReply(505, "HTTP Version Not Supported"),
  HPE_HEADER_OVERFLOW: errorReply(431, "Request Header Fields Too Large"),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: errorReply(413, "The extensions of the body's chunks are too large."),
};
const UNEXPECTED: Reply = errorReply(417, "The only expectation that can be met is 100-continue.");
const MALFORMED: Reply = errorReply(400, "The request is malformed.");

function refuseBroken(responder: Responder, error: NodeJS.ErrnoException, connection: Connection): void {
  const { code = "" } = error;
  const newest = connection[NEWEST];
  const reply = BROKEN[code] ?? (code.startsWith("HPE_") ? MALFORMED : undefined);
  // The connection is being closed already, behind an answer.
  if (reply !== undefined && (newest?.isEnding || !connection.writable)) return;
  if (reply === undefined) connection.destroy();
  else if (newest === undefined || newest.isComplete) refuseNext(connection, reply);
  // What is broken is the body of this request: its answer may be out already, or a part of it.
  else if (newest.isAnswered) connection.destroy();
  else {
    newest.close();
    responder.refuse(newest, reply);
  }
}

/** After the answers that are due before. */
function refuseNext(connection: Connection, reply: Reply): void {
  const newest = connection[NEWEST];
  if (newest?.isOpen) newest.close(() => refuse(connection, reply));
  else refuse(connection, reply);
}

/** Answers on a socket that node:http has no response for. */
function refuse(connection: Connection, { status, headers, body }: Reply): void {
  const { STATUS_CODES } = process.getBuiltinModule("node:http");
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Date: ${new Date().toUTCString()}`,
    "Connection: close",
    `Content-Length: ${String(body).length}`,
  ];
  for (let index = 0; index < headers.length; index += 2)
    lines.push(`${headers[index]}: ${headers[index + 1]}`);
  connection.on("error", () => {}).end(`${lines.join("\r\n")}\r\n\r\n${body}`);
  setTimeout(() => connection.destroy(), LINGER_MS).unref();
}

/** Seconds become milliseconds. Time-outs are found by a check that runs now and then, by default every 30 s. */
function serverOptions(settings: ServerSettings): ServerOptions {
  const requestTimeout = settings.requestTimeout * 1000;
  // node:http refuses to start with the longer one here.
  const headersTimeout = Math.min(settings.headersTimeout * 1000, requestTimeout);
  const options = {
    requestTimeout,
    headersTimeout,
    // `endQuiet` costs a request nothing; node:http sets a timer and clears it again.
    keepAliveTimeout: 0,
    connectionsCheckingInterval: toCheckInterval(headersTimeout),
    // The guard looks for it, and says more. A second one would be dropped silently.
    requireHostHeader: false,
    joinDuplicateHeaders: true,
    // From Node 22.20 on: a request without a body costs no stream, 10 to 15 % of a GET. Unknown to older types.
    optimizeEmptyRequests: true,
  };
  return options;
}

/** How often to look for what takes longer than `timeout`, both in milliseconds. */
function toCheckInterval(timeout: number): number {
  return Math.max(10, Math.min(1000, timeout / 4));
}

/** Ends the connections on which nothing has come and nothing was answered for `limit` milliseconds. */
function endQuiet(connections: Connections, limit: number): void {
  const asked = performance.now();
  // An event loop that was busy has not read yet what has come since: it does before it gets to this.
  setImmediate(() => {
    const now = performance.now();
    for (const [connection, quiet] of connections) {
      if (quiet.bytes !== connection.bytesRead || connection[NEWEST]?.isOpen) {
        quiet.bytes = connection.bytesRead;
        quiet.since = now;
      } else if (asked - quiet.since >= limit) connection.destroySoon();
    }
  });
}

/** A connection that has been quiet for so long has no request on its way to us. */
const QUIET_MS = 400;
const TICK_MS = 50;
/** What is left of the shutdown time-out for the process to end in. */
const LAST_MOMENTS_MS = 500;

/** Waits for the handlers and ends the connections one by one; idle ones not at once, because a request may be on its way. */
async function drain(responder: Responder, connections: Connections, began: number): Promise<void> {
  const limit = responder.settings.shutdownTimeout * 1000;
  const start = performance.now();
  const end = began + Math.max(limit - LAST_MOMENTS_MS, limit / 2);
  for (const quiet of connections.values()) quiet.since = start;
  while (connections.size + responder.running > 0 && performance.now() < end) {
    endQuiet(connections, QUIET_MS);
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  for (const connection of connections.keys()) connection.destroy();
}
