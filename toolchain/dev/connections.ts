/** Where connections go while the project is being developed: to a worker, to the error answer, or into a queue. */

import { connect, type Socket } from "node:net";
import type { Address } from "#runtime/node/listen";
import { createErrorServer, type Failure } from "./error-server.ts";
import { tunnel } from "./tunnel.ts";

type Give = (socket: Socket) => void;

export interface Connections {
  /** Takes a connection from which nothing has been read yet. */
  accept(socket: Socket): void;
  /** Queues connections until one of the next two is called. */
  hold(): void;
  /** Gives each connection away, the queued ones first. */
  giveTo(give: Give): void;
  /** Answers every request with this error. */
  answerError(failure: Failure): void;
  /** Drops the queued connections, and all that come later. */
  close(): void;
}

/** @param findAddress gives the address where the project is served, if there is one. */
export function createConnections(findAddress: () => Address | undefined): Connections {
  const queue: Socket[] = [];
  const giveError = createErrorServer();
  let give: Give | undefined;
  let failure: Failure | undefined;
  return {
    accept(socket) {
      if (give) give(socket);
      else queue.push(socket);
    },
    hold() {
      give = undefined;
      failure = undefined;
    },
    giveTo(next) {
      failure = undefined;
      open(next);
    },
    answerError(next) {
      failure = next;
      open(awaitRequest);
    },
    close: () => open((socket) => void socket.destroy()),
  };

  function open(next: Give): void {
    give = next;
    for (const socket of queue.splice(0)) next(socket);
  }

  /** A browser opens connections before it needs them: what is wrong then may be fixed when it asks. */
  function awaitRequest(socket: Socket): void {
    // An idle client must not keep the process alive.
    socket.unref().on("error", () => socket.destroy());
    socket.once("readable", () => {
      if (failure === undefined) redirect(socket);
      else giveError(socket, failure);
    });
  }

  /** Connects the client to our own port: a socket that has been read from can't be handed to another process. */
  function redirect(client: Socket): void {
    const address = findAddress();
    const { localAddress = "" } = client;
    if (address === undefined) client.destroy();
    else tunnel(client, connect(address.port, localAddress));
  }
}
