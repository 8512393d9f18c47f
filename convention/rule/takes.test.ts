/** What is read from a signature with marks: where each value comes from, under which name, and what is wrong with it. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { runs } from "#runtime/random.fixture";
import type { DeclaredInput } from "#runtime/wire/inputs";
import type { Shape } from "#runtime/wire/shape";
import { type Project, readProject } from "../project.ts";
import { type Case, createCheck, type Files, readViews, summarizeDiagnostics } from "../views.fixture.ts";

/** The first line of the sources of most tables, which therefore begin in line 2. */
const IMPORTS =
  'import type { ApiKey, Basic, Bearer, Body, Cookie, Credential, Form, Header, Query, Request, int } from "framework"; interface User { name: string }\n';

/** What was read, in one line: `get_x(page = query page: number?, id: int); FW315 2:23`. */
function summarize(project: Project): string {
  const handlers = project.routes.map(({ handler, segments, arguments: passed, takes }) => {
    const params = segments.filter((segment) => typeof segment !== "string");
    const left = [...takes];
    const parts = passed.map((argument) => {
      if (argument === "request" || argument === "provided") return argument;
      if (argument === "taken") return summarizeTake(left.shift());
      return `${params[argument]?.name}: ${params[argument]?.type}`;
    });
    return `${handler}(${parts.join(", ")})`;
  });
  return [...handlers, ...summarizeDiagnostics(project)].join("; ");
}

const check = createCheck(summarize);

function summarizeTake(take: DeclaredInput | undefined): string {
  if (take === undefined) return "nothing";
  const { in: place, name, key, shape, optional, default: otherwise } = take;
  const source = key === undefined ? place : `${place} ${key}`;
  const value = otherwise === undefined ? "" : ` or ${JSON.stringify(otherwise)}`;
  return `${name} = ${source}: ${summarizeShape(shape)}${optional ? "?" : ""}${value}`;
}

function summarizeShape(shape: Shape): string {
  switch (shape.kind) {
    case "reference":
      return shape.name;
    case "schema":
      return `${shape.exported} of ${shape.file}`;
    case "array":
      return `${summarizeShape(shape.items)}[]`;
    case "object":
      return `{${shape.properties.map(({ name, optional }) => `${name}${optional ? "?" : ""}`).join()}}`;
    case "literal":
    case "union":
      return (shape.kind === "union" ? shape.of.map(summarizeShape) : shape.values).join("|");
    case "number":
      return shape.integer ? "int" : "number";
    default:
      return shape.kind;
  }
}

check(
  "each mark says where a value comes from, and a scalar or an array has the parameter's name as its key",
  IMPORTS,
  [
    ["export function post_x(body: Body<User>) {}", "post_x(body = body: User)"],
    ["export function post_x(ids: Body<string[]>) {}", "post_x(ids = body: string[])"],
    ["export function post_x(any: Body<unknown>) {}", "post_x(any = body: unknown)"],
    [
      "export function post_x(form: Form<{ title: string; image: File }>) {}",
      "post_x(form = form: {title,image})",
    ],
    [
      "export function post_x(a: Form<string>, b: Form<File[]>) {}",
      "post_x(a = form a: string, b = form b: file[])",
    ],
    ["export function get_x(page: Query<int>) {}", "get_x(page = query page: int)"],
    ["export function get_x(tag: Query<string[]>) {}", "get_x(tag = query tag: string[])"],
    [
      "export function get_x(on: Query<boolean>, at: Query<Date>) {}",
      "get_x(on = query on: boolean, at = query at: date)",
    ],
    ["export function get_x(all: Query<{ q: string; page?: int }>) {}", "get_x(all = query: {q,page?})"],
    ["export function get_x(all: Query<User>) {}", "get_x(all = query: User)"],
    [
      "export function get_x(If_None_Match: Header<string>) {}",
      "get_x(If_None_Match = header if-none-match: string)",
    ],
    ["export function get_x(h: Header<{ if_none_match: string }>) {}", "get_x(h = header: {if_none_match})"],
    ["export function get_x(theme: Cookie<'a' | 'b'>) {}", "get_x(theme = cookie theme: a|b)"],
    ["export function get_x(token: Bearer) {}", "get_x(token = bearer: string)"],
    ["export function get_x(login: Basic) {}", "get_x(login = basic: {username,password})"],
    ["export function get_x(key: ApiKey<'X-Key'>) {}", "get_x(key = api-key x-key: string)"],
    ["export function get_x(key: ApiKey<'X-Key', 'header'>) {}", "get_x(key = api-key x-key: string)"],
    ["export function get_x(s: ApiKey<'Session', 'cookie'>) {}", "get_x(s = api-key Session: string)"],
    ["export function get_x(token?: Credential<'Token'>) {}", "get_x(token = credential Token: string?)"],
    [
      "export function put_x(id: int, body: Body<User>, request: Request, slug, page: Query<int>) {}",
      "put_x(id: int, body = body: User, request, slug: str, page = query page: int)",
    ],
    ["export const post_x = async (body: Body<User>) => body;", "post_x(body = body: User)"],
    [
      "export const post_x: (b: Body<User>, id: int) => object = (body, id) => ({});",
      "post_x(body = body: User, id: int)",
    ],
    ["export const post_x: (b: Body<User>) => object = ({ name }) => ({});", "post_x( = body: User)"],
  ],
);

check("`?`, a default and `undefined` around or inside a mark make a value optional", IMPORTS, [
  ["export function get_x(page?: Query<int>) {}", "get_x(page = query page: int?)"],
  ["export function get_x(page: Query<int> = 1) {}", "get_x(page = query page: int? or 1)"],
  ["export function get_x(q: Query<string> = 'a') {}", 'get_x(q = query q: string? or "a")'],
  ["export function get_x(q: Query<int> = -1) {}", "get_x(q = query q: int? or -1)"],
  ["export function get_x(tag: Query<string[]> = []) {}", "get_x(tag = query tag: string[]?)"],
  ["export function get_x(page: Query<int> | undefined) {}", "get_x(page = query page: int?)"],
  ["export function get_x(page: undefined | Query<int>) {}", "get_x(page = query page: int?)"],
  ["export function get_x(page: Query<int | undefined>) {}", "get_x(page = query page: int?)"],
  ["export function get_x(q: Query<'a' | undefined | 'b'>) {}", "get_x(q = query q: a|b?)"],
  ["type M<T> = T | undefined;\nexport function post_x(b: Body<M<User>>) {}", "post_x(b = body: User?)"],
  ["type M<T> = T | undefined;\nexport function post_x(b: M<Body<User>>) {}", "post_x(b = body: User?)"],
  [
    "export function get_x(token?: Bearer, login?: Basic) {}",
    "get_x(token = bearer: string?, login = basic: {username,password}?)",
  ],
  ["export function get_x({ q }: Query<{ q?: string }> = {}) {}", "get_x( = query: {q?}?)"],
]);

check("a mark is ours under any name, by namespace, by import type, through aliases and re-exports", "", [
  [
    'import { Body as B } from "framework";\nexport function post_x(a: B<string>) {}',
    "post_x(a = body: string)",
  ],
  [
    'import { Body } from "framework/http";\nexport function post_x(a: Body<string>) {}',
    "post_x(a = body: string)",
  ],
  [
    'import * as f from "framework";\nexport function post_x(a: f.Body<string>) {}',
    "post_x(a = body: string)",
  ],
  [
    'import type * as f from "framework";\nexport function get_x(a: f.Bearer) {}',
    "get_x(a = bearer: string)",
  ],
  ['export function post_x(a: import("framework").Body<string>) {}', "post_x(a = body: string)"],
  [
    'export function post_x(a: import("./m.ts").B<string>) {}',
    "post_x(a = body: string)",
    { "apps/a/m.ts": 'export type { Body as B } from "framework";' },
  ],
  [
    'import { Body } from "./m.ts";\nexport function post_x(a: Body<string>) {}',
    "post_x(a = body: string)",
    { "apps/a/m.ts": 'export * from "framework";' },
  ],
  [
    'import { Body } from "./m.ts";\nexport function post_x(a: Body<string>) {}',
    "post_x(a = body: string)",
    { "apps/a/m.ts": 'import { Body } from "framework";\nexport { Body };' },
  ],
  [
    'import { In } from "./m.ts";\nexport function post_x(a: In) {}',
    "post_x(a = body: User)",
    {
      "apps/a/m.ts":
        'import { Body } from "framework";\ninterface User { a: 1 }\nexport type In = Body<User>;',
    },
  ],
  [
    'import { Json } from "./m.ts";\ninterface User { a: 1 }\nexport function post_x(a: Json<User>) {}',
    "post_x(a = body: User)",
    {
      "apps/a/m.ts":
        'import { Body } from "framework";\ninterface User { b: 1 }\nexport type Json<T> = Body<T>;',
    },
  ],
  [
    'import { Body } from "framework";\ntype Json<T = string> = Body<T[]>;\nexport function post_x(a: Json) {}',
    "post_x(a = body: string[])",
  ],
  [
    'import { Body } from "framework";\ntype A<T> = B<T>; type B<U> = Body<U>;\nexport function post_x(a: A<string>) {}',
    "post_x(a = body: string)",
  ],
]);

check("a type of the same name that is not ours is not a mark", "", [
  ["interface Body<T> { a: T }\nexport function post_x(a: Body<string>) {}", "FW306 2:27"],
  ["type Body<T> = T;\nexport function post_x(a: Body<string>) {}", "FW306 2:27"],
  [
    'import { Body } from "./m.ts";\nexport function post_x(a: Body<string>) {}',
    "FW306 2:27",
    { "apps/a/m.ts": "export interface Body<T> { a: T }" },
  ],
  ['import { Query } from "express";\nexport function get_x(a: Query<string>) {}', "FW307 2:26"],
  ['import { Body } from "framework/other";\nexport function get_x(a: Body<string>) {}', "FW307 2:26"],
  ["export function get_x(a: Body<string>) {}", "FW307 1:26"],
  ["export function get_x(a: Bearer) {}", "FW307 1:26"],
  [
    'import { Body } from "framework";\ntype A = A | undefined;\nexport function post_x(a: A) {}',
    "FW323 3:27",
  ],
  [
    'import { Body } from "framework";\ntype A<T> = A<T>;\nexport function post_x(a: A<Body<1>>) {}',
    "FW341 3:27",
  ],
]);

check("a mark has the type arguments that it needs", IMPORTS, [
  ["export function post_x(a: Body) {}", "FW340 2:27"],
  ["export function post_x(a: Body<User, User>) {}", "FW340 2:27"],
  ["export function get_x(a: Bearer<string>) {}", "FW340 2:26"],
  ["export function get_x(a: ApiKey) {}", "FW340 2:26"],
  ["export function get_x(a: ApiKey<string>) {}", "FW340 2:26"],
  ["export function get_x(a: ApiKey<'x key'>) {}", "FW340 2:26"],
  ["export function get_x(a: ApiKey<5>) {}", "FW340 2:26"],
  ["export function get_x(a: ApiKey<''>) {}", "FW340 2:26"],
  ["export function get_x(a: ApiKey<'x', 'body'>) {}", "FW340 2:26"],
  ["export function get_x(a: ApiKey<'x', 'cookie' | 'query'>) {}", "FW340 2:26"],
  ["export function get_x(a: ApiKey<'a;b', 'cookie'>) {}", "FW340 2:26"],
  ["export function get_x(a: ApiKey<'x', 'cookie', 'y'>) {}", "FW340 2:26"],
  ["export function get_x(a: Credential) {}", "FW340 2:26"],
  ["export function get_x(a: Credential<string>) {}", "FW340 2:26"],
  ["export function get_x(a: Credential<'my token'>) {}", "FW340 2:26"],
  ["export function get_x(a: Credential<'bearer'>) {}", "FW340 2:26"],
]);

check("a mark inside another type, or on the request, is an error", IMPORTS, [
  ["export function post_x(a: Body<User>[]) {}", "FW341 2:27"],
  ["export function post_x(a: Body<User> | null) {}", "FW341 2:27"],
  ["export function post_x(a: Promise<Body<User>>) {}", "FW341 2:27"],
  ["export function post_x(a: { b: Body<User> }) {}", "FW341 2:27"],
  ["export function post_x(a: Body<User> & { b: 1 }) {}", "FW341 2:27"],
  ["export function post_x(a: Readonly<Body<User>>) {}", "FW341 2:27"],
  ["export function get_x(request: Query<User>) {}", "FW305 2:32"],
  ["export function get_x(request?: Bearer) {}", "FW305 2:33"],
  ["export function get_x(...ids: Query<int[]>) {}", "FW302 2:23"],
]);

check("a destructured parameter has a mark around an object type", IMPORTS, [
  [
    "export function get_x({ q, limit = 20 }: Query<{ q: string; limit?: int }>) {}",
    "get_x( = query: {q,limit?})",
  ],
  ["export function post_x({ name }: Body<User>) {}", "post_x( = body: User)"],
  ["export function post_x([a]: Body<string[]>) {}", "post_x( = body: string[])"],
  ["export function get_x({ length }: Query<string>) {}", "FW303 2:23"],
  ["export function get_x([a]: Query<string[]>) {}", "FW303 2:23"],
  ["export function get_x({ username }: Basic) {}", "get_x( = basic: {username,password})"],
  ["export function get_x({ name }: User) {}", "FW303 2:23"],
]);

check("only texts come in a query, a header, a cookie or a form, and only a form has files", IMPORTS, [
  ["export function get_x(a: Query<User[]>) {}", "FW345 2:26"],
  ["export function get_x(a: Query<string[][]>) {}", "FW345 2:26"],
  ["export function get_x(a: Query<unknown>) {}", "FW345 2:26"],
  ["export function get_x(a: Query<{ b: { c: 1 } }>) {}", "FW345 2:26"],
  ["export function get_x(a: Query<{ b: User }>) {}", "FW345 2:26"],
  ["export function get_x(a: Header<{ b: unknown }>) {}", "FW345 2:26"],
  ["export function get_x(a: Cookie<string | null>) {}", "FW345 2:26"],
  ["export function post_x(a: Form<{ b: User }>) {}", "FW345 2:27"],
  ["export function get_x(a: Query<File>) {}", "FW345 2:26"],
  ["export function post_x(a: Body<{ b: File[] }>) {}", "FW345 2:27"],
  ["interface Tree { f?: Tree[]; g: File }\nexport function post_x(a: Body<Tree>) {}", "FW345 3:27"],
]);

check("takes that can't be together, or that the method can't have, are errors", IMPORTS, [
  ["export function post_x(a: Body<User>, b: Body<User>) {}", "FW344 2:39"],
  ["export function post_x(a: Body<User>, b: Form<{ c: string }>) {}", "FW344 2:39"],
  ["export function post_x(b: Form<{ c: string }>, a: Body<User>) {}", "FW344 2:48"],
  [
    "export function post_x(a: Form<string>, b: Form<{ c: string }>) {}",
    "post_x(a = form a: string, b = form: {c})",
  ],
  ["export function get_x(a: Body<User>) {}", "FW343 2:23"],
  ["export function head_x(a: Form<User>) {}", "FW343 2:24"],
  ["export function delete_x(a: Body<User>) {}", "delete_x(a = body: User)"],
  ["export function get_x(a: Query<string>, b: Query<{ a: string }>) {}", "FW344 2:41"],
  ["export function get_x(a_b: Header<string>, b: Header<{ 'A-B': string }>) {}", "FW344 2:44"],
  ["export function get_x(a: Header<{ a_b: string; 'a-b': string }>) {}", "FW344 2:23"],
  ["export function get_x(x_key: Header<string>, a: ApiKey<'x-key'>) {}", "FW344 2:46"],
  ["export function get_x(a: Bearer, b: Bearer) {}", "FW344 2:34"],
  ["export function get_x(a: Bearer, b: Basic) {}", "FW344 2:34"],
  ["export function get_x(a: Bearer, b: Credential<'Token'>) {}", "FW344 2:34"],
  ["export function get_x(a: Cookie<string>, b: ApiKey<'a', 'cookie'>) {}", "FW344 2:42"],
  [
    "export function get_x(a: ApiKey<'a'>, b: ApiKey<'a', 'query'>) {}",
    "get_x(a = api-key a: string, b = api-key a: string)",
  ],
  [
    "export function get_x(a: Query<string>, b: Cookie<{ a: string }>) {}",
    "get_x(a = query a: string, b = cookie: {a})",
  ],
]);

check("a param of the path can't have a mark", IMPORTS, [
  ["export function get_$id(id: Query<int>) {}", "FW351 2:25"],
  ["export function get_$id_x(id: Query<int>, other: int) {}", "FW351 2:27"],
  ["export function get_$ix(id: Query<int>) {}", "FW201 2:17"],
  ["export function get_slug(slug: Query<string>) {}", "get_slug(slug = query slug: string)"],
]);

test("a bracket that has a mark is an error, and a mark beside a bracket is not", () => {
  const read = (source: string) =>
    summarize(
      readProject(
        "/nowhere",
        new Map([
          ["framework.toml", ""],
          ["routes/[user_id].ts", IMPORTS + source],
        ]),
      ),
    );
  assert.is(read("export function get(user_id: Query<int>) {}"), "FW351 routes/[user_id].ts:2:21");
  assert.is(
    read("export function post(user_id: int, user_ids: Body<User>) {}"),
    "post(user_id: int, user_ids = body: User)",
  );
  assert.is(read("export function post(user_ids: Body<User>) {}"), "post(user_ids = body: User)");
  assert.is(read("export function get(userId: Query<int>) {}"), "get(userId = query userId: int)");
});

const SCHEMA = "export const S = z.object({});";

/** `apps/a/s.ts` has the schema, if it is not said otherwise. */
const SCHEMAS: readonly (readonly [before: string, of: string, taken: string, others?: Files])[] = [
  [SCHEMA, "S", "S of apps/a/views.ts"],
  ["const S = z.object({}); export { S as T };", "S", "T of apps/a/views.ts"],
  ['import { S } from "./s.ts";', "S", "S of apps/a/s.ts"],
  ['import { S as U } from "./s.ts";', "U", "S of apps/a/s.ts"],
  ['import type { S } from "./s.ts";', "S", "S of apps/a/s.ts"],
  ['import * as s from "./s.ts";', "s.S", "S of apps/a/s.ts"],
  ["", 'import("./s.ts").S', "S of apps/a/s.ts"],
  [
    'import { S } from "./r.ts";',
    "S",
    "S of apps/a/s.ts",
    { "apps/a/r.ts": 'export * from "framework"; export * from "some-package"; export * from "./s.ts";' },
  ],
  [
    'import S from "./s.ts";',
    "S",
    "default of apps/a/s.ts",
    { "apps/a/s.ts": "export default z.object({});" },
  ],
  ['import { S } from "./r.ts";', "S", "S of apps/a/s.ts", { "apps/a/r.ts": 'export * from "./s.ts";' }],
  [
    'import { s } from "./r.ts";',
    "s.S",
    "S of apps/a/s.ts",
    { "apps/a/r.ts": 'export * as s from "./s.ts";' },
  ],
  [
    'import { T } from "./r.ts";',
    "T",
    "T of apps/a/r.ts",
    { "apps/a/r.ts": 'export { S as T } from "some-package";' },
  ],
  [
    'import { T } from "./r.ts";',
    "T",
    "T of apps/a/r.ts",
    { "apps/a/r.ts": 'import { T } from "some-package"; export { T };' },
  ],
  ["export const S = { '~standard': { validate() {} } };", "S", "S of apps/a/views.ts"],
  ["import { z } from 'zod';\nexport const S: z.ZodType<User> = z.any();", "S", "S of apps/a/views.ts"],
  [
    "interface Std<T> { '~standard': T }\ninterface Own extends Std<User> { a: 1 }\nexport const S: Own = make();",
    "S",
    "S of apps/a/views.ts",
  ],
  [
    "interface Std<T> { '~standard': T }\nexport const S: { a: 1 } & Std<User> = make();",
    "S",
    "S of apps/a/views.ts",
  ],
  ["interface Std<T> { '~standard': T }\nexport const S: Std<User> = make();", "S", "S of apps/a/views.ts"],
  [`${SCHEMA}\nexport const T = S;`, "T", "T of apps/a/views.ts"],
];

test("`typeof` of a value that the text does not type is a Standard Schema, by the file that exports it", () => {
  for (const [before, of, taken, others] of SCHEMAS) {
    const source = `${IMPORTS}${before}\nexport function post_x(a: Body<typeof ${of}>) {}`;
    const read = readViews(source, { "apps/a/s.ts": SCHEMA, ...others });
    assert.is(summarize(read), `post_x(a = body: ${taken})`, before);
  }
});

check("a schema may be behind an alias, optional, in the query, or in a circle", IMPORTS, [
  [
    'import { In } from "./s.ts";\nexport function post_x(a: Body<In>) {}',
    "post_x(a = body: S of apps/a/s.ts)",
    { "apps/a/s.ts": `${SCHEMA} export type In = typeof S;` },
  ],
  [
    'import { S } from "./s.ts";\ntype J<T> = Body<T>;\nexport function post_x(a: J<typeof S>) {}',
    "post_x(a = body: S of apps/a/s.ts)",
    { "apps/a/s.ts": SCHEMA },
  ],
  [
    SCHEMA.concat("\nexport function post_x(a?: Body<typeof S | undefined>) {}"),
    "post_x(a = body: S of apps/a/views.ts?)",
  ],
  [SCHEMA.concat("\nexport function get_x(a: Query<typeof S>) {}"), "get_x(a = query: S of apps/a/views.ts)"],
  [
    "interface Own extends Own { a: 1 }\nexport const S: Own = make();\nexport function post_x(a: Body<typeof S>) {}",
    "FW328 2:11",
  ],
]);

check("a schema that no file of the project exports is an error", IMPORTS, [
  ["const S = z.object({});\nexport function post_x(a: Body<typeof S>) {}", "FW347 3:32"],
  ['import { S } from "some-package";\nexport function post_x(a: Body<typeof S>) {}', "FW348 3:32"],
  ['import * as s from "some-package";\nexport function post_x(a: Body<typeof s.S>) {}', "FW348 3:32"],
]);

check("what can't be read of a type is reported where it is written, once for all handlers", IMPORTS, [
  ["export function post_x(a: Body<Map<string, int>>) {}", "FW323 2:32"],
  [
    "interface Bad { m: Map<string, int> }\nexport function post_x(a: Body<Bad>) {}\nexport function post_y(a: Body<Bad>) {}",
    "FW323 2:20",
  ],
  [
    'import { Bad } from "./b.ts";\nexport function post_x(a: Body<Bad>) {}',
    "FW323 apps/a/b.ts:1:27",
    { "apps/a/b.ts": "export interface Bad { m: Map<string, string> }" },
  ],
  ["export function post_x<T>(a: Body<T>) {}", "FW324 2:30"],
  ["export function post_x<User>(a: Body<User>) {}", "FW324 2:33"],
  ["export function post_x(a: Body<Nope>) {}", "FW327 2:32"],
  ["export function post_x(a: Body<Body<User>>) {}", "FW341 2:32"],
  ["export function post_x(a: Body<Request>) {}", "FW341 2:32"],
  ["export function get_x(a: Query<{ b: Body<User> }>) {}", "FW341 2:37"],
  ["export function get_x(a: Body<Nope>, ...b: int[]) {}", "FW327 2:31; FW302 2:38"],
  [
    'const R = ["a", "b"] as const;\nexport function get_x(a: Query<(typeof R)[number]>, b: Cookie<typeof R[0]>) {}',
    "get_x(a = query a: a|b, b = cookie b: a)",
  ],
  ["export const R = { a: 1 };\nexport function post_x(a: Body<typeof R>) {}", "post_x(a = body: {a})"],
  ["export function post_x(a: Body<typeof nope>) {}", "FW328 2:32"],
]);

const LARGE = runs(4_000, 20_000);

test("a chain of thousands of aliases is followed to its mark, or refused", () => {
  const chain = (arguments_: string, end: string) => {
    const aliases = Array.from(
      { length: LARGE },
      (_, at) => `type A${at}${arguments_} = A${at + 1}${arguments_};`,
    );
    return `${IMPORTS}${aliases.join(" ")} type A${LARGE}${arguments_} = ${end};\nexport function post_x(a: A0${arguments_ && "<User>"}) {}`;
  };
  assert.is(summarize(readViews(chain("", "Body<User>"))), "post_x(a = body: User)");
  assert.is(summarize(readViews(chain("<T>", "Body<T>"))), "post_x(a = body: User)");
  assert.is(summarize(readViews(chain("", "int"))), "post_x(a: int)");
});

test("thousands of types that refer to each other in a circle are read", () => {
  const types = Array.from({ length: LARGE }, (_, at) => `interface T${at} { next?: T${(at + 1) % LARGE} }`);
  const read = readViews(`${IMPORTS}${types.join(" ")}\nexport function post_x(a: Body<T0>) {}`);
  assert.is(summarize(read), "post_x(a = body: T0)");
  assert.is(Object.keys(read.definitions).length, LARGE);
});

test("a type with five thousand brackets behind it is refused, wherever it is written", () => {
  const deep = (inner: string): string => inner + "[]".repeat(5_000);
  const properties = `User${'["a"]'.repeat(5_000)}`;
  const cases: readonly Case[] = [
    [`export function post_x(a: Body<${deep("User")}>) {}`, "FW328 2:32"],
    [`export function post_x(a: Body<${properties}>) {}`, "FW328 2:32"],
    [`type Deep = ${deep("User")};\nexport function post_x(a: Body<Deep>) {}`, "FW328 2:13"],
    [`export function post_x(a: ${deep("string")}) {}`, "FW328 2:27"],
    [`export function post_x(a: ${deep("Body<User>")}) {}`, "FW328 2:27"],
  ];
  for (const [source, expected] of cases) assert.is(summarize(readViews(IMPORTS + source)), expected);
});

test("types of one name in two files are two definitions", () => {
  const { routes, definitions } = readViews(
    `${IMPORTS}import { User as Other } from "./o.ts";\nexport function post_x(a: Body<User>) {}\nexport function post_y(a: Body<Other>) {}`,
    { "apps/a/o.ts": "export interface User { id: string }" },
  );
  const names = routes.map(({ takes: [take] }) => take && summarizeShape(take.shape));
  assert.is(new Set(names).size, 2);
  assert.equal(Object.keys(definitions).sort(), names.sort());
});

test("hundreds of handlers that take one type and one of their own are read at once", () => {
  const count = runs(300, 1_000);
  const lines = Array.from({ length: count }, (_, index) => [
    `interface In${index} { name: string & MinLength<1>; age?: int; user: User }`,
    `export function post_x${index}(body: Body<In${index}>, user: Header<User>, page?: Query<int>) {}`,
  ]);
  const { routes, definitions, diagnostics } = readViews(
    `import type { MinLength } from "framework";${IMPORTS}${lines.flat().join("\n")}`,
  );
  assert.equal(diagnostics, []);
  assert.is(routes.length, count);
  assert.is(Object.keys(definitions).length, count + 1);
});

test("a type that is read from another file is among the files of the project, and a place in it is told with the file", () => {
  const { files } = readViews(
    'import { Body } from "framework";\nimport { User } from "../../m.ts";\nexport function post_x(a: Body<User>) {}',
    { "m.ts": "export interface User { a: 1 }" },
  );
  assert.ok(files.includes("m.ts"));
});

test("Windows line ends, marks over several lines and comments change nothing", () => {
  const source = `${IMPORTS}export function post_x(\n  // the user\n  body: Body<\n    User\n  >, /* a */ page: Query<int> = 1,\n) {}\nexport function post_y(a: Body) {}`;
  const expected = "post_x(body = body: User, page = query page: int? or 1); FW340 8:27";
  assert.is(summarize(readViews(source)), expected);
  assert.is(summarize(readViews(source.replaceAll("\n", "\r\n"))), expected);
});

test("what routes take is plain JSON, and so are the definitions", () => {
  const { routes, definitions } = readViews(
    `${IMPORTS}export function post_x(a: Body<User>, b: Basic, c: Basic) {}`,
  );
  assert.equal(JSON.parse(JSON.stringify({ routes, definitions })), { routes, definitions });
});

test.run();
