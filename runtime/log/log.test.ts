import { test } from "uvu";
import * as assert from "uvu/assert";
import { formatLogEvent, type LogEvent, type Logger, toLog } from "./log.ts";

const location = { file: "apps/shop/views.ts", line: 3, column: 17 };

const CASES: [string, LogEvent, RegExp][] = [
  ["a message alone", { message: "Hello." }, /^Hello\.$/],
  [
    "a request and its handler",
    { message: "The handler failed.", method: "GET", path: "/", handler: "get_index", location },
    /^GET \/ → get_index \(apps\/shop\/views\.ts:3:17\): The handler failed\.$/,
  ],
  [
    "an answer",
    { message: "", method: "GET", path: "/", status: 200, duration: 1.234 },
    /^GET \/ 200 1\.2 ms$/,
  ],
  ["a stack", { message: "Failed.", error: new TypeError("x") }, /^Failed\.\n {2}TypeError: x\n {6}at /],
  ["a cause", { message: "Failed.", error: new Error("x", { cause: "y" }) }, /\n {2}caused by y$/],
  [
    "what to do, if the error knows it",
    {
      message: "Failed.",
      error: new Error("x", { cause: Object.assign(new Error("y"), { hint: "Do z." }) }),
    },
    /caused by Error: y\n.*\n {4}hint: Do z\.$/s,
  ],
  ["anything that was thrown", { message: "Failed.", error: { a: 1 } }, /^Failed\.\n {2}\{"a":1\}$/],
  ["an escape sequence", { message: "\u001b[2J\r\u202e" }, /^\\x1b\[2J\\x0d\\u\{202e\}$/],
];

for (const [title, event, expected] of CASES) {
  test(`it shows ${title}`, () => assert.match(formatLogEvent(event), expected));
}

test("what can't be shown does not break the log", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  assert.match(formatLogEvent({ message: "Failed.", error: cycle }), /\[object Object\]/);
});

/** With pino's interface: methods that need their `this`, an object first, and the message after it. */
class StandIn implements Logger {
  readonly lines: [level: string, fields: object, message: string][] = [];

  info(fields: object, message: string): void {
    this.lines.push(["info", fields, message]);
  }

  error(fields: object, message: string): void {
    this.lines.push(["error", fields, message]);
  }
}

test("a message has no fields, and a request is called one", () => {
  const logger = new StandIn();
  toLog(logger).info({ message: "Listening." });
  toLog(logger).info({ message: "", method: "GET", path: "/", status: 200, duration: 0.4 });
  assert.equal(logger.lines, [
    ["info", {}, "Listening."],
    ["info", { method: "GET", path: "/", status: 200, duration: 0.4 }, "request"],
  ]);
});

test("what was thrown is in err, where pino's serializer looks for it", () => {
  const logger = new StandIn();
  const error = new TypeError("x");
  toLog(logger).error({ message: "The handler failed.", error, handler: "get_index" });
  const [[level, fields, message] = []] = logger.lines;
  assert.equal([level, message], ["error", "The handler failed."]);
  assert.is((fields as { err: unknown }).err, error);
  assert.equal(Object.keys(fields ?? {}).sort(), ["err", "handler"]);
});

test.run();
