/**
 * Fills an empty folder that has to stay the same folder, such as the one the user stands in. That takes several renames: first
 * one of the temporary folder, from which on the project counts as made, then one for each entry. A run that is killed between
 * them is finished by the next.
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

/** What the project is made of. */
export interface Contents {
  /** How many files. */
  readonly files: number;
  /** What was decided about them. */
  readonly values: object;
}

/** In the folder that is being filled: what is still to be moved up into it. */
const FILLING = ".convention-app-filling";
/** In that one, moved nowhere: who is at it, and what the project is made of. */
const NOTE = ".convention-app-note.json";

export function isBeingFilled(directory: string): boolean {
  return isThere(join(directory, FILLING));
}

/** @throws what the system says; then the folder is as empty as it was, and the temporary one is whole again. */
export function fillFolder(staging: string, directory: string, contents: Contents): void {
  writeFileSync(join(staging, NOTE), JSON.stringify({ pid: process.pid, ...contents }));
  const filling = join(directory, FILLING);
  // Onto a folder that has something in it nothing is renamed: of several runs one fills the folder.
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
 * @returns what the project is made of, undefined where there is nothing to finish, or why it can't be finished.
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
    `${shown} is not empty: it has the project of an earlier run that was killed, and that is whole now`,
    "Keep it, or choose another name for one with other answers.",
  );
}

/** @param moved gets the entries that are moved, also when a later one can't be. */
function moveUp(filling: string, directory: string, moved: string[]): void {
  for (const entry of readdirSync(filling)) {
    if (entry === NOTE) continue;
    const place = join(directory, entry);
    if (isThere(place)) throw Object.assign(new Error(`${place} is there`), { code: "EEXIST" });
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

/** The project is whole by then: what can't be removed is no reason to say that it is not. */
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
