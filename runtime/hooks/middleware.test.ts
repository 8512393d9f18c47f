import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { stopClock } from "../clock.fixture.ts";
import { gate, settle } from "../gate.fixture.ts";
import { createHookedApp, type HookedApp, sendRaw, withMiddleware } from "../hooked.fixture.ts";
import { HttpError } from "../message/errors.ts";
import { events } from "../message/events.ts";
import { reply } from "../message/reply.ts";
import type { Request } from "../message/request.ts";
import type { BoundHooks, HookFunction, Next } from "./hooks.ts";

const handler = () => ({ a: 1 });

async function get(app: HookedApp, path = "/", init?: RequestInit): Promise<string> {
  const response = await app.fetch(path, init);
  return `${response.status} ${await response.text()}`;
}

/** A middleware that uses the response of `next()`, and returns it, unless `use` gives another one. */
function after(use: (response: Response, next: Next) => unknown) {
  return async (_: Request, next: Next): Promise<unknown> => {
    const response = await next();
    const used = await use(response, next);
    return used instanceof Response ? used : response;
  };
}

/** A middleware that answers without waiting for anything. */
function hurry(use: (next: Next) => unknown): BoundHooks {
  return withMiddleware((_, next) => {
    use(next);
    return "sent";
  });
}

/** A stream that is never at its end by itself, and whether it was cancelled. */
function watch(): { stream: () => AsyncGenerator<string>; isClosed: () => boolean; hasBegun: () => boolean } {
  let isClosed = false;
  let hasBegun = false;
  async function* stream(): AsyncGenerator<string> {
    hasBegun = true;
    try {
      for (;;) {
        yield "piece";
        await turn();
      }
    } finally {
      isClosed = true;
    }
  }
  return { stream, isClosed: () => isClosed, hasBegun: () => hasBegun };
}

/** What a middleware may return instead of the response of next(), and what is answered. */
const RESULTS: readonly [string, () => unknown, string][] = [
  ["an object", () => ({ b: 2 }), '200 {"b":2}'],
  ["an object and a status", () => [{ b: 2 }, 201], '201 {"b":2}'],
  ["a reply", () => reply({ b: 2 }, 202), '202 {"b":2}'],
  ["a text", () => "b", "200 b"],
  ["a Response", () => new Response("b", { status: 203 }), "203 b"],
  ["bytes", () => new TextEncoder().encode("b"), "200 b"],
  ["a stream", () => new Blob(["b"]).stream(), "200 b"],
  ["false", () => false, "200 false"],
];

for (const [title, give, expected] of RESULTS)
  test(`a middleware answers with ${title}, without next() or after it, and the handler's stream is cancelled`, async () => {
    const ways: readonly HookFunction[] = [
      give,
      async (_, next) => {
        await next();
        return give();
      },
      (_, next) => {
        void next();
        return give();
      },
      after(() => {
        const made = give();
        return made instanceof Response ? Promise.reject(made) : new Response(null);
      }),
    ];
    for (const middleware of title === "a Response" ? ways : ways.slice(0, 3)) {
      const { stream, isClosed, hasBegun } = watch();
      const app = createHookedApp({ "GET /": [stream, withMiddleware(middleware)] });
      assert.is(await get(app), expected);
      await settle();
      assert.is(isClosed(), hasBegun());
      assert.equal(app.logged, []);
    }
  });

async function makeUsed(): Promise<Response> {
  const response = new Response("a");
  await response.text();
  return response;
}

/** What middleware does wrong, and what the log then says. Each answers 500. */
const MISTAKES: readonly [string, HookFunction, string][] = [
  ["returns nothing", () => {}, "The middleware of apps/admin/_hooks.ts returned nothing"],
  ["forgets to return", async (_, next) => void (await next()), "returned nothing"],
  ["returns null", async () => null, "returned nothing"],
  ["calls next() twice", after((_, next) => next()), "apps/admin/_hooks.ts called next() twice"],
  ["returns a Map", () => new Map(), "The middleware of apps/admin/_hooks.ts returned a Map"],
  ["returns a status that is none", () => [{}, 99], "apps/admin/_hooks.ts returned the status 99"],
  ["returns a used Response", makeUsed, "The middleware of apps/admin/_hooks.ts answered with"],
  ["throws a used Response", async () => Promise.reject(await makeUsed()), "apps/admin/_hooks.ts answered"],
  ["sets a header that can't be sent", after(({ headers }) => headers.set("x-own", "\x01")), "x-own"],
  [
    "reads a part of a stream",
    after(async ({ body }) => {
      const reader = body?.getReader();
      await reader?.read();
      reader?.releaseLock();
    }),
    "already been read",
  ],
  ["reads a stream when it returns", after(({ body }) => void body?.getReader()), "already been read"],
  ["reads twice", after((one) => Promise.all([one.text(), one.text()])), "already been read"],
  ["throws", () => Promise.reject(new Error("mine")), "mine"],
];

for (const [title, middleware, message] of MISTAKES)
  test(`a middleware that ${title} is a 500, the log says why, and the handler's stream is cancelled`, async () => {
    const { stream, isClosed, hasBegun } = watch();
    const app = createHookedApp({ "GET /": [stream, withMiddleware(middleware)] });
    assert.is(await get(app), '500 {"error":"Internal Server Error"}');
    assert.is(app.logged.length, 1);
    assert.match(String(app.logged[0]?.error), message);
    await settle();
    assert.is(isClosed(), hasBegun());
  });

test("the root's middleware is named by its file alone", async () => {
  const app = createHookedApp({ "GET /": [handler, { folder: "", middleware: () => undefined }] });
  await get(app);
  assert.match(String(app.logged[0]?.error), "The middleware of _hooks.ts returned");
});

test("next() that nobody awaits, called twice or late, ends no process and calls the handler at most once", async () => {
  let calls = 0;
  const count = () => ++calls;
  let lateNext: Next | undefined;
  const keep = (next: Next): void => {
    lateNext = next;
  };
  const app = createHookedApp({
    "GET /twice": [count, hurry((next) => [next(), next(), next()])],
    "GET /late": [count, hurry(keep)],
    "GET /fails": [() => Promise.reject(new HttpError(400, "no")), hurry((next) => next())],
    "GET /caught": [handler, withMiddleware(after((_, next) => void next().catch(() => undefined)))],
  });
  assert.is(await get(app, "/twice"), "200 sent");
  assert.is(calls, 1);
  assert.is(await get(app, "/late"), "200 sent");
  const error = await lateNext?.().catch((thrown: unknown) => thrown);
  assert.match(String(error), "called next() after it had returned");
  assert.is(calls, 1);
  assert.is(await get(app, "/fails"), "200 sent");
  assert.is(await get(app, "/caught"), '200 {"a":1}');
  await settle();
  assert.equal(app.logged, []);
});

test("a middleware that answers before the handler does sends one answer, and drops the other with its stream", async () => {
  const { stream, isClosed } = watch();
  const answered = gate();
  const late = async () => {
    await answered.opened;
    return stream();
  };
  const race = withMiddleware((_, next) =>
    Promise.race([next(), turn().then(() => reply({ error: "slow" }, 504))]),
  );
  const app = createHookedApp({ "GET /": [late, race] });
  const server = await app.listen();
  const response = await fetch(server.url);
  assert.equal([response.status, await response.text()], [504, '{"error":"slow"}']);
  answered.open();
  await settle();
  assert.ok(isClosed());
  await server.close();
  assert.equal(app.logged, []);
});

test("a response that was kept and is returned for another request is refused from the second time on", async () => {
  let kept: Response | undefined;
  const keep = withMiddleware(async (_, next) => {
    kept ??= await next();
    return kept;
  });
  const app = createHookedApp({ "GET /": [handler, keep] });
  assert.is(await get(app), '200 {"a":1}');
  assert.is(await get(app), '500 {"error":"Internal Server Error"}');
});

test("the request of the middleware is the handler's own, and a body that it reads from a clone is still there", async () => {
  const requests: Request[] = [];
  const keep = withMiddleware(async (request: Request, next) => {
    requests.push(request);
    assert.is(await request.clone().text(), "sent");
    return next();
  });
  const read = (request: Request): Promise<string> => {
    requests.push(request);
    return request.text();
  };
  const app = createHookedApp({ "POST /items": [read, keep, keep] });
  assert.is(await get(app, "/items", { method: "POST", body: "sent" }), "200 sent");
  assert.is(new Set(requests).size, 1);
  assert.is(requests[0]?.route.pattern, "/items");
});

test("a stream that is cut while a middleware reads it never looks like the whole", async () => {
  const { stream, isClosed } = watch();
  let read: Promise<string> | undefined;
  const middleware = after(async (response) => {
    read = response.text();
    read.catch(() => undefined);
    await settle();
    throw new HttpError(504, "too long");
  });
  const app = createHookedApp({ "GET /": [stream, withMiddleware(middleware)] });
  assert.is(await get(app), '504 {"error":"too long"}');
  assert.match(String(await read?.catch((error: unknown) => error)), "was cut");
  await settle();
  assert.ok(isClosed());
});

test("a stream passes the middleware piece by piece", async () => {
  const { opened, open } = gate();
  async function* stream(): AsyncGenerator<string> {
    yield "one";
    await opened;
    yield "two";
  }
  const upper = withMiddleware(
    after((response) => {
      const transform = (text: string, controller: TransformStreamDefaultController) =>
        controller.enqueue(text.toUpperCase());
      const texts = response.body?.pipeThrough(new TextDecoderStream());
      const changed = texts?.pipeThrough(new TransformStream({ transform }));
      return new Response(changed?.pipeThrough(new TextEncoderStream()) ?? null, response);
    }),
  );
  const server = await createHookedApp({ "GET /": [stream, upper] }).listen();
  const reader = (await fetch(server.url)).body?.pipeThrough(new TextDecoderStream()).getReader();
  assert.is((await reader?.read())?.value, "ONE");
  open();
  assert.is((await reader?.read())?.value, "TWO");
  assert.is((await reader?.read())?.done, true);
  await server.close();
});

test("a client that leaves ends a stream through the middleware", async () => {
  for (const middleware of [
    (_: Request, next: Next) => next(),
    async (_: Request, next: Next) => new Response((await next()).body),
  ]) {
    const { stream, isClosed } = watch();
    const server = await createHookedApp({ "GET /": [stream, withMiddleware(middleware)] }).listen();
    const controller = new AbortController();
    const response = await fetch(server.url, { signal: controller.signal });
    await response.body?.getReader().read();
    controller.abort();
    for (let tries = 0; tries < 200 && !isClosed(); tries++) await sleep(5);
    assert.ok(isClosed());
    await server.close();
  }
});

test("handler_timeout cuts a middleware off, before and after next(), and the handler is not called any more", async () => {
  let calls = 0;
  const { stream, isClosed } = watch();
  const never = () => new Promise<never>(() => {});
  const reached = gate();
  const answered = gate();
  const wait = after(() => {
    reached.open();
    return answered.opened;
  });
  const late = withMiddleware(async (_, next) => {
    await answered.opened;
    return next();
  });
  const routes = {
    "GET /before": [handler, withMiddleware(never)],
    "GET /after": [stream, withMiddleware(wait)],
    "GET /late": [() => ++calls, late],
    "GET /handler": [never, withMiddleware((_, next) => next())],
  } as const;
  const app = createHookedApp(routes, [], { settings: { handlerTimeout: 1 } });
  await stopClock(async (clock) => {
    const answers = ["/before", "/after", "/late", "/handler"].map((path) => get(app, path));
    await reached.opened;
    clock.pass(2);
    for (const answer of await Promise.all(answers)) assert.is(answer, '503 {"error":"Service Unavailable"}');
  });
  answered.open();
  await settle();
  assert.is(calls, 0);
  assert.ok(isClosed());
  assert.is(app.logged.length, 4, "one line for each");
});

/** What no route serves, and what the root's hooks have of it: the error hook the error, the middleware the status. */
const UNMATCHED: readonly [line: string, expected: string][] = [
  ["GET /nothing", "404 middleware, error 404"],
  ["HEAD /nothing", "404 middleware, error 404"],
  ["POST /", "405 middleware, error 405"],
  ["GET /%zz", "400 middleware, error 400"],
  ["OPTIONS /", "204 middleware"],
];

for (const [line, expected] of UNMATCHED)
  test(`${line}: the root's hooks are around what no route serves`, async () => {
    const [method = "", path = ""] = line.split(" ");
    const seen: unknown[] = [];
    const root = {
      folder: "",
      middleware: async (request: Request, next: Next) => {
        const response = await next();
        assert.is(request.path, path);
        seen.unshift(`${response.status} middleware`);
        return response;
      },
      error: (error: unknown) => void seen.push(`error ${error instanceof HttpError && error.status}`),
    };
    const app = createHookedApp({ "GET /": [handler] }, [root]);
    const plain = createHookedApp({ "GET /": [handler] });
    const [hooked, bare] = [await app.fetch(path, { method }), await plain.fetch(path, { method })];
    assert.equal(
      [hooked.status, [...hooked.headers], await hooked.text()],
      [bare.status, [...bare.headers], await bare.text()],
    );
    assert.is(seen.join(", "), expected);
    assert.equal(app.logged, []);
  });

test("OPTIONS * passes through the root's hooks; health probes and what can't be read do not", async () => {
  const middleware = after(({ headers }) => headers.set("x-root", "1"));
  const settings = { health: "/healthz" };
  const app = createHookedApp({ "GET /": [handler] }, [{ folder: "", middleware }], { settings });
  const server = await app.listen();
  const head = "Host: a\r\nConnection: close\r\n\r\n";
  for (const [text, expected] of [
    [`OPTIONS * HTTP/1.1\r\n${head}`, /^HTTP\/1.1 204 .*\r\nallow: GET, HEAD, OPTIONS\r\nx-root: 1\r\n/is],
    [`GET /healthz HTTP/1.1\r\n${head}`, /^HTTP\/1.1 200 (?!.*x-root)/is],
    [`GET / HTTP/1.1\r\nHost: b\r\n${head}`, /^HTTP\/1.1 400 (?!.*x-root)/is],
  ] as const)
    assert.match(await sendRaw(server, text), expected);
  await server.close();
});

test("a stream of events whose body a middleware has looked at ends properly when the server stops, and an error in it is logged once", async () => {
  const touched = withMiddleware(async (_, next) => {
    const response = await next();
    assert.ok(response.body);
    return response;
  });
  async function* wait() {
    yield 1;
    await new Promise(() => {});
  }
  async function* fail() {
    yield "1";
    await sleep(5);
    throw new Error("gone");
  }
  const app = createHookedApp({
    "GET /waits": [() => events(wait(), { heartbeat: 0 }), touched],
    "GET /fails": [() => fail(), touched],
  });
  const server = await app.listen();
  await (await fetch(`${server.url}/fails`)).text().catch(() => undefined);
  assert.is(app.logged.length, 1);
  const response = await fetch(`${server.url}/waits`);
  const text = response.text();
  const began = performance.now();
  await server.close();
  assert.is(await text, ":\n\ndata: 1\n\n");
  assert.ok(performance.now() - began < 5000);
});

test.run();
