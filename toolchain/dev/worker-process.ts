/** A worker as the supervisor sees it: a process that loads the project, takes connections, and ends. */

import { type ChildProcess, fork } from "node:child_process";
import type { Socket } from "node:net";
import type { Declared } from "#convention/contract/declared";
import { frameworkPath } from "../framework-folder.ts";
import type { FromWorker, LoadEvent, Question, ToWorker } from "./messages.ts";
import type { ProjectChange } from "./project-change.ts";

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
  | Question
  /** True when the worker stops taking connections and messages, false when it takes them again. */
  | { readonly kind: "silent"; readonly isSilent: boolean }
  /** The process has ended, or could not start. `left` are the connections that it was given and has not taken. */
  | { readonly kind: "ended"; readonly how: string; readonly left: readonly Socket[] };

export interface Worker {
  /** The port of 127.0.0.1 where a debugger can attach to it, once there is one. */
  readonly debuggerPort: number | undefined;
  /** True, too, if it could not start. */
  readonly hasEnded: boolean;
  /** Has it know what has become of the project. Called for each change before it loads; the first one has all of the project. */
  learn(change: ProjectChange): void;
  /** Loads the project that it knows. Called once. @param first the files to load before anything is answered; undefined for all. */
  load(first: readonly string[] | undefined, onEvent: (event: WorkerEvent) => void): void;
  /** Answers its question. */
  declare(route: string, declared: Declared | undefined): void;
  /** Keeps it from loading what nobody waits for: source has changed. */
  outdate(): void;
  /** Hands over a connection from which nothing has been read. */
  give(socket: Socket): void;
  /** Finishes what is in flight, then ends. */
  drain(): void;
  /** Ends at once. */
  stop(): void;
}

export function spawnWorker(options: WorkerOptions): Worker {
  const child = startProcess(options);
  options.tieToSupervisor(child);
  let debuggerPort: number | undefined;
  /** A count and not a time: while the machine sleeps, no ping goes unanswered. */
  let unanswered = 0;
  let pulse: NodeJS.Timeout | undefined;
  let hasEnded = false;
  /** Both processes have these open, until the worker answers that it has taken them. */
  const given = new Map<number, Socket>();
  let lastId = 0;
  const ended = awaitEnd(child);
  void ended.then(() => {
    hasEnded = true;
    clearInterval(pulse);
  });
  return {
    get debuggerPort() {
      return debuggerPort;
    },
    get hasEnded() {
      return hasEnded;
    },
    learn: (change) => send(child, { kind: "project", change }),
    load(first, onEvent) {
      void ended.then((how) => onEvent({ kind: "ended", how, left: [...given.values()] }));
      child.on("message", (message: FromWorker) => receive(message, onEvent));
      send(child, { kind: "load", first });
      watchPulse(onEvent);
    },
    declare: (route, declared) => send(child, { kind: "declared", route, declared }),
    outdate: () => send(child, { kind: "outdated" }),
    give(socket) {
      lastId += 1;
      given.set(lastId, socket);
      send(child, { kind: "connection", id: lastId }, socket);
    },
    drain() {
      clearInterval(pulse);
      unanswered += 1;
      send(child, { kind: "drain" });
      setTimeout(() => unanswered > 0 && child.kill("SIGKILL"), ANSWER_LIMIT_MS).unref();
      setTimeout(() => child.kill("SIGKILL"), DRAIN_LIMIT_MS).unref();
    },
    stop: () => void child.kill("SIGKILL"),
  };

  function receive(message: FromWorker, onEvent: (event: LoadEvent | Question) => void): void {
    unanswered = 0;
    if (message.kind === "taken") letGo(message.id);
    else if (message.kind === "debuggable") debuggerPort = message.port;
    else if (message.kind !== "pong") onEvent(message);
  }

  function letGo(id: number): void {
    given.get(id)?.destroy();
    given.delete(id);
  }

  function watchPulse(onEvent: (event: WorkerEvent) => void): void {
    let wasSilent = false;
    pulse = setInterval(() => {
      const isSilent = unanswered >= MISSED_PINGS;
      if (isSilent !== wasSilent) onEvent({ kind: "silent", isSilent });
      wasSilent = isSilent;
      unanswered += 1;
      send(child, { kind: "ping" });
    }, PING_MS).unref();
  }
}

function startProcess({ root, hasColors, isDebuggable, cache }: WorkerOptions): ChildProcess {
  const words = [root, hasColors ? "color" : "plain", isDebuggable ? "debuggable" : "", cache];
  return fork(WORKER, words, {
    cwd: root,
    // The supervisor reads the keys.
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    // Not the supervisor's own options: two processes can't share the port of `--inspect`.
    // This one keeps Node from printing a debugger's address: the session prints it.
    execArgv: ["--inspect-publish-uid=http"],
  });
}

/** @returns how the process ended, in words, once all its messages have been received. */
function awaitEnd(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("close", (status, signal) => resolve(formatEnd(status, signal)));
    child.once("error", ({ message }) => resolve(`No process could be started for the project (${message})`));
  });
}

/** @example formatEnd(3, null) // "The project ended its own process (exit status 3)" */
function formatEnd(status: number | null, signal: string | null): string {
  if (signal === "SIGABRT") return "The project's process ended (SIGABRT: it probably ran out of memory)";
  return `The project ended its own process (${signal ?? `exit status ${status}`})`;
}

function send(child: ChildProcess, message: ToWorker, socket?: Socket): void {
  // A failure needs no report: the process has just ended, and `ended` follows.
  if (child.connected) child.send(message, socket, { keepOpen: true }, () => {});
}
