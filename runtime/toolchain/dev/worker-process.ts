/** A worker as its supervisor sees it. */

import { type ChildProcess, fork } from "node:child_process";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { Served, ToWorker } from "./messages.ts";

const WORKER = fileURLToPath(new URL("./worker.js", import.meta.url));

/** A worker that was told to finish, and hasn't after this many milliseconds, is ended. */
const DRAIN_LIMIT_MS = 10_000;

export interface WorkerEvents {
  onServed(served: Served): void;
  onEnded(status: number | null, signal: string | null): void;
}

export interface Worker {
  /** Loads the project. Asked once. */
  load(events: WorkerEvents): void;
  /** Hands a connection over. */
  give(socket: Socket): void;
  /** Finishes what is in flight, then ends. */
  drain(): void;
  /** Ends at once. */
  stop(): void;
}

export function spawnWorker(root: string, hasColors: boolean): Worker {
  const child = fork(WORKER, [root, hasColors ? "color" : "plain"], { cwd: root });
  return {
    load(events) {
      child.on("message", (served: Served) => events.onServed(served));
      if (child.exitCode !== null || child.signalCode !== null) {
        events.onEnded(child.exitCode, child.signalCode);
        return;
      }
      child.on("exit", events.onEnded);
      tell(child, { kind: "load" });
    },
    give: (socket) => tell(child, { kind: "connection" }, socket),
    drain() {
      tell(child, { kind: "drain" });
      setTimeout(() => child.kill("SIGKILL"), DRAIN_LIMIT_MS).unref();
    },
    stop: () => void child.kill("SIGKILL"),
  };
}

function tell(child: ChildProcess, message: ToWorker, socket?: Socket): void {
  // A worker that has just ended takes nothing; its end is told by itself.
  if (child.connected) child.send(message, socket, () => {});
  else socket?.destroy();
}
