/** The sockets from which the workers accept connections. They outlive the workers: connections wait in them for the next worker. */

import net from "node:net";

/** A socket that node:cluster has bound for its workers. The primary never accepts from it. */
interface Handle {
  /** Missing for a path. @returns an error's number, or 0. */
  getsockname?(name: object): number;
  close(): void;
}

/** @returns a number for an error. */
type Bind = (...where: unknown[]) => Handle | number;

interface Kept {
  /** What the worker asked for: the port may be 0. */
  readonly where: string;
  readonly handle: Handle;
  close(): void;
}

let kept: Kept[] = [];
/** Before the first worker listens, a socket that is closed was an attempt to find a free port. */
let phase: "starting" | "serving" | "stopping" = "starting";

/**
 * Keeps each socket that node:cluster closes with its last worker. Otherwise the system would refuse connections until the next worker
 * listens. node:cluster binds by a function that is not documented, and has no other place for this.
 */
export function keepSockets(): void {
  const inner = net as unknown as { _createServerHandle: Bind };
  const bind = inner._createServerHandle;
  inner._createServerHandle = (...words) => {
    const where = JSON.stringify(words);
    const old = kept.find((socket) => socket.where === where);
    if (old === undefined) return keepClosed(bind(...words), where);
    kept = kept.filter((socket) => socket !== old);
    return old.handle;
  };
}

function keepClosed(handle: Handle | number, where: string): Handle | number {
  if (typeof handle === "number") return handle;
  const close = handle.close.bind(handle);
  // A port in use may be no error before somebody listens. Such a socket is of no use later.
  const error = handle.getsockname?.({}) ?? 0;
  if (error !== 0) {
    close();
    return error;
  }
  handle.close = () => {
    if (phase === "serving") kept.push({ where, handle, close });
    else close();
  };
  return handle;
}

/** A worker listens: what it has not taken of the kept sockets is at an address of the past. */
export function dropSockets(): void {
  if (phase === "starting") phase = "serving";
  for (const { close } of kept.splice(0)) close();
}

/** No worker will follow: connections are refused from now on. */
export function closeSockets(): void {
  phase = "stopping";
  dropSockets();
}
