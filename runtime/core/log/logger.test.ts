import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Logger, toLog } from "./logger.ts";

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
