import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Answer, Contract } from "#convention/contract/contract";
import { readTexts } from "#convention/contract/reading.fixture";
import type { Shape } from "#runtime/wire/shape";
import { answer, contract, operation } from "../contract.fixture.ts";
import { compareContracts } from "./compare.ts";
import type { Difference } from "./rules.ts";

const IMPORTS =
  'import { type ApiKey, type Basic, type Bearer, type Body, type Cookie, type Credential, type Email, type ExclusiveMin, type Form, HttpError, type Header, type int, type Max, type MaxItems, type MaxLength, type Min, type MinItems, type MinLength, type MultipleOf, type Pattern, type Query, type Request, type Uuid } from "framework";\n';

/** @param text of `routes/items.ts`. */
function read(text: string): Contract {
  return readTexts({ "routes/items.ts": IMPORTS + text });
}

/** @example "breaking request-property-became-required /name" */
function summarize({ level, id, where }: Difference): string {
  return [level, id, where.pointer].filter((part) => part !== "").join(" ");
}

const body = (type: string): string => `export function post(body: Body<${type}>): void {}\n`;
const result = (type: string): string => `export function get(): ${type} { return null as never; }\n`;

/** What was, what is, and what is said of it. */
type Case = readonly [before: string, after: string, ...differences: string[]];

/** Of handlers, each in a line. */
const HANDLERS: readonly Case[] = [
  ["get()\npost()", "get()", "breaking api-removed-without-deprecation"],
  ["get()\npost(id: int)", "get()", "breaking api-path-removed-without-deprecation"],
  ["get()\n/** @deprecated */ post()", "get()", "risky api-removed-with-deprecation"],
  ["get()", "get()\npost()", "other endpoint-added"],
  ["get()\nall()", "get()", "breaking api-removed-without-deprecation"],
  [
    "get()",
    "all(): Response",
    "risky endpoint-answered-by-all",
    "risky response-success-status-removed",
    "risky response-status-became-unknown",
    "other endpoint-added",
  ],
  [
    "get({ q }: Query<{ q: int }>)",
    "all()",
    "risky endpoint-answered-by-all",
    "risky request-parameter-removed",
    "other response-non-success-status-removed",
    "other response-non-success-status-removed",
    "other endpoint-added",
  ],
  [
    "all()",
    "all()\nget({ q }: Query<{ q: int }>)",
    "breaking new-required-request-parameter",
    "other endpoint-added",
    "other response-non-success-status-added",
    "other response-non-success-status-added",
  ],
  ["all()", "all(token: Bearer)", "breaking api-security-added", "other response-non-success-status-added"],
  ["get()", "/** @deprecated */ get()", "other endpoint-deprecated"],
  ["/** @deprecated */ get()", "get()", "other endpoint-reactivated"],
  ["/** One. */ get()", "/** Two. */ get()"],
  ["get(id: int)", "get(item_id: int)", "risky api-operation-id-changed", "other request-parameter-renamed"],
  [
    "get(id: string)",
    "get(id: int)",
    "breaking request-parameter-type-changed",
    "other response-non-success-status-added",
  ],
  [
    "get(id: int)",
    "get(id: string)",
    "other request-parameter-type-generalized",
    "other response-non-success-status-removed",
  ],
  ["get(q: Query<int> = 1)", "get(q: Query<int> = 2)", "risky request-parameter-default-value-changed"],
  ["get(q?: Query<int>)", "get(q: Query<int> = 2)", "risky request-parameter-default-value-added"],
  ["get(q: Query<int> = 1)", "get(q?: Query<int>)", "risky request-parameter-default-value-removed"],
  [
    "get(q: Query<string>)",
    "get(q: Header<string>)",
    "breaking new-required-request-parameter",
    "risky request-parameter-removed",
    "other response-non-success-status-removed",
  ],
  ["get()", "get(token: Bearer)", "breaking api-security-added", "other response-non-success-status-added"],
  ["get()", "get(token?: Bearer)", "other api-security-added"],
  [
    "get(token?: Bearer)",
    "get(token: Bearer)",
    "breaking api-security-became-required",
    "other response-non-success-status-added",
  ],
  ["get(token: Bearer)", "get(user: Basic)", "breaking api-security-added", "other api-security-removed"],
  [
    'get(key: ApiKey<"x-a">)',
    'get(key: ApiKey<"x-b">)',
    "breaking api-security-added",
    "other api-security-removed",
  ],
  [
    'get(key: ApiKey<"a">)',
    'get(key: ApiKey<"a", "cookie">)',
    "breaking api-security-added",
    "other api-security-removed",
  ],
  [
    'get(token: Credential<"Token">)',
    'get(token: Credential<"Hawk">)',
    "breaking api-security-added",
    "other api-security-removed",
  ],
  ['get(token: Credential<"Token">)', 'get(token: Credential<"token">)'],
  ["post(body?: Body<string>)", "post(body: Body<string>)", "breaking request-body-became-required"],
  [
    "post(body: Body<{ a: string }>)",
    "post(body: Form<{ a: string }>)",
    "breaking request-body-media-type-removed",
  ],
];
const PARAMS: readonly Case[] = [
  ["int", "int & Max<9>", "breaking request-parameter-max-decreased"],
  ["1 | 2", "1 | 2 | 3", "other request-parameter-enum-value-added"],
  [
    "string & Uuid",
    "string",
    "other request-parameter-type-generalized",
    "other response-non-success-status-removed",
  ],
  [
    "'a' | 'b'",
    "string",
    "other request-parameter-type-generalized",
    "other response-non-success-status-removed",
  ],
];
const QUERIES: readonly Case[] = [
  ["q?: int", "q?: int; r?: int", "other new-optional-request-parameter"],
  ["q?: int", "q?: int; r: int", "breaking new-required-request-parameter"],
  ["q?: int; r: int", "q?: int", "risky request-parameter-removed"],
  ["q?: int", "q: int", "breaking request-parameter-became-required"],
  ["q: int", "q?: int", "other request-parameter-became-optional"],
  ["q: string", "q: number", "breaking request-parameter-type-changed"],
  ["q: number", "q: string", "other request-parameter-type-generalized"],
  ["q: boolean", "q: string", "other request-parameter-type-generalized"],
  ["q: int", "q: string & MinLength<2>", "breaking request-parameter-type-changed"],
  ["q: int", "q: number", "other request-parameter-type-generalized"],
  ["q: number", "q: int", "breaking request-parameter-type-changed"],
  ["q: string", "q: string[]", "other request-parameter-type-generalized"],
  ["q: string", "q: string[] & MinItems<2>", "breaking request-parameter-type-changed"],
  [
    "q: string",
    "q: int[]",
    "breaking request-parameter-type-changed",
    "other request-parameter-type-generalized",
  ],
  ["q: string[]", "q: string", "breaking request-parameter-type-changed"],
  ["q: int; [key: string]: int", "q: int", "risky request-parameter-removed"],
];
const BODIES: readonly Case[] = [
  ["{ a: string }", "{ a: string; b: string }", "breaking new-required-request-property /b"],
  ["{ a: string }", "{ a: string; b?: string }", "other new-optional-request-property /b"],
  ["{ a: string; b: string }", "{ a: string }", "risky request-property-removed /b"],
  ["{ a?: string }", "{ a: string }", "breaking request-property-became-required /a"],
  ["{ a: string }", "{ a?: string }", "other request-property-became-optional /a"],
  ["{ a: string }", "{ a: string | null }", "other request-property-became-nullable /a"],
  ["{ a: string | null }", "{ a: string }", "breaking request-property-became-not-nullable /a"],
  ["{ a: string }", "{ a: number }", "breaking request-property-type-changed /a"],
  ["{ a: string }", "{ a: string | number }", "other request-property-list-of-types-widened /a"],
  ["{ a: string | number }", "{ a: string }", "breaking request-property-list-of-types-narrowed /a"],
  [
    "{ a: string | number }",
    "{ a: string | boolean }",
    "breaking request-property-list-of-types-narrowed /a",
    "other request-property-list-of-types-widened /a",
  ],
  [
    '{ a: "x" | "y" }',
    '{ a: "x" | "z" }',
    "breaking request-property-enum-value-removed /a",
    "other request-property-enum-value-added /a",
  ],
  ['{ a: "x" }', '{ a: "y" }', "breaking request-property-type-changed /a"],
  ["{ a: string }", '{ a: "x" | "y" }', "breaking request-property-became-enum /a"],
  ["{ a: string }", '{ a: "x" }', "breaking request-property-became-enum /a"],
  ['{ a: "x" | "y" }', "{ a: string }", "other request-property-type-generalized /a"],
  [
    '{ a: "x" | "yyyy" }',
    "{ a: string & MinLength<2> }",
    "breaking request-property-enum-value-removed /a",
    "other request-property-type-generalized /a",
  ],
  ["{ a: boolean }", "{ a: true }", "breaking request-property-became-enum /a"],
  ["{ a: int }", "{ a: int & Max<9> }", "risky request-property-max-set /a"],
  ["{ a: int & Max<9> }", "{ a: int & Max<8> }", "breaking request-property-max-decreased /a"],
  ["{ a: int & Max<9> }", "{ a: int & Max<10> }", "other request-property-max-increased /a"],
  ["{ a: int & Min<9> }", "{ a: int }", "other request-property-min-unset /a"],
  ["{ a: int & ExclusiveMin<0> }", "{ a: int & Min<1> }"],
  ["{ a: int }", "{ a: int & MultipleOf<2> }", "breaking request-property-multiple-of-set /a"],
  [
    "{ a: int & MultipleOf<2> }",
    "{ a: int & MultipleOf<4> }",
    "breaking request-property-multiple-of-set /a",
  ],
  ["{ a: int & MultipleOf<4> }", "{ a: int & MultipleOf<2> }", "other request-property-multiple-of-unset /a"],
  [
    "{ a: int & MultipleOf<2> }",
    "{ a: int & MultipleOf<3> }",
    "breaking request-property-multiple-of-changed /a",
  ],
  ["{ a: string }", "{ a: string & MinLength<1> }", "breaking request-property-min-length-set /a"],
  ["{ a: string }", "{ a: string & MaxLength<1> }", "risky request-property-max-length-set /a"],
  ["{ a: string }", '{ a: string & Pattern<"^a$"> }', "breaking request-property-pattern-added /a"],
  [
    '{ a: string & Pattern<"^a$"> }',
    '{ a: string & Pattern<"^b$"> }',
    "risky request-property-pattern-changed /a",
  ],
  [
    '{ a: string & Pattern<"^a$"> }',
    '{ a: string & Pattern<".*"> }',
    "risky request-property-pattern-changed /a",
  ],
  ['{ a: string & Pattern<"^a$"> }', "{ a: string }", "other request-property-pattern-removed /a"],
  [
    '{ a: string & Pattern<"^a"> }',
    '{ a: string & Pattern<"^a"> & Pattern<"b$"> }',
    "breaking request-property-pattern-added /a",
  ],
  ["{ a: string }", "{ a: string & Email }", "breaking request-property-type-changed /a"],
  ["{ a: string & Uuid }", "{ a: string & Email }", "breaking request-property-type-changed /a"],
  ["{ a: string }", "{ a: Date }", "breaking request-property-type-changed /a"],
  [
    "{ a: { b: string }[] }",
    "{ a: { b: string; c: string }[] }",
    "breaking new-required-request-property /a/*/c",
  ],
  ["string[] & MaxItems<5>", "string[] & MaxItems<4>", "breaking request-body-max-items-decreased"],
  [
    "[string, string]",
    "[string, string, int]",
    "breaking request-body-min-items-increased",
    "other request-body-max-items-increased",
  ],
  ["[string, string]", "[string, int]", "breaking request-property-type-changed /1"],
  ["string[]", "[string, string]", "risky request-body-min-items-set", "risky request-body-max-items-set"],
  ["Record<string, string>", "Record<string, int>", "breaking request-property-type-changed /*"],
  [
    "Record<string, string>",
    "{ a: int }",
    "breaking request-property-became-required /a",
    "breaking request-property-type-changed /a",
    "risky request-property-other-keys-removed /*",
  ],
  [
    '{ kind: "a"; n: int } | { kind: "b" }',
    '{ kind: "a"; n: int } | { kind: "b" } | { kind: "c" }',
    "other request-body-one-of-added",
  ],
  ['{ kind: "a"; n: int } | { kind: "b" }', '{ kind: "a"; n: int }', "breaking request-body-one-of-removed"],
  [
    '{ kind: "a"; n: int } | { kind: "b" }',
    '{ kind: "b" } | { kind: "a"; n: string }',
    "breaking request-property-type-changed /n",
  ],
  [
    "{ a: string }",
    "unknown",
    "other request-body-type-became-unknown",
    "other response-non-success-status-removed",
  ],
  [
    "unknown",
    "{ a: string }",
    "breaking request-body-type-became-known",
    "other response-non-success-status-added",
  ],
];
const RESULTS: readonly Case[] = [
  ["{ a: string; b: string }", "{ a: string }", "breaking response-required-property-removed /b"],
  ["{ a: string; b?: string }", "{ a: string }", "risky response-optional-property-removed /b"],
  ["{ a: string }", "{ a?: string }", "breaking response-property-became-optional /a"],
  ["{ a?: string }", "{ a: string }", "other response-property-became-required /a"],
  ["{ a: string }", "{ a: string; b: int }", "other response-required-property-added /b"],
  ["{ a: string }", "{ a: string | null }", "breaking response-property-became-nullable /a"],
  ["{ a: int }", "{ a: number }", "breaking response-property-type-generalized /a"],
  ["{ a: number }", "{ a: int }", "other response-property-type-specialized /a"],
  ['{ a: "x" | "y" }', '{ a: "x" | "y" | "z" }', "risky response-property-enum-value-added /a"],
  ['{ a: "x" | "y" }', "{ a: string }", "breaking response-property-type-generalized /a"],
  [
    '{ kind: "a" } | { kind: "b" }',
    '{ kind: "a" } | { kind: "b" } | { kind: "c" }',
    "breaking response-body-one-of-added",
  ],
  [
    "[{ a: string }, 200]",
    "[{ a: string }, 201]",
    "breaking response-success-status-removed",
    "other response-success-status-added",
  ],
  ["{ a: string }", "string", "breaking response-media-type-removed", "other response-media-type-added"],
  [
    "{ a: string }",
    "void",
    "breaking response-success-status-removed",
    "other response-success-status-added",
  ],
];
/** Of the last type. */
const NAMED: readonly Case[] = [
  ["interface User { id: int }", "interface Account { id: int }", "risky component-renamed"],
  [
    "interface User { id: int }",
    "interface Account { id: int; name: string }",
    "other response-required-property-added /name",
  ],
  [
    "interface Price { sum: int }\ninterface User { price: Price }",
    "interface Account { price: Account }",
    "breaking response-required-property-removed /price/sum",
    "risky component-renamed",
    "other response-required-property-added /price/price",
  ],
];

const TABLES: readonly (readonly [kind: string, cases: readonly Case[], toText: (one: string) => string])[] =
  [
    ["handlers", HANDLERS, (all) => all.replace(/(\w+\(.*\))(.*)/g, "export function $1$2 {}")],
    ["a param", PARAMS, (type) => `export function get(id: ${type}): void {}`],
    ["a query", QUERIES, (keys) => `export function get(q: Query<{ ${keys} }>): void {}`],
    ["a body", BODIES, body],
    ["a result", RESULTS, result],
    ["a named result", NAMED, (types) => types + result(/.*interface (\w+)/s.exec(types)?.[1] ?? "")],
  ];

for (const [kind, cases, toText] of TABLES)
  for (const [before, after, ...expected] of cases)
    test(`${kind}: ${before} → ${after}: ${expected.join(", ") || "nothing"}`, () => {
      const [was, is] = [read(toText(before)), read(toText(after))];
      assert.equal(compareContracts(was, is).map(summarize), expected);
      for (const one of [was, is]) assert.equal(compareContracts(one, one), []);
    });

const NODE = "export interface Node { label: string; next?: Node; children: Node[] }\n";

test("a type that contains itself changes once, and is compared to the end", () => {
  const get = "export function get(): Node { return null as never; }\n";
  const after = NODE.replace("label: string", "label?: string");
  const [difference, second] = compareContracts(read(NODE + get), read(after + get));
  assert.is(second, undefined);
  assert.is(difference?.message, "`label` in the 200 answer may be missing now.");
  assert.equal(difference?.type, { name: "Node", pointer: "/label" });
});

test("two types that contain themselves in different steps are compared to the end", () => {
  const twice = "export interface Node { label: string; next?: { label: string; next?: Node } }\n";
  const once = "export interface Node { label: string; next?: Node }\n";
  const get = "export function get(): Node { return null as never; }\n";
  assert.equal(compareContracts(read(once + get), read(twice + get)), []);
  const changed = compareContracts(
    read(once + get),
    read(twice.replace("{ label: string; next?: Node }", "{ label: int; next?: Node }") + get),
  );
  assert.equal(changed.map(summarize), ["breaking response-property-type-changed /next/label"]);
});

test("a type in a body and in an answer changes for both, each with its own level", () => {
  const both = "export function post(node: Body<Node>): Node { return node; }\n";
  const after = NODE.replace("label: string", "label: string | null");
  assert.equal(compareContracts(read(NODE + both), read(after + both)).map(summarize), [
    "breaking response-property-became-nullable /label",
    "other request-property-became-nullable /label",
  ]);
});

test("a route is the same if its param has another name, and an int and a string at one place are two routes", () => {
  const before = "export function get(id: int): void {}\n";
  const contract = readTexts({
    "routes/items/[id].ts": IMPORTS + before,
    "routes/items/[name].ts": `${IMPORTS}export function get(name: string): void {}\n`,
  });
  const after = readTexts({
    "routes/items/[key].ts": `${IMPORTS}export function get(key: string): void {}\n`,
    "routes/items/[id].ts": IMPORTS + before,
  });
  assert.equal(compareContracts(contract, after).map(summarize), [
    "risky api-operation-id-changed",
    "other request-parameter-renamed",
  ]);
});

test("of an object with any other keys, these keys are what is gone or new", () => {
  const [open, closed] = ["{ all: Record<string, int> }", "{ all: { a?: int } }"].map((type) =>
    read(result(type)),
  );
  const messages = (was = open, is = closed): string[] =>
    (was && is ? compareContracts(was, is) : []).map(({ message }) => message);
  assert.is(messages()[0], "Other keys of `all` in the 200 answer are gone.");
  assert.is(messages(closed, open)[0], "Other keys of `all` in the 200 answer are new, each `int`.");
});

test("a property that is not known is in an answer what it was, but for its type", () => {
  const [known, unknown, gone] = ["{ a: int; b: 1 }", "{ a: unknown; b: 1 }", "{ b: 1 }"]
    .map(result)
    .map(read);
  const differ = (was = known, is = unknown): string[] =>
    (was && is ? compareContracts(was, is) : []).map(summarize);
  assert.equal(differ(known, unknown), ["risky response-property-type-became-unknown /a"]);
  assert.equal(differ(unknown, known), ["risky response-property-type-became-known /a"]);
  assert.equal(differ(unknown, gone), ["breaking response-required-property-removed /a"]);
});

test("what the source does not say is never silent when that changes", () => {
  const known = result("{ a: string }");
  const unknown = result("Response");
  assert.equal(compareContracts(read(known), read(unknown)).map(summarize), [
    "risky response-success-status-removed",
    "risky response-status-became-unknown",
  ]);
  assert.equal(compareContracts(read(unknown), read(known)).map(summarize), [
    "risky response-status-became-known",
    "other response-success-status-added",
  ]);
});

function answering(answers: readonly Partial<Answer>[]): Contract {
  return contract([operation({ answers: answers.map((one) => ({ ...answer(200), ...one })) })]);
}

const JSON_BODY = { media: "application/json", shape: { kind: "string" } } as const;

test("headers, errors, media types and schemas", () => {
  const schema = (exported: string): Shape => ({ kind: "schema", file: "a.ts", exported });
  const shaped = (shape: Shape): Partial<Answer> => ({ bodies: [{ media: "application/json", shape }] });
  const cases: readonly (readonly [Partial<Answer>[], Partial<Answer>[], string[]])[] = [
    [[{ headers: ["location"] }], [{}], ["risky optional-response-header-removed"]],
    [[{}], [{ headers: ["location"] }], ["other response-header-added"]],
    [[{}, { status: 404 }], [{}], ["other response-non-success-status-removed"]],
    [[{}], [{}, { status: 404, description: "No item" }], ["other response-non-success-status-added"]],
    [
      [{ bodies: [JSON_BODY] }],
      [{ bodies: [JSON_BODY, { media: "text/plain", shape: { kind: "string" } }] }],
      ["other response-media-type-added"],
    ],
    [
      [{ bodies: [JSON_BODY] }],
      [{ bodies: [{ media: "*/*", shape: { kind: "unknown" } }] }],
      ["risky response-body-type-became-unknown"],
    ],
    [
      [{ bodies: [JSON_BODY] }],
      [{ bodies: [{ media: "application/json", shape: { kind: "unknown" } }] }],
      ["risky response-body-type-became-unknown"],
    ],
    [[shaped(schema("User"))], [shaped(schema("User"))], []],
    [[shaped(schema("User"))], [shaped(schema("Person"))], ["risky response-body-schema-changed"]],
    [[shaped(schema("User"))], [shaped({ kind: "string" })], ["risky response-body-schema-changed"]],
  ];
  for (const [before, after, expected] of cases)
    assert.equal(compareContracts(answering(before), answering(after)).map(summarize), expected);
});

test("a schema which has changed is risky", () => {
  const contract = answering([
    { bodies: [{ media: "application/json", shape: { kind: "schema", file: "a.ts", exported: "User" } }] },
  ]);
  const [difference] = compareContracts(contract, contract, { isSameSchema: () => false });
  assert.is(
    difference?.message,
    "The 200 answer is checked by `typeof User`, which has changed; compare it by hand.",
  );
});

test("breaking differences come first, then risky ones", () => {
  const before = read(body("{ a: string; b: string; c: string }"));
  const after = read(body("{ a?: string; b: string & MaxLength<3>; c: int }"));
  const levels = compareContracts(before, after).map(({ level }) => level);
  assert.equal(levels, ["breaking", "risky", "other"]);
});

test("a type that another one of its name renames is named for each route once", () => {
  const lib = {
    "lib/a.ts": "export interface User { id: number }",
    "lib/b.ts": "export interface User { name: string }",
  };
  const route = (from: string): string =>
    `import type { User } from "../lib/${from}.ts"; export function get(): User { return null as never; }`;
  const before = readTexts({ ...lib, "routes/items.ts": route("a") });
  const after = readTexts({ ...lib, "routes/items.ts": route("a"), "routes/first.ts": route("b") });
  const differences = compareContracts(before, after);
  assert.equal(
    differences.map(({ id, pattern, message }) => [id, pattern, message]),
    [
      ["component-renamed", "/items", "The type of the 200 answer is called `A_User` now, and was `User`."],
      ["endpoint-added", "/first", "The route is new."],
    ],
  );
  assert.equal(
    compareContracts(
      after,
      readTexts({ "routes/first.ts": route("b"), ...lib, "routes/items.ts": route("a") }),
    ),
    [],
  );
});

test.run();
