import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createCoreApp } from "../app.ts";
import { bind } from "../bound.fixture.ts";
import { DEFAULT_SETTINGS } from "../settings.ts";
import type { Server } from "./server.ts";

const ASKS = "GET / HTTP/1.1\r\nHost: a\r\nSec-WebSocket-Version: 13\r\nConnection: Upgrade\r\nUpgrade: ";
const TAKEN = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

async function withServer(check: (server: Server) => Promise<void>): Promise<void> {
  const log = { info: () => {}, error: () => {} };
  const settings = { ...DEFAULT_SETTINGS, keepAliveTimeout: 0.33, shutdownTimeout: 5 };
  const app = createCoreApp([bind("GET /", () => ({ ok: true }))], { settings, log });
  const server = await app.listen({ port: 0, host: "127.0.0.1" });
  try {
    await check(server);
  } finally {
    await server.close();
  }
}

function ask({ port }: Server, protocol: string): Socket {
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  socket.write(`${ASKS}${protocol}\r\n\r\n`);
  return socket;
}

async function readAll(socket: Socket): Promise<string> {
  let received = "";
  for await (const text of socket) received += text;
  return received;
}

/** Takes the sockets, and sends back what arrives. */
function echo({ headers }: IncomingMessage, socket: Socket): void {
  assert.is(headers["sec-websocket-version"], "13");
  socket.write(TAKEN);
  socket.on("data", (bytes) => socket.write(bytes));
}

test("a request for a WebSocket that nobody takes gets 426", async () => {
  await withServer(async (server) => {
    for (const protocol of ["websocket", "WebSocket"]) {
      const text = await readAll(ask(server, protocol));
      assert.match(text, /^HTTP\/1\.1 426 Upgrade Required\r\n/);
      assert.match(text, /\r\nUpgrade: HTTP\/1\.1\r\n/i);
      assert.match(text, /\{"error":"No WebSocket is served here\."\}$/);
    }
  });
});

test("the offer of another protocol is ignored", async () => {
  await withServer(async (server) => {
    const text = await readAll(ask(server, "h2c"));
    assert.match(text, /^HTTP\/1\.1 200 OK\r\n/);
  });
});

test("a listener of the server's `node` takes the socket, which is not ended when it is quiet, nor when the server stops", async () => {
  await withServer(async (server) => {
    server.node.on("upgrade", echo);
    const socket = ask(server, "websocket");
    assert.is((await once(socket, "data"))[0], TAKEN);
    const quiet = connect(server.port, "127.0.0.1").resume();
    quiet.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(quiet, "close");
    socket.write("after a while");
    assert.is((await once(socket, "data"))[0], "after a while");
    await server.close();
    socket.write("after the end");
    assert.is((await once(socket, "data"))[0], "after the end");
    socket.destroy();
  });
});

test("once the listener is removed, nobody takes sockets again", async () => {
  await withServer(async (server) => {
    server.node.on("upgrade", echo).off("upgrade", echo);
    assert.match(
      await readAll(ask(server, "websocket")),
      /^HTTP\/1\.1 426 [\s\S]*\r\nUpgrade: HTTP\/1\.1\r\n/,
    );
  });
});

test("an upgrade behind a request that is being answered ends the connection", async () => {
  const log = { info: () => {}, error: () => {} };
  const route = bind("GET /slow", () => new Promise(() => {}));
  const app = createCoreApp([route], { settings: { ...DEFAULT_SETTINGS, shutdownTimeout: 0.1 }, log });
  const server = await app.listen({ port: 0, host: "127.0.0.1" });
  server.node.on("upgrade", echo);
  const socket = connect(server.port, "127.0.0.1").setEncoding("latin1");
  socket.write(`GET /slow HTTP/1.1\r\nHost: a\r\n\r\n${ASKS}websocket\r\n\r\n`);
  socket.on("error", () => {}).resume();
  await once(socket, "close");
  await server.close();
});

test.run();
