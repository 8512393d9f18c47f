/**
 * The journal of one set of changes, written before them, so that the next command after a crash can finish or undo them. The name
 * of its file is its state. Renaming that file to `committed` is the moment from which the changes count as made.
 */

import { createHash } from "node:crypto";
import { renameSync, rmdirSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt, explain, isThere, readBytes, removeFile, syncFolder, writeDurably } from "./disk.ts";
import { leavePrivateFolder, openPrivateFolder, PRIVATE_FOLDER } from "./private-folder.ts";

/** One file's part. All paths are relative to the project's root, with forward slashes. */
export interface Step {
  /** Where the file really is, after all links. A file to be removed may be a link itself. */
  readonly file: string;
  /** Its complete new text, beside it, to be renamed; null for a file to be removed. */
  readonly temporary: string | null;
  /** A second name of the file as it was, so that restoring it needs no disk space; null for a new file. */
  readonly backup: string | null;
  /** Hashes of its content; null where it does not exist. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface Journal {
  readonly steps: readonly Step[];
  /** The folders that new files need and that don't exist yet, outermost first. */
  readonly folders: readonly string[];
}

/** `planned`: no file is changed yet. `committed`: all changes are to be made. `withdrawn`: those made are undone. */
export const STATES = ["planned", "committed", "withdrawn"] as const;
export type State = (typeof STATES)[number];

/** Why a step failed. */
export interface Failure {
  readonly file: string;
  readonly why: string;
}

export function hashOf(content: string | Buffer | null): string | null {
  return content === null ? null : createHash("sha256").update(content).digest("hex");
}

export function hashAt(root: string, file: string): string | null {
  return hashOf(readBytes(join(root, file)));
}

export function journalFile(root: string, state: State): string {
  return join(root, PRIVATE_FOLDER, `${state}.json`);
}

/** Writes the journal, before anything else is written. */
export function planJournal(root: string, journal: Journal): void {
  openPrivateFolder(root);
  writeDurably(journalFile(root, "planned"), JSON.stringify(journal));
}

/** From here on the changes count as made. The new texts are synced by now; this syncs their folders. */
export function commitJournal(root: string, journal: Journal): void {
  syncFolders(root, journal);
  renameSync(journalFile(root, "planned"), journalFile(root, "committed"));
  for (const folder of [join(root, PRIVATE_FOLDER), root]) syncFolder(folder);
}

/** Makes the committed changes that are not made yet. @returns undefined when all are made. */
export function finishJournal(root: string, journal: Journal): Failure | undefined {
  for (const step of journal.steps) {
    try {
      if (!isMade(root, step)) make(root, step);
    } catch (error) {
      return { file: step.file, why: explain(error) };
    }
  }
  syncFolders(root, journal);
  close(root, "committed", journal);
  return undefined;
}

/** Deletes what was prepared for a plan that is not committed. */
export function discardJournal(root: string, journal: Journal): void {
  close(root, "planned", journal);
}

/** Undoes committed changes. @returns the files where that failed; their old texts and the journal stay. */
export function withdrawJournal(root: string, journal: Journal): readonly string[] {
  const isWithdrawn = attempt(() =>
    renameSync(journalFile(root, "committed"), journalFile(root, "withdrawn")),
  );
  return isWithdrawn ? putBackJournal(root, journal) : journal.steps.map(({ file }) => file);
}

/** Restores the files of a withdrawn journal, but those edited since. @returns as {@link withdrawJournal} */
export function putBackJournal(root: string, journal: Journal): readonly string[] {
  const stuck = journal.steps.filter((step) => !attempt(() => putBack(root, step)));
  if (stuck.length === 0) close(root, "withdrawn", journal);
  return stuck.map(({ file }) => file);
}

/** A change is made once its text is no longer beside the file. */
export function isMade(root: string, { file, temporary }: Step): boolean {
  return !isThere(join(root, temporary ?? file));
}

function make(root: string, { file, temporary }: Step): void {
  if (temporary === null) unlinkSync(join(root, file));
  else renameSync(join(root, temporary), join(root, file));
}

function putBack(root: string, step: Step): void {
  const { file, backup, after } = step;
  if (!isMade(root, step) || hashAt(root, file) !== after) return;
  if (backup === null) unlinkSync(join(root, file));
  else renameSync(join(root, backup), join(root, file));
}

/** Deletes the journal last: the next command needs it to clean up what is left. */
function close(root: string, state: State, journal: Journal): void {
  const { steps, folders } = journal;
  const beside = steps
    .flatMap(({ temporary, backup }) => [temporary, backup])
    .filter((file) => file !== null);
  const left = beside.filter((file) => !removeFile(join(root, file)));
  const emptied = state === "committed" ? steps.flatMap(emptiedFolders) : folders.toReversed();
  // A folder with something in it stays.
  for (const folder of emptied) attempt(() => rmdirSync(join(root, folder)));
  if (left.length === 0) removeFile(journalFile(root, state));
  leavePrivateFolder(root);
}

/** The folders that a removed file may leave empty, innermost first. */
function emptiedFolders({ file, after }: Step): readonly string[] {
  return after === null ? foldersAbove(file) : [];
}

function foldersAbove(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === "." ? [] : [folder, ...foldersAbove(folder)];
}

/** The folders of the files and those that hold new folders. */
function syncFolders(root: string, { steps, folders }: Journal): void {
  const changed = new Set([...steps.map(({ file }) => file), ...folders].map((path) => dirname(path)));
  for (const folder of changed) syncFolder(join(root, folder));
}
