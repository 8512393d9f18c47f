/** False in Bun and Deno. Their node:http is another one, in which bodies and answers may go other ways than by streams and sockets. */
export const IS_NODES_OWN: boolean = !("bun" in process.versions || "deno" in process.versions);
