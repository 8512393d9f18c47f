/** A port of the loopback address: one that is free now, or one that is held. */

import { createServer } from "node:net";

/** Below those that systems give out by themselves, to a server that takes any and to a client's end: nobody else is given it meanwhile. */
const [LOWEST, COUNT] = [10_000, 20_000];

/** Free a moment ago. At random, because other test files ask at the same time. */
export async function freePort(): Promise<number> {
  const wanted = LOWEST + Math.floor(Math.random() * COUNT);
  try {
    const { port, release } = await holdPort(wanted);
    await release();
    return port;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return freePort();
    throw error;
  }
}

/** Listens on a port of 127.0.0.1 until it is released. */
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
