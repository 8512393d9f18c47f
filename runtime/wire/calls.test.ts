import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as turn } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { stopClock } from "../clock.fixture.ts";
import { gate, settle } from "../gate.fixture.ts";
import { chainHooks, type HookChain, type Middleware } from "../hooks/hooks.ts";
import { HttpError } from "../message/errors.ts";
import { reply } from "../message/reply.ts";
import type { Request } from "../message/request.ts";
import { type CalledProvider, createServed, type Served, take } from "../served.fixture.ts";
import type { FunctionInputs, StandardSchema } from "./inputs.ts";

async function ask(served: Served, init: RequestInit = {}, path = "/"): Promise<[number, unknown]> {
  const response = await createServed(served).app.fetch(path, { method: "POST", ...init });
  return [response.status, await response.json().catch(() => undefined)];
}

const JSON_TYPE = { "content-type": "application/json" };
const named = { shape: { kind: "object", properties: [] } } as const;

const VALUES: readonly [what: string, run: () => unknown, value: unknown][] = [
  ["what a function returns", () => 7, 7],
  ["what a promise resolves with", async () => 7, 7],
  // biome-ignore lint/suspicious/noThenProperty: some libraries' queries are like that.
  ["what a thenable resolves with", () => ({ then: (resolve: (value: number) => void) => resolve(7) }), 7],
  ["nothing, which JSON has as null", () => undefined, null],
  [
    "what a generator yields",
    function* () {
      yield 7;
    },
    7,
  ],
  ["an iterator without throw, which is not a generator", () => [7][Symbol.iterator](), {}],
];

for (const [what, run, value] of VALUES) {
  test(`a handler is given ${what}`, async () => {
    assert.equal(await ask({ calls: [{ run }], needs: [0] }), [200, { args: [value] }]);
  });
}

test("a provider and a guard have no `this`, as a handler has none", async () => {
  const seen: unknown[] = [];
  function look(this: unknown): void {
    seen.push(this);
  }
  await ask({ calls: [{ run: look, kind: "guard", isEarly: true }, { run: look }], needs: [0, 1] });
  assert.equal(seen, [undefined, undefined]);
});

test("a call is made once, and gives its value to all that need it", async () => {
  let count = 0;
  const calls: CalledProvider[] = [
    { run: async () => ++count, isEarly: true },
    { run: (one: number) => one * 10, kind: "guard", needs: [0] },
    { run: (one: number, ten: number) => one + ten, needs: [0, 1] },
  ];
  assert.equal(await ask({ calls, needs: [0, 1, 2] }), [200, { args: [1, 10, 11] }]);
  assert.is(count, 1);
});

test("two requests at once have values of their own", async () => {
  let count = 0;
  const run = async (): Promise<number> => {
    const mine = ++count;
    await turn();
    return mine;
  };
  const { app } = createServed({
    calls: [{ run }, { run: (one: number) => one, needs: [0] }],
    needs: [0, 1],
  });
  const answers = await Promise.all([app.fetch("/"), app.fetch("/")]);
  assert.equal(await Promise.all(answers.map((answer) => answer.json())), [
    { args: [1, 1] },
    { args: [2, 2] },
  ]);
});

test("the order is: each guard with what it needs, the other credentials, the body, the providers, the handler", async () => {
  const order: string[] = [];
  const trace = (name: string, given: Partial<CalledProvider> = {}): CalledProvider => ({
    run: () => void order.push(name),
    takes: [take("query", { key: name })],
    read(reader) {
      order.push(`read ${name}`);
      return [reader.raw("query", name)];
    },
    ...given,
  });
  const served: Served = {
    calls: [
      trace("session", { isEarly: true }),
      trace("outer", { kind: "guard" }),
      trace("inner", {
        kind: "guard",
        run: async () => {
          await turn();
          order.push("inner");
        },
      }),
      trace("items"),
    ],
    takes: [take("bearer"), take("body", named)],
    read({ body }) {
      order.push(`read handler ${JSON.stringify(body)}`);
      return [];
    },
    handler: () => void order.push("handler"),
  };
  const early = ["read session", "session", "read outer", "outer", "read inner", "inner"];
  const authorization = "Bearer a";
  assert.is((await ask(served, { body: "{" }))[0], 401);
  assert.equal(order.splice(0), early);
  assert.is((await ask(served, { body: "{", headers: { ...JSON_TYPE, authorization } }))[0], 400);
  assert.equal(order.splice(0), early);
  assert.is((await ask(served, { body: "{}", headers: { ...JSON_TYPE, authorization } }))[0], 204);
  assert.equal(order, [...early, "read items", "items", "read handler {}", "handler"]);
});

test("a guard's credential is asked for before that of the handler, and after the guards around it", async () => {
  const order: string[] = [];
  const calls: CalledProvider[] = [
    { run: () => void order.push("outer"), kind: "guard" },
    { run: () => void order.push("inner"), kind: "guard", takes: [take("bearer")], read: () => [] },
    { run: () => void order.push("provider"), takes: [take("api-key", { key: "x-key" })], read: () => [] },
  ];
  const served: Served = { calls };
  assert.equal(await ask(served), [401, { error: "A bearer token is missing." }]);
  assert.equal(order.splice(0), ["outer"]);
  const headers = { authorization: "Bearer a" };
  assert.equal(await ask(served, { headers }), [401, { error: "The header x-key is missing." }]);
  assert.equal(order, ["outer", "inner"]);
});

test("a guard that takes the body has it read before, once, after all credentials", async () => {
  const bodies: unknown[] = [];
  const read: FunctionInputs["read"] = ({ body }) => [body];
  const run = (body: unknown): void => void bodies.push(body);
  const served: Served = {
    calls: [
      { run, kind: "guard", takes: [take("body", { ...named, optional: true })], read },
      { run: () => void bodies.push("next"), kind: "guard" },
      { run, takes: [take("bearer")], read },
    ],
    takes: [take("body", named)],
    read,
  };
  assert.is((await ask(served, { body: "{" }))[0], 401);
  const headers = { ...JSON_TYPE, authorization: "Bearer a" };
  // The handler does not take it as optional.
  assert.is((await ask(served, { headers }))[0], 400);
  assert.equal(bodies, []);
  assert.equal(await ask(served, { headers, body: '{"a":1}' }), [200, { args: [{ a: 1 }] }]);
  assert.equal(bodies, [{ a: 1 }, "next", { a: 1 }]);
});

const readQuery =
  (key: string): FunctionInputs["read"] =>
  (reader) => {
    const value = reader.raw("query", key);
    return value === undefined ? undefined : [value];
  };

const missing = (key: string): object => ({
  in: "query",
  pointer: `/${key}`,
  code: "required",
  message: "is missing",
});

const REFUSED: Served = {
  calls: [
    { run: () => {}, kind: "guard", takes: [take("query", { key: "g" })], read: readQuery("g") },
    { run: () => {}, takes: [take("query", { key: "a" })], read: readQuery("a") },
    { run: () => {}, takes: [take("query", { key: "b" })], read: readQuery("b") },
  ],
  takes: [take("query", { key: "c" }), take("query", { key: "a", name: "same" })],
  read: readQuery("c"),
};

test("the 422 for a guard has its own issues alone", async () => {
  const [status, { issues }] = (await ask(REFUSED)) as [number, { issues: unknown }];
  assert.equal([status, issues], [422, [missing("g")]]);
});

for (const [path, keys] of [
  ["/?g=1", ["a", "b", "c"]],
  ["/?g=1&a=1", ["b", "c"]],
  ["/?g=1&a=1&b=1", ["c"]],
] as const) {
  test(`the 422 for a provider has the issues of all that come after the guards, each once: ${path}`, async () => {
    const [status, { issues }] = (await ask(REFUSED, {}, path)) as [number, { issues: unknown }];
    assert.equal([status, issues], [422, keys.map(missing)]);
  });
}

test("a Standard Schema of any function is asked, and its issues are among the others", async () => {
  const schema: StandardSchema = {
    "~standard": { validate: async () => ({ issues: [{ message: "is taken" }] }) },
  };
  const asked = take("query", {
    key: "name",
    shape: { kind: "schema", file: "a.ts", exported: "Name" },
    schema,
  });
  const late = { takes: [take("query", { key: "q" }), asked] };
  const served: Served = {
    calls: [{ run: () => {}, ...late, read: async () => undefined }],
    takes: [take("query", { key: "z" })],
  };
  const [status, { issues }] = (await ask(served, {}, "/?name=a")) as [number, { issues: object[] }];
  assert.is(status, 422);
  assert.equal(
    issues.map((issue) => Object.values(issue).join(" ")),
    ["query /name schema is taken", "query /q required is missing", "query /z required is missing"],
  );
});

const THROWN: readonly [what: string, make: () => unknown, status: number, body: unknown][] = [
  ["an HttpError", () => new HttpError(403, "Not yours."), 403, { error: "Not yours." }],
  ["a Response", () => Response.json({ moved: true }, { status: 418 }), 418, { moved: true }],
  ["any other error", () => new Error("broken"), 500, { error: "Internal Server Error" }],
];

for (const kind of ["guard", "provider"] as const) {
  for (const [what, make, status, body] of THROWN) {
    for (const isAsync of [false, true]) {
      test(`${what} that a ${kind} throws ${isAsync ? "later" : "at once"} is the answer`, async () => {
        const run = (): unknown => {
          if (isAsync) return turn().then(() => Promise.reject(make()));
          throw make();
        };
        const handler = (): void => assert.unreachable();
        const { app } = createServed({ calls: [{ run, kind }], handler });
        const response = await app.fetch("/");
        assert.is(response.status, status);
        assert.equal(await response.json(), body);
      });
    }
  }
}

const RETURNED: readonly [what: string, returned: unknown, named: RegExp][] = [
  [
    "false",
    false,
    /^TypeError: guard \(apps\/shop\/providers\.ts:1\) returned false\. A guard refuses .* throwing: /,
  ],
  ["a Response", new Response(null, { status: 403 }), /returned a Response\./],
  ["a reply", reply({}, 403), /returned a Reply\./],
  ["an object with an error's status", [{ error: "no" }, 403], /returned an Array\./],
];

for (const [what, returned, message] of RETURNED) {
  test(`a guard that returns ${what} lets nothing through: it is a 500 that says what to do`, async () => {
    for (const run of [() => returned, async () => returned]) {
      const handler = (): void => assert.unreachable();
      const { app, logged } = createServed({ calls: [{ run, kind: "guard", name: "guard" }], handler });
      assert.is((await app.fetch("/")).status, 500);
      assert.match(String(logged[0]?.error), message);
    }
  });
}

test("a guard that returns a thenable is awaited, also where its `then` returns nothing", async () => {
  const refuse = (_: unknown, reject: (error: unknown) => void) =>
    void setImmediate(reject, new HttpError(403, "no"));
  // biome-ignore lint/suspicious/noThenProperty: some libraries' queries are like that.
  const calls: CalledProvider[] = [{ run: () => ({ then: refuse }), kind: "guard", isEarly: true }];
  assert.is((await ask({ calls }))[0], 403);
});

test("an error that a guard returns counts as thrown", async () => {
  const run = (): unknown => new HttpError(403, "no");
  assert.equal(await ask({ calls: [{ run, kind: "guard" }] }), [403, { error: "no" }]);
});

for (const value of [undefined, null, true, 0, "", { id: 1 }, [{ id: 1 }, 7], [{ id: 1 }, 200]]) {
  test(`a guard may return ${JSON.stringify(value)}`, async () => {
    assert.equal(await ask({ calls: [{ run: () => value, kind: "guard" }], needs: [0] }), [
      200,
      { args: [value ?? null] },
    ]);
  });
}

test("nothing more is called for a request that the app has given up", async () => {
  const called: string[] = [];
  let held = gate();
  const released = gate();
  const hold = (): Promise<void> => {
    held.open();
    return released.opened;
  };
  const slow = async (): Promise<void> => {
    await hold();
    called.push("slow");
  };
  const late = async (): Promise<[]> => {
    await hold();
    return [];
  };
  const hooks = chainHooks([{ folder: "", middleware: async (_request, next) => hold().then(next) }]);
  for (const served of [
    { calls: [{ run: slow }, { run: () => void called.push("next") }] },
    { calls: [{ run: slow }], handler: () => void called.push("handler") },
    { calls: [{ run: () => void called.push("next"), read: late }] },
    { calls: [{ run: () => {} }], read: late, handler: () => void called.push("handler") },
    { calls: [{ run: () => void called.push("first") }], hooks },
  ] satisfies Served[]) {
    held = gate();
    const { app } = createServed(served, { handlerTimeout: 1 });
    await stopClock(async (clock) => {
      const answer = app.fetch("/");
      await held.opened;
      clock.pass(2);
      assert.is((await answer).status, 503);
    });
  }
  released.open();
  await settle();
  assert.equal(called, ["slow", "slow"]);
});

/** A middleware that only looks at the request. */
const looking = (look: (request: Request) => unknown): HookChain => {
  const middleware: Middleware = async (request, next) => {
    await look(request);
    return next();
  };
  return chainHooks([{ folder: "", middleware }]);
};

const takesAll: Served = {
  calls: [{ run: (request: Request) => request, kind: "guard", read: (reader) => [reader.request] }],
  takes: [take("body", named)],
  read: (reader) => [reader.body, reader.request === reader.results[0], reader.request.bodyUsed],
};

test("all functions of a request are given one request, whose body is used when a parameter has taken it", async () => {
  const seen: Request[] = [];
  const hooks = looking((request) => seen.push(request));
  const sent = { body: '{"a":1}', headers: JSON_TYPE };
  assert.equal(await ask(takesAll, sent), [200, { args: [{ a: 1 }, true, true] }]);
  assert.equal(await ask({ ...takesAll, hooks }, sent), [200, { args: [{ a: 1 }, true, true] }]);
  assert.is(seen[0]?.bodyUsed, true);
});

test("a body that a middleware reads from a clone is there for the parameter, too, whoever reads first", async () => {
  let read: unknown;
  let clone: Request | undefined;
  const sent = { body: '{"a":1}', headers: JSON_TYPE };
  const first = looking(async (request) => {
    read = await request.clone().text();
  });
  assert.equal(await ask({ ...takesAll, hooks: first }, sent), [200, { args: [{ a: 1 }, true, true] }]);
  assert.is(read, '{"a":1}');
  const middleware: Middleware = async (request, next) => {
    clone = request.clone();
    const response = await next();
    read = [clone.bodyUsed, await clone.clone().json(), await clone.json()];
    return response;
  };
  const last = chainHooks([{ folder: "", middleware }]);
  assert.equal(await ask({ ...takesAll, hooks: last }, sent), [200, { args: [{ a: 1 }, true, true] }]);
  assert.equal(read, [false, { a: 1 }, { a: 1 }]);
});

test("a body that a middleware or a guard has read is a 500 that says so", async () => {
  const readAll = (request: Request): Promise<string> => request.text();
  const lock = (request: Request): unknown => request.body?.getReader();
  const guarded: Served = { ...takesAll, calls: [{ ...takesAll.calls[0], run: readAll }] };
  for (const served of [
    guarded,
    { ...takesAll, hooks: looking(readAll) },
    { ...takesAll, hooks: looking(lock) },
  ]) {
    const { app, logged } = createServed(served);
    const response = await app.fetch("/", { method: "POST", body: "{}", headers: JSON_TYPE });
    assert.is(response.status, 500);
    assert.match(
      String(logged[0]?.error),
      /^TypeError: The Body or Form parameter found the body already read\. /,
    );
  }
});

test("over a socket, the body is read once for all, too", async () => {
  const hooks = looking(async (request) => request.clone().text());
  for (const served of [takesAll, { ...takesAll, hooks }]) {
    const server = await createServed(served).app.listen({ host: "127.0.0.1", port: 0 });
    const response = await fetch(server.url, { method: "POST", body: '{"a":1}', headers: JSON_TYPE });
    assert.equal(await response.json(), { args: [{ a: 1 }, true, true] });
    await server.close();
  }
});

test("a handler that takes a body is called in the async context of its middleware", async () => {
  const context = new AsyncLocalStorage<string>();
  const asked = gate();
  const middleware: Middleware = (_request, next) => {
    const answer = context.run("of the middleware", next);
    asked.open();
    return answer;
  };
  const { app } = createServed({
    calls: [],
    takes: [take("body")],
    read: () => [],
    handler: () => ({ context: context.getStore() }),
    hooks: chainHooks([{ folder: "", middleware }]),
  });
  const server = await app.listen({ host: "127.0.0.1", port: 0 });
  // The rest arrives when the request already waits for it.
  const halves = async function* (): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode("1");
    await asked.opened;
    yield new TextEncoder().encode("2");
  };
  const body = ReadableStream.from(halves());
  const init = { method: "POST", headers: JSON_TYPE, body, duplex: "half" } as const;
  const response = await fetch(server.url, init);
  assert.equal(await response.json(), { context: "of the middleware" });
  await server.close();
});

test.run();
