/** Lets another version's program do the work, at this terminal, and waits for it. */

import { spawn } from "node:child_process";
import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * A signal goes on to the program: whoever started us waits for us, and we for it.
 *
 * @param words of the program; no shell reads them.
 * @returns its exit status; for one that a signal ended, as a shell has it: 128 and the signal's number.
 */
export async function handOver(program: string, words: readonly string[], cwd: string): Promise<number> {
  const child = spawn(process.execPath, [program, ...words], { cwd, stdio: "inherit" });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, pass);
  try {
    return await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (status, signal) =>
        resolve(status ?? 128 + (signal ? constants.signals[signal] : 0)),
      );
    });
  } finally {
    for (const signal of SIGNALS) process.off(signal, pass);
  }
}
