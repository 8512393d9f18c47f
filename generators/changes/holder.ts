/** A file name for a process, by which others can see whether it still runs, even if its number was reused. */

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { codeOf } from "#convention/diagnostics/system-error";

const SHAPE = /^(?<host>[^,]*),(?<pid>\d+),(?<began>\d*),[0-9a-f]+$/;

/** @example createHolder() // "ada-laptop,4711,1115572,0b9f3c", different at each call */
export function createHolder(): string {
  const { pid } = process;
  return [host(), pid, readProcess(pid)?.began ?? "", randomBytes(3).toString("hex")].join(",");
}

/**
 * Whether the process has ended. A process on another machine or in another container can't be asked, so it counts as running.
 * Any other file name counts as ended.
 */
export function isGone(holder: string): boolean {
  const parts = SHAPE.exec(holder)?.groups;
  if (parts === undefined) return true;
  if (parts.host !== host()) return false;
  const pid = Number(parts.pid);
  if (!isRunning(pid)) return true;
  const found = readProcess(pid);
  return found !== undefined && (found.isOver || found.began !== parts.began);
}

/** @example describeHolder("ada-laptop,4711,1115572,0b9f3c") // "process 4711" */
export function describeHolder(holder: string): string {
  const parts = SHAPE.exec(holder)?.groups;
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
