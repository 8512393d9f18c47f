import { setImmediate } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createCoreApp } from "#runtime/app";
import { bind } from "#runtime/bound.fixture";
import { reply } from "#runtime/message/reply";
import { DEFAULT_SETTINGS } from "#runtime/settings";
import { watchResults } from "./results.ts";

const ADVICE =
  /^`\w+` returned \[array, 201\]: that is a JSON array\. For a status write reply\(array, 201\)\. \(.+:\d+:\d+\)$/;

/** @returns the advice about a handler that is asked twice, and how many answers were as without it. */
async function advised(handler: () => unknown): Promise<string[]> {
  const lines: string[] = [];
  const bound = watchResults(bind("GET /", handler), {
    findDeclared: async () => undefined,
    report: () => assert.unreachable(),
    advise: (line) => lines.push(line),
  });
  const [watched, plain] = [bound, bind("GET /", handler)].map((route) =>
    createCoreApp([route], { settings: DEFAULT_SETTINGS }),
  );
  for (let time = 0; time < 2; time++)
    assert.is(await (await watched?.fetch("/"))?.text(), await (await plain?.fetch("/"))?.text());
  for (let turn = 0; turn < 3; turn++) await setImmediate();
  return lines;
}

for (const [title, handler] of [
  ["a handler", () => [[1], 201]],
  ["an async handler", async () => [[{ id: 7 }, 3], 201]],
] as const) {
  test(`${title} that returns an array with a status is reported the first time, and its result is as it was`, async () => {
    const lines = await advised(handler);
    assert.is(lines.length, 1);
    assert.match(lines[0] ?? "", ADVICE);
  });
}

for (const [title, result] of [
  ["an object with a status", [{ id: 7 }, 201]],
  ["a reply of an array", reply([1], 201)],
  ["an array with a number that is not a status", [[1], 7]],
  ["an array with two others", [[1], 201, 1]],
  ["an array of arrays, and a number", [[1], [2], 201]],
  ["an array of two numbers", [200, 201]],
  ["nothing", undefined],
] as const) {
  test(`${title} is not reported`, async () => {
    assert.equal(await advised(() => result), []);
  });
}

test.run();
