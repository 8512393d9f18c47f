import { once } from "node:events";
import { connect, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { listenOn } from "./listen.ts";

const LOCALHOST = { host: "localhost", port: 0 };

test("a server gets the connections of both addresses of localhost, with its own options", async () => {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.resume().on("end", () => socket.end("ended"));
  });
  const { port, close } = await listenOn(server, LOCALHOST);
  for (const host of ["127.0.0.1", "::1"])
    assert.is(await text(connect({ port, host, allowHalfOpen: true }).end()), "ended");
  await close();
});

test("what keeps a server from one address of localhost frees the other one", async () => {
  const server = createServer();
  const refusal = Object.assign(new Error("not allowed"), { code: "EACCES" });
  let port = 0;
  Object.assign(server, {
    listen(options: { port: number }) {
      port = options.port;
      server.emit("error", refusal);
    },
  });
  assert.is(await listenOn(server, LOCALHOST).catch((error) => error), refusal);
  const [error] = await once(connect(port, "::1"), "error");
  assert.is(error.code, "ECONNREFUSED");
});

test.run();
