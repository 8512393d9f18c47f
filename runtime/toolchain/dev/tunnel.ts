/** Two connections made one. */

import type { Socket } from "node:net";

/** Each gets what the other sends, and ends with it. @param onEnd is told once, or twice. */
export function tunnel(client: Socket, server: Socket, onEnd: () => void = () => {}): void {
  client.pipe(server).pipe(client);
  const end = (): void => {
    client.destroy();
    server.destroy();
    onEnd();
  };
  for (const socket of [client, server]) socket.on("error", end).on("close", end);
}
