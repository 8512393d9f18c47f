import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Handler } from "../app.ts";
import { stopClock } from "../clock.fixture.ts";
import { gate, settle } from "../gate.fixture.ts";
import { chainHooks, type Middleware, type Next } from "../hooks/hooks.ts";
import { HttpError } from "../message/errors.ts";
import { events } from "../message/events.ts";
import type { Request } from "../message/request.ts";
import { type CalledProvider, createServed, type Served } from "../served.fixture.ts";

/** What happens to the generators, in order: `a commits`, `a: <what is thrown into it>`, `a returns`. */
let told: string[] = [];
test.before.each(() => {
  told = [];
});

interface Ways {
  readonly name: string;
  readonly onEnd?: () => unknown;
  readonly onError?: (error: unknown) => unknown;
  readonly onReturn?: () => unknown;
}

/** A provider that waits wherever it can. */
async function* trace({ name, onEnd, onError, onReturn }: Ways): AsyncGenerator<string> {
  await turn();
  let isResumed = false;
  try {
    yield name;
    isResumed = true;
    await turn();
    told.push(`${name} commits`);
    await onEnd?.();
  } catch (error) {
    if (isResumed) throw error;
    isResumed = true;
    await turn();
    told.push(`${name}: ${error instanceof Error ? error.message : Object(error).constructor.name}`);
    if (onError === undefined) throw error;
    await onError(error);
  } finally {
    if (!isResumed) {
      await turn();
      told.push(`${name} returns`);
      await onReturn?.();
    }
  }
}

const opens = (name: string, ways: Omit<Ways, "name"> = {}): CalledProvider => ({
  name,
  run: () => trace({ name, ...ways }),
});

/** Two generators around the handler. */
const around = (
  handler: Handler,
  inner: Omit<Ways, "name"> = {},
  outer: Omit<Ways, "name"> = {},
): Served => ({
  calls: [opens("a", outer), opens("b", inner)],
  needs: [0, 1],
  handler,
});

const fails = (error: unknown) => () => {
  throw error;
};

const COMMITTED = ["b commits", "a commits"];
const JSON_ERROR = { error: "Internal Server Error" };
const NO = { error: "no" };
const TAKEN = { error: "taken" };
const throwsNo = fails(new HttpError(404, "no"));
const throwsTaken = fails(new HttpError(409, "taken"));

const ANSWERS: readonly [
  what: string,
  served: Served,
  told: readonly string[],
  status: number,
  body?: unknown,
  logged?: RegExp,
][] = [
  [
    "a good answer commits, the last first",
    around((...args) => ({ args })),
    COMMITTED,
    200,
    { args: ["a", "b"] },
  ],
  ["so does one with an error's status", around(() => [{ no: 1 }, 404]), COMMITTED, 404, { no: 1 }],
  ["a thrown HttpError is thrown into them", around(throwsNo), ["b: no", "a: no"], 404, NO],
  [
    "so is a thrown Response, which stays the answer",
    around(() => Promise.reject(Response.json({ gone: true }, { status: 410 }))),
    ["b: Response", "a: Response"],
    410,
    { gone: true },
  ],
  [
    "so is an error of a promise",
    around(async () => fails(new Error("broken"))()),
    ["b: broken", "a: broken"],
    500,
    JSON_ERROR,
    /broken/,
  ],
  [
    "so is what can't be sent",
    around(() => new Map()),
    [
      "b: The handler returned a Map, which has no JSON. Give an array or an object instead, as in Object.fromEntries(…).",
    ],
    500,
    JSON_ERROR,
    /a Map/,
  ],
  [
    "a thrown Response that can't be sent is a 500",
    around(fails(Response.error())),
    ["b: Response", "a: Response"],
    500,
    JSON_ERROR,
    /Response\.error\(\)/,
  ],
  [
    "a commit that fails is the answer, and thrown into the outer ones",
    around(() => ({}), { onEnd: throwsTaken }),
    ["b commits", "a: taken"],
    409,
    TAKEN,
  ],
  [
    "an outer commit that fails is the answer, too",
    around(() => ({}), {}, { onEnd: fails(new Error("disk full")) }),
    COMMITTED,
    500,
    JSON_ERROR,
    /disk full/,
  ],
  [
    "a generator may throw another error",
    around(fails(new Error("SQL")), { onError: throwsTaken }),
    ["b: SQL", "a: taken"],
    409,
    TAKEN,
  ],
  [
    "a generator that swallows the error does not change the answer",
    around(throwsNo, { onError: () => {} }, { onError: () => {} }),
    ["b: no", "a: no"],
    404,
    NO,
  ],
  [
    "a provider that fails has those before it closed",
    { calls: [opens("a"), opens("b"), { run: fails(new HttpError(403, "no")) }, opens("c")] },
    ["b: no", "a: no"],
    403,
    NO,
  ],
  [
    "so has a refused value",
    { calls: [opens("a"), { run: () => {}, read: () => undefined }] },
    ["a: The request does not fit what the handler takes."],
    422,
  ],
  [
    "one that ends without a value is a 500 that says so",
    { calls: [opens("a"), { name: "empty", run: async function* () {} }] },
    ["a: empty (apps/shop/providers.ts:2) ended without a value. A provider must yield one."],
    500,
    JSON_ERROR,
    /empty \(apps/,
  ],
  [
    "one that fails before its value is not closed",
    {
      calls: [
        opens("a"),
        {
          // biome-ignore lint/correctness/useYield: it fails before.
          run: async function* () {
            throw new HttpError(503, "no database");
          },
        },
      ],
    },
    ["a: no database"],
    503,
    { error: "no database" },
  ],
  [
    "a guard's generator is closed as well, and so is one that must not let through",
    {
      calls: [
        { ...opens("a"), kind: "guard" },
        { ...opens("b"), kind: "guard" },
      ],
    },
    COMMITTED,
    200,
  ],
];

/** The handlers of the hooks that change nothing. */
const plain = chainHooks([{ folder: "", middleware: (_request: unknown, next: Next) => next() }]);

for (const [what, served, expected, status, body, error] of ANSWERS) {
  for (const hooks of [undefined, plain]) {
    test(`${what}${hooks ? ", inside of hooks" : ""}`, async () => {
      const { app, logged } = createServed({ ...served, ...(hooks && { around: hooks }) });
      const response = await app.fetch("/");
      const closed = [...told];
      assert.is(response.status, status);
      if (body) assert.equal(await response.json(), body);
      assert.equal(closed.slice(0, expected.length), expected);
      assert.is(logged.length, error ? 1 : 0);
      if (error) assert.match(String(logged[0]?.error), error);
      await settle();
      assert.equal(told, closed);
    });
  }
}

test("one that yields twice is ended, and a 500 that says so, whether it was resumed or had an error thrown in", async () => {
  const ended: string[] = [];
  async function* twice(): AsyncGenerator<number> {
    try {
      yield 1;
      yield 2;
    } catch {
      yield 3;
    } finally {
      ended.push("ended");
    }
  }
  for (const handler of [() => ({}), throwsNo]) {
    const { app, logged } = createServed({ calls: [opens("a"), { name: "twice", run: twice }], handler });
    assert.is((await app.fetch("/")).status, 500);
    assert.match(
      String(logged[0]?.error),
      /^TypeError: twice \(apps\/shop\/providers\.ts:2\) yielded twice\. /,
    );
    assert.match(String(told.pop()), /^a: twice/);
  }
  assert.equal(ended, ["ended", "ended"]);
});

async function* count(): AsyncGenerator<string> {
  yield "one ";
  await turn();
  yield "two ";
  told.push("last");
}

test("for a stream they commit when it has ended, before the client has its end", async () => {
  const { app } = createServed(around(() => count()));
  const response = await app.fetch("/");
  assert.equal(told, []);
  assert.is(await response.text(), "one two ");
  assert.equal(told, ["last", ...COMMITTED]);
});

test("a stream that comes in one piece is no stream any more: they commit before it is sent", async () => {
  for (const handler of [() => new Response("text"), () => new Blob(["text"])]) {
    const { app } = createServed(around(handler));
    const response = await app.fetch("/");
    assert.equal(told.splice(0), COMMITTED);
    assert.is(await response.text(), "text");
  }
});

test("HEAD does not want the stream of its GET, and commits", async () => {
  const { app } = createServed(around(() => count()));
  assert.is((await app.fetch("/", { method: "HEAD" })).status, 200);
  assert.equal(told, COMMITTED);
});

async function* breakOff(): AsyncGenerator<string> {
  yield "one ";
  await turn();
  throw new Error("cable cut");
}

test("a stream that fails is thrown into them, and what they throw besides is logged", async () => {
  const { app, logged } = createServed(
    around(() => breakOff(), { onError: fails(new Error("rollback failed")) }),
  );
  const response = await app.fetch("/");
  assert.match(await response.text().catch(String), /cable cut/);
  assert.equal(told, ["b: cable cut", "a: rollback failed"]);
  assert.equal(
    logged.map(({ message, error }) => `${message} ${error}`),
    [
      "The stream failed, so the response was cut off. Error: cable cut",
      "A provider failed after the handler. Error: rollback failed",
    ],
  );
});

test("a stream that fails at once is a 500, and thrown into them", async () => {
  async function* failAtOnce(): AsyncGenerator<string> {
    yield* [];
    throw new Error("at once");
  }
  const { app } = createServed(around(() => failAtOnce()));
  assert.is((await app.fetch("/")).status, 500);
  assert.equal(told, ["b: at once", "a: at once"]);
});

test("a commit that fails after a stream cuts the response, and is logged", async () => {
  const served = around(() => count(), { onEnd: throwsTaken });
  const { app, logged } = createServed(served);
  const response = await app.fetch("/");
  assert.match(await response.text().catch(String), /taken/);
  const server = await app.listen({ host: "127.0.0.1", port: 0 });
  const sent = await fetch(server.url);
  assert.is(sent.status, 200);
  assert.match(await sent.text().catch(String), /terminated/);
  await server.close();
  assert.equal(told, ["last", "b commits", "a: taken", "last", "b commits", "a: taken"]);
  assert.equal(
    logged.map(({ message, error }) => `${message} ${error}`),
    Array(2).fill("A provider failed after the handler. HttpError: taken"),
  );
});

test("when nobody wants the rest of a stream they return, and what they throw is logged", async () => {
  const served = around(() => count(), { onReturn: fails(new Error("release failed")) });
  const { app, logged } = createServed(served);
  const response = await app.fetch("/");
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await settle();
  assert.equal(told, ["b returns", "a: release failed"]);
  assert.equal(
    logged.map(({ message, error }) => `${message} ${error}`),
    ["A provider failed after the handler. Error: release failed"],
  );
});

test("a stream that is cancelled while it is being pulled does not count as ended", async () => {
  const cancelled = gate();
  async function* wait(): AsyncGenerator<string> {
    yield "one";
    await cancelled.opened;
  }
  const { app } = createServed(around(() => wait()));
  const reader = (await app.fetch("/")).body?.getReader();
  await reader?.read();
  const pulled = reader?.read();
  const left = reader?.cancel();
  cancelled.open();
  await Promise.all([pulled, left]);
  await settle();
  assert.equal(told, ["b returns", "a returns"]);
});

/** A stream that still needs what the providers hold when it ends, as one that reads by a cursor does. */
async function* readByCursor(): AsyncGenerator<string> {
  try {
    for (;;) {
      yield "row";
      await turn();
    }
  } finally {
    // More than the providers take to return.
    for (let turns = 0; turns < 5; turns++) await turn();
    told.push("cursor closes");
  }
}

const READERS: readonly [what: string, handler: Handler][] = [
  ["a generator", () => readByCursor()],
  ["events", () => events(readByCursor())],
];

for (const [what, handler] of READERS) {
  test(`${what} that is left ends before they return`, async () => {
    const { app } = createServed(around(handler));
    const reader = (await app.fetch("/")).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    assert.equal(told, ["cursor closes", "b returns", "a returns"]);
  });

  test(`${what} that HEAD does not want ends before they commit`, async () => {
    const { app } = createServed(around(handler));
    assert.is((await app.fetch("/", { method: "HEAD" })).status, 200);
    assert.equal(told, ["cursor closes", ...COMMITTED]);
  });
}

const ENDLESS: readonly [what: string, handler: Handler][] = [
  [
    "a generator",
    async function* () {
      for (;;) {
        yield "x".repeat(1000);
        await turn();
      }
    },
  ],
  [
    "events",
    () =>
      events(
        (async function* () {
          yield 1;
          await new Promise(() => {});
        })(),
      ),
  ],
];

for (const [what, handler] of ENDLESS) {
  test(`over a socket, they return when the client leaves ${what}`, async () => {
    const { app, logged } = createServed(around(handler, { onReturn: fails(new Error("release failed")) }));
    const server = await app.listen({ host: "127.0.0.1", port: 0 });
    const socket = connect(server.port, server.host);
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(socket, "data");
    socket.destroy();
    await server.close();
    assert.equal(told, ["b returns", "a: release failed"]);
    assert.is(String(logged[0]?.error), "Error: release failed");
    assert.is(logged.length, 1);
  });
}

test("over a socket, they return when the server stops an endless stream, and it waits for them", async () => {
  const [, handler] = ENDLESS[1] ?? [];
  assert.ok(handler);
  const returning = gate();
  const released = gate();
  const onReturn = (): Promise<void> => {
    returning.open();
    return released.opened;
  };
  const { app } = createServed(around(handler, { onReturn }));
  const server = await app.listen({ host: "127.0.0.1", port: 0 });
  const response = await fetch(server.url);
  const text = response.text().finally(() => told.push("answered"));
  const closed = server.close();
  await returning.opened;
  // An answer that does not wait for them comes meanwhile.
  await sleep(100);
  released.open();
  assert.match(await text, /data: 1/);
  await closed;
  assert.equal(told, ["b returns", "a returns", "answered"]);
});

test("over a socket, a client that leaves while the handler runs changes nothing: it runs to its end, and they commit", async () => {
  const called = gate<Request>();
  const left = gate();
  const handler = async (request: Request): Promise<object> => {
    called.open(request);
    await left.opened;
    told.push("handled");
    return {};
  };
  const served = around(handler, { onEnd: fails(new Error("commit failed")) });
  const { app, logged } = createServed({ ...served, read: (reader) => [reader.request] });
  const server = await app.listen({ host: "127.0.0.1", port: 0 });
  const socket = connect(server.port, server.host);
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  const { signal } = await called.opened;
  socket.destroy();
  await once(signal, "abort");
  left.open();
  await server.close();
  assert.equal(told, ["handled", "b commits", "a: commit failed"]);
  assert.equal(
    logged.map(({ error }) => String(error)),
    ["Error: commit failed"],
  );
});

const TOO_LONG = "The handler took longer than [server] handler_timeout.";

/** Asks, and lets the time-out come where `hold` is awaited, which goes on when all that follows the time-out has happened. */
async function askSlow(serve: (hold: () => Promise<void>) => Served): Promise<string[]> {
  const held = gate();
  const released = gate();
  const hold = (): Promise<void> => {
    held.open();
    return released.opened;
  };
  const { app, logged } = createServed(serve(hold), { handlerTimeout: 1 });
  await stopClock(async (clock) => {
    const answer = app.fetch("/");
    await held.opened;
    clock.pass(2);
    assert.is((await answer).status, 503);
  });
  await settle();
  released.open();
  await settle();
  return logged.map(({ error }) => (error as Error).message);
}

test("at the time-out the error is thrown into them at once, and the answer of the handler commits nothing", async () => {
  const slow = (hold: () => Promise<void>) => async (): Promise<string> => {
    await hold();
    told.push("handled");
    return "late";
  };
  assert.equal(await askSlow((hold) => around(slow(hold))), [TOO_LONG]);
  assert.equal(told, [`b: ${TOO_LONG}`, `a: ${TOO_LONG}`, "handled"]);
});

test("what a handler throws after the time-out is not thrown into them again", async () => {
  const slow = (hold: () => Promise<void>) => async (): Promise<never> => {
    await hold();
    throw new Error("late");
  };
  assert.equal(
    await askSlow((hold) => around(slow(hold), { onError: fails(new Error("rollback failed")) })),
    [TOO_LONG, "rollback failed"],
  );
  assert.equal(told, [`b: ${TOO_LONG}`, "a: rollback failed"]);
});

test("a stream that a handler gives after the time-out is cancelled", async () => {
  async function* late(): AsyncGenerator<string> {
    try {
      for (;;) yield "x".repeat(10);
    } finally {
      told.push("cancelled");
    }
  }
  await askSlow((hold) => around(async () => hold().then(() => late())));
  assert.equal(told, [`b: ${TOO_LONG}`, `a: ${TOO_LONG}`, "cancelled"]);
});

test("what is still opening at the time-out is closed when it has opened, and the handler is not called", async () => {
  const slow = (hold: () => Promise<void>) =>
    async function* (): AsyncGenerator<string> {
      await hold();
      yield* trace({ name: "slow", onError: fails(new Error("rollback failed")) });
    };
  const handler = (): void => assert.unreachable();
  const served = (hold: () => Promise<void>): Served => ({
    calls: [opens("a"), { run: slow(hold) }, opens("c")],
    handler,
  });
  assert.equal(await askSlow(served), [TOO_LONG, "rollback failed"]);
  assert.equal(told, [`a: ${TOO_LONG}`, `slow: ${TOO_LONG}`]);
});

test("a time-out while the inner one commits is thrown into the outer one", async () => {
  assert.equal(await askSlow((hold) => around(() => ({}), { onEnd: hold })), [TOO_LONG]);
  assert.equal(told, ["b commits", `a: ${TOO_LONG}`]);
});

test("a time-out while they are closed for an error throws nothing into them twice", async () => {
  const handler = throwsNo;
  assert.equal(await askSlow((hold) => around(handler, { onError: hold })), [TOO_LONG]);
  assert.equal(told, ["b: no", "a: no"]);
});

test("a middleware sees the answer after the commit, and the failure of a commit as an error", async () => {
  for (const onEnd of [undefined, fails(new Error("taken"))]) {
    const middleware: Middleware = async (_request, next) => {
      const response = await next();
      told.push(`answer ${response.status}`);
      return response;
    };
    const seen = chainHooks([{ folder: "", middleware }]);
    const { app } = createServed({ ...around(() => ({}), onEnd && { onEnd }), hooks: seen });
    await app.fetch("/");
  }
  assert.equal(told, [...COMMITTED, "answer 200", "b commits", "a: taken", "answer 500"]);
});

test.run();
