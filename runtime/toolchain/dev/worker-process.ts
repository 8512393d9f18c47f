/** A worker as its supervisor sees it. */

import { type ChildProcess, fork } from "node:child_process";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { Project } from "#runtime/convention/project";
import type { Address } from "#runtime/core/node/listen";
import { formatEnd, formatStartFailure } from "./failures.ts";
import type { Lifeline } from "./lifeline.ts";
import type { FromWorker, Report, ToWorker } from "./messages.ts";

const WORKER = fileURLToPath(new URL("./worker.js", import.meta.url));

/** A worker that was told to finish, and hasn't after this many milliseconds, is ended: its requests have 10 seconds, then the project has 2. */
const DRAIN_LIMIT_MS = 12_500;
/** One that does not even answer is ended sooner: its handlers never will. A handler that computes for long does not answer either. */
const ANSWER_LIMIT_MS = 3_000;
/** How often a worker is asked whether it still answers, and how many times in a row it may not. */
const PING_MS = 1_000;
const MISSED_PINGS = 5;

export interface WorkerOptions {
  readonly root: string;
  readonly hasColors: boolean;
  readonly isDebuggable: boolean;
  /** Where Node keeps compiled modules from one worker to the next; it takes the types out of a file once. */
  readonly cache: string;
  readonly lifeline: Lifeline;
}

export interface WorkerEvents {
  onServed(address: Address): void;
  onRefused(report: Report): void;
  onSlow(what: string): void;
  /** A module imports this file, which is not watched otherwise: data, or what is outside of the project. */
  onImport(path: string): void;
  /** By itself or not; or it never began. @param how in words. @param left the connections that it was given and has not taken. */
  onEnded(how: string, left: readonly Socket[]): void;
  /** It takes no connection and no message any more, or does so again. */
  onSilent(isSilent: boolean): void;
}

export interface Worker {
  /** The port of 127.0.0.1 where a debugger can be attached to it, once there is one. */
  readonly debuggerPort: number | undefined;
  /** True where it could not be started, too. */
  readonly hasEnded: boolean;
  /** Loads the project. Asked once. */
  load(project: Project, events: WorkerEvents): void;
  /** Hands a connection over, of which nothing has been read. */
  give(socket: Socket): void;
  /** Finishes what is in flight, then ends. */
  drain(): void;
  /** Ends at once. */
  stop(): void;
}

export function spawnWorker(options: WorkerOptions): Worker {
  const child = startProcess(options);
  options.lifeline.hold(child);
  let debuggerPort: number | undefined;
  /** Counted, not timed: a machine that slept has asked nothing meanwhile. */
  let unanswered = 0;
  let pulse: NodeJS.Timeout | undefined;
  let hasEnded = false;
  /** Both processes have these open, until the worker says that it has taken them. */
  const given = new Map<number, Socket>();
  let lastId = 0;
  const ended = toEnd(child);
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
    load(project, events) {
      void ended.then((how) => events.onEnded(how, [...given.values()]));
      child.on("message", (message: FromWorker) => {
        unanswered = 0;
        receive(message, events);
      });
      tell(child, { kind: "load", project });
      watchPulse(events);
    },
    give(socket) {
      lastId += 1;
      given.set(lastId, socket);
      tell(child, { kind: "connection", id: lastId }, socket);
    },
    drain() {
      clearInterval(pulse);
      unanswered += 1;
      tell(child, { kind: "drain" });
      setTimeout(() => unanswered > 0 && child.kill("SIGKILL"), ANSWER_LIMIT_MS).unref();
      setTimeout(() => child.kill("SIGKILL"), DRAIN_LIMIT_MS).unref();
    },
    stop: () => void child.kill("SIGKILL"),
  };

  function receive(message: FromWorker, events: WorkerEvents): void {
    if (message.kind === "served") events.onServed(message.address);
    else if (message.kind === "refused") events.onRefused(message.report);
    else if (message.kind === "taken") letGo(message.id);
    else if (message.kind === "slow") events.onSlow(message.what);
    else if (message.kind === "import") events.onImport(message.path);
    else if (message.kind === "debuggable") debuggerPort = message.port;
  }

  function letGo(id: number): void {
    given.get(id)?.destroy();
    given.delete(id);
  }

  function watchPulse(events: WorkerEvents): void {
    let wasSilent = false;
    pulse = setInterval(() => {
      const isSilent = unanswered >= MISSED_PINGS;
      if (isSilent !== wasSilent) events.onSilent(isSilent);
      wasSilent = isSilent;
      ping();
    }, PING_MS).unref();
  }

  function ping(): void {
    unanswered += 1;
    tell(child, { kind: "ping" });
  }
}

function startProcess({ root, hasColors, isDebuggable, cache }: WorkerOptions): ChildProcess {
  const words = [root, hasColors ? "color" : "plain", isDebuggable ? "debuggable" : "", cache];
  return fork(WORKER, words, {
    cwd: root,
    // The keys that are typed are the supervisor's.
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    // Not what this process was started with: of `--inspect` there can be one in a group. Where its port is, the supervisor tells.
    execArgv: ["--inspect-publish-uid=http"],
  });
}

/** @returns how it ended, in words, once all that it had sent has been received. */
function toEnd(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("close", (status, signal) => resolve(formatEnd(status, signal)));
    child.once("error", (error) => resolve(formatStartFailure(error)));
  });
}

function tell(child: ChildProcess, message: ToWorker, socket?: Socket): void {
  // A worker that has just ended takes nothing; its end is told by itself.
  if (child.connected) child.send(message, socket, { keepOpen: true }, () => {});
}
