/** The adapter to node:http: creates a server and serves the app. `stop.ts` stops it. */

import type { Server as HttpServer, IncomingMessage, ServerOptions, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Responder } from "../message/exchange.ts";
import { type Answer, errorAnswer } from "../message/result.ts";
import type { ServerSettings } from "../settings.ts";
import { tellPrimary } from "../worker.ts";
import { connectionOf, endQuiet } from "./connection.ts";
import { createDirectServer } from "./direct.ts";
import { NodeExchange, type ServerState } from "./exchange.ts";
import { createGuard, NO_SOCKETS } from "./guard.ts";
import { type Address, listenOn } from "./listen.ts";
import { createFindClient } from "./proxy.ts";
import { drain, openServer, type Server } from "./stop.ts";

export { type Address, type Listening, listenForTests, listenOn } from "./listen.ts";
export { closeServers, firstServer } from "./process.ts";
export { isClosedAsked, type Server } from "./stop.ts";

/**
 * The address of `app.listen()`, which overrides `[server]` in `framework.toml`.
 *
 * @example await app.listen({ port: 0, host: "127.0.0.1" });
 */
export interface ListenOptions {
  /** 0 to 65535; 0 asks the system for a free port. */
  readonly port?: number;
  /** An address or a name of this machine. `localhost` means both loopback addresses, `0.0.0.0` every address. */
  readonly host?: string;
}

/** Supplies a server with connections. A supervisor passes them by `server.emit("connection", socket)`. */
export type Transport = (
  server: HttpServer,
  address: Address,
) => Promise<{ host: string; port: number; close?(): Promise<void> }>;

let transport: Transport = listenOn;

/** Replaces the transport of this process. @returns the previous one. */
export function useTransport(next: Transport): Transport {
  const before = transport;
  transport = next;
  return before;
}

/** Wraps the app in another responder. @param host the configured host. */
export type Front = (app: Responder, host: string) => Responder;

let front: Front = (app) => app;

/** Sets the front of all apps that start to listen in this process. */
export function useFront(next: Front): void {
  front = next;
}

/**
 * Serves the app, by default at the address of its settings.
 *
 * @throws the system's error, unchanged, if it can't listen: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, `ENOTFOUND`, …
 */
export async function listen(app: Responder, options: ListenOptions = {}): Promise<Server> {
  const { settings } = app;
  const host = options.host ?? settings.host;
  const responder = front(app, host);
  const serverOptions = toOptions(settings);
  const keepAlive = `timeout=${Math.floor(settings.keepAliveTimeout)}`;
  const { http, sendDirectly } = createDirectServer(serverOptions, keepAlive);
  const state: ServerState = {
    responder,
    connections: new Set(),
    keepAlive,
    sendDirectly,
    findClient: createFindClient(settings.trustProxy),
    endless: new Set(),
    isDraining: false,
    closesConnections: responder.closesConnections === true,
  };
  followConnections(http, state);
  answerRequests(http, state);
  releaseUpgraded(http, state);
  const bound = await transport(http, { host, port: options.port ?? settings.port });
  const { connectionsCheckingInterval } = serverOptions;
  const clock = setInterval(endQuiet, connectionsCheckingInterval, state, settings.keepAliveTimeout * 1000);
  clock.unref();
  const url = formatUrl({ host, port: bound.port });
  const server = openServer({ url, host: bound.host, port: bound.port, node: http }, state, () => {
    clearInterval(clock);
    return drain(state, http, () => bound.close?.());
  });
  // With another transport, the supervisor knows the public address. For workers, the primary logs it.
  const { shutdownTimeout } = settings;
  if (transport === listenOn && !tellPrimary({ framework: "listening", url, shutdownTimeout }))
    responder.log.info({ message: `Listening on ${url}` });
  return server;
}

/**
 * Formats a URL that can be opened, with `localhost` for a wildcard address.
 *
 * @example formatUrl({ host: "0.0.0.0", port: 8000 }) // "http://localhost:8000"
 */
export function formatUrl({ host, port }: Address): string {
  const isWildcard = host === "" || host === "0.0.0.0" || host === "::";
  const name = isWildcard ? "localhost" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

function followConnections(http: HttpServer, { connections }: ServerState): void {
  // By default node:http drops a client that half-closes the connection, although it may still wait for its answer.
  Object.assign(http, { httpAllowHalfOpen: true });
  // node:http would silently drop headers beyond this limit before the guard sees them. Their total size is limited anyway.
  http.maxHeadersCount = 0;
  http.on("connection", (socket) => {
    const connection = connectionOf(socket);
    connections.add(connection);
    socket.once("close", () => connections.delete(connection));
    // After CONNECT, node:http no longer handles errors of the socket.
    socket.on("error", () => {});
    // Each pipelined request adds a listener.
    socket.setMaxListeners(0);
  });
}

const UNEXPECTED: Answer = errorAnswer(417, "The only supported expectation is 100-continue.");
const NO_TUNNEL: Answer = errorAnswer(501, "Not Implemented");

function answerRequests(http: HttpServer, state: ServerState): void {
  const { responder } = state;
  const guard = createGuard();
  const serve = (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    refusal: Answer | undefined = guard(incoming),
    expectsContinue = false,
  ): void => {
    // RFC 9112 section 9.6: requests after the last one of a connection are not served, because their answers would be lost.
    if (connectionOf(incoming.socket).newest?.isLast) return;
    const exchange = new NodeExchange(incoming, outgoing, state);
    if (refusal !== undefined) {
      exchange.close();
      responder.refuse(exchange, refusal);
      return;
    }
    if (expectsContinue) {
      // RFC 9110 section 10.1.1: the client waits for a 100, which must not be sent in the middle of earlier responses.
      exchange.limits = responder.limitsOf(exchange);
      if (exchange.isTooLarge || outgoing.socket === null) exchange.close();
      else outgoing.writeContinue();
    }
    responder.respond(exchange);
  };
  http.on("request", (incoming, outgoing) => serve(incoming, outgoing));
  http.on("checkContinue", (incoming, outgoing) => serve(incoming, outgoing, undefined, true));
  http.on("checkExpectation", (incoming, outgoing) => serve(incoming, outgoing, UNEXPECTED));
  http.on("connect", ({ socket }) => {
    const connection = connectionOf(socket);
    // node:http no longer serves the socket, so pending responses can't be sent.
    if (connection.newest?.isOpen) socket.destroy();
    else connection.refuseNext(NO_TUNNEL);
  });
  http.on("clientError", (error, socket: Socket) => connectionOf(socket).refuseBroken(responder, error));
}

/**
 * Hands upgraded sockets over to the "upgrade" listener: the server neither ends them when they are quiet nor waits for them when it
 * stops. Without a listener, node:http ignores the offer of an upgrade.
 */
function releaseUpgraded(http: HttpServer, { connections }: ServerState): void {
  http.on("newListener", function release(event) {
    if (event !== "upgrade") return;
    http.off("newListener", release);
    http.on("upgrade", ({ socket }) => {
      const connection = connectionOf(socket);
      // As for CONNECT.
      if (connection.newest?.isOpen) socket.destroy();
      // All other listeners were removed.
      else if (http.listenerCount("upgrade") === 1) connection.refuseNext(NO_SOCKETS);
      else connections.delete(connection);
    });
  });
}

/** Converts the settings from seconds. */
function toOptions({ headersTimeout, keepAliveTimeout, requestTimeout }: ServerSettings): Options {
  // node:http refuses to start if the headers' time-out is longer than the request's.
  const forHeaders = Math.min(headersTimeout, requestTimeout) * 1000;
  return {
    requestTimeout: requestTimeout * 1000,
    headersTimeout: forHeaders,
    // `endQuiet` has no cost per request; node:http would set and clear a timer.
    keepAliveTimeout: 0,
    // The interval of node:http's time-out checks and of `endQuiet`.
    connectionsCheckingInterval: Math.ceil(
      Math.max(10, Math.min(250, forHeaders / 4, keepAliveTimeout * 250)),
    ),
    // The guard checks it, with a better message. node:http would silently drop a second Host header.
    requireHostHeader: false,
    // From Node 24.12 on: a request without a body costs no stream, 10 to 15 % of a GET. Older types don't know it.
    optimizeEmptyRequests: true,
  };
}

type Options = ServerOptions & { connectionsCheckingInterval: number; optimizeEmptyRequests: boolean };
