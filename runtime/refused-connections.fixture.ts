/** Waits for a server to stop listening. */

import { once } from "node:events";
import { connect } from "node:net";

/** Resolves once nobody accepts connections at the URL's port of this machine. */
export async function refusesConnections(url: string): Promise<void> {
  for (;;) {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const isRefused = await Promise.race([
      once(socket, "connect").then(() => false),
      once(socket, "error").then(() => true),
    ]).catch(() => true);
    socket.destroy();
    if (isRefused) return;
  }
}
