/**
 * Stops a server without losing a request:
 *
 * 1. It accepts the connections in the backlog, stops listening, and ends endless streams.
 * 2. Each response then closes its connection, the health path answers 503, and quiet connections are ended. At the time-out all are cut.
 * 3. `server.closed` resolves, and the project closes its resources. The process ends when nothing keeps it alive, or shortly before
 *    the time-out (`process.ts`).
 */

import type { Server as HttpServer } from "node:http";
import { endQuiet } from "./connection.ts";
import type { ServerState } from "./exchange.ts";
import { enterOpen, leaveOpen } from "./process.ts";

/** After this silence, no request is assumed to be under way on a connection. */
const QUIET_MS = 400;
const TICK_MS = 50;
/** The end of the shutdown time-out, reserved for the project's cleanup. */
const CLOSING_MS = 500;
const MAX_ACCEPT_MS = 1000;

/** A server that listens. */
export interface Server {
  /** The URL, such as `http://localhost:8000`. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /**
   * The server of node:http, for libraries that upgrade connections, such as WebSockets. Upgraded connections are yours: close them
   * when the server is `closed`.
   *
   * @example const sockets = new WebSocketServer({ server: server.node, path: "/live" });
   */
  readonly node: import("node:http").Server;
  /**
   * Stops accepting, finishes the requests in flight, and closes the connections. A second call returns the same promise.
   *
   * @returns a promise that resolves when all connections are closed, at the latest after `[server] shutdown_timeout`. Never rejects.
   * @example await server.close();
   */
  close(): Promise<void>;
  /**
   * Resolves after the last answer, when `close()` or a signal has stopped the server. The project's cleanup may then take the rest of
   * `[server] shutdown_timeout`; under `framework dev`, two seconds. Don't await it at the top level of a module, which would never
   * finish loading.
   *
   * @example server.closed.then(() => pool.end());
   */
  readonly closed: Promise<void>;
}

let wasClosedAsked = false;

/** True if the project has read `closed` of a server of this process, so it may have resources to close. */
export function isClosedAsked(): boolean {
  return wasClosedAsked;
}

/** Creates the `Server` object, and stops it on signals while it is open. */
export function openServer(
  address: Pick<Server, "url" | "host" | "port" | "node">,
  state: ServerState,
  stop: () => Promise<void>,
): Server {
  let stopped: Promise<void> | undefined;
  let close = (): void => {};
  const closed = new Promise<void>((resolve) => {
    close = () => {
      // Synchronously: if a handler closes the server, its own answer already ends the connection.
      stopped ??= stop();
      resolve(stopped);
    };
  }).finally(() => leaveOpen(server));
  const server: Server = {
    ...address,
    get closed() {
      wasClosedAsked = true;
      return closed;
    },
    close() {
      close();
      return closed;
    },
  };
  enterOpen(server, state.responder);
  return server;
}

/** @param stopAccepting closes the listening sockets. */
export async function drain(
  state: ServerState,
  http: HttpServer,
  stopAccepting: () => Promise<void> | undefined,
): Promise<void> {
  const { connections, endless, responder } = state;
  const limit = responder.settings.shutdownTimeout * 1000;
  const end = performance.now() + Math.max(limit - CLOSING_MS, limit / 2);
  state.isDraining = true;
  state.closesConnections = true;
  await acceptBacklog(http);
  const stopped = stopAccepting();
  // Only now, because their clients reconnect, and must not reach this server.
  for (const endStream of endless) endStream();
  // Idle connections stay open for a while, because a request may be under way.
  const quiet = performance.now() + QUIET_MS;
  while (connections.size + responder.running > 0 && performance.now() < end) {
    endQuiet(state, performance.now() > quiet ? QUIET_MS : Number.POSITIVE_INFINITY);
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  for (const { socket } of connections) socket.destroy();
  await stopped;
  // Stops the timer of the time-out checks.
  http.close(() => undefined);
}

/**
 * Accepts the connections in the backlog, which the system would reset when the server stops listening. A process accepts one per turn of
 * the event loop, so this waits up to a second for a turn without any.
 */
async function acceptBacklog(http: HttpServer): Promise<void> {
  const { setImmediate: nextTurn } = process.getBuiltinModule("node:timers/promises");
  const end = performance.now() + MAX_ACCEPT_MS;
  let accepted = 0;
  const onConnection = (): void => void accepted++;
  http.on("connection", onConnection);
  // This turn has already polled for connections.
  await nextTurn();
  for (let before = -1; accepted > before && performance.now() < end; await nextTurn()) before = accepted;
  http.off("connection", onConnection);
}
