/** A command's turn: it alone reads and changes the project, after cleaning up what a killed command left. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { escapeControl } from "#runtime/escape";
import { takeLock } from "./lock.ts";
import { recoverChanges } from "./recovery.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Waits for the turn, and cleans up after a killed command. A signal waits until the work is done.
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
    const recovered = recoverChanges(root);
    if (typeof recovered === "object") return recovered;
    if (recovered !== undefined) tell(escapeControl(recovered));
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
