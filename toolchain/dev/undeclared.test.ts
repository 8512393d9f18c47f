import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Call, NOTHING_TYPED, type TypedRoute } from "#convention/wire/typed-route";
import type { Argument } from "#runtime/routing/route";
import type { DeclaredInput, RouteInputs } from "#runtime/wire/inputs";
import type { RequestReader } from "#runtime/wire/request-reader";
import type { Definitions, Property, Shape } from "#runtime/wire/shape";
import { watchUndeclared } from "./undeclared.ts";

const TEXT: Shape = { kind: "string" };

function object(...names: readonly string[]): Shape & { kind: "object" } {
  return { kind: "object", properties: names.map((name) => property(name, TEXT)) };
}

function property(name: string, shape: Shape): Property {
  return { name, shape, optional: true };
}

function literal(value: string): Shape {
  return { kind: "literal", values: [value] };
}

const LINE: Shape = { kind: "object", properties: [property("qty", TEXT)] };
const DEFINITIONS: Definitions = {
  Order: {
    kind: "object",
    properties: [
      property("name", TEXT),
      property("lines", { kind: "array", items: { kind: "reference", name: "Line" } }),
    ],
  },
  Line: LINE,
  Tree: { kind: "object", properties: [property("child", { kind: "reference", name: "Tree" })] },
};
const ORDER: Shape = { kind: "reference", name: "Order" };
const PET: Shape = {
  kind: "union",
  tag: "kind",
  of: [
    { kind: "object", properties: [property("kind", literal("cat")), property("lives", TEXT)] },
    { kind: "object", properties: [property("kind", literal("dog")), property("barks", TEXT)] },
    { kind: "null" },
  ],
};

/** The line about a request. */
function told(
  takes: readonly Partial<DeclaredInput>[],
  { body, query = {}, order = [] }: { body?: unknown; query?: object; order?: readonly Argument[] },
): string | undefined {
  const lines: string[] = [];
  const inputs: RouteInputs = {
    takes: takes.map((take) => ({ in: "body", name: "it", shape: TEXT, optional: false, ...take })),
    definitions: DEFINITIONS,
    read: () => ["read"],
  };
  const route = { ...NOTHING_TYPED, method: "POST", arguments: order } as Partial<TypedRoute> as TypedRoute;
  const reader = { body, request: { path: "/orders" }, all: () => query } as unknown as RequestReader;
  assert.equal(watchUndeclared(inputs, route, (line) => lines.push(line)).read(reader), ["read"]);
  assert.ok(lines.length < 2);
  return lines[0]?.replace(/^POST \/orders: /, "");
}

const deep = JSON.parse(`${'{"child":'.repeat(5000)}1${"}".repeat(5000)}`);
const NOT = "in the body is not declared";

const BODIES: readonly [what: string, shape: Shape, body: unknown, line: string | undefined][] = [
  ["what is declared", ORDER, { name: "a", lines: [{ qty: 1 }] }, undefined],
  ["a slip", ORDER, { nmae: "a" }, `nmae ${NOT} (did you mean name?)`],
  ["a key like no other", ORDER, { colour: "a" }, `colour ${NOT}`],
  ["a key of an item", ORDER, { lines: [{}, { qyt: 1 }] }, `lines[1].qyt ${NOT} (did you mean qty?)`],
  ["any key of a record", { ...object("a"), others: TEXT }, { b: "" }, undefined],
  ["a value that does not fit", ORDER, [7, "a"], undefined],
  ["any value", { kind: "unknown" }, { a: 1 }, undefined],
  ["no body", ORDER, undefined, undefined],
  ["the key of another alternative", PET, { kind: "cat", barks: 1 }, `barks ${NOT}`],
  ["an alternative that is not known", PET, { kind: "cow", barks: 1 }, undefined],
  ["a tuple", { kind: "tuple", items: [object("a")], required: 1 }, [{ b: 1 }], `[0].b ${NOT}`],
  ["control characters", ORDER, { "a\x1b[2J": 1 }, `["a\\u001b[2J"] ${NOT}`],
  ["a long key", ORDER, { ["x".repeat(500)]: 1 }, `${"x".repeat(60)} ${NOT}`],
  ["many keys", ORDER, { a: 1, b: 1, c: 1, d: 1, e: 1 }, `a ${NOT}, b ${NOT}, c ${NOT}, and 2 more`],
  ["values without end", { kind: "reference", name: "Tree" }, deep, undefined],
];

for (const [what, shape, body, line] of BODIES) {
  test(`${what} in a body is ${line === undefined ? "not reported" : "reported in one line"}`, () => {
    assert.is(told([{ shape }], { body }), line);
  });
}

const page: Partial<DeclaredInput> = { in: "query", key: "page" };

test("a key of the query is reported if the handler takes something from the query, but not the request", () => {
  const query = { pgae: "2", page: "1" };
  const line = "pgae in the query is not declared (did you mean page?)";
  assert.is(told([page], { query }), line);
  assert.is(told([page], { query, order: ["taken", "request"] }), undefined);
  assert.is(told([{ shape: ORDER }], { query }), undefined);
  assert.is(told([page, { in: "query", shape: object("pgae") }], { query }), undefined);
  assert.is(told([{ in: "query", shape: { ...object("a"), others: TEXT } }], { query }), undefined);
});

test("an API key in the query is declared", () => {
  const takes = [
    { in: "api-key", key: "key", from: "query" },
    { in: "query", key: "limit" },
  ] as const;
  assert.is(told(takes, { query: { key: "1", limit: "2" } }), undefined);
});

test("a key of a form is reported with the body's name for it", () => {
  assert.is(
    told([{ in: "form", shape: ORDER }], { query: { nam: "x" } }),
    "nam in the form is not declared (did you mean name?)",
  );
});

const CALL: Call = {
  kind: "provider",
  name: "paged",
  module: "lib/paged.ts",
  exported: "paged",
  location: { file: "lib/paged.ts", line: 1, column: 17 },
  arguments: ["taken"],
  takes: [{ in: "query", name: "page", key: "page", shape: TEXT, optional: true }],
  provided: [],
  isEarly: false,
  canRefuse: true,
};

/** The lines about a request to a handler that takes `sort`, with a provider that takes `page`. */
function toldWith(call: Partial<Call>): readonly string[] {
  const lines: string[] = [];
  const calls = [{ ...CALL, ...call }];
  const takes: DeclaredInput[] = [{ in: "query", name: "sort", key: "sort", shape: TEXT, optional: true }];
  const read = (): readonly unknown[] => [];
  const inputs: RouteInputs = { takes, definitions: {}, read, calls: [{ takes: CALL.takes, read }] };
  const route = { ...NOTHING_TYPED, method: "GET", arguments: ["taken"], calls } as unknown as TypedRoute;
  const reader = {
    request: { path: "/a" },
    all: () => ({ page: "1", sort: "x", srot: "y" }),
  } as unknown as RequestReader;
  watchUndeclared(inputs, route, (line) => lines.push(line)).read(reader);
  return lines;
}

test("what a provider takes is declared, and a provider with the request may look for more", () => {
  assert.equal(toldWith({}), ["GET /a: srot in the query is not declared (did you mean sort?)"]);
  assert.equal(toldWith({ arguments: ["taken", "request"] }), []);
});

test.run();
