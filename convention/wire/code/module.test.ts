import { test } from "uvu";
import * as assert from "uvu/assert";
import { HttpError } from "#runtime/message/errors";
import { processorTime } from "#runtime/processor-time.fixture";
import { runs } from "#runtime/random.fixture";
import { findIssues } from "#runtime/wire/imports";
import type { DeclaredInput } from "#runtime/wire/inputs";
import type { Raw, TextPlace } from "#runtime/wire/request-reader";
import type { Definitions, Shape } from "#runtime/wire/shape";
import type { Call, TypedRoute } from "../typed-route.ts";
import { bodyOf, callOf, inputsOf, object, readerOf, routeOf, textOf, textTake } from "./wire.fixture.ts";

const text: Shape = { kind: "string" };
const int: Shape = { kind: "number", integer: true };
const number: Shape = { kind: "number" };
const boolean: Shape = { kind: "boolean" };
const date: Shape = { kind: "date" };
const unknown: Shape = { kind: "unknown" };
const nothing: Shape = { kind: "null" };
const role: Shape = { kind: "literal", values: ["admin", "guest"] };
const texts: Shape = { kind: "array", items: text };
const union = (...of: Shape[]): Shape => ({ kind: "union", of });
const refer = (name: string): Shape => ({ kind: "reference", name });

const DEFINITIONS: Definitions = {
  Cat: object({ kind: { kind: "literal", values: ["cat"] }, lives: int }),
  Dog: object({ kind: { kind: "literal", values: ["dog"] }, born: date }, ["born"]),
  Pet: { kind: "union", of: [refer("Cat"), refer("Dog")], tag: "kind" },
  Tree: object({ name: text, children: { kind: "array", items: refer("Tree") } }, ["children"]),
  Json: union(text, number, nothing, { kind: "array", items: refer("Json") }, object({}, [], refer("Json"))),
  Slug: { kind: "string", patterns: [{ source: "^[a-z/]+$" }] },
};

/** Bodies with the values that the handler gets, or the issue as `pointer code message`. */
type Case = readonly [json: string, wanted: unknown];
const REFUSED = Symbol("one issue");
const refused = (...issues: string[]): { readonly [REFUSED]: readonly string[] } => ({ [REFUSED]: issues });

const BODIES: Readonly<Record<string, readonly [shape: Shape, ...cases: Case[]]>> = {
  "a string": [text, ['"a"', "a"], ["1", refused(" type a string")], ["null", refused(" type a string")]],
  "a number is finite": [
    number,
    ["1.5", 1.5],
    ["-0", -0],
    ["1e400", refused(" type a number")],
    ['"1"', refused(" type a number")],
  ],
  "an int is whole and exact": [
    int,
    ["9007199254740991", 2 ** 53 - 1],
    ["9007199254740992", refused(" type a whole number")],
    ["1.5", refused(" type a whole number")],
    ["1.0", 1],
  ],
  "a boolean": [boolean, ["false", false], ["0", refused(" type true or false")]],
  null: [nothing, ["null", null], ["0", refused(" one_of exactly null")]],
  "a literal": [
    role,
    ['"guest"', "guest"],
    ['"root"', refused(" one_of one of admin, guest")],
    ["1", refused(" one_of one of admin, guest")],
  ],
  "literals of several types": [
    { kind: "literal", values: [1, true, "x"] },
    ["true", true],
    ["1", 1],
    ["false", refused(" one_of one of 1, true, x")],
  ],
  "many literals": [
    { kind: "literal", values: [..."abcdefghijklmnopqrstuvwxyz"] },
    ['"z"', "z"],
    ['"A"', refused(" one_of one of a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, …")],
  ],
  "never fits nothing": [{ kind: "never" }, ["null", refused(" type nothing")]],
  "a minimum and a maximum": [
    { kind: "number", min: 0, exclusiveMax: 10 },
    ["0", 0],
    ["-1", refused(" min at least 0")],
    ["10", refused(" exclusive_max less than 10")],
  ],
  "the other two bounds": [
    { kind: "number", max: 2, exclusiveMin: -1 },
    ["2", 2],
    ["-1", refused(" exclusive_min more than -1")],
    ["3", refused(" max at most 2")],
  ],
  "a multiple, as the decimals are written": [
    { kind: "number", multipleOf: [0.01] },
    ["19.99", 19.99],
    ["1e300", 1e300],
    ["19.995", refused(" multiple_of a multiple of 0.01")],
    ["1e-7", refused(" multiple_of a multiple of 0.01")],
  ],
  "lengths count code points": [
    { kind: "string", minLength: 2, maxLength: 3 },
    ['"👍👍"', "👍👍"],
    ['"👍"', refused(" min_length at least 2 characters")],
    ['"👍👍👍👍"', refused(" max_length at most 3 characters")],
    ['"\\ud83d\\ud83d\\ud83d"', "\ud83d\ud83d\ud83d"],
  ],
  "all that is wrong with one text": [
    {
      kind: "string",
      minLength: 1,
      patterns: [{ source: "^a" }, { source: "px$", template: "`$" + "{number}px`" }],
      formats: ["email"],
    },
    [
      '""',
      refused(
        " min_length at least 1 character",
        " pattern a text that matches ^a",
        " pattern a text like `$" + "{number}px`",
        " format an email address",
      ),
    ],
  ],
  "a text that is too long is held against no pattern, which may be slow": [
    { kind: "string", maxLength: 3, patterns: [{ source: "^a+$" }], formats: ["email"] },
    ['"bbbb"', refused(" max_length at most 3 characters")],
    ['"b"', refused(" pattern a text that matches ^a+$", " format an email address")],
  ],
  "a pattern with a slash": [
    refer("Slug"),
    ['"a/b"', "a/b"],
    ['"A"', refused(" pattern a text that matches ^[a-z/]+$")],
  ],
  "a date": [
    date,
    ['"2026-11-22T10:30:00+01:00"', new Date("2026-11-22T09:30:00Z")],
    ['"1990-12-31t23:59:60.5z"', new Date("1991-01-01T00:00:00Z")],
    ['"2026-02-30T10:30:00Z"', refused(" format a date-time such as 2026-11-22T10:30:00Z")],
    ["5", refused(" type a date-time such as 2026-11-22T10:30:00Z")],
  ],
  "an object without what is not declared": [
    object({ name: text, role }),
    ['{"isAdmin":true,"name":"Ada","role":"guest","__proto__":{"x":1}}', { name: "Ada", role: "guest" }],
    ["{}", refused("/name required is missing", "/role required is missing")],
    ["[]", refused(" type an object")],
    ["null", refused(" type an object")],
  ],
  "optional properties stay absent": [
    object({ a: int, b: int, c: int, d: int }, ["b", "c", "d"]),
    ['{"a":1,"c":3}', { a: 1, c: 3 }],
    ['{"a":1,"b":2,"c":3,"d":4}', { a: 1, b: 2, c: 3, d: 4 }],
    ['{"a":1,"b":null}', refused("/b type a whole number")],
  ],
  "two optional properties": [
    object({ a: int, b: text }, ["a", "b"]),
    ["{}", {}],
    ['{"a":1}', { a: 1 }],
    ['{"b":""}', { b: "" }],
    ['{"b":"","a":1}', { a: 1, b: "" }],
  ],
  "keys that are no names": [
    object(
      {
        "a b": int,
        "0": int,
        "👍": int,
        value: int,
        class: int,
        isEmail: int,
        $0: int,
        "~/": int,
        toDate: date,
      },
      ["~/"],
    ),
    [
      '{"a b":1,"0":2,"👍":3,"value":4,"class":5,"isEmail":6,"$0":7,"toDate":"2026-11-22T10:30:00Z"}',
      {
        "0": 2,
        "a b": 1,
        "👍": 3,
        value: 4,
        class: 5,
        isEmail: 6,
        $0: 7,
        toDate: new Date("2026-11-22T10:30:00Z"),
      },
    ],
    [
      '{"a b":1,"0":2,"👍":3,"value":4,"class":5,"isEmail":6,"$0":7,"toDate":"2026-11-22T10:30:00Z","~/":""}',
      refused("/~0~1 type a whole number"),
    ],
  ],
  "what every object inherits is not there": [
    object({ constructor: unknown, toString: text, valueOf: boolean }, ["toString", "valueOf"]),
    ["{}", refused("/constructor required is missing")],
    ['{"constructor":1,"toString":"x"}', { constructor: 1, toString: "x" }],
  ],
  "a declared __proto__ is a key like any other": [
    object(
      JSON.parse(
        '{"__proto__":{"kind":"string"},"a":{"kind":"string"},"b":{"kind":"string"},"c":{"kind":"string"}}',
      ),
      ["a", "b", "c"],
    ),
    ['{"__proto__":"x"}', JSON.parse('{"__proto__":"x"}')],
    ["{}", refused("/__proto__ required is missing")],
  ],
  "any keys": [
    object({ id: int }, [], number),
    ['{"id":1,"x":2,"toString":3}', { id: 1, x: 2, toString: 3 }],
    ['{"id":1,"x":"2","a/b":null}', refused("/a~1b type a number", "/x type a number")],
  ],
  "any keys with dates": [
    object({}, [], date),
    ['{"x":"2026-11-22T10:30:00Z"}', { x: new Date("2026-11-22T10:30:00Z") }],
  ],
  "an array": [
    { kind: "array", items: text, minItems: 1, maxItems: 2 },
    ['["a"]', ["a"]],
    ["[]", refused(" min_items at least 1 item")],
    [
      "[1,2,3]",
      refused(" max_items at most 2 items", "/0 type a string", "/1 type a string", "/2 type a string"),
    ],
    ['{"0":"a"}', refused(" type an array")],
  ],
  "items in the order of their numbers": [
    texts,
    [
      "[0,1,2,3,4,5,6,7,8,9,10]",
      refused(...Array.from({ length: 11 }, (_, index) => `/${index} type a string`)),
    ],
  ],
  "no two equal items": [
    { kind: "array", items: unknown, uniqueItems: true },
    ['[1,"1",true,null,[1],{"a":1,"b":2}]', [1, "1", true, null, [1], { a: 1, b: 2 }]],
    ['[{"a":1,"b":[2]},{"b":[2],"a":1}]', refused(" unique_items no two equal items")],
    ["[0,-0]", refused(" unique_items no two equal items")],
  ],
  "no two items that are equal without their undeclared keys": [
    { kind: "array", items: object({ id: int, at: date }, ["at"]), uniqueItems: true },
    ['[{"id":1,"x":1},{"id":2,"x":1}]', [{ id: 1 }, { id: 2 }]],
    ['[{"id":1,"x":1},{"id":1,"x":2}]', refused(" unique_items no two equal items")],
    [
      '[{"id":1,"at":"2026-11-22T10:30:00Z"},{"id":1,"at":"2026-11-22t10:30:00.0z"}]',
      refused(" unique_items no two equal items"),
    ],
  ],
  "no two equal items of any shape": [
    {
      kind: "tuple",
      items: [object({ id: int })],
      required: 0,
      rest: { kind: "array", items: object({}, [], object({ id: int })) },
      uniqueItems: true,
    },
    ['[{"id":1},[],[{"a":{"id":1}}]]', [{ id: 1 }, [], [{ a: { id: 1 } }]]],
    ['[{"id":1},[{"a":{"id":1,"x":0}}],[{"a":{"id":1}}]]', refused(" unique_items no two equal items")],
  ],
  "a tuple": [
    { kind: "tuple", items: [text, int, date], required: 1, rest: boolean },
    ['["a"]', ["a"]],
    ['["a",1,"2026-11-22T10:30:00Z",true,false]', ["a", 1, new Date("2026-11-22T10:30:00Z"), true, false]],
    ["[]", refused(" min_items at least 1 item")],
    ['["a",1,"2026-11-22T10:30:00Z",true,"no"]', refused("/4 type true or false")],
  ],
  "a tuple without a rest": [
    { kind: "tuple", items: [text, int], required: 2 },
    ['["a",1]', ["a", 1]],
    ['["a",1,2]', refused(" max_items at most 2 items")],
  ],
  "a union by type": [
    union(text, nothing, texts, object({ a: int })),
    ["null", null],
    ['["a"]', ["a"]],
    ['{"a":1,"b":1}', { a: 1 }],
    ["[1]", refused("/0 type a string")],
    ["1", refused(" type a string, null, an array, or an object")],
  ],
  "a union by tag": [
    union(refer("Pet"), nothing),
    ['{"kind":"cat","lives":9}', { kind: "cat", lives: 9 }],
    [
      '{"kind":"dog","born":"2026-11-22T10:30:00Z","lives":9}',
      { kind: "dog", born: new Date("2026-11-22T10:30:00Z") },
    ],
    ['{"kind":"cat"}', refused("/lives required is missing")],
    ['{"kind":"cow"}', refused("/kind one_of one of cat, dog")],
    ["{}", refused("/kind required is missing")],
    ["null", null],
    ["[]", refused(" type an object, or null")],
  ],
  "a type that contains itself": [
    refer("Tree"),
    ['{"name":"a","children":[{"name":"b","x":1}]}', { name: "a", children: [{ name: "b" }] }],
    ['{"name":"a","children":[{"name":"b","children":{}}]}', refused("/children/0/children type an array")],
  ],
  "all of JSON as a type": [
    refer("Json"),
    ['{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
    ["[true]", refused("/0 type a string, a number, null, an array, or an object")],
  ],
};

for (const [title, [shape, ...cases]] of Object.entries(BODIES)) {
  test(`a body: ${title}`, async () => {
    const inputs = await inputsOf([bodyOf(shape)], DEFINITIONS);
    for (const [json, wanted] of cases) {
      const body: unknown = JSON.parse(json);
      const copy = structuredClone(body);
      const issues = await findIssues([inputs], inputs.definitions, readerOf({}, body));
      const taken = await inputs.read(readerOf({}, body));
      const isRefused = typeof wanted === "object" && wanted !== null && REFUSED in wanted;
      const found = issues.map(({ pointer, code, message }) => `${pointer} ${code} ${message}`);
      assert.equal(found, isRefused ? wanted[REFUSED] : [], json);
      assert.equal(taken, isRefused ? undefined : [wanted], json);
      if (!isRefused) assert.is(JSON.stringify(taken?.[0]), JSON.stringify(wanted), json);
      assert.equal(body, copy, "the body is left as it is");
    }
  });
}

test("what is built has no prototype of the client's, and no absent keys", async () => {
  const inputs = await inputsOf([
    bodyOf(object(JSON.parse('{"__proto__":{"kind":"unknown"},"a":{"kind":"string"}}'), ["a"])),
  ]);
  const [value] = (await inputs.read(readerOf({}, JSON.parse('{"__proto__":{"isAdmin":true}}')))) ?? [];
  assert.is(Object.getPrototypeOf(value), Object.prototype);
  assert.equal(Object.keys(Object(value)), ["__proto__"]);
});

/** Keys that are refused with 400 at any depth. */
const HARMFUL: readonly [shape: Shape, json: string, message: string][] = [
  [unknown, '{"a":[{"__proto__":1}]}', "__proto__"],
  [object({}, [], unknown), '{"__proto__":1}', "__proto__"],
  [object({}, [], number), '{"__proto__":1}', "__proto__"],
  [object({}, [], object({})), '{"constructor":{"prototype":{}}}', "constructor.prototype"],
  [object({}, [], unknown), '{"a":{"constructor":{"prototype":{}}}}', "constructor.prototype"],
  [unknown, `${"[".repeat(1001)}${"]".repeat(1001)}`, "deeper than 1000 levels"],
  [refer("Json"), `${"[".repeat(1001)}${"]".repeat(1001)}`, "deeper than 1000 levels"],
  [refer("Tree"), `${'{"name":"a","children":['.repeat(501)}${"]}".repeat(501)}`, "deeper than 1000 levels"],
  [
    object({ tree: refer("Tree") }),
    `{"tree":${'{"name":"a","children":['.repeat(500)}${"]}".repeat(500)}}`,
    "deeper than 1000 levels",
  ],
];

test("JSON that can harm is refused with 400, by the code and by who explains", async () => {
  for (const [shape, json, message] of HARMFUL) {
    const inputs = await inputsOf([bodyOf(shape)], DEFINITIONS);
    const body: unknown = JSON.parse(json);
    for (const take of [
      () => inputs.read(readerOf({}, body)),
      () => findIssues([inputs], inputs.definitions, readerOf({}, body)),
    ]) {
      let thrown: unknown;
      try {
        await take();
      } catch (error) {
        thrown = error;
      }
      assert.instance(thrown, HttpError, json.slice(0, 80));
      assert.is((thrown as HttpError).status, 400);
      assert.match((thrown as HttpError).message, message);
    }
  }
});

test("a thousand levels are not too deep", async () => {
  const json = await inputsOf([bodyOf(refer("Json"))], DEFINITIONS);
  const deep: unknown = JSON.parse(`${"[".repeat(1000)}${"]".repeat(1000)}`);
  assert.equal(await json.read(readerOf({}, deep)), [deep]);
  const wrong: unknown = JSON.parse(`${"[".repeat(1000)}true${"]".repeat(1000)}`);
  assert.is(await json.read(readerOf({}, wrong)), undefined);
  const [issue] = await findIssues([json], json.definitions, readerOf({}, wrong));
  assert.is(issue?.pointer, "/0".repeat(1000));
});

test("at most twenty issues, and the message never has the value", async () => {
  const inputs = await inputsOf([bodyOf(texts)]);
  const issues = await findIssues([inputs], inputs.definitions, readerOf({}, Array(500_000).fill(7777)));
  assert.is(issues.length, 20);
  assert.not.match(JSON.stringify(issues.map(({ message }) => message)), "7777");
});

test("issues below a long key do not repeat it again and again", async () => {
  const inputs = await inputsOf([bodyOf(object({}, [], object({}, [], int)))]);
  const key = "k".repeat(100_000);
  const inner = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}`, "no"]));
  const issues = await findIssues([inputs], inputs.definitions, readerOf({}, { [key]: inner }));
  assert.is(issues[0]?.pointer, `/${key}/0`);
  assert.ok(JSON.stringify(issues).length < 2 * key.length);
});

/** Members of a document. */
const LARGE = runs(20_000, 100_000);

test("a large document takes time that grows with its size only", async () => {
  const shapes = [
    texts,
    object({}, [], int),
    { kind: "array", items: unknown, uniqueItems: true },
    { kind: "array", items: object({ a: int }, ["a"]) },
  ] as const;
  for (const shape of shapes) {
    const inputs = await inputsOf([bodyOf(shape)]);
    const isArray = shape.kind === "array";
    const bodies: unknown[] = [
      isArray
        ? Array.from({ length: LARGE }, (_, index) => `item ${index}`)
        : Object.fromEntries(Array.from({ length: LARGE }, (_, index) => [`key ${index}`, index])),
      isArray ? Array.from({ length: LARGE }, () => ({ a: 1 })) : {},
    ];
    const time = await processorTime(async () => {
      for (const body of bodies) {
        await inputs.read(readerOf({}, body));
        await findIssues([inputs], inputs.definitions, readerOf({}, body));
      }
    });
    assert.ok(time < 3000, `${time} ms`);
  }
});

test("an absent body fits an optional take only", async () => {
  const optional = await inputsOf([bodyOf(text, true)]);
  assert.equal(await optional.read(readerOf()), [undefined]);
  assert.equal(await findIssues([optional], optional.definitions, readerOf()), []);
  const required = await inputsOf([bodyOf(text)]);
  assert.is(await required.read(readerOf()), undefined);
  assert.is((await findIssues([required], required.definitions, readerOf()))[0]?.code, "required");
});

interface TextCase {
  readonly place?: TextPlace;
  readonly shape: Shape;
  readonly optional?: true;
  readonly raw: Raw;
  readonly gives?: unknown;
  /** The issue as `code message`. */
  readonly issue?: string;
}

const file = new File(["x"], "a.txt");
const email: Shape = { kind: "string", formats: ["email"] };
const phone: Shape = { kind: "string", patterns: [{ source: "^\\+[0-9]+$" }] };
const PLUS = " (in a query, + is written %2B)";

const ABSENT_IF_EMPTY: readonly Shape[] = [
  int,
  number,
  boolean,
  date,
  role,
  email,
  phone,
  { kind: "string", formats: ["uri"] },
  { kind: "string", formats: ["date"] },
  { kind: "string", minLength: 2 },
  { kind: "array", items: int },
  texts,
  union(int, role),
];
const KEPT_IF_EMPTY: readonly Shape[] = [
  text,
  union(int, text),
  { kind: "string", maxLength: 3 },
  { kind: "string", patterns: [{ source: "^[a-z]*$" }] },
  { kind: "literal", values: ["", "asc"] },
];

const TEXTS: readonly TextCase[] = [
  { shape: text, raw: "12", gives: "12" },
  { shape: text, raw: "", gives: "" },
  { shape: text, raw: ["a", "b"], issue: "repeated is given more than once" },
  { shape: text, raw: undefined, issue: "required is missing" },
  { shape: text, raw: undefined, optional: true, gives: undefined },
  { shape: int, raw: "-007", gives: -7 },
  { shape: int, raw: "1.0", issue: "type a whole number" },
  { shape: int, raw: " 1", issue: "type a whole number" },
  { shape: int, raw: "", issue: "type a whole number" },
  { shape: int, raw: "9007199254740992", issue: "type a whole number" },
  { shape: { kind: "number", integer: true, max: 5 }, raw: "6", issue: "max at most 5" },
  { shape: number, raw: "-1.5e3", gives: -1500 },
  { shape: number, raw: "007", issue: "type a number" },
  { shape: number, raw: "0x10", issue: "type a number" },
  { shape: number, raw: "Infinity", issue: "type a number" },
  { shape: number, raw: "1e999", issue: "type a number" },
  { shape: boolean, raw: "true", gives: true },
  { shape: boolean, raw: "false", optional: true, gives: false },
  { shape: boolean, raw: "TRUE", issue: "type true or false" },
  { shape: date, raw: "2026-11-22T10:30:00Z", gives: new Date("2026-11-22T10:30:00Z") },
  { shape: date, raw: "tomorrow", issue: "format a date-time such as 2026-11-22T10:30:00Z" },
  { shape: role, raw: "root", issue: "one_of one of admin, guest" },
  { shape: { kind: "literal", values: [1, 2] }, raw: "2", gives: 2 },
  { shape: { kind: "literal", values: [1, "2"] }, raw: "2", gives: "2" },
  { shape: union(int, { kind: "literal", values: ["02"] }), raw: "02", gives: "02" },
  { shape: union(int, { kind: "literal", values: ["all"] }), raw: "5", gives: 5 },
  { shape: union(int, { kind: "literal", values: ["all"] }), raw: "all", gives: "all" },
  {
    shape: union(int, { kind: "literal", values: ["all"] }),
    raw: "some",
    issue: "one_of a whole number, or all",
  },
  { shape: union(int, boolean), raw: "true", gives: true },
  { shape: union(int, text), raw: "5", gives: "5" },
  { shape: texts, raw: "a", gives: ["a"] },
  { shape: texts, raw: ["a", "b"], gives: ["a", "b"] },
  { shape: texts, raw: "a,b", gives: ["a,b"] },
  { shape: texts, raw: undefined, issue: "required is missing" },
  { shape: { kind: "array", items: int }, raw: ["1", "x"], issue: "type a whole number" },
  { shape: union(text, texts), raw: "a", gives: "a" },
  { shape: union(text, texts), raw: ["a", "b"], gives: ["a", "b"] },
  { shape: { kind: "tuple", items: [int, text], required: 2 }, raw: ["1", "1"], gives: [1, "1"] },
  {
    shape: { kind: "tuple", items: [int, text], required: 2 },
    raw: "1",
    issue: "min_items at least 2 items",
  },
  { place: "header", shape: texts, raw: "a, b ,,c", gives: ["a", "b", "c"] },
  { place: "header", shape: { kind: "array", items: int }, raw: "1,2, 3", gives: [1, 2, 3] },
  { place: "form", shape: boolean, raw: "on", gives: true },
  { place: "form", shape: union(boolean, { kind: "literal", values: ["on"] }), raw: "on", gives: "on" },
  { shape: boolean, raw: "on", issue: "type true or false" },
  { place: "form", shape: int, raw: "", optional: true, gives: undefined },
  { place: "form", shape: int, raw: "", issue: "type a whole number" },
  { place: "form", shape: text, raw: "", optional: true, gives: "" },
  { place: "form", shape: date, raw: "", optional: true, gives: undefined },
  { place: "form", shape: role, raw: "", optional: true, gives: undefined },
  { place: "header", shape: int, raw: "", optional: true, issue: "type a whole number" },
  ...(["query", "cookie", "form"] as const).flatMap((place): TextCase[] => [
    ...ABSENT_IF_EMPTY.map(
      (shape): TextCase => ({ place, shape, raw: "", optional: true, gives: undefined }),
    ),
    ...KEPT_IF_EMPTY.map((shape): TextCase => ({ place, shape, raw: "", optional: true, gives: "" })),
    { place, shape: email, raw: "", issue: "format an email address" },
  ]),
  { shape: int, raw: ["", "1"], optional: true, issue: "repeated is given more than once" },
  {
    shape: date,
    raw: "2026-11-22T10:30:00 05:00",
    issue: `format a date-time such as 2026-11-22T10:30:00Z${PLUS}`,
  },
  { shape: email, raw: "ada lists@example.com", issue: `format an email address${PLUS}` },
  { shape: email, raw: "ada lists@", issue: "format an email address" },
  { shape: phone, raw: " 49301", issue: `pattern a text that matches ^\\+[0-9]+$${PLUS}` },
  { place: "form", shape: phone, raw: " 49301", issue: "pattern a text that matches ^\\+[0-9]+$" },
  { place: "form", shape: { kind: "file" }, raw: file, gives: file },
  { place: "form", shape: { kind: "file" }, raw: "x", issue: "type a file" },
  { place: "form", shape: text, raw: file, issue: "type a string" },
  { place: "form", shape: { kind: "array", items: { kind: "file" } }, raw: file, gives: [file] },
];

test("texts become what the shape wants, or stay texts that do not fit", async () => {
  for (const { place = "query", shape, optional = false, raw, gives, issue } of TEXTS) {
    for (const key of ["x", undefined]) {
      const whole = object({ x: shape }, optional ? ["x"] : []);
      const inputs = await inputsOf([key ? textTake(place, shape, key, optional) : textTake(place, whole)]);
      const reader = readerOf({ [place]: raw === undefined ? {} : { x: raw } });
      const title = `${place} ${JSON.stringify({ shape, raw, key })}`;
      const found = await findIssues([inputs], inputs.definitions, reader);
      assert.equal(
        found.map(({ code, message }) => `${code} ${message}`),
        issue === undefined ? [] : [issue],
        title,
      );
      if (found[0]) assert.match(found[0].pointer, /^\/x/);
      const object_ = gives === undefined ? {} : { x: gives };
      assert.equal(
        await inputs.read(reader),
        issue === undefined ? [key ? gives : object_] : undefined,
        title,
      );
    }
  }
});

test("a shape with any keys takes all of them, and refuses those that poison", async () => {
  const inputs = await inputsOf([textTake("query", object({ page: int }, ["page"], text))]);
  const reader = readerOf({ query: { page: "2", q: "x", toString: "y" } });
  assert.equal(await inputs.read(reader), [{ page: 2, q: "x", toString: "y" }]);
  const poison = readerOf({ query: JSON.parse('{"__proto__":"x"}') });
  assert.throws(() => inputs.read(poison), /__proto__/);
});

test("a header is found by its name in any case, and a `_` of a property is a `-`", async () => {
  const inputs = await inputsOf([textTake("header", object({ "If-Match": text }))]);
  assert.equal(await inputs.read(readerOf({ header: { "if-match": "a" } })), [{ "If-Match": "a" }]);
  const other = await inputsOf([textTake("header", object({ if_match: text }))]);
  assert.equal(await other.read(readerOf({ header: { "if-match": "a" } })), [{ if_match: "a" }]);
  const [issue] = await findIssues([other], other.definitions, readerOf());
  assert.is(issue?.pointer, "/if-match", "as the request calls it");
});

test("an optional object of names is absent if the request has none of them", async () => {
  const inputs = await inputsOf([textTake("query", object({ a: text, b: text }, ["b"]), undefined, true)]);
  assert.equal(await inputs.read(readerOf()), [undefined]);
  assert.equal(await findIssues([inputs], inputs.definitions, readerOf()), []);
  assert.is(await inputs.read(readerOf({ query: { b: "x" } })), undefined);
});

test("the arguments are in declared order, with the request, params and credentials", async () => {
  const takes = [
    textTake("query", int, "page"),
    { in: "bearer", name: "token", shape: text, optional: false },
    { in: "basic", name: "user", shape: unknown, optional: true },
    { in: "api-key", name: "key", key: "x-key", shape: text, optional: false },
    { in: "api-key", name: "session", key: "session", from: "cookie", shape: text, optional: false },
    bodyOf(object({ name: text })),
  ] as const;
  const inputs = await inputsOf(
    takes,
    {},
    { arguments: ["taken", "request", "taken", 0, "taken", "taken", "taken", "taken"] },
  );
  const reader = readerOf({ query: { page: "3" } }, { name: "Ada", x: 1 });
  assert.equal(await inputs.read(reader), [
    3,
    reader.request,
    "token",
    7,
    "ada",
    "key of header x-key",
    "key of cookie session",
    { name: "Ada" },
  ]);
});

test("a Standard Schema is given the JSON or an object of texts, and its value or issues count", async () => {
  const schema = (exported: string): Shape => ({
    kind: "schema",
    file: "./standard-schema.fixture.ts",
    exported,
  });
  const inputs = await inputsOf([bodyOf(schema("shout")), textTake("query", schema("later"))]);
  assert.equal(await inputs.read(readerOf({ query: { a: "1" } }, "hi")), ["HI", { a: "1" }]);
  assert.is(await inputs.read(readerOf({ query: { a: "1" } }, 5)), undefined);
  assert.equal(await findIssues([inputs], inputs.definitions, readerOf({ query: {} }, 5)), [
    { in: "body", pointer: "", code: "schema", message: "is not a text" },
    { in: "query", pointer: "/a/0", code: "schema", message: "needs an a" },
  ]);
});

test("the text is the same for the same sources, and can be read", () => {
  const routes = [routeOf([bodyOf(refer("Pet")), textTake("query", int, "page", true)])];
  assert.is(textOf(routes, DEFINITIONS), textOf(structuredClone(routes), structuredClone(DEFINITIONS)));
  const written = textOf(routes, DEFINITIONS);
  assert.match(written, "function readCat(value) {\n");
  assert.not.match(written, "Tree");
});

test("definitions come back as they are, whatever characters their names and patterns have", async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what must not be filled.
  const odd = "`${x}\\`'\"\n\u2028";
  const definitions: Definitions = {
    [odd]: object({ [odd]: { kind: "string", patterns: [{ source: "\\d`" }] } }),
  };
  const inputs = await inputsOf([bodyOf({ kind: "reference", name: odd })], definitions);
  assert.equal(inputs.definitions, definitions);
});

test("thousands of types that refer to each other in a circle, or in a chain, are written in linear time", async () => {
  const linkTo = (index: number): Definitions =>
    Object.fromEntries(
      Array.from({ length: LARGE / 10 }, (_, at) => {
        const next = at + 1 < LARGE / 10 ? at + 1 : index;
        return [`T${at}`, object({ a: int, next: refer(`T${next}`) }, ["next"])];
      }),
    );
  for (const definitions of [linkTo(0), linkTo(Number.NaN)]) {
    const time = processorTime(() =>
      assert.match(
        textOf([routeOf([bodyOf(refer("T0"))])], definitions),
        `function readT${LARGE / 10 - 1}(value`,
      ),
    );
    assert.ok(time < 3000, `${time} ms`);
  }
});

test("no module is written where no route takes anything, and nothing runs before it", () => {
  assert.is(textOf([routeOf([])]), "");
});

const bearer: DeclaredInput = { in: "bearer", name: "token", shape: text, optional: false };

/** A guard that needs a provider, and a provider that needs another provider and a param. */
const GUARDED = routeOf([bodyOf(refer("Cat"))], {
  method: "PUT",
  pattern: "/articles/<slug>",
  segments: ["articles", { name: "slug", type: "str" }],
  handler: "put_$slug",
  arguments: ["provided", "taken", "provided", "request"],
  provided: [3, 0],
  calls: [
    callOf("requireUser", { takes: [bearer], isEarly: true }),
    callOf("guard", { kind: "guard", arguments: ["provided"], provided: [0], isEarly: true }),
    callOf("database"),
    callOf("articleBySlug", {
      arguments: [0, "provided", "taken"],
      provided: [2],
      takes: [textTake("query", int, "page", true)],
    }),
  ],
});

test("each function is called with what was made before, in declared order", async () => {
  const inputs = await inputsOf(GUARDED.takes, DEFINITIONS, {
    arguments: GUARDED.arguments,
    provided: GUARDED.provided,
    calls: GUARDED.calls,
  });
  const results = ["a user", "nothing", "a database", "an article"];
  const cat = { kind: "cat", lives: 9 };
  const reader = readerOf({ query: { page: "2" } }, cat, results);
  assert.equal(
    inputs.calls?.map((call) => call?.read(reader)),
    [["token"], ["a user"], [], [7, "a database", 2]],
  );
  assert.equal(inputs.read(reader), ["an article", cat, "a user", reader.request]);
  assert.is(inputs.calls?.[3]?.read(readerOf({ query: { page: "x" } }, cat, results)), undefined);
});

test("a provider of several routes is read by one function, unless it is given something else", async () => {
  const paged = callOf("paged", { takes: [textTake("query", int, "provided", true)] });
  const nested = (index: number): Call =>
    callOf("$paged", { arguments: ["provided"], provided: [index], takes: [] });
  const other = callOf("other");
  const calls = (...own: Call[]): Partial<TypedRoute> => ({ calls: own });
  const routes = [
    routeOf([], { ...calls(paged, nested(0)), pattern: "/a" }),
    routeOf([], { ...calls(paged, nested(0)), pattern: "/b" }),
    routeOf([], { ...calls(other, paged, nested(1)), pattern: "/c" }),
  ];
  const written = textOf(routes);
  assert.equal(written.match(/(?<=calls: ).*/g), [
    "[inputsPaged_2, inputsPaged_3],",
    "[inputsPaged_2, inputsPaged_3],",
    "[inputsOther_4, inputsPaged_2, inputsPaged_5],",
  ]);
  assert.is(written.match(/toInteger\(/g)?.length, 1);
  const inputs = await inputsOf([], {}, calls(other, paged, nested(1)));
  assert.equal(await inputs.calls?.[1]?.read(readerOf({ query: { provided: "2" } }, undefined, ["x"])), [2]);
  assert.is(textOf(structuredClone(routes)), written);
});

test("a Standard Schema of a provider is asked, and the definitions have what only a provider takes", async () => {
  const schema: Shape = { kind: "schema", file: "./standard-schema.fixture.ts", exported: "shout" };
  const calls = [
    callOf("loud", { takes: [bodyOf(schema)] }),
    callOf("cat", { takes: [bodyOf(refer("Cat"))] }),
  ];
  const inputs = await inputsOf([], DEFINITIONS, { calls });
  assert.equal(await inputs.calls?.[0]?.read(readerOf({}, "hi")), ["HI"]);
  assert.ok(inputs.calls?.[0]?.takes[0]?.schema);
  assert.equal(Object.keys(inputs.definitions), ["Cat"]);
});

test.run();
