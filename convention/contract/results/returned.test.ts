// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are handlers.
/** What handlers return, as the answers of the contract: by the types that they write, and by what their `return`s say. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { DECLARED, SAID, TYPES } from "./handlers.fixture.ts";
import { summarizeReturned } from "./project.fixture.ts";

/** What `Book` gives, which its schema alone knows. */
const GIVEN = 'schema{file: "apps/shop/views.ts", exported: "Book", isOutput: true}';

/** The type that a handler writes, and the answers. */
const WRITTEN: readonly (readonly [type: string, answers: string])[] = [
  // What is sent as JSON
  ["User", "200 #User; User = { id: int, name: string }"],
  ["Promise<User>", "200 #User; User = { id: int, name: string }"],
  ["Promise<Promise<User>>", "200 #User; User = { id: int, name: string }"],
  ["PromiseLike<User>", "200 #User; User = { id: int, name: string }"],
  ["Awaited<Promise<User>>", "200 #User; User = { id: int, name: string }"],
  ["User[]", "200 #User[]; User = { id: int, name: string }"],
  ["readonly User[]", "200 #User[]; User = { id: int, name: string }"],
  ["int", "200 int"],
  ["number", "200 number"],
  ["boolean", "200 boolean"],
  ["true", "200 true"],
  ["5 | 7", "200 5 | 7"],
  ["Date", "200 date"],
  ["Record<string, number>", "200 { ...: number }"],
  ["{ a: number & Min<1> }", "200 { a: number{min: 1} }"],
  ['Pick<User, "id">', "200 { id: int }"],
  [
    "Figure",
    '200 #Figure; Figure = by kind: #Circle | #Square; Circle = { kind: "circle", r: number }; Square = { kind: "square", a: number }',
  ],
  [
    "Promise<Figure>",
    '200 #Figure; Figure = by kind: #Circle | #Square; Circle = { kind: "circle", r: number }; Square = { kind: "square", a: number }',
  ],
  [
    "Circle | User",
    '200 #Circle | #User; Circle = { kind: "circle", r: number }; User = { id: int, name: string }',
  ],
  // What only a schema knows, by all names that libraries have for it
  ["z.infer<typeof Book>", `200 ${GIVEN}`],
  ["z.output<typeof Book>[]", `200 (${GIVEN})[]`],
  ["[z.TypeOf<typeof Book>, 201]", `201 ${GIVEN}`],
  [
    "{ book: InferInput<typeof Book> | null }",
    `200 { book: ${GIVEN.replace(", isOutput: true", "")} | null }`,
  ],
  // Text
  ["string", "200 text/plain string"],
  ['"on" | "off"', '200 text/plain "on" | "off"'],
  ["keyof User", '200 text/plain "id" | "name"'],
  ['"on" | 5', '200 5 or text/plain "on"'],
  // Nothing
  ["void", "204 -"],
  ["Promise<void>", "204 -"],
  ["undefined", "204 -"],
  ["null", "204 -"],
  ["Maybe<User>", "200 #User · 204 -; User = { id: int, name: string }"],
  ["Promise<User | undefined>", "200 #User · 204 -; User = { id: int, name: string }"],
  [
    "Figure | string | null",
    '200 by kind: #Circle | #Square or text/plain string · 204 -; Circle = { kind: "circle", r: number }; Square = { kind: "square", a: number }',
  ],
  // A status beside it
  ["[User, 201]", "201 #User; User = { id: int, name: string }"],
  ["readonly [User, 201]", "201 #User; User = { id: int, name: string }"],
  ["[user: User, status: 201]", "201 #User; User = { id: int, name: string }"],
  ["[User, 200 | 201]", "200 #User · 201 #User; User = { id: int, name: string }"],
  ["[User, number]", "default #User; User = { id: int, name: string }"],
  ["[User, 204]", "204 -"],
  ["[User, 304] | User", "200 #User · 304 -; User = { id: int, name: string }"],
  ["Made<User>", "201 #User · 400 { error: string }; User = { id: int, name: string }"],
  ["Promise<Made<User>>", "201 #User · 400 { error: string }; User = { id: int, name: string }"],
  [
    "[User, 200] | [Circle, 200]",
    '200 #User | #Circle; User = { id: int, name: string }; Circle = { kind: "circle", r: number }',
  ],
  // Arrays, which have no status
  ["[User[], 201]", "200 [#User[], 201]; User = { id: int, name: string }"],
  ["[string, 201]", "200 [string, 201]"],
  ["[null, 404]", "200 [null, 404]"],
  ["[number, number]", "200 [number, number]"],
  ["[User, User]", "200 [#User, #User]; User = { id: int, name: string }"],
  ["[User, 201, string]", "200 [#User, 201, string]; User = { id: int, name: string }"],
  ["(User | number)[]", "200 (#User | number)[] · default #User; User = { id: int, name: string }"],
  ['(User | 201 | "a")[]', '200 (#User | 201 | "a")[] · 201 #User; User = { id: int, name: string }'],
  ["[User, 201?]", "200 [#User, 201?]; User = { id: int, name: string }"],
  ["[Maybe<User>, 201]", "200 [null, 201] · 201 #User; User = { id: int, name: string }"],
  // Replies
  ["Reply<User, 201>", "201 #User; User = { id: int, name: string }"],
  ["Reply<User[], 200>", "200 #User[]; User = { id: int, name: string }"],
  ["Reply<[User, 201], 202>", "202 [#User, 201]; User = { id: int, name: string }"],
  ["Reply<string, 404>", "404 text/plain string"],
  ["Reply<undefined, 202>", "202 -"],
  ["Reply<User, 204>", "204 -"],
  ["Reply<User, 200 | 404>", "200 #User · 404 #User; User = { id: int, name: string }"],
  ["Reply<User>", "default #User; User = { id: int, name: string }"],
  [
    "Promise<Reply<User, 201> | Reply<{ error: string }, 409>>",
    "201 #User · 409 { error: string }; User = { id: int, name: string }",
  ],
  // What is not JSON
  ["Response", "default */* unknown"],
  ["Promise<Response | User>", "200 #User · default */* unknown; User = { id: int, name: string }"],
  ["ReturnType<typeof events<User>>", "default */* unknown; FW902 9:28"],
  ["ReadableStream<Uint8Array>", "200 application/octet-stream file"],
  ["ReadableStream<string>", "200 text/plain string"],
  ["ReadableStream", "200 application/octet-stream file or text/plain string"],
  ["AsyncGenerator<string>", "200 text/plain string"],
  ["AsyncGenerator<string, void, unknown>", "200 text/plain string"],
  ["AsyncIterable<Uint8Array>", "200 application/octet-stream file"],
  ["AsyncGenerator<{ id: int }>", "default */* unknown; FW901 9:28"],
  ["AsyncIterable<number | null>", "default */* unknown; FW901 9:28"],
  ["AsyncIterable<User | string>", "200 application/octet-stream file or text/plain string"],
  ["[Set<int>, 201]", "default */* unknown; FW901 9:28"],
  // Promises that nobody awaits: such a result is a 500
  ["Reply<Promise<User>, 201>", "default */* unknown; FW901 9:28"],
  ["Promise<Reply<PromiseLike<User>, 201>>", "default */* unknown; FW901 9:36"],
  ["Reply<User | Promise<User>, 201>", "default */* unknown; FW901 9:28"],
  ["[Promise<User>, 201]", "default */* unknown; FW901 9:28"],
  ["[User | Promise<User>, 201]", "default */* unknown; FW901 9:28"],
  ["[Promise<User>, 204]", "default */* unknown; FW901 9:28"],
  ["Promise<Promise<User>>", "200 #User; User = { id: int, name: string }"],
  ["Uint8Array", "200 application/octet-stream file"],
  ["ArrayBuffer", "200 application/octet-stream file"],
  ["Blob", "200 */* file"],
  ["File", "200 */* file"],
  ["Generator<string>", "default */* unknown; FW901 9:28"],
  ["Map<string, User>", "default */* unknown; FW901 9:28"],
  ["() => User", "default */* unknown; FW901 9:28"],
  // What is not known
  ["never", ""],
  ["unknown", "default */* unknown; FW902 9:28"],
  ["any", "default */* unknown; FW902 9:28"],
  ["User extends object ? 1 : 2", "default */* unknown; FW902 9:28"],
  ['{ [K in "a"]: K }', "default */* unknown; FW902 9:28"],
  ["[unknown, 201]", "200 [unknown, 201] · 201 unknown"],
];

for (const [type, answers] of WRITTEN) {
  test(`a handler that returns \`${type}\` answers ${answers}`, () => {
    assert.is(summarizeReturned(`${TYPES}export function get_all(): ${type} { throw 0; }`), answers);
  });
}

/** The type of a property, and its shape as it is sent. */
const SENT: readonly (readonly [declarations: string, type: string, answers: string])[] = [
  ["", "{ a?: string; b: string | undefined; c: undefined }", "200 { a?: string, b?: string }"],
  [
    "",
    "{ run(): void; call: () => void; make: symbol; maybe: string | (() => void) }",
    "200 { maybe?: string }",
  ],
  [
    "",
    "{ list: (string | undefined)[]; calls: (() => void)[]; pair: [string, undefined] }",
    "200 { list: (string | null)[], calls: null[], pair: [string, null] }",
  ],
  ["", "{ map: Map<string, int>; set: ReadonlySet<int> }", "200 { map: {  }, set: {  } }"],
  ["", "{ at: Date; link: URL; test: RegExp }", "200 { at: date, link: string, test: {  } }"],
  ["", "{ big: bigint }", "200 { big?: unknown }; FW902 3:35"],
  ["", "{ file: File }", "200 { file: {  } }"],
  ["", "{ all: unknown; some: any; sure: never }", "200 { all?: unknown, some?: unknown, sure: never }"],
  ["", "{ date: Date | string | null }", "200 { date: date | string | null }"],
  ["", "{ of: string[] | number[] }", "200 { of: string[] | number[] }"],
  ["", "{ loud: Uppercase<string> }", "200 { loud: string }"],
  [
    "interface Money { cents: int; toJSON(): { eur: number } }",
    "Money",
    "200 #Money; Money = { eur: number }",
  ],
  ["interface Money { toJSON: () => string }", "{ price: Money }", "200 { price: #Money }; Money = string"],
  [
    'class Point { x = 1; y?: number; readonly kind = "point"; static zero = 0; #secret = 1; private other = 1; get sum() { return 1; } move() {} }',
    "Point",
    '200 #Point; Point = { x: number, y?: number, kind: "point" }',
  ],
  [
    "class Base { id = 1 }\nclass Named<T> extends Base { name!: T }",
    "Named<string>",
    "200 #Named<string>; Named<string> = { id: number, name: string }",
  ],
  ["class Point { x = 1; y = 2 }", 'Pick<Point, "x"> & { z: 1 }', "200 { x: number, z: 1 }"],
  [
    "class Point { x = 1 }\ninterface Far extends Point { far: true }",
    "{ far: Far }",
    "200 { far: #Far }; Far = { x: number, far: true }",
  ],
  [
    'class Money { constructor(readonly cents: number) {} toJSON(): string { return ""; } }',
    "Money[]",
    "200 #Money[]; Money = string",
  ],
  [
    'type Id = string & { readonly brand: "id" };',
    '{ id: Id; other: Id | null; kind: ("a" | "b") & { brand: 1 }; n?: { brand: 1 } & number }',
    '200 { id: string, other: string | null, kind: "a" | "b", n?: number }',
  ],
  ["declare const brand: unique symbol;", "{ id: number & { [brand]: true } }", "200 { id: number }"],
  ["type Brand<T, B> = T & { __brand: B };", 'Brand<string, "id">', "200 text/plain string"],
  [
    'class Money { cents = 1; toJSON() { return ""; } }',
    "Money[]",
    "200 #Money[]; Money = unknown; FW902 2:26",
  ],
  ['class Money { cents = 1; toJSON = () => ""; }', "Money[]", "200 #Money[]; Money = unknown; FW902 2:35"],
  ["interface Money { cents: int; toJSON(); }", "Money[]", "200 #Money[]; Money = unknown; FW902 2:31"],
  ["class Call { x = 1; run = () => 1; stop = function () {} }", "Call", "200 #Call; Call = { x: number }"],
  [
    "class Node { next?: Node; at = make() }",
    "Node",
    "200 #Node; Node = { next?: #Node, at?: unknown }; FW902 2:27",
  ],
  ["enum Role { Admin }", "{ role: Role }", "200 { role?: unknown }; FW902 3:36"],
  ["interface Tree { children: Tree[] }", "Tree", "200 #Tree; Tree = { children: #Tree[] }"],
  ['import type { Row } from "kysely";', "{ row: Row }", "200 { row?: unknown }; FW902 3:35"],
  ['import type { Row } from "kysely";', "Promise<Row>", "default */* unknown; FW902 3:36"],
  [
    "interface Page<T> { items: T[]; next?: int }",
    "Page<{ id: int }>",
    "200 #Page<{ id: int }>; Page<{ id: int }> = { items: ({ id: int })[], next?: int }",
  ],
  ["function find() { return { id: 1 }; }", "ReturnType<typeof find>", "200 { id: number }"],
  [
    "async function find(): Promise<{ id: int } | undefined> {}",
    "Awaited<ReturnType<typeof find>>",
    "200 { id: int } · 204 -",
  ],
  [
    "async function find(): Promise<{ id: int } | undefined> {}",
    "NonNullable<Awaited<ReturnType<typeof find>>>",
    "200 { id: int }",
  ],
  ["function isOld(age: int): age is 99 {}", "{ old: ReturnType<typeof isOld> }", "200 { old: boolean }"],
];

for (const [declarations, type, answers] of SENT) {
  test(`\`${declarations} ${type}\` is sent as ${answers}`, () => {
    const text = `import { type int } from "framework";\n${declarations}\nexport function get_all(): ${type} { throw 0; }`;
    assert.is(summarizeReturned(text), answers);
  });
}

for (const [handler, answers] of SAID) {
  test(`\`${handler}\` answers ${answers}`, () => {
    assert.is(summarizeReturned(`${DECLARED}export ${handler}`), answers);
  });
}

test.run();
