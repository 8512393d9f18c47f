/** Instead of `globby` in the bundle: the engine uses it only to list every file of a template folder. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { unescapeHandlebars } from "../../template.ts";

/** @param folder as our `slash` gave it */
export default async function globby(folder: string): Promise<string[]> {
  return list(unescapeHandlebars(folder));
}

function list(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? list(path) : [path];
  });
}
