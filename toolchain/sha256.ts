/** The hash by which files are compared. */

import type { Hash } from "node:crypto";

/** An import of `node:crypto` would load Web Crypto too, which costs each process milliseconds, although few compute a hash. */
export function createSha256(): Hash {
  return process.getBuiltinModule("node:crypto").createHash("sha256");
}
