/**
 * The vendored framework in a project, compared with its manifest: which files are edited, missing or extra. It imports nothing of ours,
 * because one of those files may be broken.
 */

import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createSha256 } from "./sha256.ts";

/** As `convention/layout.ts` calls it. */
const MANIFEST_FILE = "manifest.json";

export interface Manifest {
  readonly version: string;
  /** Path relative to the folder, with forward slashes, to the SHA-256 of its bytes in hexadecimal. */
  readonly files: Readonly<Record<string, string>>;
}

/** Paths are relative to the folder, with forward slashes, and sorted. */
export interface Vendored {
  /** As {@link readManifest} gives it. */
  readonly manifest: Manifest;
  readonly edited: readonly string[];
  /** Listed in the manifest, but no file that can be read. */
  readonly missing: readonly string[];
  /** There, but not in the manifest. */
  readonly extra: readonly string[];
}

/** Why there is no manifest to compare with, as the end of a sentence: "it is not JSON". */
export interface NoManifest {
  readonly why: string;
}

export function isNoManifest(read: Manifest | Vendored | NoManifest): read is NoManifest {
  return "why" in read;
}

/**
 * @param folder absolute path of the vendored framework.
 * @example compareVendored("/home/ada/shop/vendor/framework") // { manifest, edited: ["runtime/app.js"], missing: [], extra: [] }
 */
export function compareVendored(folder: string): Vendored | NoManifest {
  const manifest = readManifest(folder);
  if (isNoManifest(manifest)) return manifest;
  const [edited, missing]: [string[], string[]] = [[], []];
  for (const [file, hash] of Object.entries(manifest.files)) {
    const bytes = readBytes(join(folder, file));
    if (bytes === undefined) missing.push(file);
    else if (hashOf(bytes) !== hash && hashOf(withLineFeeds(bytes)) !== hash) edited.push(file);
  }
  const isExtra = (file: string): boolean => file !== MANIFEST_FILE && !Object.hasOwn(manifest.files, file);
  return {
    manifest,
    edited: edited.sort(),
    missing: missing.sort(),
    extra: listFiles(folder).filter(isExtra).sort(),
  };
}

/** What of the framework only a project with a database has, in each version's layout. */
export const DATABASE: readonly string[] = ["database.d.ts", "database.js", "database/"];

export function isDatabaseFile(file: string): boolean {
  return DATABASE.some((one) => (one.endsWith("/") ? file.startsWith(one) : file === one));
}

/** @param folder absolute path of the vendored framework. */
export function hasDatabase(folder: string): boolean {
  return listFiles(folder).some(isDatabaseFile);
}

export function withoutDatabase(manifest: Manifest): Manifest {
  const files = Object.entries(manifest.files).filter(([file]) => !isDatabaseFile(file));
  return { ...manifest, files: Object.fromEntries(files) };
}

/**
 * @param folder absolute path of the vendored framework.
 * @returns what the manifest says, without the files of a database where none of them is there: then none is missing.
 */
export function readManifest(folder: string): Manifest | NoManifest {
  const bytes = readBytes(join(folder, MANIFEST_FILE));
  if (bytes === undefined) return { why: "it is not there, or can't be read" };
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    if (!isManifest(value)) return { why: "it does not list files with their hashes" };
    return hasDatabase(folder) ? value : withoutDatabase(value);
  } catch {
    return { why: "it is not JSON" };
  }
}

/** What git checks out on Windows may have other line ends than were written. That is no edit. */
function withLineFeeds(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
}

/** As the manifest has it. */
export function hashOf(bytes: Buffer): string {
  return createSha256().update(bytes).digest("hex");
}

/** Undefined where there is no file that can be read. */
export function readBytes(path: string): Buffer | undefined {
  try {
    // A pipe would never come to an end.
    return statSync(path).isFile() ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** Everything that is no folder, a symbolic link to one among it: it is not followed, so that no circle is walked. */
export function listFiles(folder: string, below = ""): string[] {
  return listFolder(join(folder, below)).flatMap((entry) =>
    entry.isDirectory() ? listFiles(folder, `${below}${entry.name}/`) : [below + entry.name],
  );
}

function listFolder(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isManifest(value: unknown): value is Manifest {
  const { version, files } = Object(value) as { version?: unknown; files?: unknown };
  return (
    typeof version === "string" &&
    typeof files === "object" &&
    files !== null &&
    Object.entries(files).every(([file, hash]) => isInside(file) && typeof hash === "string")
  );
}

/** Anybody may have written the manifest, so what it names must not lead out of its folder. */
export function isInside(file: string): boolean {
  return file !== "" && !/^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(file);
}
