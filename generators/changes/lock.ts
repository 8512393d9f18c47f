/**
 * One command at a time changes a project. The lock is a folder with a file in it, named after its holder. A rename of a folder
 * onto another succeeds only while that one is empty, so just one process gets the lock. The name shows whether the holder still runs.
 */

import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
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
const PRIVATE_FOLDER = ".framework";
const LOCK = "lock";
/** Before a process's name: the folder with which it tries to take the lock. */
const TRY = "try-";

/** The errors of a rename onto a folder that is not empty or, on Windows, that exists. */
const HELD: readonly (string | undefined)[] =
  process.platform === "win32" ? ["EEXIST", "ENOTEMPTY", "EPERM", "EACCES"] : ["EEXIST", "ENOTEMPTY"];

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
  const holders = list(join(root, PRIVATE_FOLDER, LOCK)).filter((name) => HOLDER.test(name));
  return holders.length > 0 && holders.every(isGone);
}

/**
 * @param tell prints a sentence, once, when the wait becomes noticeable.
 * @returns the lock, or why not: the folder can't be written, or another command keeps the lock.
 */
export async function takeLock(
  root: string,
  tell: (line: string) => void,
  patience: Patience = PATIENCE,
): Promise<Lock | Diagnostic> {
  const own = createHolder();
  const folder = join(root, PRIVATE_FOLDER);
  const claim: Claim = { folder: join(folder, TRY + own), lock: join(folder, LOCK), isStolen: false };
  try {
    createClaim(root, claim, own);
    const holder = await waitFor(claim, tell, patience);
    if (holder === undefined) return { isStolen: claim.isStolen, release: () => release(folder, own) };
    rmSync(claim.folder, { recursive: true });
    return diagnose("FW625", { holder: describeHolder(holder), lock: `${PRIVATE_FOLDER}/${LOCK}` });
  } catch (error) {
    attempt(() => rmSync(claim.folder, { recursive: true, force: true }));
    attempt(() => rmdirSync(folder));
    return diagnose("FW622", { file: PRIVATE_FOLDER, why: explain(error) });
  }
}

/** A folder with our name in it, to be renamed onto the lock. */
interface Claim {
  readonly folder: string;
  readonly lock: string;
  isStolen: boolean;
}

function createClaim(root: string, claim: Claim, own: string): void {
  openPrivateFolder(join(root, PRIVATE_FOLDER));
  try {
    mkdirSync(claim.folder);
  } catch (error) {
    if (!isMissing(error)) throw error;
    // Another command has just ended and removed the folder above.
    createClaim(root, claim, own);
  }
  writeFileSync(join(claim.folder, own), "");
}

/** @throws the system's error if it can't be created, or is a file or a link. */
function openPrivateFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    const found = lstatSync(folder, { throwIfNoEntry: false });
    // Another command has just ended and removed it.
    if (found === undefined) openPrivateFolder(folder);
    // A link could lead anywhere, so it is not followed.
    else if (!found.isDirectory()) throw error;
  }
}

/** @returns undefined when the lock is ours, else the holder that keeps it. */
async function waitFor(
  claim: Claim,
  tell: (line: string) => void,
  { tellAfter, giveUpAfter }: Patience,
): Promise<string | undefined> {
  const began = performance.now();
  let isTold = false;
  let last = { holder: "", since: began };
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const holder = tryToTake(claim);
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
function tryToTake(claim: Claim): string | undefined {
  const holder = findHolder(claim);
  if (holder !== undefined) return holder;
  // Windows can't rename a folder onto another, even an empty one.
  attempt(() => rmdirSync(claim.lock));
  try {
    renameSync(claim.folder, claim.lock);
    return undefined;
  } catch (error) {
    if (HELD.includes(codeOf(error))) return findHolder(claim) ?? "";
    throw error;
  }
}

/** The running process that has the lock. Names of ended ones are deleted: names are unique, so a new holder is not affected. */
function findHolder(claim: Claim): string | undefined {
  for (const holder of list(claim.lock)) {
    if (!isGone(holder)) return holder;
    claim.isStolen = true;
    removeFile(join(claim.lock, holder));
  }
  return undefined;
}

function release(folder: string, own: string): void {
  removeFile(join(folder, LOCK, own));
  attempt(() => rmdirSync(join(folder, LOCK)));
  // Of processes that were killed while they waited.
  const tries = list(folder).filter((entry) => entry.startsWith(TRY) && isGone(entry.slice(TRY.length)));
  for (const entry of tries) attempt(() => rmSync(join(folder, entry), { recursive: true }));
  attempt(() => rmdirSync(folder));
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

const HOLDER = /^(?<host>[^,]*),(?<pid>\d+),(?<began>\d*),[0-9a-f]+$/;

/** A file name for this process. @example createHolder() // "ada-laptop,4711,1115572,0b9f3c", different at each call */
export function createHolder(): string {
  const { pid } = process;
  return [host(), pid, readProcess(pid)?.began ?? "", crypto.randomUUID().slice(-6)].join(",");
}

/**
 * Whether the process has ended, even if its number was reused. A process on another machine or in another container can't be asked,
 * so it counts as running. Any other file name counts as ended.
 */
export function isGone(holder: string): boolean {
  const parts = HOLDER.exec(holder)?.groups;
  if (parts === undefined) return true;
  if (parts.host !== host()) return false;
  const pid = Number(parts.pid);
  if (!isRunning(pid)) return true;
  const found = readProcess(pid);
  return found !== undefined && (found.isOver || found.began !== parts.began);
}

/** @example describeHolder("ada-laptop,4711,1115572,0b9f3c") // "process 4711" */
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

/**
 * When a process began, in ticks since the system started, and whether it is a zombie (proc(5)). Undefined on systems other than
 * Linux.
 */
function readProcess(pid: number): { readonly began: string; readonly isOver: boolean } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in brackets, which may hold anything.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { began: fields[18] ?? "", isOver: state === "Z" || state === "X" };
  } catch {
    return undefined;
  }
}
