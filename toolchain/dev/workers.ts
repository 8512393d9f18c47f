/** The worker processes: one spare is warm before it is needed, so that a change does not wait for a process to start. */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker, type WorkerOptions } from "./worker-process.ts";

/** Starting a process would slow down the answers to clients that waited for the change. */
const REFILL_MS = 30;

export class Workers {
  readonly #options: WorkerOptions;
  readonly #cache = createCache();
  readonly #alive = new Set<Worker>();
  #lifeline: ChildProcess | undefined;
  #spare: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Starts the first one. */
  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#spare = this.#start();
  }

  /** @returns a worker to load the project: the warm one if there is one. */
  take(): Worker {
    const worker = this.#spare ?? this.#start();
    this.#spare = undefined;
    return worker;
  }

  /** Replaces the spare that was taken, a little later. */
  refill(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#spare ??= this.#start();
    }, REFILL_MS);
  }

  /** Ends the spare. */
  discard(): void {
    clearTimeout(this.#timer);
    this.#spare?.stop();
    this.#spare = undefined;
  }

  /** Ends all at once. */
  stop(): void {
    this.discard();
    for (const worker of this.#alive) worker.stop();
  }

  #start(): Worker {
    const worker = new Worker(this.#options, this.#cache);
    this.#alive.add(worker);
    this.#tellLifeline();
    void worker.ended.then(() => {
      this.#alive.delete(worker);
      if (this.#spare === worker) this.#spare = undefined;
      this.#tellLifeline();
    });
    return worker;
  }

  /** Windows ends the children of a Node process with it. */
  #tellLifeline(): void {
    if (process.platform === "win32") return;
    this.#lifeline ??= startLifeline();
    const pids = [...this.#alive].flatMap(({ pid }) => pid ?? []);
    this.#lifeline.stdin?.write(`${pids.join(" ")}\n`);
  }
}

/**
 * Ends the workers if the supervisor is killed: it can't do that any more, and a worker in an endless loop does not notice.
 * Each line of input lists all workers. The input ends with the supervisor; then a worker has a second to end by itself.
 * It is a shell because a thread in each worker, or another Node, takes more memory and time than everything else in dev.
 */
const LIFELINE = `trap "" HUP INT TERM
while read -r line; do pids=$line; done
[ -z "$pids" ] || { sleep 1; kill -KILL $pids; }`;

function startLifeline(): ChildProcess {
  const shell = spawn("/bin/sh", ["-c", LIFELINE], { cwd: "/", stdio: ["pipe", "ignore", "ignore"] });
  // Without a shell, only a worker in a loop lives on.
  for (const emitter of [shell, shell.stdin]) emitter.on("error", () => {});
  shell.unref();
  // It is a socket in Node, but its type does not say so. In Bun it is not.
  (shell.stdin as { unref?(): void }).unref?.();
  return shell;
}

/**
 * Makes the folder in which Node keeps compiled modules, with the types erased. Workers run what is in it, so nobody else may write
 * there: it is made for this run, and removed at its end.
 *
 * @returns "" where none can be made: then each worker compiles by itself.
 */
function createCache(): string {
  try {
    const folder = mkdtempSync(join(realpathSync(tmpdir()), "framework-dev-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  } catch {
    return "";
  }
}
