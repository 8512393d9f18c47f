import { test } from "uvu";
import * as assert from "uvu/assert";
import { createHookedApp } from "../hooked.fixture.ts";
import { HttpError } from "./errors.ts";
import { type Reply, reply } from "./reply.ts";

test("the type of a reply has its value and its status", () => {
  const made: Reply<{ id: number }, 201> = reply({ id: 7 }, 201);
  // @ts-expect-error the status is another one
  const wrong: Reply<{ id: number }, 200> = made;
  assert.is(wrong.status, 201);
});

test("a test can read what a reply holds", () => {
  const { value, status, headers } = reply([1], 201, { location: "/items/7" });
  assert.equal([value, status, headers?.get("location")], [[1], 201, "/items/7"]);
  assert.is(reply("a", 200).headers, undefined);
  assert.equal(reply({ id: 7 }, 201), reply({ id: 7 }, 201));
});

for (const [title, make, error] of [
  ["a status below 200", () => reply({}, 101), RangeError],
  ["a status above 599", () => reply({}, 600), RangeError],
  ["a status that is no integer", () => reply({}, 200.5), RangeError],
  ["a header name that can't be sent", () => reply({}, 200, { "a b": "1" }), TypeError],
  ["a line break in a header", () => reply({}, 200, { a: "1\r\nb: 2" }), TypeError],
  ["a control character in a header", () => reply({}, 200, { a: "1\u001b" }), TypeError],
  ["a promise", () => reply(Promise.resolve({}), 200), TypeError],
] as const) {
  test(`${title} is refused where the reply is made, so that the stack leads there`, () => {
    assert.throws(
      make,
      (thrown: unknown) => thrown instanceof error && /reply\.test\.ts/.test(thrown.stack ?? ""),
    );
  });
}

test("a reply is not the body of an HttpError", () => {
  assert.throws(() => new HttpError(404, reply({}, 404)), /A Reply is a whole result/);
});

async function* late(): AsyncGenerator<string> {
  for (const piece of ["one ", "two"]) {
    yield piece;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

for (const [length, what] of [
  ["3", "more"],
  ["9", "fewer"],
] as const)
  test(`a stream with ${what} bytes than its content-length never looks whole, and the log says why`, async () => {
    const app = createHookedApp({ "GET /": [() => reply(late(), 200, { "content-length": length })] });
    const server = await app.listen();
    for (const send of [() => app.fetch("/"), () => fetch(server.url)]) {
      const text = await send()
        .then((response) => (response.ok ? response.text() : ""))
        .catch(() => "");
      assert.is(text, "");
    }
    await server.close();
    const message = `RangeError: The stream has ${what} bytes than its Content-Length, ${length}.`;
    assert.equal(
      app.logged.map(({ error }) => String(error)),
      [message, message],
    );
  });

test.run();
