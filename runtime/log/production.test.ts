import { test } from "uvu";
import * as assert from "uvu/assert";
import type { LogEvent } from "./log.ts";
import { formatJsonLine } from "./production.ts";

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const TIME = "2026-01-02T03:04:05.006Z";

function parse(event: LogEvent): Record<string, unknown> {
  return JSON.parse(formatJsonLine("info", event, AT)) as Record<string, unknown>;
}

test("a request is one line, with its fields in this order", () => {
  const event = {
    message: "",
    method: "GET",
    path: "/users/7",
    route: "/users/<id>",
    status: 200,
    duration: 0.41234,
    id: "a-1",
  };
  assert.is(
    formatJsonLine("info", event, AT),
    `{"level":"info","time":"${TIME}","pid":${process.pid},"method":"GET","path":"/users/7","route":"/users/<id>","status":200,"duration":0.412,"id":"a-1"}\n`,
  );
});

test("an error has its handler, its location, and its stack with the causes", () => {
  const location = { file: "apps/shop/views.ts", line: 3, column: 17 };
  const error = new TypeError("x", { cause: "y" });
  const line = parse({ message: "The handler failed.", error, handler: "get_index", location });
  assert.equal(
    [line.handler, line.location, line.message],
    ["get_index", "apps/shop/views.ts:3:17", "The handler failed."],
  );
  assert.match(String(line.error), /^TypeError: x\n {4}at .*\ncaused by y$/s);
});

test("times of one and of several milliseconds are right", () => {
  for (const at of [0, 0, 1, 86_400_000, 0]) {
    const { time } = JSON.parse(formatJsonLine("info", { message: "" }, at)) as { time: string };
    assert.is(Date.parse(time), at);
  }
});

const HOSTILE: readonly string[] = [
  '"}\n{"level":"error","message":"forged"}',
  "\r\n",
  "\\",
  '\\"',
  "\u001b[2J\u0000\u007f\u009b31m",
  "\u2028\u2029\u0085",
  "\u202e\u2066",
  "\ud800 a lone half",
  "für 😀",
  '","status":200,"a":"',
];

for (const text of HOSTILE) {
  test(`${JSON.stringify(text)} forges no line and no field, reaches no terminal, and can be read again`, () => {
    const event: LogEvent = {
      message: text,
      method: text,
      path: text,
      route: text,
      id: text,
      handler: text,
      error: text,
    };
    const line = formatJsonLine("error", event, AT);
    assert.is(line.indexOf("\n"), line.length - 1);
    assert.not.match(line.slice(0, -1), /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
    const { level, time, pid, ...fields } = JSON.parse(line) as Record<string, unknown>;
    assert.equal([level, time, pid], ["error", TIME, process.pid]);
    assert.equal(fields, event);
  });
}

test.run();
