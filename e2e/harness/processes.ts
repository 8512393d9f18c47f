/** The processes of this machine, where the system tells of them. */

import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Every process that works in a folder. */
export function processesIn(folder: string): number[] {
  return listed("/proc")
    .filter((name) => /^\d+$/.test(name) && linkedFrom(`/proc/${name}/cwd`) === folder)
    .map(Number);
}

/** How many connections and ports of TCP a process has open. */
export function socketsOf(pid: number | undefined): number {
  const inodes = new Set(
    ["tcp", "tcp6"].flatMap((kind) => {
      const [, ...lines] = readFileSync(`/proc/net/${kind}`, "utf8").trim().split("\n");
      return lines.map((line) => line.trim().split(/\s+/)[9]);
    }),
  );
  const descriptors = `/proc/${pid}/fd`;
  return listed(descriptors).filter((name) => {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(linkedFrom(`${descriptors}/${name}`) ?? "") ?? [];
    return inode !== undefined && inodes.has(inode);
  }).length;
}

const TICKS_A_SECOND = 100;

/** Seconds of the processor's time: of the process itself, and of those that it started and waited for. See proc(5). */
export function readSeconds(pid: number | "self"): { readonly own: number; readonly started: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  const [user = 0, system = 0, usersOfStarted = 0, systemOfStarted = 0] = fields.slice(11, 15).map(Number);
  return {
    own: (user + system) / TICKS_A_SECOND,
    started: (usersOfStarted + systemOfStarted) / TICKS_A_SECOND,
  };
}

/** Resolves once it is so. */
export async function until(isSo: () => boolean, what: string, limit = 30_000): Promise<void> {
  const deadline = performance.now() + limit;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`Not so after ${limit} ms: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkedFrom(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
