/** What a built server was made from, so that `framework start` knows whether it is current. */

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { APPS_FOLDER, ROUTES_FOLDER } from "../../convention/layout.ts";

export const BUILT_SERVER = "dist/server.js";
const RECORD = "dist/server.inputs.json";

/** Where new files become part of the project without being imported by one that is. */
const DISCOVERED_FOLDERS = [APPS_FOLDER, ROUTES_FOLDER];
const SOURCE = /\.(?:ts|toml)$/;

type Hashes = Record<string, string | undefined>;

/** @param files every file that went into the build, relative to the root. */
export function writeBuildRecord(root: string, files: readonly string[]): void {
  const inputs = [...new Set([...files, ...discoverableFiles(root)])].sort();
  const hashes: Hashes = Object.fromEntries(inputs.map((file) => [file, hashFile(join(root, file))]));
  writeFileSync(join(root, RECORD), `${JSON.stringify(hashes, null, 2)}\n`);
}

/** @returns a file that was changed, added or removed since the build, relative to the root; undefined when there is none. */
export function newerThanBuild(root: string): string | undefined {
  const hashes = readBuildRecord(root);
  if (hashes === undefined) return RECORD;
  const files = new Set([...Object.keys(hashes), ...discoverableFiles(root)]);
  return [...files].find((file) => hashes[file] !== hashFile(join(root, file)));
}

/** @returns undefined where it is missing, or is not what was written. */
function readBuildRecord(root: string): Hashes | undefined {
  try {
    const hashes: unknown = JSON.parse(readFileSync(join(root, RECORD), "utf8"));
    return typeof hashes === "object" && hashes !== null ? (hashes as Hashes) : undefined;
  } catch {
    return undefined;
  }
}

function discoverableFiles(root: string): string[] {
  return DISCOVERED_FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/")),
  );
}

function hashFile(file: string): string | undefined {
  return existsSync(file) ? createHash("sha256").update(readFileSync(file)).digest("hex") : undefined;
}
