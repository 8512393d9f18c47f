import { once } from "node:events";
import { connect, createServer, type ListenOptions, type Server } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createCoreApp } from "../app.ts";
import { bind } from "../bound.fixture.ts";
import { gate, settle } from "../gate.fixture.ts";
import { DEFAULT_SETTINGS } from "../settings.ts";
import { listenOn } from "./listen.ts";
import { useTransport } from "./server.ts";

const LOCALHOST = { host: "localhost", port: 0 };

/** Has the server wait before it is bound. @returns the port that its other address has. */
function holdBack(server: Server, until: Promise<unknown>): Promise<number> {
  const asked = gate<number>();
  const listen = server.listen.bind(server);
  Object.assign(server, {
    listen(options: ListenOptions) {
      asked.open(options.port ?? 0);
      void until.then(() => listen(options));
      return server;
    },
  });
  return asked.opened;
}

test("a request to one address of localhost is served once both are bound, when the process is ready for signals", async () => {
  const held = gate();
  const port = gate<number>();
  const before = useTransport((http, address) => {
    void holdBack(http, held.opened).then(port.open);
    return listenOn(http, address);
  });
  const without = process.listenerCount("SIGTERM");
  const asked: number[] = [];
  const handler = (): string => {
    asked.push(process.listenerCount("SIGTERM") - without);
    return "served";
  };
  const app = createCoreApp([bind("GET /", handler)], {
    settings: { ...DEFAULT_SETTINGS, ...LOCALHOST },
    log: { info() {}, error() {} },
  });
  const listening = app.listen();
  useTransport(before);
  const client = connect(await port.opened, "::1");
  client.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  await once(client, "connect");
  await settle();
  assert.equal(asked, []);
  held.open();
  const server = await listening;
  try {
    assert.match(await text(client), /served$/);
    assert.equal(asked, [1]);
  } finally {
    await server.close();
  }
});

test("a client that left before both addresses are bound does no harm to the others", async () => {
  const held = gate();
  const server = createServer((socket) => void socket.on("error", () => {}).end("served"));
  const port = holdBack(server, held.opened);
  const listening = listenOn(server, LOCALHOST);
  const [lost, kept] = [connect(await port, "::1"), connect(await port, "::1")];
  await Promise.all([once(lost, "connect"), once(kept, "connect")]);
  lost.resetAndDestroy();
  await settle();
  held.open();
  assert.is(await text(kept), "served");
  await (await listening).close();
});

test("the end of a client that said nothing before both addresses are bound reaches the server", async () => {
  const held = gate();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.resume().on("end", () => socket.end("ended"));
  });
  const port = holdBack(server, held.opened);
  const listening = listenOn(server, LOCALHOST);
  const client = connect({ port: await port, host: "::1", allowHalfOpen: true });
  await once(client, "connect");
  client.end();
  await settle();
  held.open();
  assert.is(await text(client), "ended");
  await (await listening).close();
});

test("who has connected to one address is disconnected when the other one can't be bound", async () => {
  const server = createServer();
  const held = gate();
  const port = holdBack(server, held.opened);
  const listening = listenOn(server, LOCALHOST).catch((error) => error);
  const client = connect(await port, "::1");
  await once(client, "connect");
  const refusal = Object.assign(new Error("not allowed"), { code: "EACCES" });
  server.emit("error", refusal);
  assert.is(await listening, refusal);
  assert.is(await text(client), "");
});

test.run();
