/** Keeps the client of the served project current, in a process of its own that leaves the processor to others. */

import { execFile } from "node:child_process";
import { constants, setPriority } from "node:os";
import { frameworkPath } from "../framework-folder.ts";

export interface ClientKeeper {
  /** The project is served. @param file of its client, relative to the root; undefined for none. */
  update(file: string | undefined): void;
  close(): void;
}

/** Who saves a file often saves the next one soon. */
const CLIENT_PAUSE_MS = 300;

/** What `framework client` has printed. */
export type ClientOutcome = { readonly done: string } | { readonly failed: string };

export function createClientKeeper(root: string, onEnd: (outcome: ClientOutcome) => void): ClientKeeper {
  let wanted: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  return {
    update(file) {
      wanted = file;
      clearTimeout(timer);
      timer = setTimeout(start, CLIENT_PAUSE_MS).unref();
    },
    close() {
      wanted = undefined;
      clearTimeout(timer);
      stop?.();
    },
  };

  /** One at a time. */
  function start(): void {
    if (wanted === undefined || stop !== undefined) return;
    const file = wanted;
    wanted = undefined;
    const words = [frameworkPath("tools/cli.js"), "client", `--output=${file}`];
    const child = execFile(process.execPath, words, { cwd: root }, (error, out, err) => {
      stop = undefined;
      if (error === null) onEnd({ done: out.trimEnd() });
      // Not if it was stopped.
      else if (!error.signal) onEnd({ failed: err.trimEnd() || error.message });
      // The project has been served again meanwhile.
      start();
    });
    stop = () => void child.kill();
    if (child.pid !== undefined) lowerPriority(child.pid);
  }
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already, or the system does not allow it.
  }
}
