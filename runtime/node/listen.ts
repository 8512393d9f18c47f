/** Binds a server to an address, and to both loopback addresses for "localhost". */

import type { Server, ServerOpts } from "node:net";

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface Listening extends Address {
  /** Stops accepting connections. Accepted ones stay open, and the promise does not wait for them. */
  close(): Promise<void>;
}

/** Clients resolve "localhost" to 127.0.0.1 or ::1. With port 0 both need the same free port, which can take several tries. */
const TRIES = 20;

/**
 * @param server a server of node:net or node:http. It receives the connections of both loopback addresses.
 * @throws the system's error, unchanged, if it can't be bound.
 */
export async function listenOn(server: Server & ServerOpts, { host, port }: Address): Promise<Listening> {
  if (host !== "localhost") return listening([server], host, await bind(server, host, port));
  const { createServer } = process.getBuiltinModule("node:net");
  // A server has its options as properties, although its types lack them.
  const { allowHalfOpen = false, pauseOnConnect = false, noDelay = false } = server;
  for (let tries = TRIES; ; tries--) {
    const twin = createServer({ allowHalfOpen, pauseOnConnect, noDelay }, (socket) =>
      server.emit("connection", socket),
    );
    try {
      // A system without IPv6 has 127.0.0.1 only, whose `bind` reports any other problem.
      const bound = await bind(twin, "::1", port).catch((error) => {
        if (error.code === "EADDRINUSE") throw error;
        return port;
      });
      return listening([server, twin], host, await bind(server, "127.0.0.1", bound));
    } catch (error) {
      twin.close();
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE" || port !== 0 || tries === 0) throw error;
    }
  }
}

/** For tests: neither the server nor its connections keep the process alive. */
export function listenForTests(server: Server & ServerOpts, address: Address): Promise<Listening> {
  return listenOn(
    server.unref().on("connection", (socket) => socket.unref()),
    address,
  );
}

/** @returns the port. */
async function bind(server: Server, host: string, port: number): Promise<number> {
  const { once } = process.getBuiltinModule("node:events");
  await once(server.listen({ host, port }), "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

function listening(servers: readonly Server[], host: string, port: number): Listening {
  return { host, port, close: async () => servers.forEach(stopAccepting) };
}

/** Avoids the `close()` of an http server, which cuts idle connections and so loses the clients' next requests. */
function stopAccepting(server: Server): void {
  const { Server } = process.getBuiltinModule("node:net");
  // Bun's http server does not extend the one of node:net, and has no other `close`.
  if (server instanceof Server) Server.prototype.close.call(server);
  else (server as Server).close();
}
