/** Ends the workers if the supervisor is killed: it can't do that any more, and a worker in an endless loop does not notice. */

import { type ChildProcess, spawn } from "node:child_process";

/**
 * Each line of input lists all workers. The input ends with the supervisor; then a worker has a second to end by itself.
 * It is a shell because a thread in each worker, or another Node, takes more memory and time than everything else in dev.
 */
const SCRIPT = `trap "" HUP INT TERM
while read -r line; do pids=$line; done
[ -z "$pids" ] || { sleep 1; kill -KILL $pids; }`;

/** @returns makes sure that a process does not outlive the supervisor. */
export function createLifeline(): (child: ChildProcess) => void {
  const pids = new Set<number>();
  let update: (() => void) | undefined;
  return (child) => {
    const { pid } = child;
    // Windows ends the children of a Node process with it.
    if (pid === undefined || process.platform === "win32") return;
    pids.add(pid);
    update ??= startShell(pids);
    update();
    child.once("exit", () => {
      pids.delete(pid);
      update?.();
    });
  };
}

/** @returns a function that writes the processes to the shell. */
function startShell(pids: ReadonlySet<number>): () => void {
  const shell = spawn("/bin/sh", ["-c", SCRIPT], { cwd: "/", stdio: ["pipe", "ignore", "ignore"] });
  // Without a shell, only a worker in a loop lives on.
  for (const emitter of [shell, shell.stdin]) emitter.on("error", () => {});
  shell.unref();
  // It is a socket in Node, but its type does not say so. In Bun it is not.
  (shell.stdin as { unref?(): void }).unref?.();
  return () => void shell.stdin.write(`${[...pids].join(" ")}\n`);
}
