/** A command's turn at the project: it alone reads, plans and writes, on a project that no earlier command left half changed. */

import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { escapeControl } from "#runtime/core/escape";
import { takeLock } from "./lock.ts";
import { recoverChanges } from "./recovery.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Waits for the turn, and clears up after a command that was killed in its own. A signal waits until the work is done.
 *
 * @param root of the project, absolute.
 * @param tell is given what the user should know meanwhile, a line each, without control characters.
 * @param work reads the project, plans and applies: what was read before may be out of date by now.
 * @returns what the work returns, or why there is no turn; then nothing was done.
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
    const recovered = recoverChanges(root);
    if (typeof recovered === "object") return recovered;
    if (recovered !== undefined) tell(escapeControl(recovered));
    return await work();
  } finally {
    lock.release();
    await letSignalsPass();
  }
}

/** @returns what ends the process by a signal that came meanwhile, and lets those that come later do so. */
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
