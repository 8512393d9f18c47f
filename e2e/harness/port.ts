/** A port of the loopback address: one that is free now, or one that is held. */

import { createServer } from "node:net";

/** Free a moment ago; the system does not give it out again soon. */
export async function freePort(): Promise<number> {
  const { port, release } = await holdPort(0);
  await release();
  return port;
}

/** Listens on a port until it is released, on both loopback addresses as far as there are two. */
export function holdPort(wanted: number): Promise<{ port: number; release(): Promise<void> }> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(wanted, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      resolve({ port, release: () => new Promise((released) => void server.close(() => released())) });
    });
  });
}
