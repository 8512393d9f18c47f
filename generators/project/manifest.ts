/** The list of the vendored files with a hash for each, by which a project later knows which of them it has edited. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

export interface Manifest {
  readonly version: string;
  /** Path relative to the folder, with forward slashes, to the SHA-256 of its bytes in hexadecimal. */
  readonly files: Readonly<Record<string, string>>;
}

/** @param folder absolute path of the runtime to be vendored. */
export function createManifest(folder: string, version: string): Manifest {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => [relative(folder, file).split(sep).join("/"), hashFile(file)]);
  return { version, files: Object.fromEntries(files) };
}

function hashFile(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
