import { connect } from "node:net";
import { setImmediate } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createCoreApp } from "../app.ts";
import { bind } from "../bound.fixture.ts";
import type { Request } from "../message/request.ts";
import { runs, sample } from "../random.fixture.ts";
import { DEFAULT_SETTINGS } from "../settings.ts";
import { nextAccepted } from "./accepted.fixture.ts";

let running = 0;
let open: () => void = () => {};
let opened = Promise.resolve();

/** Every handler waits until the test opens. */
function close(): void {
  running = 0;
  opened = new Promise((resolve) => {
    open = resolve;
  });
}

const app = createCoreApp(
  [
    bind("GET /", async (request: Request) => {
      running++;
      await opened;
      return request.query.get("n");
    }),
    bind("POST /", async (request: Request) => {
      running++;
      await opened;
      return request.text();
    }),
  ],
  { settings: { ...DEFAULT_SETTINGS, port: 0 }, log: { info: () => {}, error: () => {} } },
);

const FORMS: Readonly<Record<string, (n: number) => string>> = {
  "without a body": (n) => `GET /?n=${n} HTTP/1.1\r\nHost: a\r\n\r\n`,
  "with a body": (n) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${String(n).length}\r\n\r\n${n}`,
};

const COUNT = runs(15_000, 50_000);

for (const [form, format] of sample("forms of a flood", Object.entries(FORMS), 1)) {
  test(`of a flood of requests ${form}, the server takes up only what one read brings, and all are answered in the end`, async () => {
    close();
    const server = await app.listen({ host: "127.0.0.1" });
    const accepted = nextAccepted();
    const client = connect(server.port, "127.0.0.1").setEncoding("latin1");
    client.end(Array.from({ length: COUNT }, (_, n) => format(n)).join(""));
    const connection = await accepted;
    while (!connection.isPaused() && running < COUNT) await setImmediate();
    const taken = running;
    assert.ok(taken < 5000, `${taken} handlers were running`);
    // Nothing more is read while nothing is answered.
    const { bytesRead } = connection;
    for (let turn = 0; turn < 100; turn++) await setImmediate();
    assert.is(connection.bytesRead, bytesRead);
    open();
    let received = "";
    for await (const piece of client) received += piece;
    const numbers = received.split(/HTTP\/1\.1 200 OK\r\n[\s\S]*?\r\n\r\n/).slice(1);
    assert.equal(numbers.length, COUNT);
    assert.ok(numbers.every((number, at) => Number(number) === at));
    await server.close();
  });
}

test.run();
