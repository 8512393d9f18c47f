/** The port for debuggers: it stays the same while every change replaces the process behind it. */

import { connect, createServer, type Socket } from "node:net";
import { type Address, listenOn } from "#runtime/node/listen";
import { tunnel } from "./tunnel.ts";

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
    if (port === undefined) client.destroy();
    else join(client, port);
  });
  const bound = await listenOn(server, address);
  return {
    cut,
    close() {
      void bound.close();
      for (const client of attached.keys()) client.destroy();
    },
  };

  function join(client: Socket, port: number): void {
    const process = connect(port, "127.0.0.1");
    attached.set(client, port);
    tunnel(client, process, () => attached.delete(client));
  }

  function cut(): void {
    for (const [client, port] of attached) if (port !== target()) client.destroy();
  }
}
