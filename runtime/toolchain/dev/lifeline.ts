/** Ends the workers of a supervisor that was killed: it can't do that any more, and a worker in an endless loop notices nothing. */

import { type ChildProcess, spawn } from "node:child_process";

export interface Lifeline {
  /** From here on this process does not outlive the supervisor. */
  hold(child: ChildProcess): void;
}

/**
 * Each line is all processes that live. The input ends with the supervisor. A worker that is not in a loop has a second to end by itself.
 * A shell, because a thread in each worker, or one more Node, takes more memory and time than all the rest of what dev adds.
 */
const SCRIPT = `trap "" HUP INT TERM
while read -r line; do pids=$line; done
[ -z "$pids" ] || { sleep 1; kill -KILL $pids; }`;

export function createLifeline(): Lifeline {
  const pids = new Set<number>();
  let tell: (() => void) | undefined;
  return {
    hold(child) {
      const { pid } = child;
      // Windows ends what Node has started together with it.
      if (pid === undefined || process.platform === "win32") return;
      pids.add(pid);
      tell ??= startShell(pids);
      tell();
      child.once("exit", () => {
        pids.delete(pid);
        tell?.();
      });
    },
  };
}

/** @returns what tells it the processes. */
function startShell(pids: ReadonlySet<number>): () => void {
  const shell = spawn("/bin/sh", ["-c", SCRIPT], { cwd: "/", stdio: ["pipe", "ignore", "ignore"] });
  // Where there is no shell, only what is in a loop lives on.
  for (const emitter of [shell, shell.stdin]) emitter.on("error", () => {});
  shell.unref();
  // The type does not say that it is a socket.
  (shell.stdin as unknown as { unref(): void }).unref();
  return () => void shell.stdin.write(`${[...pids].join(" ")}\n`);
}
