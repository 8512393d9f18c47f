/**
 * One command at a time changes a project. Each that wants to writes a file of its own name into `.framework/`, and then lists the folder:
 * the one that sees no other has the lock, and whoever sees another takes its name away and tries again. The name shows whether its
 * process still runs.
 */

import { lstatSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { codeOf, isMissing } from "#convention/diagnostics/system-error";
import { attempt, explain, removeFile, removeLeftovers } from "./disk.ts";

export interface Lock {
  /** A command was killed while it held the lock. */
  readonly isStolen: boolean;
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

/** In a project, while a command changes it. */
const FOLDER = ".framework";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Waits for the project's lock, removes the temporary files of a killed command, and does the work. A signal waits until that is done.
 *
 * @param root of the project, absolute.
 * @param tell prints a line, without control characters, that the user should see meanwhile.
 * @param work reads the project, plans and applies. Anything read before may be out of date.
 * @returns what `work` returns, or why it did not run.
 * @example await withProjectLock(root, print, () => applyChanges(root, plan(readProject(root)).changes))
 */
export async function withProjectLock<Result>(
  root: string,
  tell: (line: string) => void,
  work: () => Result | Promise<Result>,
): Promise<Result | Diagnostic> {
  const lock = await takeLock(root, tell);
  if ("severity" in lock) return lock;
  const letSignalsPass = holdSignals();
  try {
    if (lock.isStolen) removeLeftovers(root);
    return await work();
  } finally {
    lock.release();
    await letSignalsPass();
  }
}

/** @returns a function that raises a signal that came meanwhile, and lets later ones through. */
function holdSignals(): () => Promise<void> {
  let held: NodeJS.Signals | undefined;
  const hold = (signal: NodeJS.Signals): void => {
    held = signal;
  };
  for (const signal of SIGNALS) process.on(signal, hold);
  return async () => {
    // A signal that came during synchronous work is delivered now.
    await new Promise((resolve) => setImmediate(resolve));
    for (const signal of SIGNALS) process.off(signal, hold);
    if (held !== undefined) process.kill(process.pid, held);
  };
}

/** Whether a command was killed while it changed the project, and none has taken the lock since. */
export function isInterrupted(root: string): boolean {
  const holders = listHolders(join(root, FOLDER));
  return holders.length > 0 && holders.every(isGone);
}

/**
 * @param tell prints a sentence, once, when the wait becomes noticeable.
 * @returns the lock, or why not: the folder can't be written, or another command keeps the lock.
 */
export async function takeLock(
  root: string,
  tell: (line: string) => void,
  { tellAfter, giveUpAfter }: Patience = PATIENCE,
): Promise<Lock | Diagnostic> {
  const claim: Claim = { folder: join(root, FOLDER), own: createHolder(), isStolen: false };
  const began = performance.now();
  let isTold = false;
  let last = { holder: "", since: began };
  try {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const holder = tryToTake(claim);
      if (holder === undefined) return { isStolen: claim.isStolen, release: () => release(claim) };
      const now = performance.now();
      if (holder !== last.holder) last = { holder, since: now };
      if (now - last.since >= giveUpAfter)
        return diagnose("FW625", { holder: describeHolder(holder), lock: FOLDER });
      if (!isTold && now - began >= tellAfter) {
        tell(`Waiting for ${describeHolder(holder)}, which is changing this project.`);
        isTold = true;
      }
      // Random, so that waiting processes don't all try at the same moment.
      await wait(pause * (0.5 + Math.random()));
    }
  } catch (error) {
    release(claim);
    return diagnose("FW622", { file: FOLDER, why: explain(error) });
  }
}

interface Claim {
  readonly folder: string;
  readonly own: string;
  isStolen: boolean;
}

/** @returns undefined when the lock is ours, else the running process that has it or tries to take it, too. */
function tryToTake(claim: Claim): string | undefined {
  const { folder, own } = claim;
  // Most attempts are made while another process works. They leave no name that would keep others waiting.
  const holder = findOther(claim);
  if (holder !== undefined) return holder;
  writeName(folder, own);
  const other = findOther(claim);
  if (other !== undefined) release(claim);
  return other;
}

/** Names of ended processes are deleted: names are unique, so a new holder is not affected. */
function findOther(claim: Claim): string | undefined {
  for (const holder of listHolders(claim.folder)) {
    if (holder === claim.own) continue;
    if (!isGone(holder)) return holder;
    claim.isStolen = true;
    removeFile(join(claim.folder, holder));
  }
  return undefined;
}

/** @throws the system's error if the folder can't be created, or is a file or a link, which could lead anywhere. */
function writeName(folder: string, own: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found !== undefined && !found.isDirectory()) throw error;
  }
  try {
    writeFileSync(join(folder, own), "");
  } catch (error) {
    // Another command has just ended and removed the folder.
    if (!isMissing(error)) throw error;
    writeName(folder, own);
  }
}

function release({ folder, own }: Claim): void {
  removeFile(join(folder, own));
  // It stays while other names are in it.
  attempt(() => rmdirSync(folder));
}

function listHolders(folder: string): string[] {
  try {
    if (lstatSync(folder).isSymbolicLink()) return [];
    return readdirSync(folder).filter((name) => HOLDER.test(name));
  } catch (error) {
    if (isMissing(error) || codeOf(error) === "ENOTDIR") return [];
    throw error;
  }
}

const HOLDER = /^(?<host>[^,]*),(?<pid>\d+),[0-9a-f]+$/;

/** A file name for this process. @example createHolder() // "ada-laptop,4711,0b9f3c", different at each call */
export function createHolder(): string {
  return [host(), process.pid, crypto.randomUUID().slice(-6)].join(",");
}

/**
 * Whether the process has ended. One on another machine or in another container can't be asked, so it counts as running, as does a
 * process that was given its number since.
 */
function isGone(holder: string): boolean {
  const parts = HOLDER.exec(holder)?.groups;
  return parts?.host === host() && !isRunning(Number(parts.pid));
}

/** @example describeHolder("ada-laptop,4711,0b9f3c") // "process 4711" */
function describeHolder(holder: string): string {
  const parts = HOLDER.exec(holder)?.groups;
  if (parts === undefined) return "another command";
  return parts.host === host() ? `process ${parts.pid}` : `process ${parts.pid} on ${parts.host}`;
}

function host(): string {
  return hostname().replace(/[^\w.-]/g, "");
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process exists, though we may not signal it.
    return codeOf(error) === "EPERM";
  }
}
