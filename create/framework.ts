/** The built runtime in its packed form, and from there into a project. */

import { chmodSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Files, packFolder, parseArchive, writeFiles } from "./archive.ts";
import { recordObjects } from "./git-objects.ts";

/** Where a project has it. */
export const VENDORED_FOLDER = "vendor/framework";
const COMMAND = "cli/main.js";

/**
 * What lies in the published package beside the bundle. The archive's ending and form stay: an upgrade reads the archives of older
 * packages, to merge edits.
 */
const PACKED = {
  framework: "template/framework.br",
  objects: "template/framework.objects",
} as const;

/**
 * Writes the built runtime in packed form.
 *
 * @param to the folder of the bundle
 */
export function packFramework(framework: string, to: string): void {
  mkdirSync(dirname(join(to, PACKED.framework)), { recursive: true });
  writeFileSync(join(to, PACKED.framework), packFolder(framework));
  writeFileSync(join(to, PACKED.objects), recordObjects(readFramework(to), [COMMAND]));
}

/**
 * @param source the folder of the bundle
 * @returns what git would have to compute of {@link readFramework}'s files
 */
export function readObjectRecord(source: string): Buffer {
  return readFileSync(join(source, PACKED.objects));
}

/** @param source the folder of the bundle */
export function readFramework(source: string): Files {
  return parseArchive(readFileSync(join(source, PACKED.framework)));
}

/** git reads a file again if it changed in the second in which git looked at it, or later. */
const SECONDS_BACK = 2;

/**
 * Dates the written files back, so that git need not read them again.
 *
 * @param framework the written folder, absolute
 * @returns the time of each of them, in seconds
 */
export function dateBack(files: Files, framework: string): number {
  const time = Math.floor(Date.now() / 1000) - SECONDS_BACK;
  for (const file of files.keys()) utimesSync(join(framework, file), time, time);
  return time;
}

/** @param framework the folder to be written, absolute */
export function writeFramework(files: Files, framework: string): void {
  writeFiles(files, framework);
  const command = join(framework, COMMAND);
  // Whoever may read it may run it: who that is, the user's umask says.
  const { mode } = statSync(command);
  chmodSync(command, mode | ((mode & 0o444) >> 2));
}
