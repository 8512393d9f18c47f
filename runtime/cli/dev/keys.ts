/** The keys of `framework dev`: single ones, read as they are pressed. */

import { readFileSync } from "node:fs";
import type { ReadStream } from "node:tty";

export type Bindings = Readonly<Record<string, () => void>>;

export interface Keys {
  /** Says what each key does; until then only Ctrl-C does anything. */
  bind(bindings: Bindings): void;
}

const CTRL_C = "\u0003";
const CTRL_Z = "\u001a";

/**
 * Reads the keys until the process ends, without keeping it alive. Called before any process is started: each gives the
 * terminal back at its end as it found it at its start.
 */
export function readKeys(stdin: ReadStream): Keys {
  let bindings: Bindings = {};
  const readRaw = (): void => {
    if (isForeground()) stdin.setRawMode(true).on("data", onTyped);
  };
  const giveBack = (): void => void stdin.setRawMode(false).off("data", onTyped).pause();
  const onTyped = (typed: Buffer): void => {
    for (const key of typed.toString("latin1")) press(key);
  };
  readRaw();
  // A terminal that is left raw shows nothing of what is typed.
  process.on("exit", giveBack).on("SIGCONT", readRaw);
  stdin.unref();
  return {
    bind(next) {
      bindings = next;
    },
  };

  /** In raw mode the terminal leaves it to us to make signals of keys. */
  function press(key: string): void {
    if (key === CTRL_C) process.kill(process.pid, "SIGINT");
    else if (key === CTRL_Z && process.platform !== "win32") {
      giveBack();
      // The whole group, as the terminal would.
      process.kill(0, "SIGTSTP");
    } else bindings[key.toLowerCase()]?.();
  }
}

/** In the background, whoever reads from the terminal or sets its mode is stopped. Only Linux tells without a further process. */
function isForeground(): boolean {
  try {
    const [, , group, , , foreground] = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    return group === foreground;
  } catch {
    return true;
  }
}
