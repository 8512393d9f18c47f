/** The files that a project with a database has: path, relative to the project, to text. A build writes them into the tools. */

import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../template/_database", import.meta.url));

export const TEMPLATE_FILES: ReadonlyMap<string, string> = new Map(
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((path) => [relative(folder, path).split(sep).join("/"), readFileSync(path, "utf8")]),
);
