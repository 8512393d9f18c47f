/** The port for debuggers: it stays the same while every change replaces the process behind it. */

import { connect, createServer, type Socket } from "node:net";
import { type Address, listenOn } from "#runtime/node/listen";

export interface DebuggerPort {
  /** Disconnects debuggers from processes that no longer serve: they attach again, to the one that does. */
  cut(): void;
  close(): void;
}

/**
 * @param target gives the debugger's port of the process that serves, on 127.0.0.1, if there is one.
 * @throws the system's error when the address can't be listened on.
 */
export async function openDebuggerPort(
  address: Address,
  target: () => number | undefined,
): Promise<DebuggerPort> {
  /** The debuggers, with the port of the process that each is attached to. */
  const attached = new Map<Socket, number>();
  const server = createServer((client) => {
    const port = target();
    if (port === undefined) return void client.destroy();
    attached.set(client, port);
    tunnel(client, connect(port, "127.0.0.1"));
    client.on("close", () => attached.delete(client));
  });
  const bound = await listenOn(server, address);
  return {
    cut() {
      for (const [client, port] of attached) if (port !== target()) client.destroy();
    },
    close() {
      void bound.close();
      for (const client of attached.keys()) client.destroy();
    },
  };
}

/** Connects two sockets: each gets what the other receives, and closes with it. */
export function tunnel(client: Socket, server: Socket): void {
  client.pipe(server).pipe(client);
  const end = (): void => {
    client.destroy();
    server.destroy();
  };
  for (const socket of [client, server]) socket.on("error", end).on("close", end);
}
