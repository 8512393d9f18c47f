/**
 * The folders beside the vendored framework. A newer framework is made whole in one of them and then takes the place of the older one by
 * two renames, so that the project never has files of two versions. Callers of the functions that change a folder hold the
 * project's lock.
 */

import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { codeOf, explainSystemError } from "#convention/diagnostics/system-error";
import { MANIFEST_FILE, VENDORED_FOLDER } from "#convention/layout";
import {
  compareVendored,
  DATABASE,
  hasDatabase,
  isNoManifest,
  listFiles,
  readBytes,
  type Vendored,
} from "../vendored.ts";
import { UpgradeRefusal } from "./package.ts";
import type { FilePlan, Newer } from "./plan.ts";

/** By the owner. */
const WRITABLE = 0o200;

/** The whole newer framework, where it waits for the user to merge edits. */
export const WAITING_FOLDER: string = `${VENDORED_FOLDER}.new`;
/** The newer framework while it is written. */
export const UNFINISHED_FOLDER: string = `${VENDORED_FOLDER}.unfinished`;
/** The older framework while the newer one takes its place. */
const REPLACED_FOLDER = `${VENDORED_FOLDER}.replaced`;

/** What an upgrade left that waits for the user, or was killed. */
export function listLeft(root: string): readonly string[] {
  const folders = [WAITING_FOLDER, UNFINISHED_FOLDER, REPLACED_FOLDER];
  return folders.filter((folder) => existsSync(join(root, folder)));
}

export function removeFolders(root: string, folders: readonly string[]): void {
  for (const folder of folders) rmSync(join(root, folder), { recursive: true, force: true });
}

/** Puts a project right whose upgrade was killed. @throws {UpgradeRefusal} if an edit would be lost. */
export function repair(root: string): void {
  const [vendored, replaced] = [join(root, VENDORED_FOLDER), join(root, REPLACED_FOLDER)];
  if (!existsSync(vendored) && existsSync(replaced)) renameSync(replaced, vendored);
  const [now, before] = [vendored, replaced].map((folder) => readBytes(join(folder, MANIFEST_FILE)));
  // Otherwise the upgrade was made, and the newer framework has the edits.
  if (now !== undefined && before?.equals(now)) {
    const why = `a killed upgrade left ${REPLACED_FOLDER}, which may have edits of yours. Copy them, and remove that folder`;
    throw new UpgradeRefusal(diagnose("FW810", { why, away: undefined }));
  }
  removeFolders(root, [UNFINISHED_FOLDER, REPLACED_FOLDER]);
}

/** @param folder the vendored one, or the one that waits. @throws {UpgradeRefusal} if it can't be upgraded. */
export function readFramework(root: string, folder: string = VENDORED_FOLDER): Vendored {
  const refuse = (file: string, why: string): UpgradeRefusal =>
    new UpgradeRefusal(diagnose("FW808", { file: `${folder}/${file}`, why }));
  const found = compareVendored(join(root, folder));
  if (isNoManifest(found)) throw refuse(MANIFEST_FILE, found.why);
  if (realpathSync(join(root, folder)) !== join(realpathSync(root), folder))
    throw new UpgradeRefusal(
      diagnose("FW622", { file: folder, why: "it leads out of the project by a symbolic link" }),
    );
  // An edit in a file that can't be read would be lost.
  const isThere = (file: string): boolean =>
    lstatSync(join(root, folder, file), { throwIfNoEntry: false })?.isFile() === true;
  const unreadable = found.missing.find((file) => folder !== VENDORED_FOLDER || isThere(file));
  if (unreadable !== undefined) throw refuse(unreadable, "it is missing, or can't be read");
  return found;
}

/** Writes the newer framework with the user's edits and own files. */
export function writeNewer(
  root: string,
  newer: Newer,
  files: readonly FilePlan[],
  own: readonly string[],
): void {
  for (const file of listFiles(newer.folder)) {
    const to = join(root, UNFINISHED_FOLDER, file);
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(join(newer.folder, file), to);
    // The package may lie in a read-only folder, and the project's files are for editing.
    chmodSync(to, statSync(to).mode | WRITABLE);
  }
  addFiles(root, UNFINISHED_FOLDER, files, own);
}

/** @param own the user's files. The newer version may have one of that name; then the user's is among those that are set aside. */
export function addFiles(
  root: string,
  folder: string,
  files: readonly FilePlan[],
  own: readonly string[],
): void {
  for (const file of own) {
    const to = join(root, folder, file);
    if (!existsSync(to)) copyOwn(join(root, VENDORED_FOLDER, file), to);
  }
  for (const { file, after } of files) {
    if (after === undefined) continue;
    mkdirSync(dirname(join(root, folder, file)), { recursive: true });
    writeFileSync(join(root, folder, file), after);
  }
}

/** A link stays one, wherever it leads: cpSync looks there. */
function copyOwn(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else cpSync(from, to);
}

/** Leaves the newer framework to the user. */
export function letWait(root: string): void {
  removeFolders(root, [WAITING_FOLDER]);
  renameSync(join(root, UNFINISHED_FOLDER), join(root, WAITING_FOLDER));
}

/**
 * A kill between the two renames leaves the older framework in another folder, from which {@link repair} takes it back.
 *
 * @param folder with the files of a database: the project may have got one while the folder waited.
 */
export function replaceVendored(root: string, folder: string): void {
  const [vendored, replaced] = [join(root, VENDORED_FOLDER), join(root, REPLACED_FOLDER)];
  if (!hasDatabase(vendored)) removeFolders(join(root, folder), DATABASE);
  renameSync(vendored, replaced);
  try {
    renameSync(join(root, folder), vendored);
  } catch (error) {
    renameSync(replaced, vendored);
    throw error;
  }
  try {
    removeFolders(root, listLeft(root));
  } catch {
    // The upgrade is made. The doctor reports what is left, and the next upgrade removes it.
  }
}

/** @returns why the project was not upgraded. @throws an error that the system did not raise. */
export function explainFailure(root: string, error: unknown): Diagnostic {
  if (error instanceof UpgradeRefusal) return error.diagnostic;
  if (!(error instanceof Error) || codeOf(error) === undefined) throw error;
  const away = existsSync(join(root, VENDORED_FOLDER)) ? undefined : REPLACED_FOLDER;
  const path = "path" in error && typeof error.path === "string" ? `${relative(root, error.path)}: ` : "";
  return diagnose("FW810", { why: path.replaceAll("\\", "/") + explainSystemError(error), away });
}
