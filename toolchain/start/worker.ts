/** A worker of `framework start --workers`, as its pool sees it: a process that runs the same command alone. */

import cluster, { type Worker as ClusterWorker } from "node:cluster";
import type { WorkerMessage } from "#runtime/worker";
import { dropSockets } from "./sockets.ts";

export interface End {
  /** The exit status; null when a signal ended it. */
  readonly status: number | null;
  readonly signal: string | null;
}

export interface Worker {
  readonly pid: number;
  /** Resolves once it listens; with undefined when it ended before that. */
  readonly ready: Promise<{ readonly url: string } | undefined>;
  readonly ended: Promise<End>;
  /** Finishes what is in flight, then ends. What takes longer than `[server] shutdown_timeout` is cut off. */
  drain(): void;
  /** Ends at once. */
  kill(): void;
}

/** Starts a process. @param onNote gets what it says besides its log. */
export type Fork = (onNote: (text: string) => void) => Worker;

/** For a worker that does not listen yet, and so has nothing in flight. */
const NOTHING_IN_FLIGHT_MS = 1_000;

export function forkWorker(onNote: (text: string) => void): Worker {
  // All accept from one socket: no process hands on each connection, which costs four times as much as the connection itself,
  // and one that is killed takes along only what it had accepted.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  // The address is in the environment already.
  cluster.setupPrimary({ args: ["start"] });
  const worker = cluster.fork();
  const { process: child } = worker;
  const ended = new Promise<End>((resolve) => {
    child.once("exit", (status, signal) => resolve({ status, signal }));
  });
  const ready = whenListening(worker, onNote);
  void ready.then(dropSockets);
  return {
    pid: child.pid ?? 0,
    ready: Promise.race([ready, ended.then(() => undefined)]),
    ended,
    drain() {
      child.kill("SIGTERM");
      // The worker in its place may listen at another address.
      void ended.then(dropSockets);
      const killIn = (ms: number): NodeJS.Timeout => setTimeout(() => child.kill("SIGKILL"), ms).unref();
      const timer = killIn(NOTHING_IN_FLIGHT_MS);
      // It may serve requests already, with its message still on the way.
      void ready.then(({ shutdownTimeout }) => {
        clearTimeout(timer);
        killIn(shutdownTimeout * 1000);
      });
    },
    kill: () => void child.kill("SIGKILL"),
  };
}

function whenListening(
  worker: ClusterWorker,
  onNote: (text: string) => void,
): Promise<Extract<WorkerMessage, { framework: "listening" }>> {
  return new Promise((resolve) => {
    worker.on("message", (message: WorkerMessage) => {
      if (message.framework === "listening") resolve(message);
      else if (message.framework === "note") onNote(message.text);
    });
  });
}
