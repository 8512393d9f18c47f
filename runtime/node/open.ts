/** The servers of this process that are open. */

import type { Responder } from "../message/exchange.ts";
import { tellPrimary } from "../worker.ts";

/** A server that listens. */
export interface Server {
  /** As in `http://localhost:8000`. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
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

/** With the app behind each. */
export const openServers: Map<Server, Responder> = new Map();

let tellFirst: () => void;

/** Resolves when the first server of this process is open. */
export const firstServer: Promise<void> = new Promise((resolve) => {
  tellFirst = resolve;
});

export function addOpen(server: Server, responder: Responder): void {
  openServers.set(server, responder);
  tellFirst();
}

/** True if a server of this process listens on the port. */
export function isOpenAt(port: number): boolean {
  return [...openServers.keys()].some((server) => server.port === port);
}

/** Logs where a server listens. Of several workers at one address, the primary logs it, once. */
export function announce({ url }: Server, { log, settings: { shutdownTimeout } }: Responder): void {
  if (!tellPrimary({ framework: "listening", url, shutdownTimeout }))
    log.info({ message: `Listening on ${url}` });
}
