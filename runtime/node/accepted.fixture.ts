/** For tests: the server's side of a connection. */

import type { Socket } from "node:net";

/** @returns the socket of the next connection that a server of this process accepts. */
export function nextAccepted(): Promise<Socket> {
  const { channel } = process.getBuiltinModule("node:diagnostics_channel");
  return new Promise((resolve) => {
    const sockets = channel("net.server.socket");
    const listener = (message: unknown): void => {
      sockets.unsubscribe(listener);
      resolve((message as { socket: Socket }).socket);
    };
    sockets.subscribe(listener);
  });
}
