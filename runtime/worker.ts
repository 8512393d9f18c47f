/** Detects whether this process is a worker of node:cluster, and sends messages to the primary. */

/** A message from a worker to the primary. */
export type WorkerMessage =
  | {
      readonly framework: "listening";
      readonly url: string;
      /** Seconds that the worker may take to stop. */
      readonly shutdownTimeout: number;
    }
  | { readonly framework: "note"; readonly text: string };

/** The members of node:cluster that are used here. */
interface Cluster {
  readonly worker?: {
    exitedAfterDisconnect: boolean;
    send(message: WorkerMessage): unknown;
    once(event: "disconnect", listener: () => void): unknown;
  };
}

/** Only a process with an IPC channel can be a worker, so all others don't load node:cluster. */
export function currentWorker(): Cluster["worker"] {
  if (!process.channel) return undefined;
  // The types of node:cluster have a default export only.
  return (process.getBuiltinModule("node:cluster") as unknown as Cluster).worker;
}

export function isWorker(): boolean {
  return currentWorker() !== undefined;
}

/** @returns false in a process without a primary. */
export function tellPrimary(message: WorkerMessage): boolean {
  const worker = currentWorker();
  worker?.send(message);
  return worker !== undefined;
}
