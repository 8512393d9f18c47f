import { test } from "uvu";
import * as assert from "uvu/assert";
import { type App, createCoreApp, type Handler } from "#runtime/core/app";
import { HttpError } from "#runtime/core/message/errors";
import { reply } from "#runtime/core/message/reply";
import { type Answer, errorAnswer } from "#runtime/core/message/result";
import type { Source } from "#runtime/core/message/stream";
import type { Route } from "#runtime/core/routing/route";
import { DEFAULT_SETTINGS } from "#runtime/core/settings";
import { holdResults, type Look } from "./hold.ts";

const ROUTE: Route = {
  method: "GET",
  pattern: "/",
  segments: [],
  arguments: [],
  handler: "get",
  module: "routes/index.ts",
  app: null,
  convention: "routes",
  location: { file: "routes/index.ts", line: 1, column: 17 },
};

const SETTINGS = { ...DEFAULT_SETTINGS, accessLog: false };

function serve(handler: Handler, look: Look): App {
  const log = { info() {}, error() {} };
  return createCoreApp([holdResults({ route: ROUTE, handler }, look)], { settings: SETTINGS, log });
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

test("another answer may be sent instead", async () => {
  const app = serve(
    async () => ({ a: 1 }),
    () => errorAnswer(500, "no"),
  );
  const response = await app.fetch("/");
  assert.equal([response.status, await response.json()], [500, { error: "no" }]);
});

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
    // biome-ignore lint/suspicious/noThenProperty: a query runs when it is awaited.
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

test.run();
