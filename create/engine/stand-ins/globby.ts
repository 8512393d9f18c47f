/** Instead of globby, which the engine asks for every file of a folder. See README.md. */

import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Folder by folder: Yarn reads the package from a zip file, where Node's recursive reading gives no folders. */
export default async function globby(folder: string): Promise<string[]> {
  return list(folder);
}

function list(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? list(path) : [path];
  });
}
