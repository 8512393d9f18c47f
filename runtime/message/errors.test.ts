import { test } from "uvu";
import * as assert from "uvu/assert";
import { HttpError } from "./errors.ts";

const cycle: Record<string, unknown> = {};
cycle.self = cycle;

for (const [title, body, message] of [
  ["a text is the message", "taken", "taken"],
  ["an object's error is the message", { error: "taken", issues: [] }, "taken"],
  ["another object is its JSON", { errors: { name: ["required"] } }, '{"errors":{"name":["required"]}}'],
  ["an array is its JSON", ["required"], '["required"]'],
  ["an object whose error is no text is its JSON", { error: { code: 7 } }, '{"error":{"code":7}}'],
] as const) {
  test(`of an HttpError, ${title}`, () => {
    const error = new HttpError(409, body);
    assert.is(error.message, message);
    assert.match(String(error.stack), message.slice(0, 10));
    assert.equal(error.body, typeof body === "string" ? { error: body } : body);
  });
}

test("what has no JSON is refused where the error is made, so that the stack leads there", () => {
  for (const body of [cycle, { id: 7n }, new Map(), () => 1, new Error("cause"), new Response("x")])
    assert.throws(
      () => new HttpError(409, body),
      (error: unknown) => error instanceof TypeError && error.stack?.includes("errors.test.ts") === true,
    );
});

test("an object goes to the client as it was when the error was made", () => {
  const body: Record<string, unknown> = { id: 7 };
  const error = new HttpError(409, body);
  body.id = 8;
  assert.is(error.message, '{"id":7}');
});

test("the body of a text follows the message", () => {
  const error = new HttpError(409, "taken");
  error.message = "taken since yesterday";
  assert.equal(error.body, { error: "taken since yesterday" });
});

test("headers are what a Headers is made of", () => {
  const pairs: string[][] = [
    ["set-cookie", "a=1"],
    ["set-cookie", "b=2"],
  ];
  for (const headers of [pairs, new Headers(pairs)])
    assert.equal(new HttpError(401, "no", { headers }).headers?.getSetCookie(), ["a=1", "b=2"]);
  assert.is(new HttpError(503, "no", { headers: { "Retry-After": "30" } }).headers?.get("retry-after"), "30");
  assert.is(new HttpError(503, "no").headers, undefined);
});

test("a cause is kept, and is not there where none is given", () => {
  const cause = new Error("why");
  assert.is(new HttpError(500, "no", { cause }).cause, cause);
  assert.not("cause" in new HttpError(500, "no"));
});

test.run();
