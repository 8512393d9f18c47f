/**
 * True on engines that have Node's modules, sockets and a disk. A Cloudflare worker may have the modules, but neither of the others, and
 * it compresses any response with a `Content-Encoding` a second time.
 */
export function isServer(): boolean {
  const { navigator, process }: { navigator?: { userAgent: string }; process?: NodeJS.Process } = globalThis;
  return process?.getBuiltinModule !== undefined && navigator?.userAgent !== "Cloudflare-Workers";
}
