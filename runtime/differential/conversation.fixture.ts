/** A client that sends packets over a connection of its own, waits until the server has nothing more to say, and ends its side. */

import type { Socket } from "node:net";
import type { Lane, Seen } from "./lane.fixture.ts";
import { type Call, nextTurn } from "./plan.fixture.ts";

export interface Heard {
  /** All that came, byte by byte. */
  readonly bytes: string;
  /** How much of it had come when the server waited for more with the connection open; undefined if it never did. */
  readonly openAt: number | undefined;
  /** How the connection ended once the client had ended its side. */
  readonly end: "closed" | "hangs";
  readonly calls: readonly Call[];
  readonly seen: readonly Seen[];
}

/** A server that reads has a packet after fewer turns. One that does not read has stopped to. */
const READ_TURNS = 12;
/** A server that is busy moves within fewer: the longest chain of timers in it is shorter. */
const QUIET_TICKS = 8;
/** A server that closes does so within fewer quiet ticks of a millisecond. */
const HANGS_TICKS = 400;

/** @param halfCloses the client ends its side at once behind the last packet. */
export async function converse(lane: Lane, packets: readonly string[], halfCloses: boolean): Promise<Heard> {
  lane.calls.length = 0;
  lane.seen.length = 0;
  const accepted = lane.accepted();
  const client = connect(lane.port);
  const server = await accepted;
  const state = { client: client.socket, server, lane };
  let sent = 0;
  for (const packet of packets) {
    if (client.hasEnded()) break;
    client.socket.write(packet, "latin1");
    sent += packet.length;
    await hasRead(server, sent);
  }
  let openAt: number | undefined;
  if (!halfCloses && !client.hasEnded()) {
    await isQuiet(state, QUIET_TICKS, client.hasEnded);
    if (!client.hasEnded()) openAt = client.received().length;
  }
  client.socket.end();
  const isSettled = () => client.socket.closed && server.closed && lane.calls.every(({ isDone }) => isDone);
  await isQuiet(state, HANGS_TICKS, isSettled);
  const end = isSettled() ? "closed" : "hangs";
  client.socket.destroy();
  server.destroy();
  return { bytes: client.received(), openAt, end, calls: structuredClone(lane.calls), seen: [...lane.seen] };
}

function connect(port: number): { socket: Socket; received(): string; hasEnded(): boolean } {
  const net = process.getBuiltinModule("node:net");
  const socket = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
  const pieces: string[] = [];
  let hasEnded = false;
  const onEnd = (): void => {
    hasEnded = true;
  };
  socket.setEncoding("latin1");
  // A reset is an end like any other.
  socket
    .on("data", (text: string) => pieces.push(text))
    .on("error", onEnd)
    .on("end", onEnd)
    .on("close", onEnd);
  return { socket, received: () => pieces.join(""), hasEnded: () => hasEnded };
}

/** Resolves when the server has read so many bytes, or has stopped reading. */
async function hasRead(server: Socket, bytes: number): Promise<void> {
  let before = server.bytesRead;
  for (let turns = 0; before < bytes && turns < READ_TURNS && !server.destroyed; turns++) {
    await nextTurn();
    if (server.bytesRead !== before) turns = 0;
    before = server.bytesRead;
  }
  // The client reads what came back before it sends more: a packet to a closed socket would make the system drop it.
  await nextTurn();
  await nextTurn();
}

interface State {
  readonly client: Socket;
  readonly server: Socket;
  readonly lane: Lane;
}

/**
 * Resolves when nothing has moved for so many ticks, or something has happened. All is in one process and on the loopback interface, so
 * what was written is there to be read in the next turn; and timers of one length run in their order.
 */
async function isQuiet(state: State, ticks: number, hasHappened: () => boolean): Promise<void> {
  let before = "";
  for (let still = 0; still < ticks && !hasHappened(); still++) {
    const now = describe(state);
    if (now !== before) still = 0;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function describe({ client, server, lane }: State): string {
  const calls = lane.calls.map(({ read, isDone }) => `${read}${isDone}`);
  return [client.bytesRead, server.bytesRead, server.bytesWritten, ...calls].join(" ");
}
