/** The port of the project while it is being developed: it stays open whatever becomes of the workers, and follows the settings. */

import { createServer, type Server, type Socket } from "node:net";
import type { Address } from "#runtime/core/node/listen";
import { listenOn } from "#runtime/core/node/server";

export interface Port {
  /** Undefined as long as none could be listened on. */
  readonly address: Address | undefined;
  /** Where the wanted address can't be had, the one that there is stays. */
  moveTo(wanted: Address): Promise<void>;
  close(): void;
}

export interface PortEvents {
  onConnection(socket: Socket): void;
  /** @param kept the address that is listened on instead, undefined where there is none. */
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
      // The same port on another host is free only once it is given up.
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
  /** As asked for: the port may be 0. */
  readonly wanted: Address;
  /** As it came out. */
  readonly address: Address;
  close(): void;
}

async function listen(wanted: Address, onConnection: (socket: Socket) => void): Promise<Listener> {
  // Not a byte is read here: what the client sent travels with the socket.
  const server: Server = createServer({ pauseOnConnect: true }, onConnection);
  const bound = await listenOn(server, wanted);
  return { wanted, address: { host: bound.host, port: bound.port }, close: () => void bound.close() };
}

function isSame(one: Address, other: Address): boolean {
  return one.host === other.host && one.port === other.port;
}
