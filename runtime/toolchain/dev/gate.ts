/** Where connections go while the project is being developed: to a worker, to the answer that tells what is wrong, or they wait. */

import type { Socket } from "node:net";

export interface Gate {
  /** A connection of which nothing has been read yet. */
  accept(socket: Socket): void;
  /** From here on connections wait. */
  shut(): void;
  /** From here on each is given away, those that wait first. */
  open(give: (socket: Socket) => void): void;
  /** Drops those that wait, and whatever comes after. */
  close(): void;
}

export function createGate(): Gate {
  const waiting: Socket[] = [];
  let give: ((socket: Socket) => void) | undefined;
  return {
    accept(socket) {
      if (give) give(socket);
      else waiting.push(socket);
    },
    shut() {
      give = undefined;
    },
    open(next) {
      give = next;
      for (const socket of waiting.splice(0)) next(socket);
    },
    close() {
      give = (socket) => void socket.destroy();
      for (const socket of waiting.splice(0)) give(socket);
    },
  };
}
