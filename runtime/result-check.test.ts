// biome-ignore-all lint/suspicious/noThenProperty: a promise is what has a `then`.
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type App, type BoundRoute, createCoreApp, type Handler } from "./app.ts";
import { bind } from "./bound.fixture.ts";
import { createHookedApp, type HookedApp, type HookedRoute } from "./hooked.fixture.ts";
import { HttpError } from "./message/errors.ts";
import { events } from "./message/events.ts";
import { reply } from "./message/reply.ts";
import type { Answer } from "./message/result.ts";
import type { Source } from "./message/stream.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";

const SETTINGS = { ...DEFAULT_SETTINGS, accessLog: false };

function serve(handler: Handler, look: NonNullable<BoundRoute["look"]>): App {
  const log = { info() {}, error() {} };
  return createCoreApp([{ ...bind("GET /", handler), look }], { settings: SETTINGS, log });
}

async function* pieces(): AsyncGenerator<string> {
  yield "a";
  yield "b";
}

/** The results of handlers, and what clients get of them: the same as without anybody who looks. */
const SENT: readonly (readonly [what: string, handler: () => unknown, status: number, text: string])[] = [
  ["an object", () => ({ a: 1 }), 200, '{"a":1}'],
  ["a promise", async () => [{ a: 1 }, 201], 201, '{"a":1}'],
  ["a text", () => "text", 200, "text"],
  ["nothing", () => undefined, 204, ""],
  ["a reply", () => reply("text", 202), 202, "text"],
  ["a response", () => new Response("text", { status: 203 }), 203, "text"],
  ["a stream", pieces, 200, "ab"],
];

for (const [what, handler, status, text] of SENT) {
  test(`${what} is looked at once, as it is sent`, async () => {
    const seen: Answer<Source>[] = [];
    const app = serve(handler, (answer) => {
      seen.push(answer);
      return answer;
    });
    const response = await app.fetch("/");
    assert.equal([response.status, await response.text()], [status, text]);
    assert.equal(
      seen.map((answer) => answer.status),
      [status],
    );
  });
}

/** Neither has an answer of the handler's own. */
const THROWN: readonly (readonly [what: string, handler: () => unknown, status: number])[] = [
  ["what a handler throws", () => Promise.reject(new HttpError(409, "no")), 409],
  [
    "a response that it throws",
    () => {
      throw new Response(null, { status: 410 });
    },
    410,
  ],
  ["what has no JSON", () => [{}, 1000], 500],
];

for (const [what, handler, status] of THROWN) {
  test(`${what} is not looked at`, async () => {
    let looks = 0;
    const app = serve(handler, (answer) => {
      looks++;
      return answer;
    });
    assert.is((await app.fetch("/")).status, status);
    assert.is(looks, 0);
  });
}

test("what has to be awaited runs once", async () => {
  let runs = 0;
  const query = {
    then(resolve: (rows: unknown) => void) {
      runs++;
      resolve([]);
    },
  };
  const response = await serve(
    () => query,
    (answer) => answer,
  ).fetch("/");
  assert.is(await response.text(), "[]");
  assert.is(runs, 1);
});

function* numbers(): Generator<number> {
  yield 1;
}

const rows = (): Promise<unknown> => Promise.resolve([{ id: 1 }]);
const unrun = () => assert.unreachable("nothing runs a query that nobody awaits");
class Query {
  then = unrun;
}
class Page {
  toJSON(): object {
    return { rows: rows() };
  }
}
class Itself {
  a = {};
  rows = rows();
  toJSON(): object {
    return this;
  }
}

function hooked(strict: boolean, routes: Readonly<Record<string, HookedRoute>>): HookedApp {
  return createHookedApp(routes, [], { strict });
}

const query = new Kysely<{ items: { id: number } }>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
}).selectFrom("items");
const forgotExecute = "a query that did not run. Did you forget to call execute()?";
const noJson = "which has no JSON.";

/** What has no JSON of its own, and the whole message about it: a 500, in production, too. */
const REFUSED: readonly (readonly [what: string, handler: () => unknown, message: string])[] = [
  [
    "a generator",
    () => numbers(),
    `a generator, ${noJson} Give an array or a stream instead, as in [...…] or events(…).`,
  ],
  [
    "an iterator",
    () => [1].values(),
    `an array iterator, ${noJson} Give an array or a stream instead, as in [...…] or events(…).`,
  ],
  [
    "a Map",
    () => new Map(),
    `a Map, ${noJson} Give an array or an object instead, as in Object.fromEntries(…).`,
  ],
  ["a Set", () => new Set(), `a Set, ${noJson} Give an array or an object instead, as in [...…].`],
  ["a BigInt", () => 7n, `a BigInt, ${noJson} Give String(id) or Number(id).`],
  [
    "a BigInt inside",
    () => ({ items: [{ id: 7n }] }),
    `a BigInt at /items/0/id, ${noJson} Give String(id) or Number(id).`,
  ],
  ["a query of Kysely", () => query, `a SelectQueryBuilderImpl, ${forgotExecute}`],
  ["a query of Kysely with a status", () => [query, 201], `a SelectQueryBuilderImpl, ${forgotExecute}`],
];

for (const [what, handler, message] of REFUSED)
  test(`${what} is a 500 whose message says what was seen and what to do`, async () => {
    const app = hooked(false, { "GET /": [handler] });
    assert.is((await app.fetch("/")).status, 500);
    assert.is(String(app.logged[0]?.error), `TypeError: The handler returned ${message}`);
  });

/** What a handler returns, where the promise is, and the JSON that production sends. */
const FORGOTTEN: readonly (readonly [
  what: string,
  handler: () => unknown,
  place: string,
  sent: string,
  seen?: string,
])[] = [
  ["an object", () => ({ rows: rows() }), " at /rows", '{"rows":{}}'],
  ["items of an object", () => ({ items: [{ a: 1 }, { rows: rows() }] }), " at /items/1/rows", ""],
  ["an array", () => [1, 2].map(async (id) => ({ id })), " at /0", "[{},{}]"],
  ["an object with a status", () => [{ rows: rows() }, 201], " at /rows", '{"rows":{}}'],
  ["a reply", () => reply({ rows: rows() }, 201), " at /rows", '{"rows":{}}'],
  ["an object with toJSON", () => ({ page: new Page() }), " at /page/rows", '{"page":{"rows":{}}}'],
  ["an async toJSON", () => ({ user: { toJSON: async () => ({}) } }), " at /user", '{"user":{}}'],
  ["a toJSON that returns its object", () => new Itself(), " at /rows", '{"a":{},"rows":{}}'],
  ["a thenable", () => ({ items: new Query() }), " at /items", '{"items":{}}', "a Query"],
  [
    "a query of Kysely",
    () => ({ items: [query] }),
    " at /items/0",
    '{"items":[{}]}',
    "a SelectQueryBuilderImpl",
  ],
  [
    "the fields of what has a then",
    () => ({ rule: { if: rows(), then: unrun } }),
    " at /rule/if",
    '{"rule":{"if":{}}}',
  ],
  [
    "the object of an HttpError",
    () => Promise.reject(new HttpError(422, { a: rows() })),
    " at /a",
    '{"a":{}}',
  ],
];

for (const [what, handler, place, sent, seen = "a promise"] of FORGOTTEN) {
  const giver = what.includes("HttpError") ? "The HttpError holds" : "The handler returned";
  const problem = what.includes("Kysely") ? forgotExecute : "whose value is not sent. Await it first.";
  const message = `${giver} ${seen}${place}, ${problem}`;

  test(`a promise in ${what} is a 500 under dev and tests, which names its place`, async () => {
    const app = hooked(true, { "GET /": [handler] });
    const response = await app.fetch("/");
    const error = `GET / → get (routes/x.ts:1:1): ${message}`;
    assert.equal([response.status, await response.json()], [500, { error }]);
    assert.equal(
      app.logged.map((event) => event.message),
      [message],
    );
  });

  test(`a promise in ${what} is sent in production, and logged once a route`, async () => {
    const app = hooked(false, { "GET /": [handler], "GET /other": [handler] });
    for (const path of ["/", "/", "/other", "/other"]) {
      const response = await app.fetch(path);
      assert.is.not(response.status, 500);
      const text = await response.text();
      if (sent !== "") assert.is(text, sent);
    }
    assert.equal(
      app.logged.map((event) => [event.path, event.route, event.message]),
      [
        ["/", "/", message],
        ["/other", "/other", message],
      ],
    );
  });
}

const MODEL = { id: 1, a: {}, toJSON: async () => assert.unreachable("JSON.stringify does not call it") };

/** What is not a mistake, or is the project's own business. */
const FINE: readonly (readonly [what: string, handler: () => unknown, sent: string])[] = [
  ["empty objects", () => ({ a: {}, b: [{}], text: "{}" }), '{"a":{},"b":[{}],"text":"{}"}'],
  ["a thenable with a JSON of its own", () => ({ a: { then() {}, toJSON: () => "a" } }), '{"a":"a"}'],
  ["what has a then and a JSON", () => ({ rule: { if: 1, then: unrun }, a: {} }), '{"rule":{"if":1},"a":{}}'],
  ["an array with a then", () => ({ list: Object.assign([], { then: unrun }), a: {} }), '{"list":[],"a":{}}'],
  ["a toJSON that another toJSON returns", () => ({ toJSON: () => MODEL }), '{"id":1,"a":{}}'],
  ["methods as those of a query", () => ({ name: "job", execute() {}, compile() {} }), '{"name":"job"}'],
  ["a member that is named then", () => ({ then: "later", a: {} }), '{"then":"later","a":{}}'],
  ["what JSON leaves out", () => Object.defineProperty({ a: {} }, "rows", { value: rows() }), '{"a":{}}'],
];

for (const [what, handler, sent] of FINE) {
  for (const strict of [true, false])
    test(`${what} ${strict ? "under dev and tests" : "in production"} is sent without a word`, async () => {
      const app = hooked(strict, { "GET /": [handler] });
      assert.is(await (await app.fetch("/")).text(), sent);
      assert.equal(app.logged, []);
    });
}

test("a BigInt whose prototype has a toJSON is sent", async () => {
  Object.assign(BigInt.prototype, { toJSON: () => "7" });
  try {
    const app = hooked(true, { "GET /": [() => ({ id: 7n })] });
    assert.is(await (await app.fetch("/")).text(), '{"id":"7"}');
  } finally {
    Reflect.deleteProperty(BigInt.prototype, "toJSON");
  }
});

class Keyed {
  calls = 0;
  toJSON(key: string): object {
    if (this.calls++ > 1) throw new Error("It is called too often.");
    return { field: key.toUpperCase(), more: {} };
  }
}

for (const strict of [true, false]) {
  test(`a toJSON that needs its key, or can't be called again and again, is sent: ${strict ? "dev" : "production"}`, async () => {
    const app = hooked(strict, { "GET /": [() => ({ price: new Keyed() })] });
    const response = await app.fetch("/");
    assert.equal([response.status, await response.json()], [200, { price: { field: "PRICE", more: {} } }]);
  });
}

test("production still finds a promise where every answer has a {}, and then no more of them", async () => {
  let asked = 0;
  const handler = () => (asked++ < 250 ? { a: {} } : { a: {}, rows: rows() });
  const app = hooked(false, { "GET /": [handler] });
  for (let count = 0; count < 500; count++) await app.fetch("/");
  assert.equal(
    app.logged.map((event) => event.message),
    ["The handler returned a promise at /rows, whose value is not sent. Await it first."],
  );
});

/** Where nothing but a promise is sent, nobody would hear of what becomes of it. */
const WHOLE: readonly (readonly [what: string, handler: () => unknown])[] = [
  ["an array with a status", () => [rows(), 201]],
  ["an array with a status that has no body", () => [rows(), 204]],
  ["a reply", () => reply(rows(), 201)],
  ["a reply without a body", () => reply(rows(), 204)],
  ["an HttpError", () => Promise.reject(new HttpError(422, rows()))],
];

for (const [what, handler] of WHOLE) {
  for (const strict of [true, false])
    test(`a promise as the value of ${what} is a 500 ${strict ? "under dev and tests" : "in production"}`, async () => {
      const app = hooked(strict, { "GET /": [handler] });
      assert.is((await app.fetch("/")).status, 500);
      assert.match(String(app.logged[0]?.error), /^TypeError: .*Await it first\.$/);
      assert.is(app.logged.length, 1);
    });
}

/** Hooks, and who gave the promise that is sent. */
const HOOKS: readonly (readonly [route: HookedRoute, giver: string])[] = [
  [
    [() => ({}), { folder: "routes", middleware: () => ({ rows: rows() }) }],
    "The middleware of routes/_hooks.ts",
  ],
  [
    [() => Promise.reject(new Error("no")), { folder: "", error: () => [{ rows: rows() }, 409] }],
    "The error hook of _hooks.ts",
  ],
];

for (const [route, giver] of HOOKS)
  test(`a promise in what ${giver.slice(4)} returned is found, too`, async () => {
    const message = `${giver} returned a promise at /rows, whose value is not sent. Await it first.`;
    const strict = hooked(true, { "GET /": route });
    assert.is((await strict.fetch("/")).status, 500);
    assert.is(strict.logged[0]?.message, message);
    const lenient = hooked(false, { "GET /": route });
    assert.is(await (await lenient.fetch("/")).text(), '{"rows":{}}');
    assert.equal(
      lenient.logged.map((event) => event.message),
      [message],
    );
  });

test("an error hook may answer for a handler that forgot to await", async () => {
  const error = (thrown: unknown) => ({ caught: String(thrown) });
  const app = hooked(true, { "GET /": [() => ({ rows: rows() }), { folder: "", error }] });
  const response = await app.fetch("/");
  assert.match(await response.text(), /"caught":"HttpError: GET \/ → .* a promise at \/rows/);
  assert.is(response.status, 500);
});

for (const [data, place] of [
  [{ rows: rows() }, " at /rows"],
  [{ toJSON: rows }, ""],
] as const)
  test(`a promise${place} in the data of an event ends the stream, in production, too`, async () => {
    const app = hooked(false, { "GET /": [() => events([data])] });
    assert.is((await app.fetch("/")).status, 500);
    assert.is(
      String(app.logged[0]?.error),
      `TypeError: The event holds a promise${place}, whose value is not sent. Await it first.`,
    );
  });

function unreachable(): never {
  throw new Error("no answer is looked at");
}

test("a result is looked at before it is compared with its type", async () => {
  const log = { info() {}, error() {} };
  const bound = { ...bind("GET /", () => ({ rows: rows() })), look: unreachable };
  const app = createCoreApp([bound], { settings: SETTINGS, log, strict: true });
  assert.match(await (await app.fetch("/")).text(), "a promise at /rows");
});

test("a result that is nested too deep for the search is sent", async () => {
  let nested: object = { rows: rows() };
  for (let depth = 0; depth < 4000; depth++) nested = { nested };
  const app = hooked(true, { "GET /": [() => nested] });
  assert.is((await app.fetch("/")).status, 200);
});

test.run();
