/** Asks a Postgres server, or the pooler before it, to cancel the statement that runs on a connection. */

import { connect, isIP, type Socket } from "node:net";
import tls, { type ConnectionOptions } from "node:tls";

/** What a client of `pg` knows of its connection. */
interface Target {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
  readonly ssl: boolean | ConnectionOptions;
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html: these two messages have a code for a type. */
const CANCEL = 80_877_102;
const SECURE = 80_877_103;
const TIMEOUT = 2_000;

/** Does not wait for the answer: the statement fails, or it was done. A connection that breaks meanwhile is nobody's loss. */
export function cancelStatement(client: object): void {
  if (!isTarget(client)) return;
  const socket = client.host.startsWith("/")
    ? connect(`${client.host}/.s.PGSQL.${client.port}`)
    : connect(client.port, client.host);
  socket.setTimeout(TIMEOUT, () => socket.destroy());
  socket.on("error", () => socket.destroy());
  socket.unref();
  if (client.ssl) secure(socket, client, (secured) => send(secured, client));
  else socket.once("connect", () => send(socket, client));
}

function isTarget(client: object): client is Target {
  return "processID" in client && typeof client.processID === "number" && "host" in client;
}

function secure(socket: Socket, { host, ssl }: Target, use: (secured: Socket) => void): void {
  socket.once("connect", () => socket.write(toMessage(SECURE)));
  socket.once("data", (answer) => {
    if (answer.toString() !== "S") {
      socket.destroy();
      return;
    }
    const options = typeof ssl === "object" ? ssl : {};
    const servername = isIP(host) ? {} : { servername: host };
    const secured = tls.connect({ socket, host, ...servername, ...options }, () => use(secured));
    secured.on("error", () => secured.destroy());
  });
}

/** The other side closes the connection. PgBouncer drops the request of a client that left before, and its version 1.18 crashes. */
function send(socket: Socket, { processID, secretKey }: Target): void {
  socket.resume().write(toMessage(CANCEL, processID, secretKey));
}

/** A length and numbers, each of four bytes. */
function toMessage(...numbers: readonly number[]): Buffer {
  const message = Buffer.alloc(4 * (numbers.length + 1));
  for (const [index, number] of [message.length, ...numbers].entries())
    message.writeInt32BE(number, 4 * index);
  return message;
}
