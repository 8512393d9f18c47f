/** The list of the vendored files with a hash for each, by which a project later knows which of them it has edited. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "../archive.ts";

export interface Manifest {
  readonly version: string;
  /** Path relative to the folder, with forward slashes, to the SHA-256 of its bytes in hexadecimal. */
  readonly files: Readonly<Record<string, string>>;
}

/** @param folder absolute path of the runtime to be vendored. */
export function createManifest(folder: string, version: string): Manifest {
  const files = Object.fromEntries(listFiles(folder).map((file) => [file, hashFile(join(folder, file))]));
  return { version, files };
}

function hashFile(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
