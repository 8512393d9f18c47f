/** Keeps the client of the served project current, in a process of its own that leaves the processor to others. */

import { spawn } from "node:child_process";
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
    const child = spawn(process.execPath, words, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    stop = () => void child.kill();
    child.on("error", ({ message }) => {
      err += message;
    });
    child.on("close", (status, signal) => {
      stop = undefined;
      if (signal === null) onEnd(status === 0 ? { done: out.trimEnd() } : { failed: err.trimEnd() });
      // The project has been served again meanwhile.
      start();
    });
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
