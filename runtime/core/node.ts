/** The adapter to node:http: a server that guards, answers, listens and stops without losing a request. */

import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import type { Responder } from "./app.ts";
import { Exchange, formatAuthority, type ServerState, splitAbsoluteForm } from "./exchange.ts";
import { type Address, listenOn } from "./listen.ts";
import { keepOpen, letGo } from "./process.ts";
import { errorReply, type Reply } from "./result.ts";
import type { ServerSettings } from "./settings.ts";

export { type Address, type Listening, listenOn } from "./listen.ts";
export { closeServers } from "./process.ts";

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

/** @throws the system's error, untouched, when it can't listen: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, `ENOTFOUND`, … */
export async function listen(responder: Responder, options: ListenOptions = {}): Promise<Server> {
  const { settings, log } = responder;
  const state: ServerState = { bodyLimit: settings.bodyLimit, draining: false };
  const sockets = new Set<Connection>();
  const http = createHttpServer(responder, state, sockets);
  const host = options.host ?? settings.host;
  const bound = await transport(http, { host, port: options.port ?? settings.port });
  let closing: Promise<void> | undefined;
  const server: Server = {
    url: formatUrl({ host, port: bound.port }),
    host: bound.host,
    port: bound.port,
    close() {
      closing ??= stop(http, bound.close?.bind(bound), state, sockets, settings.shutdownTimeout).finally(() =>
        letGo(server),
      );
      return closing;
    },
  };
  keepOpen(server, log);
  // Who replaces the transport knows better where the server can be reached.
  if (transport === listenOn) log.info({ message: `Listening on ${server.url}` });
  return server;
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

/** Requests of this connection whose reply is not written yet. A property, because a look-up for each request would cost more. */
const PENDING = Symbol("pending requests");
type Connection = Socket & { [PENDING]?: number };

function createHttpServer(responder: Responder, state: ServerState, sockets: Set<Connection>): HttpServer {
  const server = createServer(serverOptions(responder.settings));
  // A client that has ended its side may still wait for its answer; node:http drops it unless it is told.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on("connection", (socket: Connection) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const guard = createGuard();
  server.on("request", (incoming, outgoing) => serve(incoming, outgoing, false));
  // Asked for only when the handler reads it, so that a refusal spares the client the upload.
  server.on("checkContinue", (incoming, outgoing) => serve(incoming, outgoing, true));
  server.on("connect", ({ socket }) => {
    // From here on the socket is ours alone, with its errors and its end.
    socket.on("error", () => {}).write(NO_TUNNEL);
    socket.destroySoon();
  });
  return server;

  function serve(incoming: IncomingMessage, outgoing: ServerResponse, mustInvite: boolean): void {
    const socket: Connection = incoming.socket;
    const refusal = guard(incoming);
    const exchange = new Exchange(incoming, outgoing, targetOf(incoming), state, mustInvite);
    if (refusal !== undefined) {
      exchange.refuse(refusal);
      return;
    }
    const reply = responder.respond(exchange);
    // Only what was waited for can be a stream.
    if (reply instanceof Promise) void sendLater(reply, exchange, socket);
    else exchange.send(reply);
  }

  async function sendLater(reply: Promise<Reply>, exchange: Exchange, socket: Connection): Promise<void> {
    socket[PENDING] = (socket[PENDING] ?? 0) + 1;
    try {
      await exchange.send(await reply);
    } catch (error) {
      responder.log.error({ message: "The reply could not be written.", error });
      socket.destroy();
    } finally {
      socket[PENDING] -= 1;
    }
  }
}

const NO_TUNNEL = "HTTP/1.1 501 Not Implemented\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/** Seconds become milliseconds. Time-outs are found by a check that runs now and then, by default every 30 s. */
function serverOptions(settings: ServerSettings): ServerOptions {
  const requestTimeout = settings.requestTimeout * 1000;
  const headersTimeout = settings.headersTimeout * 1000;
  const shortest = Math.min(requestTimeout || Infinity, headersTimeout || Infinity);
  const options = {
    requestTimeout,
    // node:http refuses to start with the longer one here.
    headersTimeout: requestTimeout === 0 ? headersTimeout : Math.min(headersTimeout, requestTimeout),
    keepAliveTimeout: settings.keepAliveTimeout * 1000,
    connectionsCheckingInterval: Math.max(10, Math.min(1000, shortest / 4)),
    // From Node 22.20 on: a request without a body costs no stream, 10 to 15 % of a GET. Unknown to older types.
    optimizeEmptyRequests: true,
  };
  return options;
}

/** The target in origin form, or `*`. What can't be read is left as it is, and the router refuses it. */
function targetOf(incoming: IncomingMessage): string {
  const url = incoming.url ?? "";
  return url.charCodeAt(0) === 0x2f ? url : (splitAbsoluteForm(url)?.target ?? url);
}

/** What node:http lets through and a proxy may read differently (RFC 9112 sections 3.2 and 6.1). */
function createGuard(): (incoming: IncomingMessage) => Reply | undefined {
  // Nearly all requests of a server name the same host, and to check one takes a URL parser.
  let goodHost: string | undefined;
  return (incoming) => {
    const { headers, httpVersionMajor, httpVersionMinor, url = "" } = incoming;
    if (httpVersionMajor !== 1 || httpVersionMinor > 1) return errorReply(505, "HTTP Version Not Supported");
    const hosts = countHosts(incoming.rawHeaders);
    if (hosts !== 1 && (hosts > 1 || httpVersionMinor === 1))
      return errorReply(400, "There must be one Host header.");
    const { host } = headers;
    if (host !== undefined && host !== goodHost) {
      if (!isAuthority(host)) return errorReply(400, "The Host header is invalid.");
      goodHost = host;
    }
    const coding = headers["transfer-encoding"];
    if (coding !== undefined && (coding.toLowerCase() !== "chunked" || httpVersionMinor === 0)) {
      return errorReply(400, "The only transfer coding that is understood is chunked, over HTTP/1.1.");
    }
    return url.charCodeAt(0) === 0x2f && !url.includes("#") ? undefined : refuseTarget(incoming.method, url);
  };
}

function refuseTarget(method: string | undefined, url: string): Reply | undefined {
  if (url === "*" && method === "OPTIONS") return undefined;
  const named = splitAbsoluteForm(url);
  if (named !== undefined && isAuthority(named.authority) && !url.includes("#")) return undefined;
  return errorReply(400, "The request target is invalid.");
}

/** node:http drops the second Host silently. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && (name === "Host" || name.toLowerCase() === "host")) count++;
  }
  return count;
}

/** Strict, because it becomes part of `request.url`: nothing that moves the end of the host, such as `@` or `/`. */
function isAuthority(text: string): boolean {
  return /^(?:[\w.~-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?$/.test(text) && URL.canParse(`http://${text}/`);
}

/** A connection that has been quiet for so long has no request on its way to us. */
const QUIET_MS = 400;
const TICK_MS = 50;
/** What is left of the shutdown time-out for the process to end in. */
const LAST_MOMENTS_MS = 500;

/** Stops accepting and ends the connections one by one; idle ones not at once, because a request may be on its way. */
async function stop(
  http: HttpServer,
  stopAccepting: (() => Promise<void>) | undefined,
  state: ServerState,
  sockets: ReadonlySet<Connection>,
  shutdownTimeout: number,
): Promise<void> {
  state.draining = true;
  // Not the http server's own close: it cuts idle connections at once, and with them the clients' next requests.
  const stopped = stopAccepting ? stopAccepting() : NetServer.prototype.close.call(http);
  const end = performance.now() + Math.max(shutdownTimeout * 1000 - LAST_MOMENTS_MS, shutdownTimeout * 500);
  const quiet = new Map<Connection, { bytes: number; since: number }>();
  while (sockets.size > 0 && performance.now() < end) {
    const now = performance.now();
    for (const socket of sockets) {
      const last = quiet.get(socket);
      if (last?.bytes !== socket.bytesRead || socket[PENDING])
        quiet.set(socket, { bytes: socket.bytesRead, since: now });
      else if (now - last.since >= QUIET_MS) socket.destroySoon();
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  for (const socket of sockets) socket.destroy();
  await stopped;
  // Stops the timer that looks for time-outs.
  http.close(() => undefined);
}
