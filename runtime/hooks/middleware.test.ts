import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { stopClock } from "../clock.fixture.ts";
import { gate, settle } from "../gate.fixture.ts";
import { createHookedApp, type HookedApp, withError, withMiddleware } from "../hooked.fixture.ts";
import type { LogEvent } from "../log/log.ts";
import { HttpError } from "../message/errors.ts";
import { reply } from "../message/reply.ts";
import type { Request } from "../message/request.ts";
import type { Server } from "../node/server.ts";
import type { HookFunction, Middleware, Next } from "./hooks.ts";

const handler = () => ({ a: 1 });

/** What was logged of errors: the messages. */
function toMessages(logged: readonly LogEvent[]): string[] {
  return logged.map(({ error }) => (error instanceof Error ? error.message : String(error)));
}

async function get(app: HookedApp, path = "/", init?: RequestInit): Promise<string> {
  const response = await app.fetch(path, init);
  return `${response.status} ${await response.text()}`;
}

/** A middleware that does not wait for anything. */
function hurry(use: (next: Next) => unknown): Middleware {
  return (_, next) => {
    use(next);
    return "sent";
  };
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
const RESULTS: readonly [string, unknown, string][] = [
  ["an object", { b: 2 }, '200 {"b":2}'],
  ["an object and a status", [{ b: 2 }, 201], '201 {"b":2}'],
  ["a reply", reply({ b: 2 }, 202), '202 {"b":2}'],
  ["a text", "b", "200 b"],
  ["a Response", () => new Response("b", { status: 203 }), "203 b"],
  ["Response.json", () => Response.json({ b: 2 }, { status: 418 }), '418 {"b":2}'],
  ["bytes", new TextEncoder().encode("b"), "200 b"],
  ["a stream", () => new Blob(["b"]).stream(), "200 b"],
  ["false", false, "200 false"],
];

for (const [title, result, expected] of RESULTS) {
  const give = typeof result === "function" ? result : () => result;
  for (const [when, middleware] of Object.entries({
    "without next()": () => give(),
    "after next()": async (_: Request, next: Next) => {
      await next();
      return give();
    },
    "after next(), which it does not await": (_: Request, next: Next) => {
      void next();
      return give();
    },
    "thrown after next()": async (_: Request, next: Next) => {
      await next();
      const made = give();
      if (made instanceof Response) throw made;
      return made;
    },
  }))
    test(`a middleware answers with ${title}, ${when}`, async () => {
      const { stream, isClosed, hasBegun } = watch();
      const app = createHookedApp({ "GET /": [stream, withMiddleware(middleware)] });
      assert.is(await get(app), expected);
      await settle();
      assert.is(isClosed(), hasBegun(), "the handler's stream is cancelled");
      assert.equal(app.logged, []);
    });
}

/** What middleware does wrong, and the message that the log then has. Each answers 500. */
const MISTAKES: readonly [string, HookFunction, string][] = [
  [
    "returns nothing",
    () => {},
    "The middleware of apps/admin/_hooks.ts returned nothing. Return the response of next().",
  ],
  [
    "forgets to return",
    async (_, next) => void (await next()),
    "The middleware of apps/admin/_hooks.ts returned nothing. Return the response of next().",
  ],
  [
    "returns null",
    async () => null,
    "The middleware of apps/admin/_hooks.ts returned nothing. Return the response of next().",
  ],
  [
    "calls next() twice",
    async (_, next) => {
      await next();
      return next();
    },
    "The middleware of apps/admin/_hooks.ts called next() twice. Call it once, and await it.",
  ],
  [
    "returns a Map",
    () => new Map(),
    "The middleware of apps/admin/_hooks.ts returned a Map, which has no JSON. Give an array or an object instead, as in Object.fromEntries(…).",
  ],
  [
    "returns a status that is none",
    () => [{}, 99],
    "The middleware of apps/admin/_hooks.ts returned the status 99. A status is an integer from 200 to 599.",
  ],
  [
    "returns a used Response",
    async () => {
      const response = new Response("a");
      await response.text();
      return response;
    },
    "The middleware of apps/admin/_hooks.ts answered with a Response whose body was already read. Make one for each request.",
  ],
  [
    "throws a used Response",
    async () => {
      const response = new Response("a");
      await response.text();
      throw response;
    },
    "The middleware of apps/admin/_hooks.ts answered with a Response whose body was already read. Make one for each request.",
  ],
  [
    "sets a header that can't be sent",
    async (_, next) => {
      const response = await next();
      response.headers.set("x-own", "\x01");
      return response;
    },
    "The value of the header x-own holds a control character.",
  ],
  [
    "reads a part of a stream",
    async (_, next) => {
      const response = await next();
      const reader = response.body.getReader();
      await reader.read();
      reader.releaseLock();
      return response;
    },
    "The body of the response has already been read. Call response.clone() before the first read.",
  ],
  [
    "reads a stream when it returns",
    async (_, next) => {
      const response = await next();
      response.body.getReader();
      return response;
    },
    "The body of the response has already been read. Call response.clone() before the first read.",
  ],
  [
    "reads twice",
    async (_, next) => {
      const response = await next();
      await Promise.all([response.text(), response.text()]);
      return response;
    },
    "Body is unusable: Body has already been read",
  ],
  ["throws", () => Promise.reject(new Error("mine")), "mine"],
];

for (const [title, middleware, message] of MISTAKES)
  test(`a middleware that ${title} is a 500, and the log says why`, async () => {
    const { stream, isClosed, hasBegun } = watch();
    const app = createHookedApp({ "GET /": [stream, withMiddleware(middleware)] });
    assert.is(await get(app), '500 {"error":"Internal Server Error"}');
    assert.equal(toMessages(app.logged), [message]);
    await settle();
    assert.is(isClosed(), hasBegun(), "the handler's stream is cancelled");
  });

test("the root's middleware is named by its file alone", async () => {
  const app = createHookedApp({ "GET /": [handler, { folder: "", middleware: () => undefined }] });
  await get(app);
  assert.equal(toMessages(app.logged), [
    "The middleware of _hooks.ts returned nothing. Return the response of next().",
  ]);
});

test("next() that nobody awaits, called twice or late, ends no process and calls the handler at most once", async () => {
  let calls = 0;
  const count = () => ++calls;
  let lateNext: Next | undefined;
  const keep = (next: Next): void => {
    lateNext = next;
  };
  const app = createHookedApp({
    "GET /twice": [count, withMiddleware(hurry((next) => [next(), next(), next()]))],
    "GET /late": [count, withMiddleware(hurry(keep))],
    "GET /fails": [() => Promise.reject(new HttpError(400, "no")), withMiddleware(hurry((next) => next()))],
  });
  assert.is(await get(app, "/twice"), "200 sent");
  assert.is(calls, 1);
  assert.is(await get(app, "/late"), "200 sent");
  const error = await lateNext?.().catch((thrown: unknown) => thrown);
  assert.match(String(error), "called next() after it had returned");
  assert.is(calls, 1);
  assert.is(await get(app, "/fails"), "200 sent");
  await settle();
  assert.equal(app.logged, []);
});

test("a middleware can catch the refusal of a second next() and still return its response", async () => {
  const middleware: Middleware = async (_, next) => {
    const response = await next();
    await next().catch(() => undefined);
    return response;
  };
  assert.is(await get(createHookedApp({ "GET /": [handler, withMiddleware(middleware)] })), '200 {"a":1}');
});

test("a middleware that answers before the handler does sends one answer, and drops the other with its stream", async () => {
  const { stream, isClosed } = watch();
  const answered = gate();
  const late = async () => {
    await answered.opened;
    return stream();
  };
  const race: Middleware = async (_, next) =>
    Promise.race([next(), turn().then(() => reply({ error: "slow" }, 504))]);
  const app = createHookedApp({ "GET /": [late, withMiddleware(race)] });
  const server = await app.listen();
  const response = await fetch(server.url);
  assert.equal([response.status, await response.text()], [504, '{"error":"slow"}']);
  answered.open();
  await settle();
  assert.ok(isClosed());
  await server.close();
  assert.equal(app.logged, []);
});

test("next() gives the response of an error, and of one that the log has", async () => {
  const seen: unknown[] = [];
  const middleware: Middleware = async (_, next) => {
    const response = await next();
    seen.push(response.status);
    return response;
  };
  const app = createHookedApp({
    "GET /http": [() => Promise.reject(new HttpError(409, "no")), withMiddleware(middleware)],
    "GET /bug": [() => assert.unreachable(), withMiddleware(middleware)],
    "GET /response": [() => Promise.reject(new Response(null, { status: 302 })), withMiddleware(middleware)],
  });
  for (const path of ["/http", "/bug", "/response"]) await get(app, path);
  assert.equal(seen, [409, 500, 302]);
  assert.is(app.logged.length, 1);
});

test("each middleware has a response of its own, whatever the inner one did with its body", async () => {
  const texts: string[] = [];
  const read = withMiddleware(async (_, next) => {
    const response = await next();
    texts.push(await response.text());
    response.headers.append("x-read", String(texts.length));
    return response;
  });
  const app = createHookedApp({ "GET /": [() => new Blob(["made"]).stream(), read, read, read] });
  const response = await app.fetch("/");
  assert.is(await response.text(), "made");
  assert.equal(texts, ["made", "made", "made"]);
  assert.is(response.headers.get("x-read"), "1, 2, 3");
});

test("a response that was kept and is returned for another request is refused from the second time on", async () => {
  let kept: Response | undefined;
  const app = createHookedApp({
    "GET /": [
      handler,
      withMiddleware(async (_, next) => {
        kept ??= await next();
        return kept;
      }),
    ],
  });
  assert.is(await get(app), '200 {"a":1}');
  assert.is(await get(app), '500 {"error":"Internal Server Error"}');
});

test("the request of the middleware is the handler's own, with its route and params", async () => {
  const requests: unknown[] = [];
  const keep = withMiddleware((request, next) => {
    requests.push(request);
    return next();
  });
  const app = createHookedApp({
    "GET /items": [(request: Request) => void requests.push(request), keep, keep],
  });
  await get(app, "/items");
  assert.is(new Set(requests).size, 1);
  assert.is((requests[0] as Request).route.pattern, "/items");
});

test("a body that middleware reads from a clone is still there for the handler", async () => {
  const middleware: Middleware = async (request, next) => {
    assert.is(await request.clone().text(), "sent");
    return next();
  };
  const app = createHookedApp({
    "POST /": [(request: Request) => request.text(), withMiddleware(middleware)],
  });
  assert.is(await get(app, "/", { method: "POST", body: "sent" }), "200 sent");
});

test("a stream that is cut while a middleware reads it never looks like the whole", async () => {
  const { stream, isClosed } = watch();
  let read: Promise<string> | undefined;
  const middleware: Middleware = async (_, next) => {
    const response = await next();
    read = response.text();
    read.catch(() => undefined);
    await settle();
    throw new HttpError(504, "too long");
  };
  const app = createHookedApp({ "GET /": [stream, withMiddleware(middleware)] });
  assert.is(await get(app), '504 {"error":"too long"}');
  assert.match(String(await read?.catch((error: unknown) => error)), "was cut");
  await settle();
  assert.ok(isClosed());
});

test("a stream passes the middleware piece by piece", async () => {
  let goOn = () => {};
  async function* stream(): AsyncGenerator<string> {
    yield "one";
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    yield "two";
  }
  const upper = withMiddleware(async (_, next) => {
    const response = await next();
    const changed = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(
        new TransformStream({ transform: (text, controller) => controller.enqueue(text.toUpperCase()) }),
      )
      .pipeThrough(new TextEncoderStream());
    return new Response(changed, response);
  });
  const app = createHookedApp({ "GET /": [stream, upper] });
  const server = await app.listen();
  const reader = (await fetch(server.url)).body?.pipeThrough(new TextDecoderStream()).getReader();
  assert.is((await reader?.read())?.value, "ONE");
  goOn();
  assert.is((await reader?.read())?.value, "TWO");
  assert.is((await reader?.read())?.done, true);
  await server.close();
});

test("a client that leaves ends a stream through the middleware", async () => {
  const { stream, isClosed } = watch();
  const routes = {
    "GET /same": [stream, withMiddleware((_, next) => next())],
    "GET /new": [stream, withMiddleware(async (_, next) => new Response((await next()).body))],
  } as const;
  for (const path of ["/same", "/new"]) {
    const app = createHookedApp(routes);
    const server = await app.listen();
    const controller = new AbortController();
    const response = await fetch(server.url + path, { signal: controller.signal });
    await response.body?.getReader().read();
    controller.abort();
    for (let tries = 0; tries < 200 && !isClosed(); tries++) await sleep(5);
    assert.ok(isClosed(), path);
    await server.close();
  }
});

test("handler_timeout cuts a middleware off, before and after next(), and the handler is not called any more", async () => {
  let calls = 0;
  const { stream, isClosed } = watch();
  const never = () => new Promise<never>(() => {});
  const reached = gate();
  const answered = gate();
  const app = createHookedApp(
    {
      "GET /before": [handler, withMiddleware(never)],
      "GET /after": [
        stream,
        withMiddleware(async (_, next) => {
          await next();
          reached.open();
          await answered.opened;
        }),
      ],
      "GET /late": [
        () => ++calls,
        withMiddleware(async (_, next) => {
          await answered.opened;
          return next();
        }),
      ],
      "GET /handler": [never, withMiddleware((_, next) => next())],
    },
    [],
    { settings: { handlerTimeout: 1 } },
  );
  const paths = ["/before", "/after", "/late", "/handler"];
  await stopClock(async (clock) => {
    const answers = paths.map((path) => get(app, path));
    await reached.opened;
    clock.pass(2);
    assert.equal(
      await Promise.all(answers),
      paths.map(() => '503 {"error":"Service Unavailable"}'),
    );
  });
  answered.open();
  await settle();
  assert.is(calls, 0);
  assert.ok(isClosed());
  assert.is(app.logged.length, 4, "one line for each");
});

test("a server that stops waits for a middleware", async () => {
  const reached = gate();
  const released = gate();
  const app = createHookedApp({
    "GET /": [
      handler,
      withMiddleware(async (_, next) => {
        reached.open();
        await released.opened;
        return next();
      }),
    ],
  });
  const server = await app.listen();
  const asked = fetch(server.url);
  await reached.opened;
  const closed = server.close();
  released.open();
  assert.is((await asked).status, 200);
  await closed;
});

/** What no route serves, and what the root's hooks have of it: the middleware the status, the error hook the error. */
const UNMATCHED: readonly [string, string, string][] = [
  ["GET", "/nothing", "404 middleware, error 404"],
  ["POST", "/", "405 middleware, error 405"],
  ["GET", "/%zz", "400 middleware, error 400"],
  ["OPTIONS", "/", "204 middleware"],
];

for (const [method, path, expected] of UNMATCHED)
  test(`${method} ${path}: the root's hooks are around what no route serves`, async () => {
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

/** @returns the first that comes back. */
async function sendRaw({ port }: Server, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  socket.write(text);
  const [received] = await once(socket, "data");
  socket.destroy();
  return String(received);
}

test("OPTIONS * and a HEAD without a route pass through the root's hooks", async () => {
  const middleware: Middleware = async (_, next) => {
    const response = await next();
    response.headers.set("x-root", "1");
    return response;
  };
  const app = createHookedApp({ "GET /": [handler] }, [{ folder: "", middleware }]);
  const server = await app.listen();
  const end = "HTTP/1.1\r\nHost: a\r\n\r\n";
  const options = await sendRaw(server, `OPTIONS * ${end}`);
  assert.match(options, /^HTTP\/1.1 204 [\s\S]*\r\nallow: GET, HEAD, OPTIONS\r\nx-root: 1\r\n/i);
  assert.match(await sendRaw(server, `HEAD /nothing ${end}`), /^HTTP\/1.1 404 [\s\S]*\r\nx-root: 1\r\n/);
  await server.close();
});

test("health probes and requests that can't be read pass no hook", async () => {
  let calls = 0;
  const middleware: Middleware = (_, next) => {
    calls++;
    return next();
  };
  const root = [{ folder: "", middleware }];
  const app = createHookedApp({ "GET /": [handler] }, root, { settings: { health: "/healthz" } });
  assert.is(await get(app, "/healthz"), '200 {"status":"ok"}');
  const server = await app.listen();
  assert.match(await sendRaw(server, "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"), /^HTTP\/1.1 400 /);
  await server.close();
  assert.is(calls, 0);
});

test("a HEAD that a GET route serves has all hooks of the route", async () => {
  const seen: string[] = [];
  const middleware: Middleware = async (request, next) => {
    const response = await next();
    seen.push(`${request.method} ${response.status}`);
    return response;
  };
  const app = createHookedApp({
    "GET /": [
      () => Promise.reject(new HttpError(409, "no")),
      withMiddleware(middleware),
      withError(() => void seen.push("error")),
    ],
  });
  assert.is(await get(app, "/", { method: "HEAD" }), "409 ");
  assert.equal(seen, ["error", "HEAD 409"]);
});

test.run();
