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
/** A worker is silent if it misses so many pings in a row. */
const PING_MS = 1_000;
const MISSED_PINGS = 5;

export interface WorkerOptions {
  readonly root: string;
  readonly hasColors: boolean;
  readonly isDebuggable: boolean;
  /** The folder where Node keeps compiled modules from one worker to the next. */
  readonly cache: string;
  /** Makes sure that the process does not outlive the supervisor. */
  readonly tieToSupervisor: (child: ChildProcess) => void;
}

export type WorkerEvent =
  | LoadEvent
  /** True when the worker stops taking connections and messages, false when it takes them again. */
  | { readonly kind: "silent"; readonly isSilent: boolean }
  | Ended;

/** The process has ended, or could not start. */
export interface Ended {
  readonly kind: "ended";
  readonly how: string;
  /** Somebody else has ended it, such as a system that is short of memory. */
  readonly isKilled: boolean;
  /** The connections that it was given and has not taken. */
  readonly left: readonly Socket[];
}

export class Worker {
  /** The port of 127.0.0.1 where a debugger can attach to it, once there is one. */
  debuggerPort: number | undefined;
  /** True, too, if it could not start. */
  hasEnded = false;
  readonly #child: ChildProcess;
  readonly #ended: Promise<Omit<Ended, "left">>;
  /** A count and not a time: while the machine sleeps, no ping goes unanswered. It begins when the process has started, however long that takes. */
  #unanswered: number = Number.NEGATIVE_INFINITY;
  #pulse: NodeJS.Timeout | undefined;
  /** Both processes have these open, until the worker answers that it has taken them. */
  readonly #given = new Map<number, Socket>();
  #lastId = 0;

  constructor({ root, hasColors, isDebuggable, cache, tieToSupervisor }: WorkerOptions) {
    const words = [root, hasColors ? "color" : "plain", isDebuggable ? "debuggable" : "", cache];
    this.#child = fork(WORKER, words, {
      cwd: root,
      // The supervisor reads the keys.
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      // Not the supervisor's own options: two processes can't share the port of `--inspect`.
      // This one keeps Node from printing a debugger's address: the session prints it.
      execArgv: ["--inspect-publish-uid=http"],
    });
    tieToSupervisor(this.#child);
    this.#ended = awaitEnd(this.#child);
    void this.#ended.then(() => {
      this.hasEnded = true;
      clearInterval(this.#pulse);
    });
  }

  /** Called once. @param first files of the table to load before anything is answered. */
  load(project: Project, first: readonly string[], onEvent: (event: WorkerEvent) => void): void {
    void this.#ended.then((end) => onEvent({ ...end, left: [...this.#given.values()] }));
    this.#child.on("message", (message: FromWorker) => this.#receive(message, onEvent));
    this.#send({ kind: "load", project, first });
    this.#watchPulse(onEvent);
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
    clearInterval(this.#pulse);
    this.#unanswered += 1;
    this.#send({ kind: "drain" });
    setTimeout(() => this.#unanswered > 0 && this.stop(), ANSWER_LIMIT_MS).unref();
    setTimeout(() => this.stop(), DRAIN_LIMIT_MS).unref();
  }

  /** Ends at once. */
  stop(): void {
    this.#child.kill("SIGKILL");
  }

  #receive(message: FromWorker, onEvent: (event: LoadEvent) => void): void {
    this.#unanswered = 0;
    if (message.kind === "taken") {
      this.#given.get(message.id)?.destroy();
      this.#given.delete(message.id);
    } else if (message.kind === "debuggable") this.debuggerPort = message.port;
    else if (message.kind !== "pong") onEvent(message);
  }

  #watchPulse(onEvent: (event: WorkerEvent) => void): void {
    let wasSilent = false;
    this.#pulse = setInterval(() => {
      const isSilent = this.#unanswered >= MISSED_PINGS;
      if (isSilent !== wasSilent) onEvent({ kind: "silent", isSilent });
      wasSilent = isSilent;
      this.#unanswered += 1;
      this.#send({ kind: "ping" });
    }, PING_MS).unref();
  }

  #send(message: ToWorker, socket?: Socket): void {
    // A failure needs no report: the process has just ended, and `ended` follows.
    if (this.#child.connected) this.#child.send(message, socket, { keepOpen: true }, () => {});
  }
}

/** @returns how the process ended, once all its messages have been received. */
function awaitEnd(child: ChildProcess): Promise<Omit<Ended, "left">> {
  return new Promise((resolve) => {
    const end = (how: string, isKilled: boolean): void => resolve({ kind: "ended", how, isKilled });
    child.once("close", (status, signal) => end(formatEnd(status, signal), signal === "SIGKILL"));
    child.once("error", ({ message }) => end(`No process could be started (${message})`, false));
  });
}

/** @example formatEnd(3, null) // "The project ended its own process (exit status 3)" */
function formatEnd(status: number | null, signal: string | null): string {
  if (signal === "SIGABRT") return "The project's process ended (SIGABRT: it probably ran out of memory)";
  if (signal === "SIGKILL") return "The project's process was killed (SIGKILL)";
  return `The project ended its own process (${signal ?? `exit status ${status}`})`;
}
