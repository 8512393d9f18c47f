/** What a built server was made from, so that `framework start` knows whether it is current. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { APPS_FOLDER, HOOKS_FILE, MIGRATE_FILE, PACKAGE_FILE, ROUTES_FOLDER } from "#convention/layout";
import { isInstalled } from "#convention/source/packages";
import { isRecord } from "#convention/source/record";
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

interface BuildRecord {
  /** The hash of every file that went into the build. */
  readonly inputs: Readonly<Record<string, string | undefined>>;
  /** Every file in `dist` that the build has made. */
  readonly made: readonly string[];
}

/** @param files every file that went into the build. @param made what came out of it. All are relative to the root. */
export function writeBuildRecord(root: string, files: readonly string[], made: readonly string[]): void {
  const all = [...new Set([...files, ...discoverableFiles(root), ...packageFiles(root)])].sort();
  const inputs = Object.fromEntries(all.map((file) => [file, hashFile(join(root, file))]));
  writeFileSync(join(root, RECORD), `${JSON.stringify({ inputs, made }, null, 2)}\n`);
}

/** @returns a file that was changed, added or removed since the build, relative to the root; undefined when there is none. */
export function newerThanBuild(root: string): string | undefined {
  const inputs = readBuildRecord(root)?.inputs;
  if (inputs === undefined) return RECORD;
  const files = new Set([...Object.keys(inputs), ...discoverableFiles(root), ...packageFiles(root)]);
  return [...files].find((file) => {
    const hash = hashFile(join(root, file));
    return hash !== inputs[file] && !(hash === undefined && isLeftBehind(file));
  });
}

/** Relative to the root. What else lies in `dist` is somebody else's. */
export function filesOfLastBuild(root: string): readonly string[] {
  return readBuildRecord(root)?.made ?? [];
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
function readBuildRecord(root: string): BuildRecord | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(join(root, RECORD), "utf8"));
    if (!isRecord(record) || !isRecord(record.inputs) || !Array.isArray(record.made)) return undefined;
    return { inputs: record.inputs as BuildRecord["inputs"], made: record.made };
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
