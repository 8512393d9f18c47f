/** What to say when the app can't listen on an address. */

// Not from core/node.ts: a command that serves nothing should not wait for node:http.
import { listenOn } from "#runtime/node/listen";
import { isOpenAt } from "#runtime/node/stop";
import { Problem } from "#runtime/problem";

/** How many ports after a taken one are tried for a suggestion. */
const PORTS_TRIED = 20;

/** @returns undefined when the error is not about listening. */
export async function adviseOnListenError(error: unknown): Promise<Problem | undefined> {
  if (!isListenError(error)) return undefined;
  const { address = error.hostname ?? "", code, port = 0 } = error;
  switch (code) {
    case "EADDRINUSE": {
      if (isOpenAt(port))
        return new Problem(
          `This app listens on port ${port} already.`,
          "Call `app.listen()` once. A second address needs a port of its own: `app.listen({ port: 8001 })`.",
        );
      const free = await findFreePort(address, port + 1);
      const choose =
        free === undefined ? "Choose another with --port." : `Choose another, as in --port ${free}.`;
      return new Problem(
        `Port ${port} is in use by another program.`,
        `${whoListens(port)} tells which. End it, or leave it. ${choose}`,
      );
    }
    case "EACCES":
      return new Problem(
        `This user may not listen on port ${port}.`,
        "Ports below 1024 often need a privilege. Choose a higher one with --port.",
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new Problem(
        `${address} is not an address of this machine.`,
        "Set --host, HOST or [server] host to one: localhost for this machine alone, 0.0.0.0 for all its addresses.",
      );
    default:
      return undefined;
  }
}

function whoListens(port: number): string {
  return process.platform === "win32"
    ? `\`netstat -ano | findstr :${port}\``
    : `\`lsof -nP -iTCP:${port} -sTCP:LISTEN\``;
}

interface ListenError {
  readonly code: string;
  readonly address?: string;
  /** In place of the address, where a name could not be found. */
  readonly hostname?: string;
  readonly port?: number;
}

function isListenError(error: unknown): error is ListenError {
  if (!(error instanceof Error) || !("code" in error)) return false;
  if (error.code === "ENOTFOUND") return "hostname" in error;
  // "bind" is what a worker of node:cluster gets.
  return "syscall" in error && /^(?:listen|bind)$/.test(String(error.syscall)) && "address" in error;
}

async function findFreePort(host: string, first: number): Promise<number | undefined> {
  // Not imported, so that a platform without node:net can load this file.
  const { createServer } = process.getBuiltinModule("node:net");
  for (let port = first; port < Math.min(first + PORTS_TRIED, 65536); port++) {
    try {
      const listening = await listenOn(createServer(), { host, port });
      await listening.close();
      return port;
    } catch {
      // Taken, too.
    }
  }
  return undefined;
}
