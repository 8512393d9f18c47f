/** Cleans up after a command that was killed while it changed the project: finishes what it had committed, else undoes it. */

import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { isRecord } from "#convention/source/record";
import { explain, findPlace, isThere, readBytes } from "./disk.ts";
import {
  discardJournal,
  finishJournal,
  hashAt,
  isMade,
  type Journal,
  journalFile,
  putBackJournal,
  STATES,
  type State,
  type Step,
  withdrawJournal,
} from "./journal.ts";
import { isHeld } from "./lock.ts";
import { leavePrivateFolder, PRIVATE_FOLDER } from "./private-folder.ts";

/**
 * To be called by the holder of the lock, before it reads anything of the project.
 *
 * @returns undefined if there was nothing to do, a sentence about what was done, or why it failed.
 */
export function recoverChanges(root: string): string | Diagnostic | undefined {
  try {
    return recover(root);
  } catch (error) {
    return diagnose("FW622", { file: PRIVATE_FOLDER, why: explain(error) });
  }
}

/** Whether a killed command left something to finish or undo. False while a command is at work. */
export function isInterrupted(root: string): boolean {
  return !isHeld(root) && STATES.some((state) => isUnfinished(root, state));
}

function isUnfinished(root: string, state: State): boolean {
  const bytes = readBytes(journalFile(root, state));
  const journal = bytes === null ? undefined : parseJournal(root, bytes.toString("utf8"));
  if (journal === undefined) return false;
  if (state === "planned") return journal.steps.some((step) => isPrepared(root, step));
  return state === "withdrawn" || journal.steps.some((step) => !isMade(root, step));
}

function isPrepared(root: string, { temporary, backup }: Step): boolean {
  return [temporary, backup].some((file) => file !== null && isThere(join(root, file)));
}

function recover(root: string): string | Diagnostic | undefined {
  for (const state of STATES) {
    const path = journalFile(root, state);
    const bytes = readBytes(path);
    if (bytes === null) continue;
    const journal = parseJournal(root, bytes.toString("utf8"));
    if (journal !== undefined) return RECOVERIES[state](root, journal);
    // The command was killed while it wrote the journal, so it had written nothing else.
    unlinkSync(path);
    leavePrivateFolder(root);
  }
  return undefined;
}

const RECOVERIES: Readonly<
  Record<State, (root: string, journal: Journal) => string | Diagnostic | undefined>
> = {
  planned(root, journal) {
    discardJournal(root, journal);
    return "Cleared away what an interrupted command had prepared.";
  },
  committed(root, journal) {
    const waiting = journal.steps.filter((step) => !isMade(root, step));
    if (waiting.some(({ file, before }) => hashAt(root, file) !== before)) {
      return tellTakenBack(root, journal, withdrawJournal);
    }
    const failure = finishJournal(root, journal);
    if (failure !== undefined) return diagnose("FW624", { ...failure, left: filesOf(journal.steps) });
    return waiting.length === 0
      ? undefined
      : `Finished what an interrupted command had begun: ${nameFiles(filesOf(waiting))}.`;
  },
  withdrawn: (root, journal) => tellTakenBack(root, journal, putBackJournal),
};

function tellTakenBack(
  root: string,
  journal: Journal,
  takeBack: (root: string, journal: Journal) => readonly string[],
): string | Diagnostic {
  const edited = filesOf(journal.steps.filter((step) => isEdited(root, step)));
  const left = takeBack(root, journal);
  const [file] = left;
  if (file !== undefined) return diagnose("FW624", { file, why: "the system refuses it", left });
  const kept = edited.length === 0 ? "" : ` What was edited since stays as it is: ${edited.join(", ")}.`;
  return `Took back what an interrupted command had begun.${kept}`;
}

function isEdited(root: string, { file, before, after }: Step): boolean {
  const now = hashAt(root, file);
  return now !== before && now !== after;
}

/** An upgrade can have hundreds of files. */
const MOST_NAMED = 5;

function nameFiles(files: readonly string[]): string {
  const more = files.length - MOST_NAMED;
  const named = files.slice(0, MOST_NAMED).join(", ");
  return more > 0 ? `${named} and ${more} more` : named;
}

function filesOf(steps: readonly Step[]): readonly string[] {
  return steps.map(({ file }) => file);
}

/** The journal may come with a project from somebody else, so paths outside the project are refused. */
function parseJournal(root: string, text: string): Journal | undefined {
  try {
    const journal: unknown = JSON.parse(text);
    return isJournal(journal) && pathsOf(journal).every((path) => findPlace(root, path) !== undefined)
      ? journal
      : undefined;
  } catch {
    return undefined;
  }
}

function pathsOf({ steps, folders }: Journal): readonly string[] {
  const files = steps.flatMap(({ file, temporary, backup }) => [file, temporary, backup]);
  return [...files.filter((path) => path !== null), ...folders];
}

function isJournal(value: unknown): value is Journal {
  return (
    isRecord(value) &&
    Array.isArray(value.steps) &&
    value.steps.every(isStep) &&
    Array.isArray(value.folders) &&
    value.folders.every((folder) => typeof folder === "string")
  );
}

function isStep(value: unknown): value is Step {
  if (!isRecord(value) || typeof value.file !== "string") return false;
  return [value.temporary, value.backup, value.before, value.after].every(
    (part) => part === null || typeof part === "string",
  );
}
