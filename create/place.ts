/**
 * Makes a folder whole or not at all: it is built in a temporary one on the same file system, which is then renamed into its place.
 *
 * A folder that exists is filled instead: each entry is moved from the temporary one into it. If a run is killed in between, the next
 * one finishes its work.
 */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { adaptTo, findCollisions, isFolder, isThere, MERGED, type Met } from "./existing.ts";
import { escapeControl, isRefusal, type Refusal, refuse } from "./refusal.ts";

/** Where the project goes. */
export interface Target {
  /** Absolute. */
  readonly directory: string;
  readonly name: string;
  /** True for an existing folder. */
  readonly exists: boolean;
}

/** What was created. */
export interface Contents {
  /** How many files. */
  readonly files: number;
  /** The choices that they follow from. */
  readonly values: object;
  readonly met: Met;
}

/** The name of a temporary folder. The number is the process that builds the project. */
const STAGING: RegExp = /^\..*\.creating-(\d+)$/;
/** In the folder that is being filled: the entries that are not moved up yet. */
const FILLING = ".convention-app-filling";
/** In that one, and never moved: which process is filling, and with what. */
const NOTE = ".convention-app-note.json";

/**
 * @param build fills the temporary folder
 * @returns what `build` returned. Only contents are moved into their place
 * @throws the system's error; then nothing has changed there
 */
export async function buildInPlace(
  target: Target,
  build: (directory: string) => Promise<Contents | Refusal | undefined>,
): Promise<Contents | Refusal | undefined> {
  const directory = target.exists ? realpathSync(target.directory) : target.directory;
  // The folders above the project that do not exist yet are created in the temporary one, too: one rename brings all.
  const top = target.exists ? directory : findMissing(directory);
  const below = relative(top, directory);
  const holder = target.exists ? directory : dirname(top);
  removeAbandoned(holder, target.name);
  const staging = join(holder, `.${target.name}.creating-${process.pid}`);
  try {
    // Not recursive: in /proc the system says that the parent does not exist, and Node would try for ever.
    mkdirSync(staging);
    mkdirSync(join(staging, below), { recursive: true });
    const made = await build(join(staging, below));
    if (made === undefined || isRefusal(made)) return made;
    if (target.exists) return fillFolder(staging, directory, made);
    renameSync(staging, top);
    return made;
  } finally {
    removeQuietly(staging);
  }
}

function findMissing(directory: string): string {
  const parent = dirname(directory);
  return existsSync(parent) ? directory : findMissing(parent);
}

function removeAbandoned(holder: string, name: string): void {
  for (const entry of readdirSync(holder)) {
    const [, pid] = STAGING.exec(entry) ?? [];
    if (pid === undefined || !entry.startsWith(`.${name}.creating-`) || isRunning(Number(pid))) continue;
    rmSync(join(holder, entry), { recursive: true, force: true });
  }
}

/** A folder with our own number belongs to a dead process that had the number before us. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Never fails: the same fault may prevent this too, and the next run tries again. The user should see the first failure. */
function removeQuietly(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {}
}

/** @returns the folder of a run that was killed, or that is at work. */
export function findFilling(directory: string): string | undefined {
  const filling = join(directory, FILLING);
  return isThere(filling) ? filling : undefined;
}

/** @throws the system's error; then the folder is as it was, and the temporary one complete. */
function fillFolder(staging: string, directory: string, contents: Contents): Contents {
  const { met, before } = adaptTo(directory, staging);
  const made = { ...contents, files: contents.files - met.kept.length, met };
  writeFileSync(join(staging, NOTE), JSON.stringify({ pid: process.pid, made }));
  const filling = join(directory, FILLING);
  // This fails if the folder there has entries: of several runs, only one fills the folder.
  renameSync(staging, filling);
  const moved: string[] = [];
  try {
    // Another run may have filled it since we looked.
    const [taken] = findCollisions(directory);
    if (taken !== undefined) throw alreadyExists(join(directory, taken));
    moveUp(filling, directory, moved);
  } catch (error) {
    for (const entry of moved) renameSync(join(directory, entry), join(filling, entry));
    for (const [file, bytes] of before) if (moved.includes(file)) writeFileSync(join(directory, file), bytes);
    renameSync(filling, staging);
    throw error;
  }
  removeQuietly(filling);
  return made;
}

/**
 * Moves what a killed run had not moved yet.
 *
 * @returns undefined if there is nothing to finish
 */
export function finishFilling(directory: string, values: object): Contents | Refusal | undefined {
  const filling = findFilling(directory);
  if (filling === undefined) return undefined;
  const { pid = process.pid, made } = readNote(filling);
  const shown = escapeControl(basename(directory));
  if (isRunning(pid))
    return refuse(1, `${shown} is being filled by process ${pid}`, "Wait for it, or choose another name.");
  moveUp(filling, directory, []);
  removeQuietly(filling);
  if (made !== undefined && JSON.stringify(made.values) === JSON.stringify(values)) return made;
  return refuse(
    1,
    `${shown} is not empty: an earlier run was killed there, and its project is complete now`,
    "Keep it, or choose another name for a project with other answers.",
  );
}

/**
 * Moves each entry to its place. Folders that are there, such as `.github`, get what the project has in them.
 *
 * @param moved gets each entry that was moved, even if a later one fails.
 */
function moveUp(filling: string, directory: string, moved: string[], below = ""): void {
  for (const name of readdirSync(join(filling, below))) {
    const entry = join(below, name);
    const [from, place] = [join(filling, entry), join(directory, entry)];
    if (entry === NOTE) continue;
    if (isFolder(from) && isFolder(place)) {
      moveUp(filling, directory, moved, entry);
      continue;
    }
    if (isThere(place) && !MERGED.includes(entry)) throw alreadyExists(place);
    renameSync(from, place);
    moved.push(entry);
  }
}

function alreadyExists(place: string): Error {
  return Object.assign(new Error(`${place} already exists`), { code: "EEXIST" });
}

function readNote(filling: string): { readonly pid?: number; readonly made?: Contents } {
  try {
    return JSON.parse(readFileSync(join(filling, NOTE), "utf8"));
  } catch {
    // Its run was killed while it removed the folder.
    return {};
  }
}
