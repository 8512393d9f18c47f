/** What a built server was made from, so that `framework start` knows whether it is current. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { APPS_FOLDER, HOOKS_FILE, MIGRATE_FILE, PACKAGE_FILE, ROUTES_FOLDER } from "#convention/layout";
import { isInstalled } from "#convention/source/packages";
import { toPath } from "../load/project-files.ts";
import { isLockfile, nearestLockfile } from "../lockfile.ts";
import { createSha256 } from "../sha256.ts";

export const BUILT_SERVER = "dist/server.js";
/** The command line of the migrations, for where only the build is. */
export const BUILT_MIGRATE = "dist/migrate.js";
/** Of a build that leaves packages out: what to install beside the file. */
export const BUILT_PACKAGE = "dist/package.json";
const RECORD = "dist/server.inputs.json";

/** Where new files become part of the project without being imported by one that is. */
const DISCOVERED_FOLDERS = [APPS_FOLDER, ROUTES_FOLDER];
const SOURCE = /\.(?:ts|toml)$/;

type Hashes = Record<string, string | undefined>;

/** @param files every file that went into the build, relative to the root. */
export function writeBuildRecord(root: string, files: readonly string[]): void {
  const inputs = [...new Set([...files, ...discoverableFiles(root), ...packageFiles(root)])].sort();
  const hashes: Hashes = Object.fromEntries(inputs.map((file) => [file, hashFile(join(root, file))]));
  writeFileSync(join(root, RECORD), `${JSON.stringify(hashes, null, 2)}\n`);
}

/** @returns a file that was changed, added or removed since the build, relative to the root; undefined when there is none. */
export function newerThanBuild(root: string): string | undefined {
  const hashes = readBuildRecord(root);
  if (hashes === undefined) return RECORD;
  const files = new Set([...Object.keys(hashes), ...discoverableFiles(root), ...packageFiles(root)]);
  return [...files].find((file) => {
    const hash = hashFile(join(root, file));
    return hash !== hashes[file] && !(hash === undefined && isLeftBehind(file));
  });
}

/** Whether the last build was made from this file, too. @param file relative to the root. */
export function wasBuiltFrom(root: string, file: string): boolean {
  return readBuildRecord(root)?.[file] !== undefined;
}

/** A built project may be copied without what installs its packages, without the types of these, and without the rest of its workspace. */
function isLeftBehind(file: string): boolean {
  const isOwn = !file.startsWith("../") && !isInstalled(file);
  return !isOwn || file === PACKAGE_FILE || isLockfile(basename(file));
}

/**
 * What says which packages the sources import, and where their own `#` imports lead, with what was installed of them. A new one
 * counts, too.
 */
function packageFiles(root: string): string[] {
  const lockfile = nearestLockfile(root);
  const paths = [join(root, PACKAGE_FILE), ...(lockfile ? [lockfile.path] : [])];
  return paths.filter((path) => existsSync(path)).map((path) => toPath(root, path));
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
  const found = DISCOVERED_FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
      .map((entry) => toPath(root, join(entry.parentPath, entry.name))),
  );
  return [...[HOOKS_FILE, MIGRATE_FILE].filter((file) => existsSync(join(root, file))), ...found];
}

function hashFile(file: string): string | undefined {
  return existsSync(file) ? createSha256().update(readFileSync(file)).digest("hex") : undefined;
}
