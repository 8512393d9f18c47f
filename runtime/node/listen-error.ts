/** What to say when the app can't listen on an address. */

import { listenOn } from "#runtime/node/listen";
import { isOpenAt } from "#runtime/node/stop";
import { Problem } from "#runtime/problem";

/** How many ports after a taken one are tried for a suggestion. */
const PORTS_TRIED = 20;

interface ListenError extends Error {
  readonly code: string;
  readonly address?: string;
  /** In place of the address, where a name could not be found. */
  readonly hostname?: string;
  readonly port?: number;
}

/** @returns undefined when the error is not about listening. */
export async function adviseOnListenError(error: unknown): Promise<Problem | undefined> {
  if (!isListenError(error)) return undefined;
  const { address = error.hostname ?? "", code, port = 0 } = error;
  if (code === "EADDRINUSE") return isOpenAt(port) ? listensAlready(port) : isInUse(address, port);
  if (code === "EACCES")
    return new Problem(
      `This user may not listen on port ${port}.`,
      "Ports below 1024 often need a privilege. Choose a higher one with --port.",
    );
  if (code !== "EADDRNOTAVAIL" && code !== "ENOTFOUND") return undefined;
  return new Problem(
    `${address} is not an address of this machine.`,
    "Set --host, HOST or [server] host to one: localhost for this machine alone, 0.0.0.0 for all its addresses.",
  );
}

function isListenError(error: unknown): error is ListenError {
  if (!(error instanceof Error) || !("code" in error)) return false;
  if (error.code === "ENOTFOUND") return "hostname" in error;
  // "bind" is what a worker of node:cluster gets.
  return "syscall" in error && /^(?:listen|bind)$/.test(String(error.syscall)) && "address" in error;
}

function listensAlready(port: number): Problem {
  return new Problem(
    `This app listens on port ${port} already.`,
    "Call `app.listen()` once. A second address needs a port of its own: `app.listen({ port: 8001 })`.",
  );
}

async function isInUse(host: string, port: number): Promise<Problem> {
  const free = await findFreePort(host, port + 1);
  const choose = free === undefined ? "Choose another with --port." : `Choose another, as in --port ${free}.`;
  const tool =
    process.platform === "win32" ? `netstat -ano | findstr :${port}` : `lsof -nP -iTCP:${port} -sTCP:LISTEN`;
  return new Problem(
    `Port ${port} is in use by another program.`,
    `\`${tool}\` tells which. End it, or leave it. ${choose}`,
  );
}

async function findFreePort(host: string, first: number): Promise<number | undefined> {
  // Not imported, so that a platform without node:net can load this file.
  const { createServer } = process.getBuiltinModule("node:net");
  for (let port = first; port < Math.min(first + PORTS_TRIED, 65536); port++) {
    const listening = await listenOn(createServer(), { host, port }).catch(() => undefined);
    await listening?.close();
    if (listening !== undefined) return port;
  }
  return undefined;
}
