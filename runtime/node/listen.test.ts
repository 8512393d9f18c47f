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

test.run();
