import { EventEmitter, on, once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { fc } from "#runtime/fast-check.fixture";
import { createCoreApp, type Handler } from "../app.ts";
import { stopClock } from "../clock.fixture.ts";
import { gate, settle } from "../gate.fixture.ts";
import type { LogEvent } from "../log/log.ts";
import type { Server } from "../node/server.ts";
import { DEFAULT_SETTINGS, type ServerSettings } from "../settings.ts";
import { event, events } from "./events.ts";
import type { Request } from "./request.ts";

interface Received {
  readonly type: string;
  readonly data: string;
  readonly lastId: string;
}

/** What a client hears, by the steps of section 9.2.6 of the HTML standard. */
function interpret(text: string): Received[] {
  const heard: Received[] = [];
  let [type, data, lastId] = ["", "", ""];
  for (const line of text.split(/\r\n|\n|\r/).slice(0, -1)) {
    if (line === "") {
      if (data !== "") heard.push({ type: type || "message", data: data.slice(0, -1), lastId });
      [type, data] = ["", ""];
      continue;
    }
    const [, field = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === "event") type = value;
    else if (field === "data") data += `${value}\n`;
    else if (field === "id" && !value.includes("\0")) lastId = value;
  }
  return heard;
}

async function read(texts: AsyncIterable<string>): Promise<string> {
  let all = "";
  for await (const text of texts) all += text;
  return all;
}

/** What is yielded, and the lines that are sent. */
const SENT: [string, unknown, string][] = [
  ["a text is data", "a", "data: a"],
  [
    "a text with line breaks is data in several lines",
    "a\nb\r\nc\rd\n",
    "data: a\ndata: b\ndata: c\ndata: d\ndata: ",
  ],
  ["an object is data as JSON", { a: "x\ny" }, 'data: {"a":"x\\ny"}'],
  ["an object with the keys of an event is data", { data: 1, id: 2 }, 'data: {"data":1,"id":2}'],
  ["an array, a number, a boolean and null are JSON", [1, true, null], "data: [1,true,null]"],
  [
    "an event has its fields",
    event({ event: "price", id: 7, retry: 100, data: { eur: 5 } }),
    'event: price\nid: 7\nretry: 100\ndata: {"eur":5}',
  ],
  ["an event can be a comment", event({ comment: "a\nb" }), ": a\n: b\n"],
  ["an empty id takes back the one before", event({ id: "", data: "a" }), "id: \ndata: a"],
  ["an event without data only tells its id", event({ id: "x" }), "id: x\n"],
];

for (const [title, given, lines] of SENT) {
  test(title, async () => {
    const text = await read(events([given]));
    assert.is(text, `:\n\n${lines.replace(/\n$/, "")}\n\n`);
  });
}

/** What can't be an event, and why. */
const REFUSED: [string, () => unknown, RegExp][] = [
  ...["\n", "\r", "\r\n", "\0"].flatMap((ending): [string, () => unknown, RegExp][] => [
    [
      `an id with ${JSON.stringify(ending)}`,
      () => event({ id: `1${ending}data: x` }),
      /TypeError: The id of/,
    ],
    [
      `a name with ${JSON.stringify(ending)}`,
      () => event({ event: `a${ending}` }),
      /TypeError: The event of/,
    ],
  ]),
  ["a negative retry", () => event({ retry: -1 }), /RangeError/],
  ["a Map as data", () => event({ data: new Map() }), /TypeError.*no JSON/],
  ["bytes as data", () => event({ data: new Uint8Array(1) }), /TypeError.*Events are text/],
  ["NaN as data", () => event({ data: Number.NaN }), /TypeError.*no JSON/],
];

for (const [title, make, reason] of REFUSED) {
  test(`${title} is refused where the event is made`, () => {
    assert.throws(make, (error: unknown) => error instanceof Error && reason.test(String(error)));
  });
}

test("whatever the data and the fields are, a client hears these and no others", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          data: fc.oneof(fc.string(), fc.constantFrom("\r", "\n\n", "a\r\nid: 9\n\ndata: b")),
          id: fc.nat(),
        }),
      ),
      async (list) => {
        const heard = interpret(await read(events(list.map((fields) => event(fields)))));
        const expected = list.map(({ data, id }) => ({
          type: "message",
          data: data.replace(/\r\n|\r/g, "\n"),
          lastId: String(id),
        }));
        assert.equal(heard, expected);
      },
    ),
  ));

const logged: LogEvent[] = [];
const log = { info: () => {}, error: (told: LogEvent) => void logged.push(told) };
const location = { file: "routes/x.ts", line: 1, column: 1 };
const route = {
  method: "GET",
  pattern: "/",
  segments: [],
  arguments: ["request"],
  handler: "get",
  module: "routes/x.ts",
  app: null,
  convention: "routes",
  location,
} as const;

function createApp(handler: (request: Request) => unknown, changed: Partial<ServerSettings> = {}) {
  const settings = { ...DEFAULT_SETTINGS, host: "127.0.0.1", port: 0, ...changed };
  return createCoreApp([{ route, handler: handler as Handler }], { settings, log });
}

async function withServer(
  handler: (request: Request) => unknown,
  use: (server: Server) => Promise<void>,
  changed?: Partial<ServerSettings>,
): Promise<void> {
  logged.length = 0;
  const server = await createApp(handler, changed).listen();
  try {
    await use(server);
  } finally {
    await server.close();
  }
}

type TextReader = ReadableStreamDefaultReader<string>;

function readerOf(response: Response): TextReader {
  assert.ok(response.body);
  return response.body.pipeThrough(new TextDecoderStream()).getReader();
}

/** @returns what comes until the text has come, or all. */
async function readOn(reader: TextReader, end?: string): Promise<string> {
  let text = "";
  while (end === undefined || !text.includes(end)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  return text;
}

/** Reads until the text has come, and leaves. */
async function readUntil(response: Response, end: string): Promise<string> {
  const reader = readerOf(response);
  const text = await readOn(reader, end);
  await reader.cancel();
  return text;
}

/** Yields, then waits for what never comes, unless it is told. */
async function* waitForEver(told: string[], signal?: AbortSignal): AsyncGenerator<string> {
  try {
    yield "one";
    await new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  } catch (error) {
    told.push((error as Error).name);
    throw error;
  } finally {
    told.push("ended");
  }
}

const COMMENT = ":\n\n";

test("the head and a first comment come before the first event", () =>
  withServer(
    () => events(on(new EventEmitter(), "never")),
    async ({ url }) => {
      const response = await fetch(url);
      assert.is(response.headers.get("content-type"), "text/event-stream");
      assert.is(await readUntil(response, COMMENT), COMMENT);
    },
  ));

/** Yields an event when the test says so. */
async function* late(opened: Promise<void>): AsyncGenerator<string> {
  await opened;
  yield "late";
}

test("a quiet stream has a comment at each heartbeat, and then the event that it waited for", () =>
  stopClock(async (clock) => {
    const { opened, open } = gate();
    await withServer(
      () => events(late(opened), { heartbeat: 2 }),
      async ({ url }) => {
        const reader = readerOf(await fetch(url));
        const heard = [await readOn(reader, COMMENT)];
        for (let beats = 0; beats < 3; beats++) {
          clock.pass(2);
          heard.push(await readOn(reader, COMMENT));
        }
        clock.pass(1.999);
        open();
        heard.push(await readOn(reader));
        assert.equal(heard, [COMMENT, COMMENT, COMMENT, COMMENT, "data: late\n\n"]);
      },
    );
  }));

test("a heartbeat leaves nothing behind at the event that the stream waits for", () =>
  stopClock(async (clock) => {
    let waits = 0;
    const silence = new Promise<never>(() => {});
    // biome-ignore lint/suspicious/noThenProperty: counts who waits.
    silence.then = (yes, no) => {
      waits++;
      return Promise.prototype.then.call(silence, yes as never, no as never) as never;
    };
    const source = { [Symbol.asyncIterator]: () => ({ next: () => silence }) };
    await withServer(
      () => events(source, { heartbeat: 2 }),
      async ({ url }) => {
        const reader = readerOf(await fetch(url));
        await readOn(reader, COMMENT);
        for (let beats = 0; beats < 3; beats++) {
          clock.pass(2);
          await readOn(reader, COMMENT);
        }
        assert.is(waits, 1);
      },
    );
  }));

test("without a heartbeat there is only the first comment", async () => {
  const { opened, open } = gate();
  const text = read(events(late(opened), { heartbeat: 0 }));
  await settle();
  open();
  assert.is(await text, ":\n\ndata: late\n\n");
});

test("handler_timeout does not cut events, however late the first one is", () =>
  stopClock(async (clock) => {
    const { opened, open } = gate();
    await withServer(
      async () => events(late(opened)),
      async ({ url }) => {
        const response = await fetch(url);
        clock.pass(10);
        open();
        assert.is(await response.text(), ":\n\ndata: late\n\n");
        assert.equal(logged, []);
      },
      { handlerTimeout: 1 },
    );
  }));

test("when the client leaves, a source that waits is returned at once, and nothing is logged", async () => {
  const told: string[] = [];
  const source: AsyncIterableIterator<string> = {
    [Symbol.asyncIterator]: () => source,
    next: () => new Promise(() => {}),
    return: async () => {
      told.push("returned");
      return { done: true, value: undefined };
    },
  };
  await withServer(
    () => events(source),
    async ({ url, port }) => {
      await readUntil(await fetch(url), COMMENT);
      const socket = connect(port, "127.0.0.1");
      socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      await once(socket, "data");
      socket.resetAndDestroy();
      for (let tries = 0; told.length < 2 && tries < 100; tries++) await sleep(10);
      assert.equal(told, ["returned", "returned"]);
      assert.equal(logged, []);
    },
  );
});

test("when the client leaves, a generator that listens to the request's signal ends while it waits", async () => {
  const told: string[] = [];
  await withServer(
    (request) => events(waitForEver(told, request.signal)),
    async ({ url }) => {
      assert.match(await readUntil(await fetch(url), "one"), /data: one\n\n/);
      for (let tries = 0; told.length < 2 && tries < 100; tries++) await sleep(10);
      assert.equal(told, ["AbortError", "ended"]);
      assert.equal(logged, []);
    },
  );
});

test("for fetch, too, the source is returned when the reader leaves", async () => {
  const emitter = new EventEmitter();
  const response = await createApp(() => events(on(emitter, "tick"))).fetch("/");
  const read = readUntil(response, "7");
  emitter.emit("tick", 7);
  assert.is(await read, ":\n\ndata: [7]\n\n");
  assert.is(emitter.listenerCount("tick"), 0);
});

test("a HEAD starts the source and ends it", async () => {
  const told: string[] = [];
  const response = await createApp(() => events(waitForEver(told))).fetch("/", { method: "HEAD" });
  assert.is(response.headers.get("content-type"), "text/event-stream");
  assert.is(await response.text(), "");
});

test("a source that fails later, or yields what can't be sent, cuts the stream and is logged", async () => {
  for (const [piece, reason] of [
    [new Map(), /a Map, which has no JSON/],
    [undefined, /undefined, which has no JSON/],
    [null, /late/],
  ] as const) {
    const told: string[] = [];
    const answered = gate();
    async function* fail(): AsyncGenerator<unknown> {
      try {
        yield "one";
        await answered.opened;
        yield piece;
        throw new Error("late");
      } finally {
        told.push("ended");
      }
    }
    await withServer(
      () => events(fail()),
      async ({ url }) => {
        const response = await fetch(url);
        assert.is(response.status, 200);
        answered.open();
        assert.is(await response.text().catch((error: Error) => error.name), "TypeError");
        assert.match(String(logged[0]?.error), reason);
        assert.equal([logged.length, told], [1, ["ended"]]);
      },
    );
  }
});

test("a server that stops ends its events at once, as whole responses, and tells the request's signal", async () => {
  const told: string[] = [];
  logged.length = 0;
  const waits = (request: Request): unknown => events(waitForEver(told, request.signal));
  const server = await createApp(waits, { shutdownTimeout: 100 }).listen();
  const response = await fetch(server.url);
  const text = response.text();
  await settle();
  const began = performance.now();
  await server.close();
  assert.ok(performance.now() - began < 50_000, "it does not wait for the time-out");
  assert.is(await text, ":\n\ndata: one\n\n");
  assert.equal(told, ["AbortError", "ended"]);
  assert.equal(logged, []);
});

test.run();
