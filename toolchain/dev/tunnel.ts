/** Connects two sockets to each other. */

import type { Socket } from "node:net";

/** Each socket gets what the other receives, and closes with it. @param onEnd is called once or twice. */
export function tunnel(client: Socket, server: Socket, onEnd: () => void = () => {}): void {
  client.pipe(server).pipe(client);
  const end = (): void => {
    client.destroy();
    server.destroy();
    onEnd();
  };
  for (const socket of [client, server]) socket.on("error", end).on("close", end);
}
