/** A worker as the supervisor sees it: a process that loads the project, takes connections, and ends. */

import { type ChildProcess, fork } from "node:child_process";
import type { Socket } from "node:net";
import type { Declared } from "#convention/contract/declared";
import type { Project } from "#convention/project";
import { frameworkPath } from "../framework-folder.ts";
import type { FromWorker, LoadEvent, ToWorker } from "./messages.ts";

const WORKER = frameworkPath("tools/worker.js");

/** The longest that a worker may take to finish: its requests have 10 seconds, then the project has 2. */
const DRAIN_LIMIT_MS = 12_500;
/** A worker that does not even answer by then is in a loop, or in a handler that computes for long. */
const ANSWER_LIMIT_MS = 3_000;

export interface WorkerOptions {
  readonly root: string;
  readonly hasColors: boolean;
  readonly isDebuggable: boolean;
}

export type WorkerEvent =
  | LoadEvent
  /** The process has ended, or could not start. @param left the connections that it was given and has not taken. */
  | { readonly kind: "ended"; readonly how: string; readonly left: readonly Socket[] };

export class Worker {
  /** The port of 127.0.0.1 where a debugger can attach to it, once there is one. */
  debuggerPort: number | undefined;
  /** Says how, once all messages of the process have been received. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  #isDraining = false;
  /** Both processes have these open, until the worker answers that it has taken them. */
  readonly #given = new Map<number, Socket>();
  #lastId = 0;

  /** @param cache the folder where Node keeps compiled modules from one worker to the next; "" for none. */
  constructor({ root, hasColors, isDebuggable }: WorkerOptions, cache: string) {
    const words = [root, hasColors ? "color" : "plain", isDebuggable ? "debuggable" : "", cache];
    this.#child = fork(WORKER, words, {
      cwd: root,
      // The supervisor reads the keys.
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      // Not the supervisor's own options: two processes can't share the port of `--inspect`.
      // This one keeps Node from printing a debugger's address: the session prints it.
      execArgv: ["--inspect-publish-uid=http"],
    });
    this.ended = new Promise((resolve) => {
      this.#child.once("close", (status, signal) => resolve(formatEnd(status, signal)));
      this.#child.once("error", ({ message }) => resolve(`No process could be started (${message})`));
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Called once. @param first files of the table to load before anything is answered. */
  load(project: Project, first: readonly string[], onEvent: (event: WorkerEvent) => void): void {
    void this.ended.then((how) => onEvent({ kind: "ended", how, left: [...this.#given.values()] }));
    this.#child.on("message", (message: FromWorker) => {
      if (message.kind === "taken") {
        this.#given.get(message.id)?.destroy();
        this.#given.delete(message.id);
      } else if (message.kind === "debuggable") this.debuggerPort = message.port;
      else if (message.kind === "draining") this.#isDraining = true;
      else onEvent(message);
    });
    this.#send({ kind: "load", project, first });
  }

  /** Answers what it asked. @param declared undefined where the handler writes no return type. */
  declare(route: string, declared: Declared | undefined): void {
    this.#send({ kind: "declared", route, declared });
  }

  /** Hands over a connection from which nothing has been read. */
  give(socket: Socket): void {
    this.#lastId += 1;
    this.#given.set(this.#lastId, socket);
    this.#send({ kind: "connection", id: this.#lastId }, socket);
  }

  /** Finishes what is in flight, then ends. */
  drain(): void {
    this.#send({ kind: "drain" });
    setTimeout(() => this.#isDraining || this.stop(), ANSWER_LIMIT_MS).unref();
    setTimeout(() => this.stop(), DRAIN_LIMIT_MS).unref();
  }

  /** Ends at once. */
  stop(): void {
    this.#child.kill("SIGKILL");
  }

  #send(message: ToWorker, socket?: Socket): void {
    // A failure needs no report: the process has just ended, and `ended` follows.
    if (this.#child.connected) this.#child.send(message, socket, { keepOpen: true }, () => {});
  }
}

/** @example formatEnd(3, null) // "The project ended its own process (exit status 3)" */
function formatEnd(status: number | null, signal: string | null): string {
  if (signal === "SIGABRT") return "The project's process ended (SIGABRT: it probably ran out of memory)";
  if (signal === "SIGKILL") return "The project's process was killed (SIGKILL)";
  return `The project ended its own process (${signal ?? `exit status ${status}`})`;
}
