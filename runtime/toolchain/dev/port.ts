/** The port of the project in dev: it stays open while workers come and go, and follows the settings. */

import { createServer, type Server, type Socket } from "node:net";
import type { Address } from "#runtime/core/node/listen";
import { listenOn } from "#runtime/core/node/server";

export interface Port {
  /** Undefined until an address can be listened on. */
  readonly address: Address | undefined;
  /** Listens on the wanted address; if that fails, on the same one as before. */
  moveTo(wanted: Address): Promise<void>;
  close(): void;
}

export interface PortEvents {
  onConnection(socket: Socket): void;
  /** Nothing can listen on the wanted address. @param kept the address that is listened on instead, if there is one. */
  onRefused(error: unknown, kept: Address | undefined): void;
}

export function createPort({ onConnection, onRefused }: PortEvents): Port {
  let listener: Listener | undefined;
  let isClosed = false;
  return {
    get address() {
      return listener?.address;
    },
    moveTo,
    close() {
      isClosed = true;
      listener?.close();
    },
  };

  async function moveTo(wanted: Address): Promise<void> {
    if (listener && isSame(listener.wanted, wanted)) return;
    const before = listener;
    try {
      // To take the same port on another host, we have to give it up first.
      if (before?.wanted.port === wanted.port) before.close();
      listener = await listen(wanted, onConnection);
      before?.close();
    } catch (error) {
      listener =
        before && (before.wanted.port === wanted.port ? await listen(before.wanted, onConnection) : before);
      onRefused(error, listener?.address);
    }
    if (isClosed) listener?.close();
  }
}

interface Listener {
  /** Its port may be 0. */
  readonly wanted: Address;
  /** Its port is the one that the system chose. */
  readonly address: Address;
  close(): void;
}

async function listen(wanted: Address, onConnection: (socket: Socket) => void): Promise<Listener> {
  // A worker gets the socket with all that the client has sent, so nothing may be read here.
  const server: Server = createServer({ pauseOnConnect: true }, onConnection);
  const bound = await listenOn(server, wanted);
  return { wanted, address: { host: bound.host, port: bound.port }, close: () => void bound.close() };
}

function isSame(one: Address, other: Address): boolean {
  return one.host === other.host && one.port === other.port;
}
