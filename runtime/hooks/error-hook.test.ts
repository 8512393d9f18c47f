import { test } from "uvu";
import * as assert from "uvu/assert";
import { stopClock } from "../clock.fixture.ts";
import { settle } from "../gate.fixture.ts";
import { createHookedApp, type HookedApp, withError, withMiddleware } from "../hooked.fixture.ts";
import { HttpError } from "../message/errors.ts";
import { events } from "../message/events.ts";
import { reply } from "../message/reply.ts";
import type { Request } from "../message/request.ts";
import type { ErrorHook } from "./hooks.ts";

class Conflict extends Error {}

async function get(app: HookedApp, path = "/"): Promise<string> {
  const response = await app.fetch(path);
  return `${response.status} ${await response.text()}`;
}

function fail(error: unknown): () => never {
  return () => {
    throw error;
  };
}

const JSON_TYPE = "application/json; charset=utf-8";

/** What is thrown, what the hook returns for it, and the answer: its status, type and body, and whether the error is logged. */
const ANSWERS: readonly [string, unknown, () => unknown, string, boolean][] = [
  ["an object", new Conflict(), () => ({ b: 2 }), `500 ${JSON_TYPE} {"b":2}`, true],
  [
    "an object for an HttpError",
    new HttpError(404, "no"),
    () => ({ b: 2 }),
    `404 ${JSON_TYPE} {"b":2}`,
    false,
  ],
  [
    "an object for a 5xx HttpError",
    new HttpError(503, "no"),
    () => ({ b: 2 }),
    `503 ${JSON_TYPE} {"b":2}`,
    false,
  ],
  [
    "an object for a 5xx HttpError with a failure behind it",
    new HttpError(503, "no", { cause: new Conflict() }),
    () => ({ b: 2 }),
    `503 ${JSON_TYPE} {"b":2}`,
    true,
  ],
  ["an object and a status", new Conflict(), () => [{ b: 2 }, 409], `409 ${JSON_TYPE} {"b":2}`, false],
  ["an object and a 5xx", new Conflict(), () => [{ b: 2 }, 503], `503 ${JSON_TYPE} {"b":2}`, true],
  ["an object and 200", new HttpError(404, "no"), () => [{ b: 2 }, 200], `200 ${JSON_TYPE} {"b":2}`, false],
  ["a reply", new Conflict(), () => reply("b", 409), "409 text/plain; charset=utf-8 b", false],
  [
    "a Response",
    new Conflict(),
    () => new Response("b", { status: 410 }),
    "410 text/plain;charset=UTF-8 b",
    false,
  ],
  ["a Response with a 5xx", new Conflict(), () => new Response(null, { status: 502 }), "502 null ", true],
  ["a thrown Response", new Conflict(), fail(new Response(null, { status: 418 })), "418 null ", false],
  ["events", new Conflict(), () => events([1], { heartbeat: 0 }), "200 text/event-stream data: 1\n\n", false],
  ["a text", new HttpError(404, "no"), () => "b", "404 text/plain; charset=utf-8 b", false],
  ["an array", new HttpError(404, "no"), () => [1], `404 ${JSON_TYPE} [1]`, false],
  ["false", new HttpError(404, "no"), () => false, `404 ${JSON_TYPE} false`, false],
  [
    "a stream",
    new HttpError(404, "no"),
    () => new Blob(["b"]).stream(),
    "404 application/octet-stream b",
    false,
  ],
  ["a promise", new HttpError(404, "no"), async () => ({ b: 2 }), `404 ${JSON_TYPE} {"b":2}`, false],
  ["an object for a thrown text", "text", () => ({ b: 2 }), `500 ${JSON_TYPE} {"b":2}`, true],
  ["an object for nothing thrown", undefined, () => ({ b: 2 }), `500 ${JSON_TYPE} {"b":2}`, true],
  ["nothing", new Conflict(), () => undefined, `500 ${JSON_TYPE} {"error":"Internal Server Error"}`, true],
  ["null", new HttpError(404, "no"), () => null, `404 ${JSON_TYPE} {"error":"no"}`, false],
  [
    "the error again",
    new HttpError(404, "no"),
    fail(new HttpError(404, "no")),
    `404 ${JSON_TYPE} {"error":"no"}`,
    false,
  ],
  [
    "another HttpError",
    new Conflict(),
    fail(new HttpError(409, "in use")),
    `409 ${JSON_TYPE} {"error":"in use"}`,
    false,
  ],
  [
    "a 5xx HttpError",
    new Conflict(),
    fail(new HttpError(503, "busy")),
    `503 ${JSON_TYPE} {"error":"busy"}`,
    true,
  ],
];

for (const [title, thrown, hook, expected, isLogged] of ANSWERS)
  for (const [how, handler] of Object.entries({ "at once": fail(thrown), later: async () => fail(thrown)() }))
    test(`an error hook gives ${title}, for what the handler throws ${how}`, async () => {
      const app = createHookedApp({ "GET /": [handler, withError(hook)] });
      const response = await app.fetch("/");
      const type = response.headers.get("content-type");
      assert.is(`${response.status} ${type} ${await response.text()}`.replace(":\n\n", ""), expected);
      assert.equal(
        app.logged.map(({ error }) => error),
        isLogged ? [thrown] : [],
      );
    });

test("a thrown response is the answer, and no error hook hears of it", async () => {
  const hook = (): void => assert.unreachable();
  const app = createHookedApp({
    "GET /": [fail(Response.json({ a: 1 }, { status: 402 })), withError(hook)],
    "GET /middleware": [
      () => 1,
      { folder: "a", error: hook, middleware: fail(new Response("m", { status: 402 })) },
    ],
  });
  assert.is(await get(app), '402 {"a":1}');
  assert.is(await get(app, "/middleware"), "402 m");
});

test("the nearest folder is asked first, and each outer one about what the one before threw", async () => {
  const asked: string[] = [];
  const note =
    (name: string, hook: ErrorHook): ErrorHook =>
    (error, request) => {
      asked.push(`${name}: ${error instanceof Error ? error.message : error}`);
      return hook(error, request);
    };
  const rename = note("b", fail(new Conflict("second")));
  const app = createHookedApp({
    "GET /": [
      fail(new Conflict("first")),
      withError(note("d", () => ({ d: true }))),
      withError(note("c", (error) => (error instanceof Conflict ? [{ c: true }, 409] : undefined))),
      withError(rename),
      withError(note("a", () => undefined)),
    ],
  });
  assert.is(await get(app), '409 {"c":true}');
  assert.equal(asked, ["a: first", "b: first", "c: second"]);
  assert.equal(app.logged, []);
});

test("all that was thrown is in the log, if the answer is a 5xx", async () => {
  const [first, second] = [new Error("first"), new Error("second")];
  const app = createHookedApp({
    "GET /fails": [fail(first), withError(fail(second))],
    "GET /same": [fail(first), withError(fail(first)), withError(fail(first))],
    "GET /answers": [fail(first), withError(() => ({})), withError(fail(second))],
    "GET /translates": [fail(first), withError(fail(new HttpError(503, "busy")))],
    "GET /conflict": [fail(first), withError(() => [{}, 409]), withError(fail(second))],
  });
  for (const [path, expected] of [
    ["/fails", [second, first]],
    ["/same", [first]],
    ["/answers", [first, second]],
    ["/translates", [first]],
    ["/conflict", []],
  ] as const) {
    const before = app.logged.length;
    await get(app, path);
    assert.equal(
      app.logged.slice(before).map(({ error }) => error),
      expected,
      path,
    );
  }
});

test("a result that can't be sent is an error of the hook: the outer ones are asked", async () => {
  const outer: ErrorHook = (error) => [{ outer: error instanceof Error && error.message }, 500];
  const app = createHookedApp({
    "GET /": [fail(new HttpError(404, "no")), withError(outer), withError(() => new Map())],
  });
  assert.match(await get(app), "The error hook of apps/admin/_hooks.ts returned a Map, which has no JSON.");
});

test("the answer keeps the headers of the HttpError, unless it has another status or sets them itself", async () => {
  const error = new HttpError(401, "no", {
    headers: { "www-authenticate": "Bearer", "content-type": "application/problem+json" },
  });
  const app = createHookedApp({
    "GET /object": [fail(error), withError(() => ({ b: 2 }))],
    "GET /pair": [fail(error), withError(() => [{ b: 2 }, 401])],
    "GET /own": [fail(error), withError(() => reply({ b: 2 }, 401, { "WWW-Authenticate": "Basic" }))],
    "GET /other": [fail(error), withError(() => [{ b: 2 }, 404])],
  });
  for (const [path, expected] of [
    ["/object", "Bearer"],
    ["/pair", "Bearer"],
    ["/own", "Basic"],
    ["/other", null],
  ] as const) {
    const { headers } = await app.fetch(path);
    assert.equal([headers.get("www-authenticate"), headers.get("content-type")], [expected, JSON_TYPE], path);
  }
});

test("what a middleware throws goes to its own folder and the outer ones, not to inner ones", async () => {
  const asked: string[] = [];
  const hook =
    (name: string): ErrorHook =>
    () =>
      void asked.push(name);
  const app = createHookedApp({
    "GET /": [
      () => 1,
      { folder: "", error: hook("root") },
      { folder: "apps", error: hook("apps"), middleware: fail(new HttpError(402, "pay")) },
      { folder: "apps/admin", error: hook("admin") },
    ],
  });
  assert.is(await get(app), '402 {"error":"pay"}');
  assert.equal(asked, ["apps", "root"]);
});

test("an error passes the middleware of the inner folders as a response, also if an outer folder answers it", async () => {
  const statuses: number[] = [];
  const app = createHookedApp({
    "GET /": [
      fail(new Conflict()),
      withError(() => [{ root: true }, 409]),
      withMiddleware(async (_, next) => {
        const response = await next();
        statuses.push(response.status);
        return response;
      }),
    ],
  });
  assert.is(await get(app), '409 {"root":true}');
  assert.equal(statuses, [409]);
});

test("a stream that fails at once is an error for the hooks", async () => {
  const stream = () => new ReadableStream({ pull: fail(new Conflict("at once")) });
  const app = createHookedApp({ "GET /": [stream, withError((error) => [{ at: String(error) }, 409])] });
  assert.is(await get(app), '409 {"at":"Error: at once"}');
});

test("an error hook gets the request, and an HttpError of what no route serves, with what dev explains", async () => {
  const hook: ErrorHook = (error, request: Request) =>
    error instanceof HttpError ? reply({ path: request.path, was: error.body }, error.status) : undefined;
  const root = [{ folder: "", error: hook }];
  const app = createHookedApp({ "GET /": [() => 1] }, root, { dev: true, explainMiss: () => "nearly" });
  assert.is(await get(app, "/x"), '404 {"path":"/x","was":{"error":"Not Found","detail":"nearly"}}');
  assert.match(await get(app, "/%zz"), /^400 {"path":"\/%zz","was":{"error":/);
  const refused = await app.fetch("/", { method: "PUT" });
  assert.equal([refused.status, refused.headers.get("allow")], [405, "GET, HEAD, OPTIONS"]);
  assert.is((await app.fetch("/", { method: "OPTIONS" })).status, 204);
});

test("an error hook that never settles is cut by handler_timeout", async () => {
  const never = () => new Promise(() => {});
  const app = createHookedApp({ "GET /": [fail(new Conflict()), withError(never)] }, [], {
    settings: { handlerTimeout: 1 },
  });
  await stopClock(async (clock) => {
    const answer = get(app);
    await settle();
    clock.pass(2);
    assert.is(await answer, '503 {"error":"Service Unavailable"}');
  });
});

test.run();
