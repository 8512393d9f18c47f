/** Tells a process that is one of several workers of node:cluster from one that runs alone, and sends messages to its primary. */

/** A worker sends these to its primary. */
export type WorkerMessage =
  | {
      readonly framework: "listening";
      readonly url: string;
      /** How many seconds it may take to stop. */
      readonly shutdownTimeout: number;
    }
  | { readonly framework: "note"; readonly text: string };

/** The part of node:cluster that is used. */
interface Cluster {
  readonly worker?: {
    exitedAfterDisconnect: boolean;
    send(message: WorkerMessage): unknown;
    once(event: "disconnect", listener: () => void): unknown;
  };
}

/** A process without a channel is not a worker, and need not load node:cluster to find out. */
export function currentWorker(): Cluster["worker"] {
  if (!process.channel) return undefined;
  // Its types have a default export only.
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
