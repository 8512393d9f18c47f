/** The port of the project in dev: it stays open while workers come and go, and follows the settings. */

import { createServer, type Socket } from "node:net";
import { type Address, type Listening, listenOn } from "#runtime/node/listen";
import type { DevEvents } from "./messages.ts";

export interface Port {
  /** Undefined until an address can be listened on. */
  readonly address: Address | undefined;
  /** Listens on this address if nothing prevents it. A failure is not reported: `moveTo` will try again. */
  openEarly(address: Address): Promise<void>;
  /** Listens on the wanted address; if that fails, on the same one as before. */
  moveTo(wanted: Address): Promise<void>;
  close(): void;
}

export function createPort(
  onConnection: (socket: Socket) => void,
  onRefused: DevEvents["onAddressRefused"],
): Port {
  let listener: Listener | undefined;
  let isClosed = false;
  return {
    get address() {
      return listener?.bound;
    },
    openEarly: (address) => move(address, () => {}),
    moveTo: (wanted) => move(wanted, onRefused),
    close() {
      isClosed = true;
      void listener?.bound.close();
    },
  };

  async function move(wanted: Address, refuse: typeof onRefused): Promise<void> {
    if (listener && isSame(listener.wanted, wanted)) return;
    const before = listener;
    try {
      // To take the same port on another host, we have to give it up first.
      if (before?.wanted.port === wanted.port) void before.bound.close();
      listener = await listen(wanted, onConnection);
      void before?.bound.close();
    } catch (error) {
      listener =
        before && (before.wanted.port === wanted.port ? await listen(before.wanted, onConnection) : before);
      refuse(error, listener?.bound);
    }
    if (isClosed) void listener?.bound.close();
  }
}

interface Listener {
  /** Its port may be 0. */
  readonly wanted: Address;
  /** Its port is the one that the system chose. */
  readonly bound: Listening;
}

async function listen(wanted: Address, onConnection: (socket: Socket) => void): Promise<Listener> {
  // A worker gets the socket with all that the client has sent, so nothing may be read here.
  return { wanted, bound: await listenOn(createServer({ pauseOnConnect: true }, onConnection), wanted) };
}

function isSame(one: Address, other: Address): boolean {
  return one.host === other.host && one.port === other.port;
}
