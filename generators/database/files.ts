/**
 * The files that a project with a database has, by path relative to the project: those of `template/_database`, and those of the vendored
 * framework, which a project without one lacks. A build writes them into a module of the tools.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { VENDORED_FOLDER } from "#convention/layout";

const [template, framework] = ["template/_database", "dist/framework"].map((folder) =>
  fileURLToPath(new URL(`../../${folder}`, import.meta.url)),
) as [string, string];

export const DATABASE_FILES: ReadonlyMap<string, string> = new Map([
  ...readFiles(framework)
    .filter(([file]) => /^database[./]/.test(file))
    .map(([file, text]) => [`${VENDORED_FOLDER}/${file}`, text] as const),
  ...readFiles(template),
]);

function readFiles(folder: string): (readonly [file: string, text: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((path) => [relative(folder, path).split(sep).join("/"), readFileSync(path, "utf8")]);
}
