import { test } from "uvu";
import * as assert from "uvu/assert";
import { HttpError } from "./errors.ts";
import { parseJson } from "./json.ts";

const ACCEPTED: [string, string, unknown][] = [
  ["an object", '{"a":[1,2,{"b":null}]}', { a: [1, 2, { b: null }] }],
  ["a number alone", "1", 1],
  ["a byte order mark", '\uFEFF{"a":1}', { a: 1 }],
  ["escapes", '{"\\u0061":"\\\\"}', { a: "\\" }],
  ["a constructor without prototype", '{"constructor":{"name":"x"}}', { constructor: { name: "x" } }],
  ["__proto__ as a value", '["__proto__"]', ["__proto__"]],
  ["brackets inside strings", JSON.stringify("[".repeat(5000)), "[".repeat(5000)],
  [
    "quotes inside strings",
    JSON.stringify(['"\\'.repeat(1000), "[".repeat(5000)]),
    ['"\\'.repeat(1000), "[".repeat(5000)],
  ],
];

for (const [title, text, value] of ACCEPTED) {
  // As text, because the assertion's own comparison trips over a key named "constructor".
  test(`it reads ${title}`, () =>
    assert.is(JSON.stringify(parseJson(Buffer.from(text))), JSON.stringify(value)));
}

test("it reads 1000 levels", () => {
  assert.ok(Array.isArray(parseJson(Buffer.from("[".repeat(1000) + "]".repeat(1000)))));
});

const REFUSED: [string, Uint8Array][] = [
  ["nothing", Buffer.from("")],
  ["only blanks", Buffer.from(" \n")],
  ["a cut text", Buffer.from('{"a":')],
  ["text after the end", Buffer.from("{} x")],
  ["NaN", Buffer.from("NaN")],
  ["a single quote", Buffer.from("{'a':1}")],
  ["invalid UTF-8", Buffer.from([0x22, 0xff, 0x22])],
  ["an overlong slash", Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
  ["UTF-16", Buffer.from('{"a":1}', "utf16le")],
  ["1001 levels", Buffer.from("[".repeat(1001) + "]".repeat(1001))],
  ["100,000 levels", Buffer.from('{"a":'.repeat(100_000))],
  ["a __proto__ key", Buffer.from('{"__proto__":{"x":1}}')],
  ["a deep __proto__ key", Buffer.from('[{"a":[{"__proto__":1}]}]')],
  ["an escaped __proto__ key", Buffer.from('{"\\u005f_proto__":1}')],
  ["constructor.prototype", Buffer.from('{"constructor":{"prototype":{}}}')],
  ["an escaped constructor.prototype", Buffer.from('{"\\u0063onstructor":{"\\u0070rototype":{}}}')],
];

for (const [title, bytes] of REFUSED) {
  test(`it refuses ${title} with a 400`, () => {
    assert.throws(
      () => parseJson(bytes),
      (error: unknown) => error instanceof HttpError && error.status === 400 && error.message.length < 200,
    );
  });
}

const SECRETS = [
  "hunter2",
  '{"password":hunter2}',
  '{"password":"hunter2" x}',
  '["hunter2",]',
  '{"a":"hunter2\n"}',
];

for (const text of SECRETS) {
  test(`the refusal of ${JSON.stringify(text)} says why, and repeats nothing of it`, () => {
    assert.throws(
      () => parseJson(Buffer.from(text)),
      (error: unknown) =>
        error instanceof HttpError &&
        /^The request body is not valid JSON: \S/.test(error.message) &&
        !error.message.includes("hunter"),
    );
  });
}

test("the refusal of a harmful key names the key, wherever it came from", () => {
  const message = 'The key "__proto__" is refused, because it can poison prototypes.';
  assert.throws(
    () => parseJson(Buffer.from('{"__proto__":1}')),
    (error: unknown) => error instanceof HttpError && error.message === message,
  );
});

test.run();
