import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createCoreApp } from "../app.ts";
import { bind } from "../bound.fixture.ts";
import { type Clock, stopClock } from "../clock.fixture.ts";
import { events } from "../message/events.ts";
import type { Request } from "../message/request.ts";
import { DEFAULT_SETTINGS } from "../settings.ts";
import { nextAccepted } from "./accepted.fixture.ts";

const BYTES = 24 * 1024 * 1024;
const REQUEST_TIMEOUT = 100;
const KEEP_ALIVE_TIMEOUT = 300;
/** Less than the shortest time-out, and more than what the machine may take meanwhile. */
const STEP = 10;

async function* flood(): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(64 * 1024);
  for (let sent = 0; sent < BYTES; sent += chunk.length) yield chunk;
}

async function* flow(): AsyncGenerator<string> {
  for (;;) yield "x".repeat(64 * 1024);
}

const app = createCoreApp(
  [
    bind("GET /", () => ({ ok: true })),
    bind("GET /text", () => "x".repeat(BYTES)),
    bind("GET /stream", () => flood()),
    bind("GET /events", () => events(flow())),
    bind("GET /wait", (request: Request) => once(request.signal, "abort")),
  ],
  {
    settings: {
      ...DEFAULT_SETTINGS,
      host: "127.0.0.1",
      port: 0,
      requestTimeout: REQUEST_TIMEOUT,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
      handlerTimeout: 0,
    },
    log: { info: () => {}, error: () => {} },
  },
);

interface Talk {
  readonly clock: Clock;
  readonly client: Socket;
  /** The server's side of the connection. */
  readonly connection: Socket;
}

/** Sends the text over a connection of its own. Time passes only as the test says, and the machine's own, which is little. */
async function withTalk(text: string, use: (talk: Talk) => Promise<void>): Promise<void> {
  await stopClock(async (clock) => {
    const server = await app.listen();
    const accepted = nextAccepted();
    const client = connect(server.port, "127.0.0.1").on("error", () => {});
    client.write(text);
    const connection = await accepted;
    await use({ clock, client, connection });
    client.destroy();
    await server.close();
  });
}

/** @returns after how many seconds the server has closed the connection; `longest` if it has not by then. */
async function secondsToEnd({ clock, connection }: Talk, longest: number): Promise<number> {
  for (let seconds = 0; seconds < longest; seconds += STEP) {
    clock.pass(STEP);
    await setImmediate();
    if (connection.destroyed) return seconds;
  }
  return longest;
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

const UNREAD: Readonly<Record<string, string>> = {
  "a text": get("/text"),
  "a stream": get("/stream"),
  events: get("/events"),
  "a text, although it sends part of another request": `${get("/text")}G`,
  "the second of two pipelined answers": `${get("/")}${get("/text")}`,
  "an answer in front of another one": `${get("/text")}${get("/wait")}`,
};

for (const [what, text] of Object.entries(UNREAD)) {
  test(`a client that reads nothing of ${what} is cut off after request_timeout, and not after twice that`, () =>
    withTalk(text, async (talk) => {
      await once(talk.client, "readable");
      const seconds = await secondsToEnd(talk, 2 * REQUEST_TIMEOUT);
      assert.ok(seconds >= REQUEST_TIMEOUT && seconds < 1.5 * REQUEST_TIMEOUT, `after ${seconds} seconds`);
    }));
}

for (const what of ["/text", "/stream", "/events"]) {
  test(`a client that reads a little of ${what} now and then is not cut off`, () =>
    withTalk(get(what), async (talk) => {
      await once(talk.client, "readable");
      for (let seconds = 0; seconds < 5 * REQUEST_TIMEOUT; seconds += REQUEST_TIMEOUT / 2) {
        await readSome(talk.client, 2 * 1024 * 1024);
        talk.clock.pass(REQUEST_TIMEOUT / 2);
        await setImmediate();
        assert.is(talk.connection.destroyed, false, `after ${seconds} seconds`);
      }
    }));
}

/** Reads so many bytes, and no more until it is called again. */
async function readSome(client: Socket, bytes: number): Promise<void> {
  for (let count = 0; count < bytes; ) {
    const piece: Buffer | null = client.read();
    if (piece === null) await once(client, "readable");
    else count += piece.length;
  }
}

test("a client is waited for as long as its handler takes", () =>
  withTalk(get("/wait"), async (talk) => {
    const longest = 2 * KEEP_ALIVE_TIMEOUT;
    assert.is(await secondsToEnd(talk, longest), longest);
  }));

test("until its first byte a connection is not idle: the request's head has a time-out of its own", () =>
  withTalk("", async (talk) => {
    const longest = 2 * KEEP_ALIVE_TIMEOUT;
    assert.is(await secondsToEnd(talk, longest), longest);
  }));

test("an idle connection is closed after keep_alive_timeout, which begins behind the answer", () =>
  withTalk(get("/text"), async (talk) => {
    await secondsToEnd(talk, REQUEST_TIMEOUT / 2);
    talk.client.resume();
    await once(talk.connection, "drain");
    const seconds = await secondsToEnd(talk, 2 * KEEP_ALIVE_TIMEOUT);
    assert.ok(
      seconds >= KEEP_ALIVE_TIMEOUT && seconds < 1.5 * KEEP_ALIVE_TIMEOUT,
      `after ${seconds} seconds`,
    );
  }));

test.run();
