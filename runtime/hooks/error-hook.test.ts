/** What error hooks answer. Which are called, and in which order, is in `order.test.ts`. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { stopClock } from "../clock.fixture.ts";
import { settle } from "../gate.fixture.ts";
import { createHookedApp, type HookedApp, withError } from "../hooked.fixture.ts";
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

const bug = new Conflict();
const missing = new HttpError(404, "no");
const busy = new HttpError(503, "no");
const behind = new HttpError(503, "no", { cause: new Conflict() });
const object = () => ({ b: 2 });

/** What is thrown, what the hook returns for it, and the answer: its status, type and body, and whether the error is logged. */
const ANSWERS: readonly [string, unknown, () => unknown, string, boolean][] = [
  ["an object", bug, object, '500 json {"b":2}', true],
  ["an object for an HttpError", missing, object, '404 json {"b":2}', false],
  ["an object for a 5xx HttpError", busy, object, '503 json {"b":2}', false],
  ["an object for a 5xx HttpError with a failure behind it", behind, object, '503 json {"b":2}', true],
  ["an object and a status", bug, () => [{ b: 2 }, 409], '409 json {"b":2}', false],
  ["an object and a 5xx", bug, () => [{ b: 2 }, 503], '503 json {"b":2}', true],
  ["an object and 200", missing, () => [{ b: 2 }, 200], '200 json {"b":2}', false],
  ["a reply", bug, () => reply("b", 409), "409 text b", false],
  ["a Response", bug, () => new Response("b", { status: 410 }), "410 text b", false],
  ["a Response with a 5xx", bug, () => new Response(null, { status: 502 }), "502 null ", true],
  ["a thrown Response", bug, fail(new Response(null, { status: 418 })), "418 null ", false],
  ["events", bug, () => events([1], { heartbeat: 0 }), "200 event-stream data: 1", false],
  ["a text", missing, () => "b", "404 text b", false],
  ["an array", missing, () => [1], "404 json [1]", false],
  ["false", missing, () => false, "404 json false", false],
  ["a stream", missing, () => new Blob(["b"]).stream(), "404 octet-stream b", false],
  ["a promise", missing, async () => ({ b: 2 }), '404 json {"b":2}', false],
  ["an object for a thrown text", "text", object, '500 json {"b":2}', true],
  ["an object for nothing thrown", undefined, object, '500 json {"b":2}', true],
  ["nothing", bug, () => undefined, '500 json {"error":"Internal Server Error"}', true],
  ["null", missing, () => null, '404 json {"error":"no"}', false],
  ["the error again", missing, fail(missing), '404 json {"error":"no"}', false],
  ["another HttpError", bug, fail(new HttpError(409, "in use")), '409 json {"error":"in use"}', false],
  ["a 5xx HttpError", bug, fail(new HttpError(503, "busy")), '503 json {"error":"busy"}', true],
];

for (const [title, thrown, hook, expected, isLogged] of ANSWERS)
  test(`an error hook gives ${title}, for what the handler throws at once or later`, async () => {
    for (const handler of [fail(thrown), async () => fail(thrown)()]) {
      const app = createHookedApp({ "GET /": [handler, withError(hook)] });
      const response = await app.fetch("/");
      const type = response.headers.get("content-type");
      const [short = type] = /json|text(?=\/plain)|event-stream|octet-stream/.exec(type ?? "") ?? [];
      const text = (await response.text()).replace(/^:\n\n|\n\n$/g, "");
      assert.is(`${response.status} ${short} ${text}`, expected);
      assert.equal(
        app.logged.map(({ error }) => error),
        isLogged ? [thrown] : [],
      );
    }
  });

test("all that was thrown is in the log, if the answer is a 5xx", async () => {
  const [first, second] = [new Error("first"), new Error("second")];
  const [throwsFirst, throwsSecond] = [withError(fail(first)), withError(fail(second))];
  for (const [hooks, expected] of [
    [[throwsSecond], [second, first]],
    [[throwsFirst, throwsFirst], [first]],
    [
      [withError(() => ({})), throwsSecond],
      [first, second],
    ],
    [[withError(fail(new HttpError(503, "busy")))], [first]],
    [[withError(() => [{}, 409]), throwsSecond], []],
  ] as const) {
    const app = createHookedApp({ "GET /": [fail(first), ...hooks] });
    await get(app);
    assert.equal(
      app.logged.map(({ error }) => error),
      expected,
    );
  }
});

test("a result that can't be sent is an error of the hook: the outer ones are asked", async () => {
  const outer: ErrorHook = (error) => [{ outer: error instanceof Error && error.message }, 500];
  const app = createHookedApp({ "GET /": [fail(missing), withError(outer), withError(() => new Map())] });
  assert.match(await get(app), "The error hook of apps/admin/_hooks.ts returned a Map, which has no JSON.");
});

test("the answer keeps the headers of the HttpError, unless it has another status or sets them itself", async () => {
  const headers = { "www-authenticate": "Bearer", "content-type": "application/problem+json" };
  const error = new HttpError(401, "no", { headers });
  for (const [hook, expected] of [
    [() => ({ b: 2 }), "Bearer"],
    [() => [{ b: 2 }, 401], "Bearer"],
    [() => reply({ b: 2 }, 401, { "WWW-Authenticate": "Basic" }), "Basic"],
    [() => [{ b: 2 }, 404], null],
  ] as const) {
    const { headers } = await createHookedApp({ "GET /": [fail(error), withError(hook)] }).fetch("/");
    assert.is(headers.get("www-authenticate"), expected);
    assert.is(headers.get("content-type"), "application/json; charset=utf-8");
  }
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
});

test("an error hook that never settles is cut by handler_timeout", () =>
  stopClock(async (clock) => {
    const settings = { handlerTimeout: 1 };
    const never = withError(() => new Promise(() => {}));
    const answer = get(createHookedApp({ "GET /": [fail(bug), never] }, [], { settings }));
    await settle();
    clock.pass(2);
    assert.is(await answer, '503 {"error":"Service Unavailable"}');
  }));

test.run();
