import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Answer } from "#convention/contract/contract";
import type { Declared } from "#convention/contract/declared";
import { readAliases } from "#convention/wire/reading.fixture";
import { events } from "#runtime/message/events";
import { reply } from "#runtime/message/reply";
import { toAnswer } from "#runtime/message/result";
import { compareAnswer } from "./compare.ts";

const JSON_TYPE = "application/json";

/** What a handler says that it returns: a type for each status and media type. */
type Types = Readonly<Record<string, Readonly<Record<string, string>>>>;

function declare(types: Types, more = ""): Declared {
  const places = Object.entries(types).flatMap(([status, bodies]) =>
    Object.entries(bodies).map(([media, type]) => ({ status, media, type })),
  );
  const text = places.map(({ type }, index) => `type T${index} = ${type};`).join("\n");
  const { shapes, definitions } = readAliases(
    `${more}\n${text}`,
    places.map((_, index) => `T${index}`),
  );
  const bodies = places.map((place, index) => ({ ...place, shape: shapes[index] ?? { kind: "never" } }));
  const answers = Object.keys(types).map(
    (status): Answer => ({
      status: status === "default" ? status : Number(status),
      bodies: bodies.flatMap((body) =>
        body.status === status ? [{ media: body.media, shape: body.shape }] : [],
      ),
      headers: [],
      location: { file: "routes/users.ts", line: 1, column: 1 },
    }),
  );
  return { answers, definitions };
}

function json(type: string): Types {
  return { 200: { [JSON_TYPE]: type } };
}

const USER = `interface User { id: number; name: string; nick?: string; role: "admin" | "guest"; since: Date; friends: User[] }`;
const ADA = { id: 7, name: "Ada", role: "admin", since: new Date(0), friends: [] };

/** Without a text there is no difference. */
const CASES: readonly (readonly [
  what: string,
  types: Types,
  result: unknown,
  ...texts: readonly string[],
])[] = [
  ["what fits", json("User"), ADA],
  ["what toJSON gives", json("User"), { ...ADA, name: { toJSON: () => "Ada" } }],
  ["an optional property that is undefined", json("User"), { ...ADA, nick: undefined }],
  ["more than the type has", json("User"), { ...ADA, password: "secret" }],
  ["anything for what is not known", json("unknown"), { a: 1 }],
  ["a key that a request may not have", json("{ [key: string]: unknown }"), JSON.parse('{"__proto__":1}')],
  ["null", json("User"), { ...ADA, name: null }, "/name: a string, but got null"],
  ["a missing property", json("User"), { ...ADA, name: undefined }, "/name: is missing"],
  ["NaN", json("User"), { ...ADA, id: Number.NaN }, "/id: a number, but got null"],
  ["another literal", json("User"), { ...ADA, role: "root" }, '/role: one of admin, guest, but got "root"'],
  [
    "a date as a text of its own",
    json("User"),
    { ...ADA, since: "today" },
    '/since: a date-time such as 2026-11-22T10:30:00Z, but got "today"',
  ],
  [
    "several in a list",
    json("User"),
    { ...ADA, friends: [ADA, { ...ADA, id: "8" }, 9] },
    '/friends/1/id: a number, but got "8"',
    "/friends/2: an object, but got 9",
  ],
  ["a key with a slash", json('{ "a/b": number }'), { "a/b": [1] }, "/a~1b: a number, but got an array"],
  [
    "a long text",
    json("{ id: number }"),
    { id: "x".repeat(1000) },
    `/id: a number, but got "${"x".repeat(39)}…`,
  ],
  ["an array for an object", json("User"), [ADA], "the body: an object, but got an array"],
  ["a text for JSON", json("User"), "Ada", "the body: JSON, but got a text"],
  ["JSON for a text", { 200: { "text/plain": "string" } }, ADA, "the body: not JSON, but got JSON"],
  ["a text for one or the other", { 200: { [JSON_TYPE]: "User", "text/plain": "string" } }, "Ada"],
  [
    "a text for JSON with a type of its own",
    json("User"),
    reply("<b>", 200, { "content-type": "text/html" }),
  ],
  [
    "another kind of JSON",
    json("User"),
    reply({ id: 7 }, 200, { "content-type": "application/hal+json" }),
    "/friends: is missing",
    "/name: is missing",
    "/role: is missing",
    "/since: is missing",
  ],
  [
    "the type of its own status",
    { 200: { [JSON_TYPE]: "User" }, 404: { [JSON_TYPE]: "{ error: string }" } },
    [{ error: 404 }, 404],
    "/error: a string, but got 404",
  ],
  [
    "a status that the type does not have",
    { 200: { [JSON_TYPE]: "User" }, 404: { [JSON_TYPE]: "{ error: string }" } },
    [ADA, 418],
    "the status: one of 200, 404, but got 418",
  ],
  ["nothing for something", json("User"), undefined, "the status: exactly 200, but got 204"],
  ["nothing", { 204: {} }, undefined],
  ["a status that may be any", { default: { [JSON_TYPE]: "User" } }, [ADA, 299]],
  [
    "a response for what may be anything",
    { default: { "*/*": "unknown" } },
    new Response("x", { status: 418 }),
  ],
  ["bytes and streams", json("User"), new Uint8Array(3)],
  [
    "a text that is sent as JSON and is none",
    json("User"),
    reply('{"id":', 200, { "content-type": JSON_TYPE }),
    "the body: JSON, but got a text that is not JSON",
  ],
  ["events", json("User"), events([])],
];

for (const [what, types, result, ...texts] of CASES) {
  test(`${what}: ${texts.length === 0 ? "is no difference" : texts.join("; ")}`, () => {
    const { differences } = compareAnswer(toAnswer(result), declare(types, USER));
    assert.equal(
      differences.map(({ text }) => text),
      texts,
    );
  });
}

test.run();
