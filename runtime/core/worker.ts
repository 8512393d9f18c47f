/** What is different in a process that is one of several workers of node:cluster: another one, the primary, answers for it. */

/** What a worker tells its primary. */
export type WorkerMessage =
  | {
      readonly framework: "listening";
      readonly url: string;
      /** Seconds that it may take to stop. */
      readonly shutdownTimeout: number;
    }
  | { readonly framework: "note"; readonly text: string };

/** What is used of node:cluster. */
interface Cluster {
  readonly worker?: {
    exitedAfterDisconnect: boolean;
    send(message: WorkerMessage): unknown;
    once(event: "disconnect", listener: () => void): unknown;
  };
}

/** A process without a channel is no worker, and does not load node:cluster for the question. */
function currentWorker(): Cluster["worker"] {
  if (!process.channel) return undefined;
  // The types know it as a module with a default export only.
  return (process.getBuiltinModule("node:cluster") as unknown as Cluster).worker;
}

export function isWorker(): boolean {
  return currentWorker() !== undefined;
}

/** @returns false in a process that has no primary. */
export function tellPrimary(message: WorkerMessage): boolean {
  const worker = currentWorker();
  worker?.send(message);
  return worker !== undefined;
}

/** node:cluster ends a worker at once when its primary dies. What is in flight can be finished all the same. */
export function onPrimaryDeath(drain: () => void): void {
  const worker = currentWorker();
  worker?.once("disconnect", () => {
    worker.exitedAfterDisconnect = true;
    drain();
  });
}

/** The channel alone would keep a worker alive that has nothing left to do. */
export function letPrimaryGo(): void {
  process.channel?.unref();
}
