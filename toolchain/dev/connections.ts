/**
 * The port of the project in dev, which stays open while workers come and go, and where its connections go: to a worker, to the error
 * answer, or into a queue.
 */

import { connect, createServer, type Socket } from "node:net";
import { type Address, type Listening, listenOn } from "#runtime/node/listen";
import { tunnel } from "./debugger-port.ts";
import { createErrorServer, type Failure } from "./error-server.ts";

interface Listener {
  /** Its port may be 0. */
  readonly wanted: Address;
  /** Its port is the one that the system chose. */
  readonly bound: Listening;
}

export class Connections {
  readonly #onArrival: () => void;
  readonly #queue: Socket[] = [];
  readonly #answerError = createErrorServer();
  #give: ((socket: Socket) => void) | undefined;
  #failure: Failure | undefined;
  #listener: Listener | undefined;
  #isClosed = false;

  /** @param onArrival is called before a connection is accepted. */
  constructor(onArrival: () => void) {
    this.#onArrival = onArrival;
  }

  /** Undefined until an address can be listened on. */
  get address(): Address | undefined {
    return this.#listener?.bound;
  }

  /** Listens on this address. @throws the system's error if nothing can: then it goes on where it was before. */
  async moveTo(wanted: Address): Promise<void> {
    const before = this.#listener;
    const isSamePort = before?.wanted.port === wanted.port;
    if (isSamePort && before.wanted.host === wanted.host) return;
    // To take the same port on another host, it has to be given up first.
    if (isSamePort) void before.bound.close();
    try {
      this.#listener = await this.#listen(wanted);
      if (!isSamePort) void before?.bound.close();
    } catch (error) {
      if (isSamePort) this.#listener = await this.#listen(before.wanted);
      throw error;
    } finally {
      if (this.#isClosed) void this.#listener?.bound.close();
    }
  }

  /** Takes a connection from which nothing has been read yet. */
  accept(socket: Socket): void {
    if (this.#give) this.#give(socket);
    else this.#queue.push(socket);
  }

  /** Queues connections until one of the next two is called. */
  hold(): void {
    this.#give = undefined;
    this.#failure = undefined;
  }

  /** Gives each connection away, the queued ones first. */
  giveTo(give: (socket: Socket) => void): void {
    this.#failure = undefined;
    this.#give = give;
    for (const socket of this.#queue.splice(0)) give(socket);
  }

  /** Answers every request with this error. */
  fail(failure: Failure): void {
    this.giveTo((socket) => this.#awaitRequest(socket));
    this.#failure = failure;
  }

  /** Drops the queued connections, and all that come later. */
  close(): void {
    this.#isClosed = true;
    void this.#listener?.bound.close();
    this.giveTo((socket) => void socket.destroy());
  }

  async #listen(wanted: Address): Promise<Listener> {
    // A worker gets the socket with all that the client has sent, so nothing may be read here.
    const server = createServer({ pauseOnConnect: true }, (socket) =>
      setImmediate(() => {
        this.#onArrival();
        this.accept(socket);
      }),
    );
    return { wanted, bound: await listenOn(server, wanted) };
  }

  /** A browser opens connections before it needs them: what is wrong then may be fixed when it asks. */
  #awaitRequest(socket: Socket): void {
    // An idle client must not keep the process alive.
    socket.unref().on("error", () => socket.destroy());
    socket.once("readable", () => {
      if (this.#failure === undefined) this.#redirect(socket);
      else this.#answerError(socket, this.#failure);
    });
  }

  /** Connects the client to our own port: a socket that has been read from can't be handed to another process. */
  #redirect(client: Socket): void {
    const { localAddress = "" } = client;
    if (this.address === undefined) client.destroy();
    else tunnel(client, connect(this.address.port, localAddress));
  }
}
