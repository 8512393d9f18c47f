/**
 * Fills an empty folder that must stay the same folder, such as the user's current one. It renames the temporary folder into it,
 * and then moves each entry up. If a run is killed in between, the next one finishes its work.
 */

import {
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { escapeControl, type Refusal, refuse } from "./refusal.ts";
import { isRunning } from "./staging.ts";

/** What was created. */
export interface Contents {
  /** How many files. */
  readonly files: number;
  /** The choices that they follow from. */
  readonly values: object;
}

/** In the folder that is being filled: the entries that are not moved up yet. */
const FILLING = ".convention-app-filling";
/** In that one, and never moved: which process is filling, and with what. */
const NOTE = ".convention-app-note.json";

export function isBeingFilled(directory: string): boolean {
  return isThere(join(directory, FILLING));
}

/** @throws the system's error; then the folder is empty again, and the temporary one complete. */
export function fillFolder(staging: string, directory: string, contents: Contents): void {
  writeFileSync(join(staging, NOTE), JSON.stringify({ pid: process.pid, ...contents }));
  const filling = join(directory, FILLING);
  // This fails if the folder there has entries: of several runs, only one fills the folder.
  renameSync(staging, filling);
  const moved: string[] = [];
  try {
    moveUp(filling, directory, moved);
    unlinkSync(join(filling, NOTE));
  } catch (error) {
    for (const entry of moved) renameSync(join(directory, entry), join(filling, entry));
    renameSync(filling, staging);
    throw error;
  }
  removeEmpty(filling);
}

/**
 * Moves what a killed run had not moved yet.
 *
 * @returns undefined if there is nothing to finish
 */
export function finishFilling(directory: string, values: object): Contents | Refusal | undefined {
  if (!isBeingFilled(directory)) return undefined;
  const filling = join(directory, FILLING);
  const note = readNote(filling);
  const shown = escapeControl(basename(directory));
  if (note !== undefined && isRunning(note.pid)) {
    return refuse(
      1,
      `${shown} is being filled by process ${note.pid}`,
      "Wait for it, or choose another name.",
    );
  }
  moveUp(filling, directory, []);
  if (note !== undefined) unlinkSync(join(filling, NOTE));
  removeEmpty(filling);
  if (note !== undefined && JSON.stringify(note.values) === JSON.stringify(values)) return note;
  return refuse(
    1,
    `${shown} is not empty: an earlier run was killed there, and its project is complete now`,
    "Keep it, or choose another name for a project with other answers.",
  );
}

/** @param moved gets each entry that was moved, even if a later one fails. */
function moveUp(filling: string, directory: string, moved: string[]): void {
  for (const entry of readdirSync(filling)) {
    if (entry === NOTE) continue;
    const place = join(directory, entry);
    if (isThere(place)) throw Object.assign(new Error(`${place} already exists`), { code: "EEXIST" });
    renameSync(join(filling, entry), place);
    moved.push(entry);
  }
}

interface Note extends Contents {
  readonly pid: number;
}

function readNote(filling: string): Note | undefined {
  try {
    return JSON.parse(readFileSync(join(filling, NOTE), "utf8"));
  } catch {
    // Its run was killed after the last move.
    return undefined;
  }
}

/** The project is complete by then, so a failure here does not matter. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // The next run here removes it.
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
