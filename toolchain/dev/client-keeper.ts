/** Keeps the client of the served project current, in a process of its own. */

import { execFile } from "node:child_process";
import { frameworkPath } from "../framework-folder.ts";

/** Who saves a file often saves the next one soon. */
const CLIENT_PAUSE_MS = 300;

export class ClientKeeper {
  readonly #root: string;
  readonly #onEnd: (failed: string | undefined, printed: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #stop: AbortController | undefined;

  /** @param onEnd gets what `framework client` has printed, and why it failed, if it did. */
  constructor(root: string, onEnd: (failed: string | undefined, printed: string) => void) {
    this.#root = root;
    this.#onEnd = onEnd;
  }

  /** The project is served. @param file of its client, relative to the root; undefined for none. */
  update(file: string | undefined): void {
    this.close();
    if (file !== undefined) this.#timer = setTimeout(() => this.#write(file), CLIENT_PAUSE_MS).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#stop?.abort();
  }

  #write(file: string): void {
    const words = [frameworkPath("tools/cli.js"), "client", `--output=${file}`];
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    execFile(process.execPath, words, { cwd: this.#root, signal }, (error, out, err) => {
      if (!signal.aborted) this.#onEnd(error ? err.trimEnd() || error.message : undefined, out.trimEnd());
    });
  }
}
