/** A server for one conversation after the other: what its handlers saw, and its side of the connection. */

import type { Socket } from "node:net";
import type { Call } from "./plan.fixture.ts";

export interface Lane {
  readonly port: number;
  /** What the handlers saw since they were last emptied, in the order in which they were called. */
  readonly calls: Call[];
  /** All requests as node:http emitted them; only the plain server fills it. */
  readonly seen: Seen[];
  /** Resolves with the server's socket of the next connection. */
  accepted(): Promise<Socket>;
  close(): Promise<void>;
}

/** A request as node:http read it, before anything was made of it. */
export interface Seen {
  readonly version: string;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  /** Which of the calls it became; undefined if no handler was called. */
  call: number | undefined;
}

/** @returns a lane without its server, and what the server calls for each connection. */
export function openLane(): { lane: Omit<Lane, "port" | "close">; onSocket(socket: Socket): void } {
  const arrived: Socket[] = [];
  const waiting: ((socket: Socket) => void)[] = [];
  const lane = {
    calls: [],
    seen: [],
    accepted: () =>
      new Promise<Socket>((resolve) => {
        const socket = arrived.shift();
        if (socket === undefined) waiting.push(resolve);
        else resolve(socket);
      }),
  };
  const onSocket = (socket: Socket): void => {
    const resolve = waiting.shift();
    if (resolve === undefined) arrived.push(socket);
    else resolve(socket);
  };
  return { lane, onSocket };
}
