/**
 * True for an engine that has Node's modules, with sockets and a disk. A worker of Cloudflare has neither, although it may have the modules,
 * and it compresses whatever has a `Content-Encoding` once more.
 */
export function isServer(): boolean {
  const { navigator, process }: { navigator?: { userAgent: string }; process?: NodeJS.Process } = globalThis;
  return process?.getBuiltinModule !== undefined && navigator?.userAgent !== "Cloudflare-Workers";
}
