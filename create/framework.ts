/** The built runtime in its packed form, and from there into a project. */

import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Files, packFolder, parseArchive, writeFiles } from "./archive.ts";

/** Where a project has it. */
export const VENDORED_FOLDER = "vendor/framework";
const COMMAND = "tools/cli.js";

/** Beside the bundle in the published package. The archive's ending and form stay: an upgrade reads the archives of older packages. */
const ARCHIVE = "template/framework.br";

/**
 * Writes the built runtime in packed form.
 *
 * @param to the folder of the bundle
 */
export function packFramework(framework: string, to: string): void {
  mkdirSync(dirname(join(to, ARCHIVE)), { recursive: true });
  writeFileSync(join(to, ARCHIVE), packFolder(framework));
}

/** Only a project with a database has these. A project that gets one later gets them from the tools. */
export const DATABASE_FILE: RegExp = /^database(?:\.d\.ts|\.js|\/.*)$/;

export function withoutDatabase(framework: Files): Files {
  return new Map([...framework].filter(([file]) => !DATABASE_FILE.test(file)));
}

/** @param source the folder of the bundle */
export function readFramework(source: string): Files {
  return parseArchive(readFileSync(join(source, ARCHIVE)));
}

/** @param framework the folder to be written, absolute */
export function writeFramework(files: Files, framework: string): void {
  writeFiles(files, framework);
  const command = join(framework, COMMAND);
  // Whoever may read it may run it: who that is, the user's umask says.
  const { mode } = statSync(command);
  chmodSync(command, mode | ((mode & 0o444) >> 2));
}
