/**
 * The folders beside the vendored framework. A newer framework is made whole in one of them and then takes the place of the older one by
 * two renames, so that the project never has files of two versions.
 */

import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { codeOf, explainSystemError } from "#convention/diagnostics/system-error";
import { MANIFEST_FILE, VENDORED_FOLDER } from "#convention/layout";
import { compareVendored, isNoManifest, type Vendored } from "../vendored.ts";
import type { FilePlan, Newer } from "./plan.ts";

/** The whole newer framework, where it waits for the user to merge edits. */
export const WAITING_FOLDER: string = `${VENDORED_FOLDER}.new`;
/** The newer framework while it is written. */
const UNFINISHED_FOLDER = `${VENDORED_FOLDER}.unfinished`;
/** The older framework while the newer one takes its place. */
const REPLACED_FOLDER = `${VENDORED_FOLDER}.replaced`;

const ALL_FOLDERS = [WAITING_FOLDER, UNFINISHED_FOLDER, REPLACED_FOLDER];

/** What an upgrade has left that is not ended, or was killed. */
export function listLeft(root: string): readonly string[] {
  return ALL_FOLDERS.filter((folder) => existsSync(join(root, folder)));
}

export function removeLeft(root: string, folders: readonly string[] = ALL_FOLDERS): void {
  for (const folder of folders) rmSync(join(root, folder), { recursive: true, force: true });
}

/** Puts a project right whose upgrade was killed. The caller holds the project's lock, as for all that follows. */
export function repair(root: string): void {
  const [vendored, replaced] = [join(root, VENDORED_FOLDER), join(root, REPLACED_FOLDER)];
  if (!existsSync(vendored) && existsSync(replaced)) renameSync(replaced, vendored);
  removeLeft(root, [UNFINISHED_FOLDER, REPLACED_FOLDER]);
}

/** @returns the project's framework, or why it can't be upgraded. */
export function readVendored(root: string): Vendored | Diagnostic {
  const folder = join(root, VENDORED_FOLDER);
  const why = (file: string, reason: string): Diagnostic =>
    diagnose("FW808", { file: `${VENDORED_FOLDER}/${file}`, why: reason });
  const compared = compareVendored(folder);
  if (isNoManifest(compared)) return why(MANIFEST_FILE, compared.why);
  if (realpathSync(folder) !== join(realpathSync(root), VENDORED_FOLDER))
    return diagnose("FW623", { file: VENDORED_FOLDER });
  const isFile = (file: string): boolean | undefined =>
    lstatSync(join(folder, file), { throwIfNoEntry: false })?.isFile();
  const unreadable = compared.missing.find(isFile);
  return unreadable === undefined ? compared : why(unreadable, "it can't be read");
}

/** Writes the newer framework with the user's edits and own files, beside the project's. */
export function writeNewer(
  root: string,
  newer: Newer,
  files: readonly FilePlan[],
  own: readonly string[],
): void {
  cpSync(newer.folder, join(root, UNFINISHED_FOLDER), { recursive: true });
  addFiles(root, UNFINISHED_FOLDER, files, own);
}

/** @param own the user's own files. The newer version may have one of that name, and the user's is set aside. */
export function addFiles(
  root: string,
  folder: string,
  files: readonly FilePlan[],
  own: readonly string[],
): void {
  for (const file of own) {
    const to = join(root, folder, file);
    if (!existsSync(to)) cpSync(join(root, VENDORED_FOLDER, file), to, { verbatimSymlinks: true });
  }
  for (const { file, after } of files) {
    if (after === undefined) continue;
    mkdirSync(dirname(join(root, folder, file)), { recursive: true });
    writeFileSync(join(root, folder, file), after);
  }
}

/** Leaves the newer framework to the user. */
export function letWait(root: string): void {
  removeLeft(root, [WAITING_FOLDER]);
  renameSync(join(root, UNFINISHED_FOLDER), join(root, WAITING_FOLDER));
}

/**
 * Two renames: a kill between them leaves the older framework in another folder, from which {@link repair} takes it back.
 *
 * @returns what the user should know, as sentences.
 */
export function replaceVendored(root: string, folder: string = UNFINISHED_FOLDER): readonly string[] {
  const [vendored, replaced] = [join(root, VENDORED_FOLDER), join(root, REPLACED_FOLDER)];
  renameSync(vendored, replaced);
  try {
    renameSync(join(root, folder), vendored);
  } catch (error) {
    renameSync(replaced, vendored);
    throw error;
  }
  try {
    removeLeft(root);
    return [];
  } catch (error) {
    return [`The older framework is left in ${REPLACED_FOLDER}: ${explainSystemError(error)}. Remove it.`];
  }
}

/** Why the framework was not replaced. @throws an error that the system did not raise. */
export function explainFailure(root: string, error: unknown): Diagnostic {
  if (codeOf(error) === undefined) throw error;
  const isThere = existsSync(join(root, VENDORED_FOLDER));
  try {
    if (isThere) repair(root);
  } catch {
    // The next upgrade removes what is left.
  }
  return diagnose("FW810", { why: explainSystemError(error), away: isThere ? undefined : REPLACED_FOLDER });
}
