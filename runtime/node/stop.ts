/**
 * A server that listens, and how it stops without losing a request:
 *
 * 1. It accepts the connections in the backlog, stops listening, and ends the streams that may have no end.
 * 2. Each response then closes its connection, the health path answers 503, and a quiet connection is ended. At the time-out all are cut.
 * 3. `server.closed` resolves, and the project closes what it has open. The process ends when nothing keeps it alive, or
 *    shortly before the time-out (`process.ts`).
 */

import type { Server as HttpServer } from "node:http";
import { endQuiet } from "./connection.ts";
import type { ServerState } from "./exchange.ts";
import { enterOpen, leaveOpen } from "./process.ts";

/** A connection that has been quiet for so long has no request on its way to us. */
const QUIET_MS = 400;
const TICK_MS = 50;
/** What the connections leave of the shutdown time-out to the project. */
const CLOSING_MS = 500;
const LONGEST_ACCEPT_MS = 1000;

/** A server that listens. */
export interface Server {
  /** As in `http://localhost:8000`. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /**
   * The server of node:http, for what takes over connections, such as WebSockets. Connections that it upgrades are yours: close them when
   * the server is `closed`.
   *
   * @example const sockets = new WebSocketServer({ server: server.node, path: "/live" });
   */
  readonly node: import("node:http").Server;
  /**
   * Stops accepting, finishes what is in flight, and closes the connections. A second call returns the same promise.
   *
   * @returns resolves when all connections are closed, at the latest after `[server] shutdown_timeout`. It never rejects.
   * @example await server.close();
   */
  close(): Promise<void>;
  /**
   * Resolves after the last answer, once `close()` or a signal has stopped the server. What the project closes then may take the
   * rest of `[server] shutdown_timeout`; under `framework dev`, two seconds. Don't await it at the top level of a module: the
   * module would never finish loading.
   *
   * @example server.closed.then(() => pool.end());
   */
  readonly closed: Promise<void>;
}

let wasClosedAsked = false;

/** True once the project has asked for the `closed` of a server of this process: it may have something to close. */
export function isClosedAsked(): boolean {
  return wasClosedAsked;
}

/** Adds `close` and `closed` to the address of a server that listens, and keeps the process ready for signals while it is open. */
export function openServer(
  address: Pick<Server, "url" | "host" | "port" | "node">,
  state: ServerState,
  stop: () => Promise<void>,
): Server {
  let stopped: Promise<void> | undefined;
  let close = (): void => {};
  const closed = new Promise<void>((resolve) => {
    close = () => {
      // At once: the answer of the handler that closes the server is already the last of its connection.
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

/** @param stopAccepting closes what listens. */
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
  // Their clients come back, and must not find this server.
  for (const endStream of endless) endStream();
  // An idle connection is not ended at once, because a request may be on its way.
  const quiet = performance.now() + QUIET_MS;
  while (connections.size + responder.running > 0 && performance.now() < end) {
    endQuiet(state, performance.now() > quiet ? QUIET_MS : Number.POSITIVE_INFINITY);
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  for (const { socket } of connections) socket.destroy();
  await stopped;
  // Stops the timer that looks for time-outs.
  http.close(() => undefined);
}

/**
 * The system resets the connections in its backlog when the server stops listening. A process accepts one connection in a turn of the
 * event loop, so this waits for a turn that brings none, but not for ever.
 */
async function acceptBacklog(http: HttpServer): Promise<void> {
  const { setImmediate: nextTurn } = process.getBuiltinModule("node:timers/promises");
  const end = performance.now() + LONGEST_ACCEPT_MS;
  let accepted = 0;
  const onConnection = (): void => void accepted++;
  http.on("connection", onConnection);
  // The rest of this turn comes after its look for connections.
  await nextTurn();
  for (let before = -1; accepted > before && performance.now() < end; await nextTurn()) before = accepted;
  http.off("connection", onConnection);
}
