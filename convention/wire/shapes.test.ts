// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are template literal types.
/** The shape of each supported type, and the error of each unsupported one. A text is a type, or declarations with the type `T`. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { processorTime } from "#runtime/processor-time.fixture";
import { sample } from "#runtime/random.fixture";
import { CONSTRAINT_NAMES } from "./constraints.ts";
import { readAliases, summarizeTypes } from "./reading.fixture.ts";

const IMPORTS =
  'import type { Email, int, Max, MaxItems, MaxLength, Min, MinItems, MinLength, MultipleOf, Pattern, str, UniqueItems } from "framework";\n';

type Case = readonly [type: string, read: string, others?: Readonly<Record<string, string>>];

function check(title: string, cases: readonly Case[]): void {
  test(title, () => {
    for (const [type, expected, others] of cases) {
      const text = IMPORTS + (/\btype T\b/.test(type) ? type : `type T = ${type};`);
      assert.is(summarizeTypes(readAliases(text, ["T"], others)), expected, type);
    }
  });
}

check("keywords and literals are scalars", [
  ["string", "string"],
  ["number", "number"],
  ["boolean", "boolean"],
  ["null", "null"],
  ["unknown", "unknown"],
  ["any", "unknown"],
  ["never", "never"],
  ["int", "int"],
  ["str", "string"],
  ["Date", "date"],
  ["File", "file"],
  ["object", "{ ...: unknown } | unknown[]"],
  ["{}", "{  }"],
  ['"a"', '"a"'],
  ["-1", "-1"],
  ["-0", "0"],
  ["true", "true"],
  ["`a`", '"a"'],
]);

check("literals are one member of a union, and a wider member includes them", [
  ['"a" | "b" | "a"', '"a" | "b"'],
  ['"a" | 1 | true | null', '"a" | 1 | true | null'],
  ["true | false", "boolean"],
  ['boolean | null | "x"', '"x" | boolean | null'],
  ['null | false | "x" | true', 'null | "x" | boolean'],
  ['string | "a" | null', "string | null"],
  ["number | 1 | 2.5", "number"],
  ["int | 5", "int"],
  ["number | int", "number"],
  ["int | 1.5", "FW325 2:16"],
  ["unknown | string", "unknown"],
  ["never | string", "string"],
  ["string & {}", "string"],
  ["(string | null) & {}", "string"],
  ["{} & (null | int)", "int"],
  ["null & {}", "FW329 2:10"],
  ['"auto" | (string & {})', "string"],
  ['type A = "a" | "b"; type B = A | "c"; type T = B | "a" | null', '"a" | "b" | "c" | null'],
]);

check("arrays and tuples", [
  ["string[]", "string[]"],
  ["readonly string[]", "string[]"],
  ["Array<int>", "int[]"],
  ["ReadonlyArray<string | null>", "(string | null)[]"],
  ["string[][]", "string[][]"],
  ["[]", "[]"],
  ["[string, int?]", "[string, int?]"],
  ["[name: string, price?: int]", "[string, int?]"],
  ["[string, ...int[]]", "[string, ...int]"],
  ["[...[string, int], boolean]", "[string, int, boolean]"],
  ["[...[string, ...int[]]]", "[string, ...int]"],
  ["readonly [1, 2]", "[1, 2]"],
  ["[a?: string | undefined]", "[string?]"],
  ["[...string[], int]", "FW324 2:10"],
  ["[...string]", "FW323 2:14"],
]);

check("objects", [
  ["{ a: string; b?: int }", "{ a: string, b?: int }"],
  ["{ a?: string | undefined }", "{ a?: string }"],
  ["{ readonly a: string }", "{ a: string }"],
  ['{ "a b": 1; 0: 2; 1.5: 3; "__proto__": 4; é: 5 }', "{ a b: 1, 0: 2, 1.5: 3, __proto__: 4, é: 5 }"],
  ["{ a?: never }", "{ a?: never }"],
  ["{ a?: undefined }", "{ a?: never }"],
  ["{ a }", "{ a: unknown }"],
  ["{ a: { b: { c: null } } }", "{ a: { b: { c: null } } }"],
  ["type U = string | undefined; type T = { a?: U; b?: U | null }", "{ a?: string, b?: string | null }"],
]);

check("index signatures and records", [
  ["{ [key: string]: int }", "{ ...: int }"],
  ["{ [key: string]: int; a: 1 }", "{ a: 1, ...: int }"],
  ["{ [key: string]: int | undefined }", "{ ...: int }"],
  ["{ [key: string | number]: int }", "{ ...: int }"],
  ["{ [key: number]: int }", "FW324 2:18"],
  ["{ [key: symbol]: int }", "FW324 2:18"],
  ["{ [key: `x-${string}`]: int }", "FW324 2:18"],
  ["Record<string, int>", "{ ...: int }"],
  ['Record<"a" | "b", int>', "{ a: int, b: int }"],
  ["Record<1 | 2, int>", "{ 1: int, 2: int }"],
  ['Record<string | "a", int>', "{ ...: int }"],
  ["Record<number, int>", "FW324 2:17"],
  ["Record<boolean, int>", "FW324 2:17"],
  ["Record<never, int>", "{  }"],
  ['Partial<Record<"a" | "b", int>>', "{ a?: int, b?: int }"],
  [
    'type K = "a" | "b"; type T = Record<K, Record<string, boolean>>',
    "{ a: { ...: boolean }, b: { ...: boolean } }",
  ],
]);

check("interfaces extend, override and merge", [
  [
    'interface A { x: string } interface A { y: int } interface B extends A { x: "a"; z?: A } type T = B',
    '#B; B = { x: "a", y: int, z?: #A }; A = { x: string, y: int }',
  ],
  [
    "interface A { a: 1 } interface B { b: 2 } interface C extends A, B { c: 3 } type T = C",
    "#C; C = { a: 1, b: 2, c: 3 }",
  ],
  [
    "interface A<X> { a: X } interface B extends A<string> { b: 2 } type T = B",
    "#B; B = { a: string, b: 2 }",
  ],
  ['interface A extends Omit<P, "b"> { c: 3 } type P = { a: 1; b: 2 }; type T = A', "#A; A = { a: 1, c: 3 }"],
  [
    "interface A { [key: string]: int } interface B extends A { b: 2 } type T = B",
    "#B; B = { b: 2, ...: int }",
  ],
  ["interface B extends A { b: 2 } type A = { a: 1 } & { c: 3 }; type T = B", "#B; B = { a: 1, c: 3, b: 2 }"],
  ["interface A extends Array<string> {} type T = A", "FW323 2:21"],
  ["type S = string; interface A extends S {} type T = A", "FW324 2:38"],
  ["interface A extends B {} interface B extends A {} type T = A", "FW328 2:11"],
  ["interface A extends Missing { a: 1 } type T = A", "FW327 2:21"],
]);

check("intersections", [
  ["{ a: string } & { b: int }", "{ a: string, b: int }"],
  ["{ a?: string } & { a: string }", "{ a: string }"],
  ['{ a?: string } & { a?: "x" }', '{ a?: "x" }'],
  ["{ a: string } & { a: int }", "FW329 2:31"],
  ["{ a?: string } & { a?: int }", "FW329 2:33"],
  ["{ [key: string]: int } & { a: 5 }", "{ a: 5, ...: int }"],
  ["{ [key: string]: int } & { a: string }", "FW329 2:27"],
  ["{ [key: string]: number } & { [key: string]: int }", "{ ...: int }"],
  ["{ a: { b: string } } & { a: { c: int } }", "{ a: { b: string, c: int } }"],
  ['("a" | "b" | 1) & ("b" | 1 | 2)', '"b" | 1'],
  ['string & "a"', '"a"'],
  ["int & 5", "5"],
  ["int & 1.5", "FW329 2:10"],
  ["string & number", "FW329 2:10"],
  ["(string | null) & (null | int)", "null"],
  ['string & { brand: "id" }', "FW329 2:10"],
  ["unknown & string", "string"],
  ["never & string", "never"],
  ['({ k: "a" } | { k: "b"; y: 1 }) & { k: "a"; z: int }', '{ k: "a", z: int }'],
  ['({ k: "a" } | { k: "b"; y: 1 }) & { z: int }', 'by k: { k: "a", z: int } | { k: "b", y: 1, z: int }'],
  ['{ k: "a" } & { k: "b" }', "FW329 2:28"],
  ['string[] & ("a" | "b")[]', '("a" | "b")[]'],
  ["[int, string] & (string | int)[]", "[int, string]"],
  ["string[] & { a: 1 }", "FW329 2:10"],
  ["[int] & [string]", "FW329 2:10"],
  ["Date & string", "FW329 2:10"],
  ["type A = { a: 1 }; type T = A & A", "{ a: 1 }"],
]);

check("constraints", [
  ["string & MinLength<1> & MaxLength<3>", "string{minLength: 1, maxLength: 3}"],
  ["int & Min<0> & Max<10> & MultipleOf<5>", "int{min: 0, max: 10, multipleOf: [5]}"],
  ["int & MultipleOf<2> & MultipleOf<3>", "int{multipleOf: [2,3]}"],
  ["string & MinLength<1> & MinLength<3>", "string{minLength: 3}"],
  ["int & Min<5> & Min<-3>", "int{min: 5}"],
  ["string & Email", 'string{formats: ["email"]}'],
  ["string & Email & Email", 'string{formats: ["email"]}'],
  ['string & Pattern<"^a"> & Pattern<"b$">', 'string{patterns: [{"source":"^a"},{"source":"b$"}]}'],
  ["string[] & MinItems<1> & UniqueItems", "string[]{minItems: 1, uniqueItems: true}"],
  ["[int, ...int[]] & MaxItems<3>", "[int, ...int]{maxItems: 3}"],
  ["[int, int] & MinItems<3>", "FW329 2:23"],
  ["(string & MinLength<2>) | null", "string{minLength: 2} | null"],
  ["(string | int) & MinLength<2>", "string{minLength: 2} | int"],
  ['("abc" | "a") & MinLength<2>', '"abc"'],
  ['("abc" | "a") & Pattern<"^a$">', '"a"'],
  ["(1 | 2 | 3) & Min<2>", "2 | 3"],
  ["(1 | 2) & Min<3>", "FW329 2:20"],
  ["string & MinLength<5> & MaxLength<3>", "FW329 2:34"],
  ["number & Min<2> & Max<1>", "FW329 2:28"],
  ["type Name = MinLength<1> & MaxLength<80>; type T = string & Name", "string{minLength: 1, maxLength: 80}"],
  ["type Short<T> = T & MaxLength<3>; type T = Short<string>", "string{maxLength: 3}"],
  ["type Size<N extends number> = MinLength<N>; type T = string & Size<3>", "string{minLength: 3}"],
  ["const LONGEST = 80; type T = string & MaxLength<typeof LONGEST>", "string{maxLength: 80}"],
  ["type Email = string; type T = Email", "string"],
  ["string & Min<1>", "FW330 2:19"],
  ["int & MinLength<1>", "FW330 2:16"],
  ["string[] & MinLength<1>", "FW330 2:21"],
  ["boolean & Min<1>", "FW330 2:20"],
  ["Date & MinLength<1>", "FW330 2:17"],
  ["(string | null) & Min<1>", "FW330 2:28"],
  ['"a" & Email', "FW330 2:16"],
  ["MinLength<1>", "FW330 2:10"],
  ["MinLength<1> | null", "FW330 2:10"],
  ["string & MinLength<int>", "FW340 2:29"],
  ["string & MinLength<-1>", "FW340 2:29"],
  ["string & MinLength<1.5>", "FW340 2:29"],
  ['string & MinLength<"1">', "FW340 2:29"],
  ["string & MinLength", "FW340 2:19"],
  ["int & MultipleOf<0>", "FW340 2:27"],
  ['string & Pattern<"(">', "FW370 2:19"],
  ['string & Pattern<"^(a+)+$">', "FW371 2:19"],
  ["string & Pattern<string>", "FW340 2:27"],
]);

const CORRECTED: readonly (readonly [type: string, read: string, hint: RegExp])[] = [
  ["(string | null) & MinLength<1>", "FW330 2:28", /: \(string & MinLength<1>\) \| null$/],
  ["{ a?: (string | undefined) & Email }", "FW330 2:39", /: string & Email$/],
  ["type U = string | null; type T = U & MinLength<1>", "FW330 2:38", /: \(string & MinLength<1>\) \| null$/],
  ["type U<X> = X | null; type T = U<int> & Min<1>", "FW330 2:41", /: \(int & Min<1>\) \| null$/],
  [
    "type S<X> = X & MaxLength<3>; type T = S<string | null>",
    "FW330 2:17",
    /: \(string & MaxLength<3>\) \| null$/,
  ],
  ["(1 | 2 | null) & Min<2>", "FW330 2:27", /: \(\(1 \| 2\) & Min<2>\) \| null$/],
  ["(string[] | null)[] & MinItems<1>", "(string[] | null)[]{minItems: 1}", /^$/],
  ["((string[] | null) & MinItems<1>)[]", "FW330 2:31", /: \(string\[\] & MinItems<1>\) \| null$/],
  ["[(int | null) & Min<1>]", "FW330 2:26", /: \(int & Min<1>\) \| null$/],
  ["{ a: string | null } & { a: MinLength<1> }", "FW330 2:38", /: \(string & MinLength<1>\) \| null$/],
  [
    "(string | int | null) & MinLength<1> & MaxLength<3>",
    "FW330 2:34",
    /: \(string & MinLength<1> & MaxLength<3>\) \| int \| null$/,
  ],
  [
    "type Name = string & MinLength<1>; type T = (Name | null) & MaxLength<9>",
    "FW330 2:61",
    /: \(Name & MaxLength<9>\) \| null$/,
  ],
  [
    "string & Name; type Name = string & MinLength<1>",
    "FW374 2:19",
    /: string & MinLength<1> & MaxLength<80>$/,
  ],
];

test("an intersection with aliases that double with each step is read in a moment", () => {
  const steps = Array.from({ length: 40 }, (_, index) => `type A${index + 1} = A${index} | A${index};`);
  const time = processorTime(() => {
    readAliases(`type A0 = 1; ${steps.join(" ")} type T = A40 & A39;`, ["T"]);
  });
  assert.ok(time < 500, `${time} ms`);
});

test("a type of which TypeScript and linters would see less is an error with the right form", () => {
  for (const [type, expected, hint] of CORRECTED) {
    const read = readAliases(IMPORTS + (/\btype T\b/.test(type) ? type : `type T = ${type};`), ["T"]);
    assert.is(summarizeTypes(read), expected, type);
    assert.match(read.diagnostics[0]?.hint ?? "", hint, type);
  }
});

check(
  "an intersection of two types that are one to TypeScript is an error: a linter would delete the second",
  [
    ["number & int", "FW374 2:19"],
    ["(string & MinLength<1>) & (string & MaxLength<3>)", "FW374 2:37"],
    ["type Positive = number & Min<1>; type T = int & Positive", "FW374 2:49"],
    ["type A = string[] & MinItems<1>; type T = A & string[]", "FW374 2:47"],
    ["int[] & number[]", "FW374 2:18"],
    ["interface Box<T> { v: T }; type T = Box<string & Email> & Box<string>", "FW374 2:59"],
    ["Record<string, int & Min<1>> & Record<string, int & Max<9>>", "FW374 2:41"],
    ["(string & Email)[][] & string[][]", "FW374 2:33"],
    [
      'import type { Min as Least } from "framework"; interface Box<T> { v: T }; type T = Box<number & Least<1>> & Box<number>',
      "FW374 2:109",
    ],
    ["interface Box<T> { v: T }; type T = Box<int | null> & Box<number | null>", "FW374 2:55"],
    [
      "Record<string, { v: string & Email }> & Record<string, { v: string }>",
      '{ ...: { v: string{formats: ["email"]} } }',
    ],
    ["interface A { a: int }; interface B { a: number }; type T = A & B", "{ a: int }"],
    [
      "type Slug = string & MinLength<1>; type L<X extends string> = X & Slug; type T = L<string>",
      "string{minLength: 1}",
    ],
    ["type Id = int; type T = Id & int & Min<1>", "int{min: 1}"],
    ["string & `a${string}`", 'string{patterns: [{"source":"^a[^]*$","template":"a${string}"}]}'],
    ["{ a: number } & { a: int }", "{ a: int }"],
    [
      'import type { Both } from "./values.ts"; type T = Both',
      "#Both; Both = { v?: number, min?: number, max?: number }",
      {
        "values.ts":
          "type Min = { min: number }; type Max = { max: number }; type Val = { v: number }; export type Both = Partial<Val & Min> & Partial<Val & Max>;",
      },
    ],
    [
      "interface Duration { seconds: number }; interface Name { name: string }; type T = Partial<Name & Duration> & Partial<Name>",
      "{ name?: string, seconds?: number }",
    ],
    [
      'interface User { int: string; number: string }; type T = Pick<User, "int"> & Pick<User, "number">',
      "{ int: string, number: string }",
    ],
    [
      "interface Box<X> { v: X } type Both<X> = Box<X & MinLength<1>> & Box<X>; type T = Both<string>",
      "#Both<string>; Both<string> = { v: string{minLength: 1} }",
    ],
  ],
);

check("template literals", [
  ["`a-${string}`", 'string{patterns: [{"source":"^a-[^]*$","template":"a-${string}"}]}'],
  ["`${string}`", "string"],
  ['`${"a" | "b"}-${1 | 2}`', '"a-1" | "a-2" | "b-1" | "b-2"'],
  ["`${boolean}!`", '"true!" | "false!"'],
  ["`${null}`", '"null"'],
  ["`v${int}`", 'string{patterns: [{"source":"^v-?[0-9]+$","template":"v${int}"}]}'],
  ["`${string}${string}`", 'string{patterns: [{"source":"^[^][^]*$","template":"${string}${string}"}]}'],
  ["`${`a${string}`}b`", 'string{patterns: [{"source":"^a[^]*b$","template":"a${string}b"}]}'],
  ["`a.b$${string}`", 'string{patterns: [{"source":"^a\\\\.b\\\\$[^]*$","template":"a.b$${string}"}]}'],
  [
    '"auto" | `v${int}`',
    'string{patterns: [{"source":"^(?:auto|v-?[0-9]+)$","template":"\\"auto\\" | v${int}"}]}',
  ],
  [
    "`v${int}` | `w${int}` | null | 3",
    'string{patterns: [{"source":"^(?:v-?[0-9]+|w-?[0-9]+)$","template":"v${int} | w${int}"}]} | null | 3',
  ],
  [
    "`a${string}` & MinLength<3>",
    'string{patterns: [{"source":"^a[^]*$","template":"a${string}"}], minLength: 3}',
  ],
  ['"ab" & `a${string}`', '"ab"'],
  ['"bb" & `a${string}`', "FW329 2:10"],
  ["`a${string}` | Email", "FW330 2:25"],
  ["`a${string}` | (string & MinLength<3>)", "FW325 2:26"],
  ["`${string & MinLength<1>}`", "FW324 2:13"],
  ["`${{ a: 1 }}`", "FW324 2:13"],
  ["`${bigint}`", "FW323 2:13"],
]);

check("unions are told apart by the JSON type or by a tag", [
  ["string | int", "string | int"],
  ["string | string[] | null", "string | string[] | null"],
  ['{ kind: "a"; x: int } | { kind: "b" }', 'by kind: { kind: "a", x: int } | { kind: "b" }'],
  ['{ id: 1; kind: "a" } | { id: 1; kind: "b" }', 'by kind: { id: 1, kind: "a" } | { id: 1, kind: "b" }'],
  [
    "{ ok: true; value: int } | { ok: false; error: string }",
    "by ok: { ok: true, value: int } | { ok: false, error: string }",
  ],
  ['{ v: 1 } | { v: 2 } | { v: "1" }', 'by v: { v: 1 } | { v: 2 } | { v: "1" }'],
  [
    '{ k: "a" | "b" } | { k: "c" } | string | null | boolean',
    'by k: { k: "a" | "b" } | { k: "c" } | string | null | boolean',
  ],
  ["{ a: 1; b: 1 } | { a: 2; b: 2 }", "by a: { a: 1, b: 1 } | { a: 2, b: 2 }"],
  [
    'type C = { kind: "c" }; interface S { kind: "s" } type Both = C | S; type T = Both | { kind: "t" } | null',
    'by kind: #C | #S | { kind: "t" } | null; C = { kind: "c" }; S = { kind: "s" }',
  ],
  [
    'type C = { kind: "c" }; type T = C | C | { kind: "d" }',
    'by kind: #C | { kind: "d" }; C = { kind: "c" }',
  ],
  ["{ a: string } | { a: string }", "{ a: string }"],
  ["{ a: string } | { b: string }", "FW325 2:26"],
  ['{ k?: "a" } | { k: "b" }', "FW325 2:24"],
  ['{ k: "a" } | { k: "a" | "b" }', "FW325 2:23"],
  ['{ k: string } | { k: "b" }', "FW325 2:26"],
  ['{ k: "a"; v: 1 } | { k: "a"; v: 1 | 2 } | { k: "b"; v: 3 }', "FW325 2:29"],
  ["string[] | int[]", "FW325 2:21"],
  ["string[] | [int]", "FW325 2:21"],
  ["Date | null", "date | null"],
  ["Date | string", "FW325 2:17"],
  ['Date | "today"', "FW325 2:17"],
  ["string | File", "string | file"],
  ['"a" | (string & MinLength<2>)', "FW325 2:17"],
  ['"abc" | (string & MinLength<2>)', "string{minLength: 2}"],
  ["(int & Min<3>) | (int & Max<1>)", "FW325 2:28"],
  ["Record<string, int> | { a: 1 }", "FW325 2:32"],
  ["object | { a: 1 }", "FW325 2:19"],
  ['object | "x"', '{ ...: unknown } | unknown[] | "x"'],
  ["object | string | 'x' | null", "{ ...: unknown } | unknown[] | string | null"],
  [
    'type A<X> = { k: X }; type T = A<"a"> | A<"b">',
    'by k: #A<"a"> | #A<"b">; A<"a"> = { k: "a" }; A<"b"> = { k: "b" }',
  ],
]);

check("keyof and indexed types", [
  ["keyof { a: 1; b: 2 }", '"a" | "b"'],
  ["keyof Record<string, int>", "string | number"],
  ["keyof ({ a: 1; k: 1 } | { b: 1; k: 1 })", '"k"'],
  ["keyof ({ a: 1 } & { b: 1 })", '"a" | "b"'],
  ["keyof {}", "never"],
  ["keyof string", "FW324 2:16"],
  ['{ a: string; b: int }["a"]', "string"],
  ['{ a: string; b: int }["a" | "b"]', "string | int"],
  ['{ a?: string }["a"] | null', "FW323 2:16"],
  ['type P = { a?: string }; type T = NonNullable<P["a"]>', "string"],
  ['type P = { a?: string }; type T = { b?: P["a"] }', "{ b?: string }"],
  ["type P = { a: string }; type T = P[keyof P]", "string"],
  ['Record<string, int>["x"]', "int"],
  ["Record<string, int>[string]", "int"],
  ["string[][number]", "string"],
  ["[string, int][number]", "string | int"],
  ["[string, int][1]", "int"],
  ['[string, int]["0"]', "string"],
  ["[string, ...int[]][5]", "int"],
  ['({ k: "a" } | { k: "b" })["k"]', '"a" | "b"'],
  [
    'type A = { k: "a"; x: { k: "c" } }; type B = { k: "b"; x: { k: "d" } }; type T = A | (A | B)["x"]',
    'by k: #A | { k: "c" } | { k: "d" }; A = { k: "a", x: { k: "c" } }',
  ],
  [
    'type C = { k: "c" }; type A = { k: "a"; x: C }; type B = { k: "b"; x: { k: "d" } }; type T = C | (A | B)["x"]',
    'by k: #C | { k: "d" }; C = { k: "c" }',
  ],
  ['type P = { items: { id: int }[] }; type T = P["items"][number]["id"]', "int"],
  ['{ name: string }["nam"]', "FW327 2:27"],
  ["[string][1]", "FW327 2:19"],
  ['string["length"]', "FW327 2:17"],
  ["{ a: string }[boolean]", "FW327 2:24"],
]);

check("types of constants", [
  [
    'import { ROLES } from "./r.ts"; type T = (typeof ROLES)[number]',
    '"a"',
    { "r.ts": 'export * from "./s.ts";', "s.ts": 'const R = ["a"] as const; export { R as ROLES };' },
  ],
  [
    'import * as all from "./r.ts"; type T = typeof all.CONFIG.role',
    '"x"',
    { "r.ts": 'export const CONFIG = { role: "x" } as const;' },
  ],
  ['import { schema } from "zod"; type T = typeof schema', "FW328 2:40"],
  [
    'import { A } from "./r.ts"; type T = typeof A',
    "FW328 2:38",
    { "r.ts": 'export * from "./r.ts"; export * from "./types.ts"' },
  ],
  ['const ROLES = ["a", "b"] as const; type T = (typeof ROLES)[number]', '"a" | "b"'],
  ['const ROLES = ["a", "b"]; type T = (typeof ROLES)[number]', "string"],
  ['const LABELS = { x: 1, y: "q" } as const; type T = keyof typeof LABELS', '"x" | "y"'],
  ['const LABELS = { x: 1, y: "q" } as const; type T = (typeof LABELS)[keyof typeof LABELS]', '1 | "q"'],
  ['const CONFIG = { x: 1, y: "q" }; type T = typeof CONFIG', "{ x: number, y: string }"],
  ['const CONFIG = { a: { b: "c" } } as const; type T = typeof CONFIG.a.b', '"c"'],
  ['const A = "x"; const B = A; type T = typeof B', '"x"'],
  ["let a = 1; type T = typeof a", "number"],
  ["type U = { a: 1 }; declare const u: U; type T = typeof u", "#U; U = { a: 1 }"],
  ["function f() {} type T = typeof f", "FW328 2:26"],
  ["const NOW = Date.now(); type T = typeof NOW", "FW328 2:34"],
  ["type T = typeof missing", "FW328 2:10"],
]);

check("types of TypeScript", [
  ["Partial<{ a: string; b: int[] }>", "{ a?: string, b?: int[] }"],
  ['Partial<{ k: "a" } | { k: "b" }>["k"]', "FW323 2:23"],
  ["Partial<string>", "string"],
  ["Partial<[string, int]>", "[string?, int?]"],
  ["Required<{ a?: string; b: int }>", "{ a: string, b: int }"],
  ["Required<{ a?: string | undefined }>", "{ a: string }"],
  ["Readonly<{ a: string }>", "{ a: string }"],
  ['Pick<{ a: string; b?: int }, "b">', "{ b?: int }"],
  ['Pick<{ a: string; b: int }, "a" | "b">', "{ a: string, b: int }"],
  ['Pick<{ k: "a"; x: 1 } | { k: "b"; x: 2 }, "x">', "{ x: 1 | 2 }"],
  ['Omit<{ a: string; b: int }, "a">', "{ b: int }"],
  ['Omit<{ a: string }, "z">', "{ a: string }"],
  ['Omit<{ [key: string]: int; a: 1 }, "a">', "{ ...: int }"],
  ['Omit<{ a: string; save: () => void }, "save">', "{ a: string }"],
  ['Exclude<"a" | "b" | 1, string>', "1"],
  ['Exclude<"a" | "b" | null, "a" | null>', '"b"'],
  ['Extract<"a" | "b" | 1, string>', '"a" | "b"'],
  ['Extract<{ kind: "a"; x: 1 } | { kind: "b" }, { kind: "a" }>', '{ kind: "a", x: 1 }'],
  ['Exclude<{ kind: "a"; x: 1 } | { kind: "b" }, { kind: "a" }>', '{ kind: "b" }'],
  ["Extract<string[] | { a: 1 }, unknown[]>", "string[]"],
  ["NonNullable<string | null | undefined>", "string"],
  ["Partial", "FW340 2:10"],
  ["Record<string>", "FW340 2:10"],
  ['Pick<{ name: 1 }, "nam">', "FW327 2:28"],
]);

check("generics are substituted", [
  [
    "type Page<X> = { items: X[] }; type P = { name: string }; type T = { a: Page<P>; b: Page<P>; c: Page<string> }",
    "{ a: #Page<P>, b: #Page<P>, c: #Page<string> }; Page<P> = { items: #P[] }; Page<string> = { items: string[] }; P = { name: string }",
  ],
  [
    "type Page<X, M = int> = { items: X[]; meta: M }; type T = [Page<string>, Page<string, int>, Page<string, null>]",
    "[#Page<string>, #Page<string>, #Page<string, null>]; Page<string> = { items: string[], meta: int }; Page<string, null> = { items: string[], meta: null }",
  ],
  [
    "type Maybe<X> = X | null; type T = Maybe<boolean>[]",
    "#Maybe<boolean>[]; Maybe<boolean> = boolean | null",
  ],
  ["type Pair<A, B = A> = [A, B]; type T = Pair<int>[]", "#Pair<int>[]; Pair<int> = [int, int]"],
  ["type Id<X> = X; type T = Id<Id<{ a: int }>>", "{ a: int }"],
  [
    "interface Tree<X> { value: X; kids: Tree<X>[] } type T = Tree<string>",
    "#Tree<string>; Tree<string> = { value: string, kids: #Tree<string>[] }",
  ],
  [
    "type Maybe<X> = X | null; type P = { a: 1 }; type T = Maybe<P>[]",
    "#Maybe<P>[]; Maybe<P> = #P | null; P = { a: 1 }",
  ],
  [
    "type Alias = P; type P = { a: 1 }; type Box<X> = { of: X }; type T = [Box<Alias>, Box<P>]",
    "[#Box<P>, #Box<P>]; Box<P> = { of: #P }; P = { a: 1 }",
  ],
  [
    "type Box<X> = { of: X }; type T = Box<{ long_name_of_a_property: string; another_one: int; and_a_third: boolean }>",
    "#Box<…>; Box<…> = { of: { long_name_of_a_property: string, another_one: int, and_a_third: boolean } }",
  ],
  ["type Box<X> = { of: X }; type T = Box", "FW340 2:35"],
  [
    "type Wrap<X> = Box<X[]>; type Box<X> = { of: X }; type T = Wrap<int>",
    "#Box<int[]>; Box<int[]> = { of: int[] }",
  ],
]);

check("recursion is a reference", [
  ["interface Node { next?: Node | null } type T = Node", "#Node; Node = { next?: #Node | null }"],
  [
    "type Json = string | number | boolean | null | Json[] | { [key: string]: Json }; type T = Json",
    "#Json; Json = string | number | boolean | null | #Json[] | { ...: #Json }",
  ],
  ["type List = [int, List?]; type T = List", "#List; List = [int, #List?]"],
  ["type List = [int, (List | null)?]; type T = List", "#List; List = [int, #List | null?]"],
  ["type Deep = (Deep | string)[]; type T = Deep", "#Deep; Deep = (#Deep | string)[]"],
  ["type Tree = { [key: string]: Tree | null }; type T = Tree", "#Tree; Tree = { ...: #Tree | null }"],
  [
    "interface Category { id: int; parent: Pick<Category, 'id'> | null } type T = Category",
    "#Category; Category = { id: int, parent: { id: int } | null }",
  ],
  [
    "interface Node { name: string; kids: Partial<Node>[] } type T = Node",
    "#Node; Node = { name: string, kids: ({ name?: string, kids?: #Partial<Node>[] })[] }; Partial<Node> = { name?: string, kids?: #Partial<Node>[] }",
  ],
  [
    'interface Node { name: string; kids: Pick<Node, "name">[] } type T = Node',
    "#Node; Node = { name: string, kids: ({ name: string })[] }",
  ],
  [
    'interface A { x: { y?: A["x"] } } type T = A',
    '#A; A = { x: { y?: { y?: #A["x"] } } }; A["x"] = { y?: #A["x"] }',
  ],
  [
    "interface A { next?: A; a: 1 } interface B { next?: B; b: 2 } type T = A & B",
    "{ next?: #A & B, a: 1, b: 2 }; A & B = { next?: #A & B, a: 1, b: 2 }",
  ],
  [
    "interface A { next?: A & { extra: 1 } } type T = A",
    "#A; A = { next?: { next?: #A & { extra: 1 }, extra: 1 } }; A & { extra: 1 } = { next?: #A & { extra: 1 }, extra: 1 }",
  ],
]);

check("types without an end", [
  ["type A = A; type T = A", "FW328 2:6"],
  ["type A = B; type B = A; type T = A", "FW328 2:6"],
  ["type A = string | A; type T = A", "FW328 2:6"],
  ["type A = { a: 1 } & A; type T = A", "FW328 2:6"],
  ["type A = keyof A; type T = A", "FW328 2:6"],
  ["type A<X> = A<X[]>; type T = A<int>", "FW328 2:6"],
  ["type Nested<X> = { inner: Nested<X[]> }; type T = Nested<int>", "FW328 2:27"],
  ["type Nested<X> = { inner: Nested<[X, X]> }; type T = Nested<int>", "FW328 2:27"],
  ["type Nested<X> = { a: X } & Nested<X[]>; type T = Nested<int>", "FW328 2:29"],
  ['interface A { x: A["x"] } type T = A', "FW328 2:18"],
]);

check("more than a thousand combinations", [
  ['type A = "a" | "b" | "c"; type T = `${A}${A}${A}${A}${A}${A}${A}`', "FW328 2:36"],
  ["type A = { a: 1 } | { b: 1 } | { c: 1 }; type T = A & A & A & A & A & A & A", "FW328 2:51"],
]);

check("what no request can carry", [
  ["{ a: bigint }", "FW323 2:15"],
  ["{ a: 10n }", "FW323 2:15"],
  ["{ a: symbol }", "FW323 2:15"],
  ["{ a: unique symbol }", "FW323 2:15"],
  ["{ a: () => void }", "FW323 2:15"],
  ["{ a: new () => Date }", "FW323 2:15"],
  ["{ a(): void }", "FW323 2:12"],
  ["{ (): void }", "FW323 2:12"],
  ["{ get a(): string }", "FW323 2:12"],
  ["{ [Symbol.iterator]: 1 }", "FW324 2:12"],
  ["{ [name]: 1 }", "FW324 2:12"],
  ["Map<string, int>", "FW323 2:10"],
  ["{ a: Set<int>[] }", "FW323 2:15"],
  ["Promise<int>", "FW323 2:10"],
  ["URL", "FW323 2:10"],
  ["String", "FW323 2:10"],
  ["{ a: undefined }", "FW323 2:15"],
  ["{ a: string | undefined }", "FW323 2:24"],
  ["(string | undefined)[]", "FW323 2:20"],
  ["void", "FW323 2:10"],
  ["enum Role { Admin } type T = { a: Role; b: Role }", "FW323 2:6"],
  ["enum Role { Admin } type T = Role.Admin", "FW323 2:6"],
  ['class User { name = "" } type T = User[]', "FW323 2:7"],
  ["string extends number ? 1 : 2", "FW324 2:10"],
  ['{ [K in "a"]: K }', "FW324 2:10"],
  ["type Of<X> = X extends (infer Y)[] ? Y : never; type T = Of<string[]>", "FW324 2:14"],
  ["ReturnType<() => string>", "FW324 2:10"],
  ['Uppercase<"a">', "FW324 2:10"],
  ["this", "FW324 2:10"],
  ['typeof import("./a.ts")', "FW324 2:10"],
]);

check("names that lead nowhere", [
  ["Foo", "FW327 2:10"],
  ["Strin", "FW327 2:10"],
  ["type Product = { a: 1 }; type T = Produkt", "FW327 2:35"],
  ['import { z } from "zod"; type T = z.infer<1>', "FW328 2:35"],
  ['import { User } from "./missing.ts"; type T = User', "FW327 2:47"],
  [
    'import type { Request, Body } from "framework"; type T = { a: Request; b: Body<int> }',
    "FW341 2:63; FW341 2:75",
  ],
  ['import type { Emial } from "framework"; type T = Emial', "FW327 2:50"],
  ["Uuid", "FW327 2:10"],
  ["type P = { a: 1 }; type T = P.a", "FW327 2:29"],
  ['import("framework").int', "int"],
  ['import("zod").User', "FW328 2:10"],
]);

check("each error is reported once, at its place", [
  ["type Bad = { x: bigint }; type A = { b: Bad }; type T = [A, Bad, { c: Bad }]", "FW323 2:17"],
  ["{ a: bigint; b: symbol; c: { d: Foo } }", "FW323 2:15; FW323 2:26; FW327 2:42"],
  ["interface A {\r\n  a: string;\r\n  b: bigint;\r\n}\r\ntype T = A", "FW323 4:6"],
]);

const NUMBERS = [
  "1",
  "-1",
  "+1",
  "1.5",
  ".5",
  "5.",
  "1e3",
  "1E-3",
  "1e+0308",
  "1e-999",
  " 12 ",
  " ",
  "0x1F",
  "0b1",
  "0o7",
  "007",
];
const NO_NUMBERS = ["", "a", "1a", "1_000", "-0x1", "Infinity", "1e309", "-1e+999", "1e", ".", "1 2", "--1"];

/** String literals that TypeScript can assign to each type, and others that it refuses. */
const TEMPLATES: readonly (readonly [type: string, fitting: readonly string[], others: readonly string[]])[] =
  [
    ["`${number}`", NUMBERS, NO_NUMBERS],
    ["`${number}px`", NUMBERS.map((text) => `${text}px`), ["px", "1", "apx", "1px "]],
    ["`${string}-${number}`", ["a-1", "-1", "--1"], ["a-b-1", "a", "a-"]],
    ["`${number}-${string}`", ["1-", "1-2-3"], ["-5-x", "1e-5-x", "-"]],
    ["`${number}${string}`", ["1", "1a", "12", " "], ["", "a1", "-1"]],
    ["`${string}${string}`", ["a", "ab", "\n"], [""]],
    ["`${string}ab${string}b`", ["abb", "xabab"], ["xab", "ab"]],
    ["`a.${string}`", ["a.", "a.b\nc"], ["ab", "a"]],
    ["`${number}/${number}` | 'all'", ["1/2", "all"], ["1/2/3", "1", "'all'"]],
  ];

test("a template takes the texts that TypeScript takes", () => {
  for (const [type, fitting, others] of TEMPLATES) {
    const [shape] = readAliases(`type T = ${type};`, ["T"]).shapes;
    if (shape?.kind !== "string") throw new Error(`${type} is not a text.`);
    const [{ source } = { source: "" }] = shape.patterns ?? [];
    const pattern = new RegExp(source, "u");
    for (const text of fitting) assert.ok(pattern.test(text), `${type} takes ${JSON.stringify(text)}`);
    for (const text of others) assert.not(pattern.test(text), `${type} refuses ${JSON.stringify(text)}`);
  }
});

test("the pattern of a template is linear in the length of a text", () => {
  const types = [
    "`${string}-${string}-${number}`",
    "`${number}${number}x`",
    "`${number} ${number} ${string}!`",
  ];
  for (const type of types) {
    const [shape] = readAliases(`type T = ${type};`, ["T"]).shapes;
    const source = shape?.kind === "string" ? (shape.patterns?.[0]?.source ?? "") : "";
    const time = processorTime(() => {
      for (const unit of [" ", "-", "1", "a", "1 "]) new RegExp(source, "u").test(`${unit.repeat(50_000)}?`);
    });
    assert.ok(time < 1000, `${type}: ${time} ms`);
  }
});

check("names are followed from file to file", [
  [
    'import type { User } from "./a.ts"; import type { User as Other } from "./b.ts"; type T = { a: User; b: Other }',
    "{ a: #User, b: #User2 }; User = { b: #User2 }; User2 = { back?: #User }",
    {
      "a.ts": 'import type { T } from "./types.ts"; export interface User { b: import("./b.ts").User }',
      "b.ts": 'export * from "./c.ts";',
      "c.ts": 'import { User as A } from "./a.ts"; export interface User { back?: A }',
    },
  ],
  [
    'import type { Mail } from "#types"; type T = Mail',
    'string{formats: ["email"]}',
    {
      "package.json": '{ "imports": { "#types": "./mail.ts" } }',
      "mail.ts": 'import type { Email as E } from "./own.ts"; export type Mail = string & E;',
      "own.ts": 'export type { Email } from "framework/http";',
    },
  ],
  [
    'import * as framework from "framework"; type T = string & framework.MaxLength<3>',
    "string{maxLength: 3}",
  ],
  ['import * as all from "./a.ts"; type T = all.Name', "string", { "a.ts": "export type Name = string;" }],
  [
    'import type Name from "./a.ts"; type T = Name',
    "#Name; Name = { a: 1 }",
    { "a.ts": "export default interface Name { a: 1 }" },
  ],
  [
    'import { A } from "./a.ts"; type T = A',
    "FW327 2:38",
    { "a.ts": 'export { A } from "./b.ts";', "b.ts": 'export { A } from "./a.ts";' },
  ],
  [
    'import { A } from "./a.ts"; type T = A',
    "FW323 a.ts:3:6",
    { "a.ts": "export interface A {\r\n  é: string;\r\n  b: bigint;\r\n}" },
  ],
]);

test("an export that is nearly named is suggested", () => {
  const { diagnostics } = readAliases('import { Usr } from "./a.ts"; type T = Usr;', ["T"], {
    "a.ts": "export interface User {}",
  });
  assert.is(diagnostics[0]?.hint, "Did you mean `User`?");
});

test("a type behind a file that can't be read is reported with that file, also through `export *`", () => {
  const cases: [type: string, files: Readonly<Record<string, string>>, message: RegExp, hint: RegExp][] = [
    [
      "A",
      { "a.ts": 'export * from "./b.ts";', "b.ts": "export type A = {" },
      /: b\.ts has errors/,
      /^Correct that/,
    ],
    ["A", { "a.ts": 'export * from "./b.ts";' }, /: there is no file "\.\/b\.ts"/, /^Correct that/],
    ["A", { "a.ts": 'export * from "./b.ts";', "b.ts": "" }, /: a\.ts does not export `A`/, /^Declare it/],
    ["A", { "a.ts": "export type A = {" }, /: a\.ts has errors/, /^Correct that/],
    ["N.B", { "a.ts": "" }, /: the types of a namespace are not read/, /^Declare it/],
    ['{ b: 1 }["c"]', {}, /: `\{ b: 1 \}` has no such property/, /^Write a property that it has\.$/],
  ];
  for (const [type, files, message, hint] of cases) {
    const { diagnostics } = readAliases(`import type { A } from "./a.ts"; type T = ${type};`, ["T"], files);
    assert.match(diagnostics[0]?.message ?? "", message);
    assert.match(diagnostics[0]?.hint ?? "", hint);
  }
});

test("an error is reported with the first handler that uses the type, and its shape stays null for all", () => {
  const text = "type Bad = { x: bigint }; type A = { bad: Bad }; type B = Bad[]; type C = { a: 1 };";
  const { shapes, diagnostics } = readAliases(text, ["A", "B", "Bad", "C"]);
  assert.equal(
    shapes.map((shape) => shape === null),
    [true, true, true, false],
  );
  assert.is(diagnostics.length, 1);
});

test("an interface may be called __proto__ or constructor", () => {
  const text = "interface __proto__ { a: 1 } interface constructor { b: __proto__ } type T = constructor;";
  const { definitions } = readAliases(text, ["T"]);
  assert.equal(Object.keys(definitions), ["constructor", "__proto__"]);
});

test("shapes are JSON", () => {
  const text =
    "type A = { a?: 1 | null; b: string[]; c: [Date, ...object[]] }; type T = A | string | `a${string}`[];";
  const { shapes, definitions } = readAliases(text, ["T"]);
  const all = { shapes, definitions };
  assert.equal(JSON.parse(JSON.stringify(all)), all);
});

/** Types with this many parts are read, or refused with a diagnostic, within a second. */
const MANY = 5000;

function repeat(toText: (index: number) => string, between = " "): string {
  return Array.from({ length: MANY }, (_, index) => toText(index)).join(between);
}

const HUGE: readonly (readonly [title: string, text: string, code: string | undefined])[] = [
  ["an array of arrays", `type T = string${"[]".repeat(MANY)}`, "FW328"],
  ["150 levels", `type T = ${"{ a: ".repeat(150)}1${" }".repeat(150)}`, "FW328"],
  ["nested unions", `type T = ${"(".repeat(400)}1${" | 2)".repeat(400)}`, "FW328"],
  [
    "a chain of aliases",
    `${repeat((n) => `type X${n} = X${n + 1};`)} type X${MANY} = 1; type T = X0`,
    "FW328",
  ],
  [
    "a chain of bases",
    `${repeat((n) => `interface X${n} extends X${n + 1} {}`)} interface X${MANY} {} type T = X0`,
    "FW328",
  ],
  [
    "a chain of interfaces",
    `${repeat((n) => `interface X${n} { a: X${n + 1} }`)} interface X${MANY} {} type T = X0`,
    undefined,
  ],
  ["a union of objects", `type T = ${repeat((n) => `{ k: ${n} }`, "|")}`, undefined],
  ["an intersection of objects", `type T = ${repeat((n) => `{ k${n}: 1 }`, "&")}`, undefined],
  ["a union of literals", `type T = ${repeat((n) => `"${n}"`, "|")}`, undefined],
  [
    "a union of unions",
    `type A = ${repeat((n) => `{ k: ${n} }`, "|")}; type T = (A | null) & (A | string)`,
    "FW328",
  ],
  ["a template of unions", 'type A = "a" | "b" | "c"; type T = `${A}${A}${A}${A}${A}${A}${A}${A}`', "FW328"],
];

test("a huge type is read in linear time, or refused", () => {
  for (const [title, text, code] of sample("huge types", HUGE, 4)) {
    const time = processorTime(() => {
      const { diagnostics } = readAliases(text.replace("type T =", "type T = Huge; type Huge ="), ["T"]);
      // How deep a chain may be depends on how far the engine has optimized the reader.
      const found = diagnostics[0]?.code ?? "read";
      assert.ok(found === (code ?? "read") || (code === "FW328" && found === "read"), `${title}: ${found}`);
    });
    assert.ok(time < 3000, `${title}: ${time} ms`);
  }
});

test("of a file of types only what is used is read", () => {
  const unused = Array.from(
    { length: 2000 },
    (_, index) => `export interface Unused${index} { a: Missing${index} }`,
  );
  const text = `import type { Used } from "./all.ts"; type T = Used;`;
  const { definitions, diagnostics } = readAliases(text, ["T"], {
    "all.ts": `${unused.join("\n")} export interface Used { a: 1 }`,
  });
  assert.equal(Object.keys(definitions), ["Used"]);
  assert.equal(diagnostics, []);
});

test("every constraint of the framework is read", async () => {
  const { readFileSync } = await import("node:fs");
  const marks = readFileSync(new URL("../../runtime/wire/marks.ts", import.meta.url), "utf8");
  const constraints = [...marks.matchAll(/^export type (\w+)(?:<.*>)? = \{\}/gm)];
  assert.equal(constraints.map(([, name]) => name).sort(), [...CONSTRAINT_NAMES].sort());
});

test.run();
