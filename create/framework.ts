/**
 * The built runtime in its packed form, and from there into a project. It travels in two archives: its own text files, and the rest.
 * The first one lies in each project too, as the record of what they were before anybody edited them, which an upgrade merges against.
 */

import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type Files, packFolder, parseArchive, writeFiles } from "./archive.ts";

/** Where a project has it. */
export const VENDORED_FOLDER = "vendor/framework";
/** In that folder. What it is called and how it is packed stays: newer packages read what older ones wrote. */
const BASE_FILE = "base.br";
const MANIFEST_FILE = "manifest.json";
const COMMAND = "tools/cli.js";

/** What lies in the published package beside the bundle. */
const PACKED = {
  base: "template/base.br",
  rest: "template/framework.br",
} as const;

/** Third-party code is on one line a file, so that an edit of it can't be merged: it needs no record. Nor does a licence. */
function isMergeable(file: string): boolean {
  return !file.startsWith("deps/") && file !== "LICENSE";
}

/** Puts the record into the built runtime, whose manifest can name it then. */
export function recordBase(framework: string): void {
  writeFileSync(join(framework, BASE_FILE), packFolder(framework, isMergeable));
}

/**
 * Writes the built runtime, with its record and its manifest, in packed form.
 *
 * @param to the folder of the bundle
 */
export function packFramework(framework: string, to: string): void {
  mkdirSync(dirname(join(to, PACKED.base)), { recursive: true });
  copyFileSync(join(framework, BASE_FILE), join(to, PACKED.base));
  const isRest = (file: string): boolean => !isMergeable(file) || file === MANIFEST_FILE;
  writeFileSync(join(to, PACKED.rest), packFolder(framework, isRest));
}

/** @param source the folder of the bundle */
export function readFramework(source: string): Files {
  const base = readFileSync(join(source, PACKED.base));
  const rest = readFileSync(join(source, PACKED.rest));
  return new Map([...parseArchive(base), ...parseArchive(rest), [BASE_FILE, base]]);
}

/** @param framework the folder to be written, absolute */
export function writeFramework(files: Files, framework: string): void {
  writeFiles(files, framework);
  const command = join(framework, COMMAND);
  // Whoever may read it may run it: who that is, the user's umask says.
  const { mode } = statSync(command);
  chmodSync(command, mode | ((mode & 0o444) >> 2));
}

/**
 * Writes what a project's framework was before anybody edited it, into a folder that is not there where that is not recorded.
 *
 * @param framework the project's, absolute
 */
export function unpackBase(framework: string, folder: string): void {
  const record = join(framework, BASE_FILE);
  if (existsSync(record)) writeFiles(parseArchive(readFileSync(record)), folder);
}
