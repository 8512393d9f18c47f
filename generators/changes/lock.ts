/**
 * One command at a time changes a project. The lock is a folder with a file in it, named after its holder. A rename of a folder
 * onto another succeeds only while that one is empty, so just one process gets the lock. The name shows whether the holder still runs.
 */

import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { codeOf, isMissing } from "#convention/diagnostics/system-error";
import { attempt, explain, removeFile } from "./disk.ts";
import { createHolder, describeHolder, isGone } from "./holder.ts";
import { leavePrivateFolder, openPrivateFolder, PRIVATE_FOLDER } from "./private-folder.ts";

export interface Lock {
  release(): void;
}

/** In milliseconds: when a wait is reported, and how long to wait for one holder. */
export interface Patience {
  readonly tellAfter: number;
  readonly giveUpAfter: number;
}

const PATIENCE: Patience = { tellAfter: 1000, giveUpAfter: 30_000 };
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

const LOCK = "lock";
/** Before a process's name: the folder with which it tries to take the lock. */
const TRY = "try-";

/** The errors of a rename onto a folder that is not empty or, on Windows, that exists. */
const HELD: readonly (string | undefined)[] =
  process.platform === "win32" ? ["EEXIST", "ENOTEMPTY", "EPERM", "EACCES"] : ["EEXIST", "ENOTEMPTY"];

/**
 * Waits for the project's lock.
 *
 * @param tell prints a sentence, once, when the wait becomes noticeable.
 * @returns the lock, or why not: the folder can't be written, or another command keeps the lock.
 */
export async function takeLock(
  root: string,
  tell: (line: string) => void,
  patience: Patience = PATIENCE,
): Promise<Lock | Diagnostic> {
  const own = createHolder();
  try {
    const attempted = prepareClaim(root, own);
    const holder = await waitFor(attempted, join(root, PRIVATE_FOLDER, LOCK), tell, patience);
    if (holder === undefined) return { release: () => release(root, own) };
    rmSync(attempted, { recursive: true });
    return diagnose("FW625", { holder: describeHolder(holder), lock: `${PRIVATE_FOLDER}/${LOCK}` });
  } catch (error) {
    attempt(() => rmSync(join(root, PRIVATE_FOLDER, TRY + own), { recursive: true, force: true }));
    leavePrivateFolder(root);
    return diagnose("FW622", { file: PRIVATE_FOLDER, why: explain(error) });
  }
}

/** Whether a running command has the lock. */
export function isHeld(root: string): boolean {
  return list(join(root, PRIVATE_FOLDER, LOCK)).some((holder) => !isGone(holder));
}

/** Creates a folder with our name in it, to be renamed onto the lock. */
function prepareClaim(root: string, own: string): string {
  const folder = join(openPrivateFolder(root), TRY + own);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another command has just ended and removed the folder above.
    if (isMissing(error)) return prepareClaim(root, own);
    throw error;
  }
  writeFileSync(join(folder, own), "");
  return folder;
}

/** @returns undefined when the lock is ours, else the holder that keeps it. */
async function waitFor(
  attempted: string,
  lock: string,
  tell: (line: string) => void,
  { tellAfter, giveUpAfter }: Patience,
): Promise<string | undefined> {
  const began = performance.now();
  let isTold = false;
  let last = { holder: "", since: began };
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const holder = tryToTake(attempted, lock);
    if (holder === undefined) return undefined;
    const now = performance.now();
    if (holder !== last.holder) last = { holder, since: now };
    if (now - last.since >= giveUpAfter) return holder;
    if (!isTold && now - began >= tellAfter) {
      tell(`Waiting for ${describeHolder(holder)}, which is changing this project.`);
      isTold = true;
    }
    // Random, so that waiting processes don't all try at the same moment.
    await wait(pause * (0.5 + Math.random()));
  }
}

/** @returns undefined when the lock is ours, else its holder. */
function tryToTake(attempted: string, lock: string): string | undefined {
  const holder = findHolder(lock);
  if (holder !== undefined) return holder;
  // Windows can't rename a folder onto another, even an empty one.
  attempt(() => rmdirSync(lock));
  try {
    renameSync(attempted, lock);
    return undefined;
  } catch (error) {
    if (HELD.includes(codeOf(error))) return findHolder(lock) ?? "";
    throw error;
  }
}

/** The running process that has the lock. Names of ended ones are deleted: names are unique, so a new holder is not affected. */
function findHolder(lock: string): string | undefined {
  for (const holder of list(lock)) {
    if (!isGone(holder)) return holder;
    removeFile(join(lock, holder));
  }
  return undefined;
}

function release(root: string, own: string): void {
  const folder = join(root, PRIVATE_FOLDER);
  removeFile(join(folder, LOCK, own));
  attempt(() => rmdirSync(join(folder, LOCK)));
  attempt(() => removeAbandoned(folder));
  leavePrivateFolder(root);
}

/** Removes the folders of processes that were killed while they waited. */
function removeAbandoned(folder: string): void {
  const tries = list(folder).filter((entry) => entry.startsWith(TRY) && isGone(entry.slice(TRY.length)));
  for (const entry of tries) rmSync(join(folder, entry), { recursive: true });
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
