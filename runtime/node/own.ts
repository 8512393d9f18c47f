/**
 * False in Bun and Deno. Their node:http is another one, in which bodies and answers may go other ways than by streams and sockets.
 * A function, because a platform without `process` loads this file.
 */
export function isNodesOwn(): boolean {
  return !("bun" in process.versions || "deno" in process.versions);
}
