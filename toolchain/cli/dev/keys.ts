/** The keys of `framework dev`, each read when it is pressed. */

import { readFileSync } from "node:fs";
import type { ReadStream } from "node:tty";

export type Bindings = Readonly<Record<string, () => void>>;

/** Sets what each key does. Before that, only Ctrl-C and Ctrl-Z do anything. */
export type BindKeys = (bindings: Bindings) => void;

const CTRL_C = "\u0003";
const CTRL_Z = "\u001a";

/**
 * Reads the keys until the process ends, without keeping it alive. Call it before starting any process: a process that ends resets
 * the terminal to the mode that it found.
 */
export function readKeys(stdin: ReadStream): BindKeys {
  let bindings: Bindings = {};
  const readRaw = (): void => {
    if (isForeground()) stdin.setRawMode(true).on("data", onTyped);
  };
  const giveBack = (): void => void stdin.setRawMode(false).off("data", onTyped).pause();
  const onTyped = (typed: Buffer): void => {
    for (const key of typed.toString("latin1")) press(key);
  };
  readRaw();
  // A terminal that stays raw does not show what is typed.
  process.on("exit", giveBack).on("SIGCONT", readRaw);
  stdin.unref();
  return (next) => {
    bindings = next;
  };

  /** In raw mode the terminal does not turn keys into signals. */
  function press(key: string): void {
    if (key === CTRL_C) process.kill(process.pid, "SIGINT");
    else if (key === CTRL_Z && process.platform !== "win32") {
      giveBack();
      // To the whole group, as the terminal would send it.
      process.kill(0, "SIGTSTP");
    } else bindings[key.toLowerCase()]?.();
  }
}

/** A background process that reads from the terminal or sets its mode is stopped. Only Linux says which is in front without another process. */
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
