import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Api, readApi, resolve, type Schema, search } from "./document.ts";
import { sampleOf } from "./sample.ts";
import { constraintsOf, innerOf, typeOf } from "./type-text.ts";

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const STRING: Schema = { type: "string" };

const SCHEMAS: Readonly<Record<string, Schema>> = {
  User: {
    type: "object",
    properties: { id: { type: "integer" }, boss: ref("User"), nick: STRING },
    required: ["id", "boss"],
  },
  Many: { type: "array", items: ref("Many") },
  Loop: ref("Loop"),
  Json: { anyOf: [STRING, { type: "array", items: ref("Json") }, { type: "null" }] },
  Mail: { type: "string", format: "email" },
  "a/b~c": STRING,
};

const api: Api = readApi({
  info: { title: "A", version: "1" },
  tags: [{ name: "users" }],
  paths: {
    "/b": {
      post: { operationId: "postB", summary: "POST /b" },
      get: { operationId: "getB", summary: "Finds" },
    },
    "/users/{id}": { get: { operationId: "getUser", tags: ["users"] } },
    "/c": { get: { operationId: "getC", tags: ["new"] } },
  },
  components: { schemas: SCHEMAS },
});

test("operations are in the order of their tags, and those without one last, by their first segment", () => {
  assert.equal(
    api.operations.map(({ id, group }) => `${group}: ${id}`),
    ["users: getUser", "new: getC", "/b: getB", "/b: postB"],
  );
});

test("a summary that repeats the route is left out", () => {
  assert.equal(
    api.operations.map(({ summary }) => summary),
    [undefined, undefined, "Finds", undefined],
  );
});

const SEARCHES: readonly (readonly [query: string, ids: readonly string[]])[] = [
  ["", ["getUser", "getC", "getB", "postB"]],
  ["post", ["postB"]],
  ["FINDS", ["getB"]],
  ["/users {id", ["getUser"]],
  ["  b  get ", ["getB"]],
  ["nothing", []],
];

for (const [query, ids] of SEARCHES) {
  test(`a search for ${JSON.stringify(query)} finds ${ids.join(", ") || "nothing"}`, () => {
    assert.equal(
      search(api.operations, query).map(({ id }) => id),
      ids,
    );
  });
}

test("references are followed, with what is said beside them, and a circle leads nowhere", () => {
  assert.equal(resolve({ ...ref("Mail"), description: "Of work." }, api), {
    type: "string",
    format: "email",
    description: "Of work.",
  });
  assert.equal(resolve({ $ref: "#/components/schemas/a~1b~0c" }, api), STRING);
  for (const lost of [ref("Loop"), ref("None"), { $ref: "https://a.example/" }, ref("__proto__")])
    assert.equal(resolve(lost, api), {});
});

const TYPES: readonly (readonly [schema: Schema, text: string])[] = [
  [{}, "any"],
  [{ not: {} }, "nothing"],
  [STRING, "string"],
  [{ type: ["string", "null"] }, "string | null"],
  [{ type: "string", format: "date-time" }, "string (date-time)"],
  [{ type: "string", contentMediaType: "application/octet-stream" }, "file"],
  [{ const: "a" }, '"a"'],
  [{ enum: ["a", 1, null] }, '"a" | 1 | null'],
  [{ enum: "abcdefghij".split("") }, '"a" | "b" | "c" | "d" | "e" | "f" | "g" | "h" | … 2 more'],
  [ref("User"), "User"],
  [{ type: "array", items: ref("User") }, "User[]"],
  [{ type: "array", items: { anyOf: [STRING, ref("User")] } }, "(string | User)[]"],
  [{ type: "array", items: { enum: ["a b"] } }, '("a b")[]'],
  [{ type: "array", prefixItems: [STRING, ref("User")], items: false }, "[string, User]"],
  [{ type: "array", prefixItems: [STRING], items: { not: {} } }, "[string]"],
  [{ type: "array", prefixItems: [STRING], items: STRING }, "[string, ...string[]]"],
  [{ type: "object", additionalProperties: ref("User") }, "{ [key]: User }"],
  [{ type: "object", properties: { a: STRING } }, "object"],
  [{ allOf: [ref("User"), ref("Mail")] }, "User & Mail"],
];

for (const [schema, text] of TYPES) {
  test(`${JSON.stringify(schema)} is ${text}`, () => {
    const parts = typeOf(schema).map((part) => (typeof part === "string" ? part : part.name));
    assert.is(parts.join(""), text);
  });
}

const CONSTRAINTS: readonly (readonly [schema: Schema, phrases: readonly string[]])[] = [
  [{ type: "string", minLength: 1 }, ["at least 1 character"]],
  [{ type: "string", minLength: 1, maxLength: 1 }, ["exactly 1 character"]],
  [{ type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, ["at least 0"]],
  [
    { type: "number", exclusiveMinimum: 0, maximum: 9, multipleOf: 3 },
    ["at most 9", "more than 0", "a multiple of 3"],
  ],
  [
    { type: "array", minItems: 1, maxItems: 2, uniqueItems: true, items: { type: "string", maxLength: 3 } },
    ["1 to 2 items", "no item twice", "each at most 3 characters"],
  ],
  [{ type: "string", allOf: [{ pattern: "^a" }, { pattern: "b$" }] }, ["matches ^a", "matches b$"]],
  [{ anyOf: [{ type: "string", maxLength: 3 }, { type: "null" }] }, ["at most 3 characters"]],
];

for (const [schema, phrases] of CONSTRAINTS) {
  test(`${JSON.stringify(schema)} has to be ${phrases.join(", ")}`, () =>
    assert.equal(constraintsOf(schema), phrases));
}

test("what is inside of a value can be opened, and types that hold only themselves end", () => {
  const names = (schema: Schema): string[] => innerOf(schema, api).map(({ name }) => name);
  assert.equal(names(ref("User")), ["id", "boss", "nick"]);
  assert.equal(names({ type: "array", items: ref("User") }), ["id", "boss", "nick"]);
  assert.equal(names({ anyOf: [ref("User"), { type: "null" }] }), [""]);
  assert.equal(names({ type: "object", additionalProperties: STRING }), ["[key]"]);
  assert.equal(names(ref("Many")), []);
  assert.equal([STRING, ref("Mail"), ref("Json"), { type: "array", items: STRING }].flatMap(names), []);
});

const SAMPLES: readonly (readonly [schema: Schema, value: unknown])[] = [
  [
    { type: "object", properties: { name: STRING, password: STRING, apiKey: STRING } },
    { name: "text", password: "", apiKey: "" },
  ],
  [{ type: "object", properties: { a: STRING, b: STRING }, required: ["a"] }, { a: "text" }],
  [{ type: "string", minLength: 6 }, "textttt".slice(0, 6)],
  [{ type: "string", maxLength: 2 }, "te"],
  [{ type: "string", pattern: "^x$" }, ""],
  [ref("Mail"), "ada@example.org"],
  [{ type: "integer", minimum: 5, multipleOf: 4 }, 8],
  [{ type: "integer", maximum: -1 }, -1],
  [{ enum: ["b", "a"] }, "b"],
  [{ type: "boolean", default: true }, true],
  [{ type: "string", examples: ["Ada"], default: "Bob" }, "Ada"],
  [{ type: "array", items: STRING, minItems: 1 }, ["text"]],
  [{ type: "array", items: STRING }, []],
  [{ type: "array", prefixItems: [STRING, { type: "null" }] }, ["text", null]],
  [
    {
      allOf: [
        { type: "object", properties: { a: STRING } },
        { type: "object", properties: { b: { const: 1 } } },
      ],
    },
    { a: "text", b: 1 },
  ],
];

for (const [schema, value] of SAMPLES) {
  test(`a sample of ${JSON.stringify(schema)} is ${JSON.stringify(value)}`, () =>
    assert.equal(sampleOf(schema, api), value));
}

test("a sample of a type that must hold itself ends", () => {
  assert.ok(JSON.stringify(sampleOf(ref("User"), api)).length < 200);
  assert.is(sampleOf(ref("Loop"), api) !== undefined, true);
});

test.run();
