/** Explains why the app can't listen on an address. */

import { isOpenAt } from "#runtime/node/process";
import { Problem } from "#runtime/problem";

/** An error of node:net. If a name could not be resolved, it has `hostname` instead of `address`. */
type ListenError = NodeJS.ErrnoException & { address?: string; hostname?: string; port?: number };

/** @returns undefined if the error is not about listening. */
export function adviseOnListenError(error: unknown): Problem | undefined {
  if (!(error instanceof Error)) return undefined;
  const { syscall = "", code, hostname = "", address = hostname, port = 0 }: ListenError = error;
  // Workers of node:cluster get "bind".
  if (!/^(?:listen|bind|getaddrinfo)$/.test(syscall) || address === "") return undefined;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return new Problem(
      `${address} is not an address of this machine.`,
      "Set --host, HOST or [server] host to one: localhost for this machine alone, 0.0.0.0 for all its addresses.",
    );
  if (code === "EACCES")
    return new Problem(
      `This user may not listen on port ${port}.`,
      "Ports below 1024 often need a privilege. Choose a higher one with --port.",
    );
  if (code !== "EADDRINUSE") return undefined;
  if (isOpenAt(port))
    return new Problem(
      `This app listens on port ${port} already.`,
      "Call `app.listen()` once. A second address needs a port of its own: `app.listen({ port: 8001 })`.",
    );
  const tool = process.platform === "win32" ? "netstat -ano | findstr :" : "lsof -nP -sTCP:LISTEN -iTCP:";
  return new Problem(
    `Port ${port} is in use by another program.`,
    `\`${tool}${port}\` tells which. End it, or choose another port, as in --port ${(port % 65535) + 1}.`,
  );
}
