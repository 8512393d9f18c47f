/** Binds a server to an address, and to both loopback addresses when that is "localhost". */

import type { Server, ServerOpts } from "node:net";

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
const WITHOUT_IPV6 = /^(?:EADDRNOTAVAIL|EAFNOSUPPORT|EINVAL|ENOTSUP)$/;

/**
 * @param server of node:net or node:http; the connections of both loopback addresses come to it.
 * @throws the system's error, untouched, when it can't be bound.
 */
export async function listenOn(server: Server, { host, port }: Address): Promise<Listening> {
  if (host !== "localhost") return listening([server], host, await bind(server, host, port));
  for (let tries = TRIES; ; tries--) {
    const bound = await bind(server, "127.0.0.1", port);
    const second = createTwin(server);
    try {
      await bind(second, "::1", bound);
      return listening([server, second], host, bound);
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (WITHOUT_IPV6.test(code)) return listening([server], host, bound);
      stopAccepting(server);
      if (code !== "EADDRINUSE" || port !== 0 || tries === 0) throw error;
    }
  }
}

/** Gives its connections to the other. The options of a server are properties of it, which its types don't tell. */
function createTwin(server: Server & ServerOpts): Server {
  const { allowHalfOpen = false, pauseOnConnect = false, noDelay = false } = server;
  const { createServer } = process.getBuiltinModule("node:net");
  return createServer({ allowHalfOpen, pauseOnConnect, noDelay }, (socket) =>
    server.emit("connection", socket),
  );
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
      for (const server of servers) stopAccepting(server);
    },
    unref() {
      for (const server of servers) server.unref();
    },
  };
}

/**
 * For how long to look for a good moment to close, and how short a turn of the event loop it takes. A process that is held up gets no turn
 * in that time, and has so many all the same, within bounds.
 */
const LOOK_MS = 200;
const LOOK_TURNS = 32;
const LONGEST_LOOK_MS = 1000;
const SHORT_TURN_MS = 0.2;

/**
 * To stop listening resets the connections that the system has made and the process has not taken yet, and it takes one in a turn
 * of the event loop. Resolves right after a short turn without any, and so when hardly one can be waiting.
 */
export async function whenNoneWaits(server: Server): Promise<void> {
  const began = performance.now();
  let hasTaken = false;
  const onConnection = (): void => {
    hasTaken = true;
  };
  server.on("connection", onConnection);
  // What is left of this turn comes after the look for connections.
  let before = await nextTurn();
  for (let turns = 0; before - began < (turns < LOOK_TURNS ? LONGEST_LOOK_MS : LOOK_MS); turns++) {
    hasTaken = false;
    const now = await nextTurn();
    if (!hasTaken && now - before <= SHORT_TURN_MS) break;
    before = now;
  }
  server.off("connection", onConnection);
}

/** @returns the time at its end, on the clock of `performance.now()`. */
function nextTurn(): Promise<number> {
  return new Promise((resolve) => setImmediate(() => resolve(performance.now())));
}

/** Not `server.close()`: the one of an http server cuts its idle connections, and with them the clients' next requests. */
export function stopAccepting(server: Server): void {
  const { Server } = process.getBuiltinModule("node:net");
  // Bun's http server is none of node:net, and has only the close that cuts.
  if (server instanceof Server) Server.prototype.close.call(server);
  else (server as Server).close();
}
