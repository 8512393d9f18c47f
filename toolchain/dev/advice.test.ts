import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Handler } from "#runtime/app";
import type { LogEvent } from "#runtime/log/log";
import { reply } from "#runtime/message/reply";
import { adviseOnPairs } from "./advice.ts";

const route = {
  method: "GET",
  pattern: "/items/all",
  segments: ["items", "all"],
  arguments: [],
  handler: "get_all",
  module: "apps/items/views.ts",
  app: "items",
  convention: "views",
  location: { file: "apps/items/views.ts", line: 3, column: 17 },
} as const;

function advised(handler: (...args: never[]) => unknown): {
  call: (...args: unknown[]) => unknown;
  told: string[];
} {
  const told: string[] = [];
  const log = { info: ({ message }: LogEvent) => void told.push(message), error: () => {} };
  const { handler: call } = adviseOnPairs({ route, handler: handler as Handler }, log);
  return { call: call as (...args: unknown[]) => unknown, told };
}

const ADVICE =
  "`get_all` returned [array, 201]: that is a JSON array. For a status write reply(array, 201). (apps/items/views.ts:3:17)";

for (const [title, handler] of [
  ["a handler", () => [[1], 201]],
  ["an async handler", async () => [[{ id: 7 }], 201]],
] as const) {
  test(`${title} that returns an array with a status is reported the first time, and its result is as it was`, async () => {
    const { call, told } = advised(handler);
    assert.equal(await call(), await handler());
    await call();
    assert.equal(told, [ADVICE]);
  });
}

for (const [title, result] of [
  ["an object with a status", [{ id: 7 }, 201]],
  ["a reply of an array", reply([1], 201)],
  ["an array with a number that is not a status", [[1], 7]],
  ["an array with two others", [[1], 201, 1]],
  ["an array of two numbers", [200, 201]],
  ["nothing", undefined],
] as const) {
  test(`${title} is not reported`, async () => {
    const { call, told } = advised(() => result);
    assert.is(await call(), result);
    assert.equal(told, []);
  });
}

test("a handler gets its arguments, throws what it throws, and a query that it returns is not run", async () => {
  assert.is(advised((one: number, two: number) => one + two).call(1, 2), 3);
  const failing = advised(async () => {
    throw new Error("no");
  });
  await Promise.resolve(failing.call()).then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, "no"),
  );
  let runs = 0;
  // biome-ignore lint/suspicious/noThenProperty: a query builder is a thenable.
  advised(() => ({ then: () => runs++ })).call();
  assert.is(runs, 0);
});

test.run();
