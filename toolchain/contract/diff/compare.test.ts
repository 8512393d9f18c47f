import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Answer, Contract, Operation } from "#convention/contract/contract";
import { readTexts } from "#convention/contract/reading.fixture";
import { sample } from "#runtime/random.fixture";
import type { Shape } from "#runtime/wire/shape";
import { compareContracts } from "./compare.ts";
import type { Difference } from "./difference.ts";

const IMPORTS =
  'import { type ApiKey, type Basic, type Bearer, type Body, type Cookie, type Email, type Form, HttpError, type Header, type int, type Max, type MaxItems, type MaxLength, type Min, type MinItems, type MinLength, type Pattern, type Query, type Request, type Uuid } from "framework";\n';

/** @param text of `routes/items.ts`. */
function read(text: string): Contract {
  return readTexts({ "routes/items.ts": IMPORTS + text });
}

/** @example "breaking request-property-became-required /name" */
function summarize({ level, id, where }: Difference): string {
  return [level, id, where.pointer].filter((part) => part !== "").join(" ");
}

const body = (type: string): string => `export function post(body: Body<${type}>): void {}\n`;
const query = (type: string): string => `export function get({ q }: Query<{ ${type} }>): void {}\n`;
const param = (type: string): string => `export function get(id: ${type}): void {}\n`;
const result = (type: string): string => `export function get(): ${type} { return null as never; }\n`;

const CASES: readonly (readonly [
  title: string,
  before: string,
  after: string,
  expected: readonly string[],
])[] = [
  // Types
  [
    "a type with another name, and the same values",
    "interface User { id: int }\nexport function get(): User { return null as never; }",
    "interface Account { id: int }\nexport function get(): Account { return null as never; }",
    ["risky component-renamed"],
  ],
  [
    "a type with another name, and other values",
    "interface User { id: int }\nexport function get(): User { return null as never; }",
    "interface Account { id: int; name: string }\nexport function get(): Account { return null as never; }",
    ["other response-required-property-added /name"],
  ],
  [
    "a type with another name, which has itself where another type was",
    "interface Price { sum: int }\ninterface User { price: Price }\nexport function get(): User { return null as never; }",
    "interface Account { price: Account }\nexport function get(): Account { return null as never; }",
    [
      "breaking response-required-property-removed /price/sum",
      "risky component-renamed",
      "other response-required-property-added /price/price",
    ],
  ],
  // Routes
  [
    "a method that is gone",
    "export function get(): void {}\nexport function post(): void {}",
    "export function get(): void {}",
    ["breaking api-removed-without-deprecation"],
  ],
  [
    "a param that takes less",
    param("int"),
    param("int & Max<9>"),
    ["breaking request-parameter-max-decreased"],
  ],
  [
    "a param that takes more",
    param("1 | 2"),
    param("1 | 2 | 3"),
    ["other request-parameter-enum-value-added"],
  ],
  [
    "a param that takes any text",
    param("string & Uuid"),
    param("string"),
    ["other request-parameter-type-generalized", "other response-non-success-status-removed"],
  ],
  [
    "a param that takes more than some texts",
    param("'a' | 'b'"),
    param("string"),
    ["other request-parameter-type-generalized", "other response-non-success-status-removed"],
  ],
  [
    "a path that is gone",
    "export function get(): void {}\nexport function post(id: int): void {}",
    "export function get(): void {}",
    ["breaking api-path-removed-without-deprecation"],
  ],
  [
    "a deprecated route that is gone",
    "export function get(): void {}\n/** @deprecated */\nexport function post(): void {}",
    "export function get(): void {}",
    ["risky api-removed-with-deprecation"],
  ],
  [
    "a new route",
    "export function get(): void {}",
    "export function get(): void {}\nexport function post(): void {}",
    ["other endpoint-added"],
  ],
  [
    "an `all` handler that is gone",
    "export function get(): void {}\nexport function all(): void {}",
    "export function get(): void {}",
    ["breaking api-removed-without-deprecation"],
  ],
  [
    "an `all` handler in place of a method",
    "export function get(): void {}",
    "export function all(): Response { return null as never; }",
    [
      "risky endpoint-answered-by-all",
      "risky response-success-status-removed",
      "risky response-status-became-unknown",
      "other endpoint-added",
    ],
  ],
  [
    "an `all` handler in place of a method that took a parameter",
    query("q: int"),
    "export function all(): void {}",
    [
      "risky endpoint-answered-by-all",
      "risky request-parameter-removed",
      "other response-non-success-status-removed",
      "other response-non-success-status-removed",
      "other endpoint-added",
    ],
  ],
  [
    "a method beside an `all` handler",
    "export function all(): void {}",
    `export function all(): void {}\n${query("q: int")}`,
    [
      "breaking new-required-request-parameter",
      "other endpoint-added",
      "other response-non-success-status-added",
      "other response-non-success-status-added",
    ],
  ],
  [
    "an `all` handler with a credential",
    "export function all(): void {}",
    "export function all(token: Bearer): void {}",
    ["breaking api-security-added", "other response-non-success-status-added"],
  ],
  [
    "a deprecated route",
    "export function get(): void {}",
    "/** @deprecated */\nexport function get(): void {}",
    ["other endpoint-deprecated"],
  ],
  [
    "a route that is no longer deprecated",
    "/** @deprecated */\nexport function get(): void {}",
    "export function get(): void {}",
    ["other endpoint-reactivated"],
  ],
  [
    "other words in a comment",
    "/** One. */\nexport function get(): void {}",
    "/** Two. */\nexport function get(): void {}",
    [],
  ],
  [
    "another name of a param",
    "export function get(id: int): void {}",
    "export function get(item_id: int): void {}",
    ["risky api-operation-id-changed", "other request-parameter-renamed"],
  ],
  [
    "a param that takes less",
    "export function get(id: string): void {}",
    "export function get(id: int): void {}",
    ["breaking request-parameter-type-changed", "other response-non-success-status-added"],
  ],
  [
    "a param that takes more",
    "export function get(id: int): void {}",
    "export function get(id: string): void {}",
    ["other request-parameter-type-generalized", "other response-non-success-status-removed"],
  ],
  // Parameters
  [
    "a new optional parameter",
    query("q?: int"),
    query("q?: int; r?: int"),
    ["other new-optional-request-parameter"],
  ],
  [
    "a new required parameter",
    query("q?: int"),
    query("q?: int; r: int"),
    ["breaking new-required-request-parameter"],
  ],
  [
    "a parameter that is gone",
    query("q?: int; r: int"),
    query("q?: int"),
    ["risky request-parameter-removed"],
  ],
  [
    "a parameter that became required",
    query("q?: int"),
    query("q: int"),
    ["breaking request-parameter-became-required"],
  ],
  [
    "a parameter that became optional",
    query("q: int"),
    query("q?: int"),
    ["other request-parameter-became-optional"],
  ],
  [
    "text that has to be a number",
    query("q: string"),
    query("q: number"),
    ["breaking request-parameter-type-changed"],
  ],
  [
    "a number that may be any text",
    query("q: number"),
    query("q: string"),
    ["other request-parameter-type-generalized"],
  ],
  [
    "a boolean that may be any text",
    query("q: boolean"),
    query("q: string"),
    ["other request-parameter-type-generalized"],
  ],
  [
    "a number that may be some texts",
    query("q: int"),
    query("q: string & MinLength<2>"),
    ["breaking request-parameter-type-changed"],
  ],
  [
    "a whole number that may have a fraction",
    query("q: int"),
    query("q: number"),
    ["other request-parameter-type-generalized"],
  ],
  [
    "a number that has to be whole",
    query("q: number"),
    query("q: int"),
    ["breaking request-parameter-type-changed"],
  ],
  [
    "one value that may be repeated",
    query("q: string"),
    query("q: string[]"),
    ["other request-parameter-type-generalized"],
  ],
  [
    "one value that has to be repeated",
    query("q: string"),
    query("q: string[] & MinItems<2>"),
    ["breaking request-parameter-type-changed"],
  ],
  [
    "one value that may be repeated, as another type",
    query("q: string"),
    query("q: int[]"),
    ["breaking request-parameter-type-changed", "other request-parameter-type-generalized"],
  ],
  [
    "a repeated value that may no longer be",
    query("q: string[]"),
    query("q: string"),
    ["breaking request-parameter-type-changed"],
  ],
  [
    "another default",
    "export function get(q: Query<int> = 1): void {}",
    "export function get(q: Query<int> = 2): void {}",
    ["risky request-parameter-default-value-changed"],
  ],
  [
    "a default",
    "export function get(q?: Query<int>): void {}",
    "export function get(q: Query<int> = 2): void {}",
    ["risky request-parameter-default-value-added"],
  ],
  [
    "no default",
    "export function get(q: Query<int> = 1): void {}",
    "export function get(q?: Query<int>): void {}",
    ["risky request-parameter-default-value-removed"],
  ],
  [
    "a parameter in another place",
    "export function get(q: Query<string>): void {}",
    "export function get(q: Header<string>): void {}",
    [
      "breaking new-required-request-parameter",
      "risky request-parameter-removed",
      "other response-non-success-status-removed",
    ],
  ],
  [
    "any other key of a query",
    query("q: int; [key: string]: int"),
    query("q: int"),
    ["risky request-parameter-removed"],
  ],
  // Credentials
  [
    "a credential",
    "export function get(): void {}",
    "export function get(token: Bearer): void {}",
    ["breaking api-security-added", "other response-non-success-status-added"],
  ],
  [
    "an optional credential",
    "export function get(): void {}",
    "export function get(token?: Bearer): void {}",
    ["other api-security-added"],
  ],
  [
    "a credential that became required",
    "export function get(token?: Bearer): void {}",
    "export function get(token: Bearer): void {}",
    ["breaking api-security-became-required", "other response-non-success-status-added"],
  ],
  [
    "another credential",
    "export function get(token: Bearer): void {}",
    "export function get(user: Basic): void {}",
    ["breaking api-security-added", "other api-security-removed"],
  ],
  [
    "an API key in another header",
    'export function get(key: ApiKey<"x-a">): void {}',
    'export function get(key: ApiKey<"x-b">): void {}',
    ["breaking api-security-added", "other api-security-removed"],
  ],
  // Bodies
  [
    "an optional body that became required",
    "export function post(body?: Body<string>): void {}",
    "export function post(body: Body<string>): void {}",
    ["breaking request-body-became-required"],
  ],
  [
    "a form in place of a body",
    body("{ a: string }"),
    "export function post(body: Form<{ a: string }>): void {}",
    ["breaking request-body-media-type-removed"],
  ],
  [
    "a new required property",
    body("{ a: string }"),
    body("{ a: string; b: string }"),
    ["breaking new-required-request-property /b"],
  ],
  [
    "a new optional property",
    body("{ a: string }"),
    body("{ a: string; b?: string }"),
    ["other new-optional-request-property /b"],
  ],
  [
    "a property that is gone",
    body("{ a: string; b: string }"),
    body("{ a: string }"),
    ["risky request-property-removed /b"],
  ],
  [
    "a property that became required",
    body("{ a?: string }"),
    body("{ a: string }"),
    ["breaking request-property-became-required /a"],
  ],
  [
    "a property that became optional",
    body("{ a: string }"),
    body("{ a?: string }"),
    ["other request-property-became-optional /a"],
  ],
  [
    "a property that may be null",
    body("{ a: string }"),
    body("{ a: string | null }"),
    ["other request-property-became-nullable /a"],
  ],
  [
    "a property that may no longer be null",
    body("{ a: string | null }"),
    body("{ a: string }"),
    ["breaking request-property-became-not-nullable /a"],
  ],
  [
    "another type",
    body("{ a: string }"),
    body("{ a: number }"),
    ["breaking request-property-type-changed /a"],
  ],
  [
    "one type more",
    body("{ a: string }"),
    body("{ a: string | number }"),
    ["other request-property-list-of-types-widened /a"],
  ],
  [
    "one type less",
    body("{ a: string | number }"),
    body("{ a: string }"),
    ["breaking request-property-list-of-types-narrowed /a"],
  ],
  [
    "one type more and one less",
    body("{ a: string | number }"),
    body("{ a: string | boolean }"),
    [
      "breaking request-property-list-of-types-narrowed /a",
      "other request-property-list-of-types-widened /a",
    ],
  ],
  [
    "one literal more and one less",
    body('{ a: "x" | "y" }'),
    body('{ a: "x" | "z" }'),
    ["breaking request-property-enum-value-removed /a", "other request-property-enum-value-added /a"],
  ],
  ["another literal", body('{ a: "x" }'), body('{ a: "y" }'), ["breaking request-property-const-changed /a"]],
  [
    "literals in place of a type",
    body("{ a: string }"),
    body('{ a: "x" | "y" }'),
    ["breaking request-property-became-enum /a"],
  ],
  [
    "a literal in place of a type",
    body("{ a: string }"),
    body('{ a: "x" }'),
    ["breaking request-property-const-added /a"],
  ],
  [
    "a type in place of literals",
    body('{ a: "x" | "y" }'),
    body("{ a: string }"),
    ["other request-property-type-generalized /a"],
  ],
  [
    "a type in place of literals that it does not take",
    body('{ a: "x" | "yyyy" }'),
    body("{ a: string & MinLength<2> }"),
    ["breaking request-property-enum-value-removed /a", "other request-property-type-generalized /a"],
  ],
  [
    "true in place of a boolean",
    body("{ a: boolean }"),
    body("{ a: true }"),
    ["breaking request-property-const-added /a"],
  ],
  [
    "a limit of a number",
    body("{ a: int }"),
    body("{ a: int & Max<9> }"),
    ["risky request-property-max-set /a"],
  ],
  [
    "a lower limit of a number",
    body("{ a: int & Max<9> }"),
    body("{ a: int & Max<8> }"),
    ["breaking request-property-max-decreased /a"],
  ],
  [
    "a higher limit of a number",
    body("{ a: int & Max<9> }"),
    body("{ a: int & Max<10> }"),
    ["other request-property-max-increased /a"],
  ],
  [
    "no limit of a number",
    body("{ a: int & Min<9> }"),
    body("{ a: int }"),
    ["other request-property-min-unset /a"],
  ],
  [
    "a least length",
    body("{ a: string }"),
    body("{ a: string & MinLength<1> }"),
    ["breaking request-property-min-length-set /a"],
  ],
  [
    "a greatest length",
    body("{ a: string }"),
    body("{ a: string & MaxLength<1> }"),
    ["risky request-property-max-length-set /a"],
  ],
  [
    "a pattern",
    body("{ a: string }"),
    body('{ a: string & Pattern<"^a$"> }'),
    ["breaking request-property-pattern-added /a"],
  ],
  [
    "another pattern",
    body('{ a: string & Pattern<"^a$"> }'),
    body('{ a: string & Pattern<"^b$"> }'),
    ["risky request-property-pattern-changed /a"],
  ],
  [
    "a pattern that takes anything",
    body('{ a: string & Pattern<"^a$"> }'),
    body('{ a: string & Pattern<".*"> }'),
    ["other request-property-pattern-removed /a"],
  ],
  [
    "a format",
    body("{ a: string }"),
    body("{ a: string & Email }"),
    ["breaking request-property-type-changed /a"],
  ],
  [
    "another format",
    body("{ a: string & Uuid }"),
    body("{ a: string & Email }"),
    ["breaking request-property-type-changed /a"],
  ],
  [
    "a Date in place of a text",
    body("{ a: string }"),
    body("{ a: Date }"),
    ["breaking request-property-type-changed /a"],
  ],
  [
    "items of a list",
    body("{ a: { b: string }[] }"),
    body("{ a: { b: string; c: string }[] }"),
    ["breaking new-required-request-property /a/*/c"],
  ],
  [
    "fewer items of a list",
    body("string[] & MaxItems<5>"),
    body("string[] & MaxItems<4>"),
    ["breaking request-body-max-items-decreased"],
  ],
  [
    "a longer tuple",
    body("[string, string]"),
    body("[string, string, int]"),
    ["breaking request-body-min-items-increased", "other request-body-max-items-increased"],
  ],
  [
    "a tuple with another item",
    body("[string, string]"),
    body("[string, int]"),
    ["breaking request-property-type-changed /1"],
  ],
  [
    "a tuple in place of a list",
    body("string[]"),
    body("[string, string]"),
    ["risky request-body-min-items-set", "risky request-body-max-items-set"],
  ],
  [
    "values of a record",
    body("Record<string, string>"),
    body("Record<string, int>"),
    ["breaking request-property-type-changed /*"],
  ],
  [
    "a property in place of any key",
    body("Record<string, string>"),
    body("{ a: int }"),
    [
      "breaking request-property-became-required /a",
      "breaking request-property-type-changed /a",
      "risky request-property-other-keys-removed /*",
    ],
  ],
  [
    "a new member of a union",
    body('{ kind: "a"; n: int } | { kind: "b" }'),
    body('{ kind: "a"; n: int } | { kind: "b" } | { kind: "c" }'),
    ["other request-body-one-of-added"],
  ],
  [
    "a member of a union that is gone",
    body('{ kind: "a"; n: int } | { kind: "b" }'),
    body('{ kind: "a"; n: int }'),
    ["breaking request-body-one-of-removed"],
  ],
  [
    "a changed member of a union",
    body('{ kind: "a"; n: int } | { kind: "b" }'),
    body('{ kind: "b" } | { kind: "a"; n: string }'),
    ["breaking request-property-type-changed /n"],
  ],
  [
    "any JSON in place of a type",
    body("{ a: string }"),
    body("unknown"),
    ["other request-body-type-became-unknown", "other response-non-success-status-removed"],
  ],
  [
    "a type in place of any JSON",
    body("unknown"),
    body("{ a: string }"),
    ["breaking request-body-type-became-known", "other response-non-success-status-added"],
  ],
  // Answers
  [
    "a property of an answer that is gone",
    result("{ a: string; b: string }"),
    result("{ a: string }"),
    ["breaking response-required-property-removed /b"],
  ],
  [
    "an optional property of an answer that is gone",
    result("{ a: string; b?: string }"),
    result("{ a: string }"),
    ["risky response-optional-property-removed /b"],
  ],
  [
    "a property of an answer that may be missing",
    result("{ a: string }"),
    result("{ a?: string }"),
    ["breaking response-property-became-optional /a"],
  ],
  [
    "a property of an answer that is always there",
    result("{ a?: string }"),
    result("{ a: string }"),
    ["other response-property-became-required /a"],
  ],
  [
    "a new property of an answer",
    result("{ a: string }"),
    result("{ a: string; b: int }"),
    ["other response-required-property-added /b"],
  ],
  [
    "null in an answer",
    result("{ a: string }"),
    result("{ a: string | null }"),
    ["breaking response-property-became-nullable /a"],
  ],
  [
    "a fraction in an answer",
    result("{ a: int }"),
    result("{ a: number }"),
    ["breaking response-property-type-generalized /a"],
  ],
  [
    "a whole number in an answer",
    result("{ a: number }"),
    result("{ a: int }"),
    ["other response-property-type-specialized /a"],
  ],
  [
    "a new literal in an answer",
    result('{ a: "x" | "y" }'),
    result('{ a: "x" | "y" | "z" }'),
    ["risky response-property-enum-value-added /a"],
  ],
  [
    "any text in place of literals in an answer",
    result('{ a: "x" | "y" }'),
    result("{ a: string }"),
    ["breaking response-property-type-generalized /a"],
  ],
  [
    "a new member of a union in an answer",
    result('{ kind: "a" } | { kind: "b" }'),
    result('{ kind: "a" } | { kind: "b" } | { kind: "c" }'),
    ["breaking response-body-one-of-added"],
  ],
  [
    "another success status",
    result("[{ a: string }, 200]"),
    result("[{ a: string }, 201]"),
    ["breaking response-success-status-removed", "other response-success-status-added"],
  ],
  [
    "a text in place of JSON",
    result("{ a: string }"),
    result("string"),
    ["breaking response-media-type-removed", "other response-media-type-added"],
  ],
  [
    "nothing in place of JSON",
    result("{ a: string }"),
    result("void"),
    ["breaking response-success-status-removed", "other response-success-status-added"],
  ],
];

for (const [title, before, after, expected] of CASES)
  test(`${title}: ${expected.join(", ") || "nothing"}`, () => {
    assert.equal(compareContracts(read(before), read(after)).map(summarize), expected);
  });

test("nothing has changed between a contract and itself", () => {
  for (const [, before, after] of sample("contracts", CASES, 20))
    for (const text of [before, after]) assert.equal(compareContracts(read(text), read(text)), []);
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

const PLACE = { file: "routes/items.ts", line: 1, column: 1 };

function answering(answers: readonly Partial<Answer>[]): Contract {
  const operation: Operation = {
    id: "getItems",
    method: "GET",
    pattern: "/items",
    segments: ["items"],
    handler: "get",
    location: PLACE,
    inputs: [],
    credentials: [],
    answers: answers.map((answer) => ({ status: 200, bodies: [], headers: [], location: PLACE, ...answer })),
  };
  return {
    about: { title: "", version: "", servers: [] },
    operations: [operation],
    refused: { media: "application/json", shape: { kind: "unknown" } },
    definitions: {},
    notes: {},
    diagnostics: [],
  };
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
      ["risky response-body-became-unknown"],
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

test("a schema whose source has changed is risky", () => {
  const contract = answering([
    { bodies: [{ media: "application/json", shape: { kind: "schema", file: "a.ts", exported: "User" } }] },
  ]);
  const [difference] = compareContracts(contract, contract, { isSameSchema: () => false });
  assert.is(
    difference?.message,
    "The 200 answer is checked by `typeof User`, whose source has changed; compare it by hand.",
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
