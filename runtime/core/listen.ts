/** Binds a server to an address, and to both loopback addresses when that is "localhost". */

import { createServer, Server, type ServerOpts } from "node:net";

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface Listening extends Address {
  /** Stops accepting. Connections that were accepted live on, and the promise does not wait for them. */
  close(): Promise<void>;
  /** The process may end although this listens. */
  unref(): void;
}

/** "localhost" is 127.0.0.1 to one client and ::1 to the next. With port 0 both have to get the same one, which can take some tries. */
const TRIES = 20;

/** Codes of systems where IPv6 is off: then 127.0.0.1 alone is localhost. */
const WITHOUT_IPV6 = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL", "ENOTSUP"]);

/**
 * @param server of node:net or node:http; the connections of both loopback addresses come to it.
 * @throws the system's error, untouched, when it can't be bound.
 */
export async function listenOn(server: Server, { host, port }: Address): Promise<Listening> {
  if (host !== "localhost") return listening([server], host, await bind(server, host, port));
  for (let tries = TRIES; ; tries--) {
    const bound = await bind(server, "127.0.0.1", port);
    // The options of a server are properties of it, which its types don't tell.
    const { allowHalfOpen, pauseOnConnect, noDelay } = server as Server & ServerOpts;
    const second = createServer({
      ...(allowHalfOpen && { allowHalfOpen }),
      ...(pauseOnConnect && { pauseOnConnect }),
      ...(noDelay && { noDelay }),
    });
    second.on("connection", (socket) => server.emit("connection", socket));
    const error = await bind(second, "::1", bound).then(
      () => undefined,
      (cause: NodeJS.ErrnoException) => cause,
    );
    if (error === undefined) return listening([server, second], host, bound);
    if (WITHOUT_IPV6.has(error.code ?? "")) return listening([server], host, bound);
    stopAccepting(server);
    if (error.code !== "EADDRINUSE" || port !== 0 || tries === 0) throw error;
  }
}

/** @returns the port. */
function bind(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void => {
      server.off("listening", onListening);
      reject(error);
    };
    const onListening = (): void => {
      server.off("error", onError);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    };
    server.once("error", onError).once("listening", onListening).listen({ host, port });
  });
}

function listening(servers: readonly Server[], host: string, port: number): Listening {
  return {
    host,
    port,
    async close() {
      servers.forEach(stopAccepting);
    },
    unref() {
      for (const server of servers) server.unref();
    },
  };
}

/** Not `server.close()`: the one of an http server cuts its idle connections, and with them the clients' next requests. */
function stopAccepting(server: Server): void {
  Server.prototype.close.call(server);
}
