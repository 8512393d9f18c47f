/** The headers of `next()` beside those of the platform: after the same calls, both give and refuse the same. */

import { inspect } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { fc } from "#runtime/fast-check.fixture";
import { processorTime } from "#runtime/processor-time.fixture";
import { runs } from "#runtime/random.fixture";
import { joinHeaders } from "../message/headers.ts";
import { FlatHeaders } from "./flat-headers.ts";

FlatHeaders.inherit();

const JSON_LIST = ["Content-Type", "application/json", "X-Own", "1"];

function create(flat: readonly string[], length?: number): FlatHeaders {
  return new FlatHeaders(flat, length);
}

// Not asked: `cookie`, whose values Node joins by `; ` against the standard, and calls without an argument.
const known = fc.constantFrom("Set-Cookie", "set-cookie", "Vary", "vary", "VARY", "X-Own", "x-own", "a", "B");
const name = fc.oneof(
  { weight: 8, arbitrary: known },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", "a b", "a:", "é", "K", "a\n", "__proto__", "constructor", "-"),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 3 }) },
);
const space = fc.constantFrom("", "", " ", "\t", "\r\n", " \n\t", "\v", "\f", "\u00a0");
const inner = fc.oneof(
  fc.constantFrom(
    "",
    "1",
    "a, b",
    "a=1; Path=/",
    "a  b",
    "a\nb",
    "a\rb",
    "a\0b",
    "\x01",
    "\x7f",
    "ÿ",
    "Ā",
    "😀",
  ),
  fc.string({ unit: "binary", maxLength: 4 }),
);
const padded = fc.tuple(space, inner, space).map((parts) => parts.join(""));
/** What JavaScript may give instead of a text. */
const odd = fc.constantFrom<unknown>(
  undefined,
  null,
  1,
  true,
  ["a", "b"],
  {},
  Symbol("a"),
  Object.create(null),
);
const value = fc.oneof(
  { weight: 8, arbitrary: padded as fc.Arbitrary<unknown> },
  { weight: 1, arbitrary: odd },
);
const sent = fc.tuple(known, fc.constantFrom("", "1", "a, b", "ÿ"));

const call = fc.oneof(
  fc.tuple(fc.constantFrom("append" as const, "set" as const), name, value),
  fc.tuple(fc.constantFrom("get" as const, "has" as const, "delete" as const), name),
  fc.tuple(fc.constantFrom("get" as const, "set" as const), odd, value),
  fc.tuple(fc.constantFrom("getSetCookie" as const, "entries" as const, "keys" as const, "values" as const)),
);

type Call = typeof call extends fc.Arbitrary<infer One> ? One : never;

/** What the call gives, and whether it throws a TypeError. */
function ask(headers: Headers, [member, ...given]: Call): unknown {
  try {
    const result: unknown = Reflect.apply(headers[member], headers, given);
    return typeof Object(result).next === "function" ? [...(result as Iterable<unknown>)] : result;
  } catch (error) {
    return { isTypeError: error instanceof TypeError };
  }
}

function list(headers: Headers): unknown {
  const pairs: unknown[] = [];
  headers.forEach((text, key, all) => {
    pairs.push([key, text, all === headers]);
  });
  return [[...headers], pairs, [...new Headers(headers)], [...new Response(null, { headers }).headers]];
}

test("after any calls, its members give and refuse what the platform's do", () => {
  const seen = { given: 0, refused: 0 };
  fc.assert(
    fc.property(fc.array(sent, { maxLength: 5 }), fc.array(call, { maxLength: 12 }), (pairs, calls) => {
      const flat = pairs.flat();
      const own = create(flat);
      const peer = joinHeaders(flat);
      for (const one of calls) {
        const expected = ask(peer, one);
        assert.equal(ask(own, one), expected);
        seen[Object.hasOwn(Object(expected), "isTypeError") ? "refused" : "given"]++;
        assert.equal([...own], [...peer]);
      }
      assert.equal(list(own), list(peer));
      assert.equal(flat, pairs.flat(), "the list of the answer is never changed");
    }),
    { numRuns: runs(300, 30_000) },
  );
  assert.ok(Math.min(seen.given, seen.refused) > runs(100, 10_000), JSON.stringify(seen));
});

test("what is sent is what it holds, or is refused for a control character", () => {
  fc.assert(
    fc.property(fc.array(sent, { maxLength: 5 }), fc.array(call, { maxLength: 6 }), (pairs, calls) => {
      const own = create(pairs.flat());
      for (const one of calls) ask(own, one);
      // Random letters make this one, which is about another connection.
      own.delete("te");
      const isSendable = ![...own.values()].some((text) => /[^\t\x20-\x7e\x80-\xff]/.test(text));
      if (isSendable) assert.equal([...create(own.toFlat())], [...own]);
      else assert.throws(() => own.toFlat(), /holds a control character/);
    }),
    { numRuns: runs(200, 20_000) },
  );
});

test("a change during an iteration has the effect that it has on the platform's", () => {
  fc.assert(
    fc.property(fc.array(call, { maxLength: 5 }), fc.nat(3), (calls, place) => {
      const walk = (headers: Headers): unknown[] => {
        const pairs: unknown[] = [];
        for (const pair of headers) {
          if (pairs.push(pair) === place) for (const one of calls) ask(headers, one);
          if (pairs.length > 50) break;
        }
        return pairs;
      };
      const flat = ["B", "1", "Set-Cookie", "a=1", "Set-Cookie", "b=2", "Vary", "x"];
      assert.equal(walk(create(flat)), walk(joinHeaders(flat)));
    }),
  );
});

/** What is done to the headers, and what is then sent. */
const SENT: readonly [string, (headers: Headers) => void, readonly string[]][] = [
  ["nothing", () => {}, JSON_LIST],
  ["another name set", (headers) => headers.set("X-New", "2"), [...JSON_LIST, "X-New", "2"]],
  [
    "a name set in another case",
    (headers) => headers.set("content-type", "a/b"),
    ["Content-Type", "a/b", "X-Own", "1"],
  ],
  [
    "a value appended in another case",
    (headers) => headers.append("x-own", "2"),
    ["Content-Type", "application/json", "X-Own", "1, 2"],
  ],
  ["a name deleted", (headers) => headers.delete("content-type"), ["X-Own", "1"]],
  ["a length", (headers) => headers.set("content-length", "1"), JSON_LIST],
  ["the headers of another connection", (headers) => headers.set("Transfer-Encoding", "chunked"), JSON_LIST],
  [
    "a cookie appended",
    (headers) => headers.append("Set-Cookie", "a=1"),
    [...JSON_LIST, "Set-Cookie", "a=1"],
  ],
];

for (const [title, change, expected] of SENT)
  test(`after ${title}, the names that nobody touched are sent as they were`, () => {
    for (const length of [undefined, 4]) {
      const headers = create(JSON_LIST, length);
      change(headers);
      assert.equal(headers.toFlat(), expected);
    }
  });

test("the length of the answer can be read", () => {
  assert.is(create(JSON_LIST, 4).get("content-length"), "4");
});

test("what was taken to be sent is not changed by what a middleware does later", () => {
  const headers = create(JSON_LIST);
  const taken = headers.toFlat();
  headers.set("x-own", "2");
  headers.append("set-cookie", "a=1");
  assert.equal(taken, JSON_LIST);
});

test("it is an instance of the class, has its tag, and is shown like it", () => {
  const headers = create(JSON_LIST);
  assert.instance(headers, Headers);
  assert.is(Object.prototype.toString.call(headers), "[object Headers]");
  assert.is(inspect(headers), "Headers { 'content-type': 'application/json', 'x-own': '1' }");
});

test("forEach calls with the `this` that it is given, and refuses what is not a function", () => {
  const self = {};
  create(JSON_LIST).forEach(function (this: unknown) {
    assert.is(this, self);
  }, self);
  assert.throws(() => create([]).forEach("a" as never), TypeError);
});

test("a value with many spaces is taken in linear time", () => {
  const headers = create([]);
  const time = processorTime(() => headers.set("x-own", `a${" ".repeat(200_000)}b`));
  assert.ok(time < 1000, `${time} ms`);
});

test.run();
