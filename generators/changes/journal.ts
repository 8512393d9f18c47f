/**
 * The journal of one set of changes: what is about to be done, written down first, so that whoever comes after a crash can finish
 * it or take it back. The name of its file is its state, and one rename of it is the point from which the changes count as made.
 */

import { createHash } from "node:crypto";
import { renameSync, rmdirSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt, explain, isThere, readBytes, removeFile, syncFolder, writeDurably } from "./disk.ts";
import { leavePrivateFolder, openPrivateFolder, PRIVATE_FOLDER } from "./private-folder.ts";

/** One file's part. All paths are relative to the project's root, with forward slashes. */
export interface Step {
  /** Where the file really lies, behind any link; one that shall be gone may be a link itself. */
  readonly file: string;
  /** Its new text, complete and beside it, waiting to be renamed; null for a file that shall be gone. */
  readonly temporary: string | null;
  /** A second name of the file as it was, made beforehand so that putting it back needs no room; null where there was none. */
  readonly backup: string | null;
  /** Hashes of its content; null where it is not there. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface Journal {
  readonly steps: readonly Step[];
  /** The folders that new files need and that are not there yet, outermost first. */
  readonly folders: readonly string[];
}

/** `planned`: no file of the user's is touched. `committed`: all of it shall be made. `withdrawn`: what was made is put back. */
export const STATES = ["planned", "committed", "withdrawn"] as const;
export type State = (typeof STATES)[number];

/** Why a step could not be taken. */
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

/** Writes it down, before anything else is written. */
export function planJournal(root: string, journal: Journal): void {
  openPrivateFolder(root);
  writeDurably(journalFile(root, "planned"), JSON.stringify(journal));
}

/** From here on the changes count as made. Every new text is on the disk by now; this brings the folders that hold them there. */
export function commitJournal(root: string, journal: Journal): void {
  syncFolders(root, journal);
  renameSync(journalFile(root, "planned"), journalFile(root, "committed"));
  for (const folder of [join(root, PRIVATE_FOLDER), root]) syncFolder(folder);
}

/** Makes what is committed and not made yet. @returns undefined when all of it is. */
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

/** Throws away what was prepared for a plan that was not committed. */
export function discardJournal(root: string, journal: Journal): void {
  close(root, "planned", journal);
}

/** Takes back what is committed. @returns the files of which that failed: then the journal and their old texts stay. */
export function withdrawJournal(root: string, journal: Journal): readonly string[] {
  const isWithdrawn = attempt(() =>
    renameSync(journalFile(root, "committed"), journalFile(root, "withdrawn")),
  );
  return isWithdrawn ? putBackJournal(root, journal) : journal.steps.map(({ file }) => file);
}

/** Puts back what is withdrawn; a file that somebody edited since stays as it is. @returns as {@link withdrawJournal} */
export function putBackJournal(root: string, journal: Journal): readonly string[] {
  const stuck = journal.steps.filter((step) => !attempt(() => putBack(root, step)));
  if (stuck.length === 0) close(root, "withdrawn", journal);
  return stuck.map(({ file }) => file);
}

/** A text that is in its place is no longer beside it. */
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

/** Its file goes last: while anything of it is left, the next command knows from it what to clear up. */
function close(root: string, state: State, journal: Journal): void {
  const { steps, folders } = journal;
  const beside = steps
    .flatMap(({ temporary, backup }) => [temporary, backup])
    .filter((file) => file !== null);
  const left = beside.filter((file) => !removeFile(join(root, file)));
  const emptied = state === "committed" ? steps.flatMap(emptiedFolders) : folders.toReversed();
  // One that has something in it stays.
  for (const folder of emptied) attempt(() => rmdirSync(join(root, folder)));
  if (left.length === 0) removeFile(journalFile(root, state));
  leavePrivateFolder(root);
}

/** Those that a file may leave empty that is gone, innermost first. */
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
