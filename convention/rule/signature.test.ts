import { test } from "uvu";
import * as assert from "uvu/assert";
import { runs } from "#runtime/random.fixture";
import type { Project } from "../project.ts";
import { type Case, createCheck, readViews, summarizeDiagnostics, VIEWS } from "../views.fixture.ts";

/** Stands above the source of the first tables, which therefore begins in line 2. */
const IMPORTS = 'import type { Request, int, str } from "framework";\n';

/** What was read, in one line: `get_x(request, id: int); FW315 2:23`. A place in another file is told with the file. */
function summarize(project: Project): string {
  const handlers = project.routes.map(({ handler, segments, arguments: passed }) => {
    const params = segments
      .filter((segment) => typeof segment !== "string")
      .map(({ name, type }) => `${name}: ${type}`);
    return `${handler}(${passed.map((argument) => (typeof argument === "number" ? params[argument] : argument)).join(", ")})`;
  });
  return [...handlers, ...summarizeDiagnostics(project)].join("; ");
}

const check = createCheck(summarize);

/** A handler of a param whose type is in another file. */
function importsId(from: string): string {
  return `import type { Id } from "${from}";\nexport function get_x(id: Id) {}`;
}

/** What editors write for an import of the framework, and what else leads to its entries. */
const VENDORED = [
  "#vendor/framework/index.js",
  "#vendor/framework/http.js",
  "#fw/http.js",
  "../../vendor/framework/index.js",
  "../../vendor/framework/http.js",
  "../../vendor/framework/http",
  "../../vendor/framework/index.d.ts",
  "../../vendor/framework",
];

check("a handler is read from every form of function that is accepted", IMPORTS, [
  ["export function get_x() {}", "get_x()"],
  ["export function get_x(request: Request) {}", "get_x(request)"],
  ["export function get_x(request: Request, id: int) {}", "get_x(request, id: int)"],
  ["export function get_x(id: int, request: Request) {}", "get_x(id: int, request)"],
  ["export function get_x(id: int, request: Request, name: string) {}", "get_x(id: int, request, name: str)"],
  ["export async function get_x(request: Request): Promise<object> { return {}; }", "get_x(request)"],
  ["export const get_x = (request: Request, id: int) => ({});", "get_x(request, id: int)"],
  ["export const get_x = async (id: str) => ({});", "get_x(id: str)"],
  ["export const get_x = id => ({});", "get_x(id: str)"],
  ["export const get_x = function (id: number) { return {}; };", "get_x(id: int)"],
  ["export const get_x = async function named(id: number) { return {}; };", "get_x(id: int)"],
  ["export let get_x = () => ({});", "get_x()"],
  ["export var get_x = () => ({});", "get_x()"],
  ["export const get_x = ((id: int) => ({})) as Function;", "get_x(id: int)"],
  ["export const get_x = ((id: int) => ({})) satisfies Function;", "get_x(id: int)"],
  ["export const get_x = (((id: int) => ({})));", "get_x(id: int)"],
  ["export const get_x = (id: int) => ({}), get_y = () => 1;", "get_x(id: int); get_y()"],
  ["export const get_x = ((id: int) => ({}))!;", "get_x(id: int)"],
  ["function f(id: int) {}\nexport { f as get_x };", "get_x(id: int)"],
  ["function f(id: int) {}\nexport { f as get_x, f as get_y };", "get_x(id: int); get_y(id: int)"],
  ["function get_x(id: int) {}\nexport { get_x };", "get_x(id: int)"],
  ["const f = (id: int) => 1;\nexport { f as get_x };", "get_x(id: int)"],
  ["const f = (id: int) => 1;\nexport const get_x = f;", "get_x(id: int)"],
  ["const f = (id: int) => 1; const g = f;\nexport const get_x = g;", "get_x(id: int)"],
  ["function f(id: int) {}\nexport { f as 'get_x' };", "get_x(id: int)"],
  [
    "export function get_x(id: int): object;\nexport function get_x(id: string): object;\nexport function get_x(id: any) { return {}; }",
    "FW306 4:27",
  ],
  [
    "export function get_x(id: any): object;\nexport function get_x(id: int) { return {}; }",
    "get_x(id: int)",
  ],
  ["export function get_x(this: void, id: int) {}", "get_x(id: int)"],
  ["export function get_x(this: { a: 1 }, request: Request, id: int) {}", "get_x(request, id: int)"],
  ["export function get_x(request) {}", "get_x(request)"],
  ["export function get_x(request, id) {}", "get_x(request, id: str)"],
  ["export function get_x(id) {}", "get_x(id: str)"],
  ["export function get_x(r: Request) {}", "get_x(request)"],
  ["export function get_x(id: number) {}", "get_x(id: int)"],
  ["export function get_x(id: string) {}", "get_x(id: str)"],
  ["export function get_x(id: str) {}", "get_x(id: str)"],
  ["export function get_x(id: (int)) {}", "get_x(id: int)"],
  ["export function get_x(id: globalThis.Request) {}", "get_x(request)"],
  ["export async function* get_x(id: int) { yield 1; }", "get_x(id: int)"],
  ["export function get_x<T>(id: int): T { return id as T; }", "get_x(id: int)"],
  ["export function get_x(a: int, b: int, c: str, d: string) {}", "get_x(a: int, b: int, c: str, d: str)"],
  ["export function get_index() {}", "get_index()"],
  ["export function get_index(request: Request, id: int) {}", "get_index(request, id: int)"],
  ["export function get_x(\n  // the id\n  id: int, /* more */\n) {}", "get_x(id: int)"],
]);

check("type aliases of the same file are followed to int, str or the request", IMPORTS, [
  ["type Id = int;\nexport function get_x(id: Id) {}", "get_x(id: int)"],
  ["type Id = number;\nexport function get_x(id: Id) {}", "get_x(id: int)"],
  ["type Id = string;\nexport function get_x(id: Id) {}", "get_x(id: str)"],
  ["type A = B; type B = C; type C = int;\nexport function get_x(id: A) {}", "get_x(id: int)"],
  ["type Req = Request;\nexport function get_x(r: Req) {}", "get_x(request)"],
  ["export function get_x(id: Id) {}\nexport type Id = int;", "get_x(id: int)"],
]);

check("a type that is no param type is an error at the type", IMPORTS, [
  ["type Loop = Loop;\nexport function get_x(id: Loop) {}", "FW328 3:27"],
  ["type A = B; type B = A;\nexport function get_x(id: A) {}", "FW328 3:27"],
  ["type Id<T> = T;\nexport function get_x(id: Id<string>) {}", "FW306 3:27"],
  ["type Ids = int[];\nexport function get_x(id: Ids) {}", "FW306 3:27"],
  ["interface Id { a: 1 }\nexport function get_x(id: Id) {}", "FW306 3:27"],
  ["interface Req extends Request {}\nexport function get_x(r: Req) {}", "FW341 3:26"],
  ["class Id {}\nexport function get_x(id: Id) {}", "FW323 3:27"],
  ["enum Id { A }\nexport function get_x(id: Id) {}", "FW318 2:1; FW323 3:27"],
  ["export function get_x<T extends string>(id: T) {}", "FW306 2:45"],
  ["export function get_x(id: string | number) {}", "FW306 2:27"],
  ["export function get_x(id: int | undefined) {}", "FW306 2:27"],
  ["export function get_x(id: 'a' | 1) {}", "FW306 2:27"],
  ["export function get_x(id: boolean) {}", "FW306 2:27"],
  ["export function get_x(id: Date) {}", "FW306 2:27"],
  ["export function get_x(id: any) {}", "FW306 2:27"],
  ["export function get_x(id: unknown) {}", "FW306 2:27"],
  ["export function get_x(id: object) {}", "FW306 2:27"],
  ["export function get_x(id: bigint) {}", "FW306 2:27"],
  ["export function get_x(id: string[]) {}", "FW306 2:27"],
  ["export function get_x(id: String) {}", "FW306 2:27"],
  ["export function get_x(id: Number) {}", "FW306 2:27"],
  ["export function get_x(id: Int) {}", "FW306 2:27"],
  ["export function get_x(id: integer) {}", "FW306 2:27"],
  ["export function get_x(id: { a: int }) {}", "FW306 2:27"],
  ["export function get_x(id: typeof x) {}", "FW328 2:27"],
  ["export function get_x(id: string & { brand: 1 }) {}", "FW329 2:27"],
  ["export function get_x(id: null) {}", "FW306 2:27"],
  ["export function get_x(id: Array<int>) {}", "FW306 2:27"],
  ["export function get_x(id: A.B) {}", "FW327 2:27"],
]);

check(
  "rest and destructured parameters, a second request and a `request` of another type are errors",
  IMPORTS,
  [
    ["export function get_x(...ids: int[]) {}", "FW302 2:23"],
    ["export function get_x(request: Request, ...ids) {}", "FW302 2:41"],
    ["export function get_x({ id }: { id: int }) {}", "FW303 2:23"],
    ["export function get_x([id]: [int]) {}", "FW303 2:23"],
    ["export function get_x({ id } = { id: 1 }) {}", "FW303 2:23"],
    ["export function get_x(request: Request, { id }) {}", "FW303 2:41"],
    ["export function get_x(a: Request, b: Request) {}", "FW304 2:35"],
    ["export function get_x(request, r: Request) {}", "FW304 2:32"],
    ["export function get_x(a: Request, b: Request, c: Request) {}", "FW304 2:35"],
    ["export function get_x(request: string) {}", "FW305 2:32"],
    ["export function get_x(request: int) {}", "FW305 2:32"],
    ["export function get_x(request: any) {}", "FW305 2:32"],
    ["export function get_x(request: Foo) {}", "FW305 2:32"],
  ],
);

check(
  "an optional param is served with a warning, as is an untyped one that looks like the request",
  IMPORTS,
  [
    ["export function get_x(id?: int) {}", "get_x(id: int); FW315 2:23"],
    ["export function get_x(id: int = 1) {}", "get_x(id: int); FW315 2:23"],
    ["export function get_x(id = 1) {}", "get_x(id: int); FW315 2:23"],
    ["export function get_x(id = 'a') {}", "get_x(id: str); FW315 2:23"],
    ["export function get_x(id = f()) {}", "get_x(id: str); FW315 2:23"],
    ["export function get_x(request?: Request) {}", "get_x(request)"],
    ["export function get_x(req) {}", "get_x(req: str); FW316 2:23"],
    ["export function get_x(req, res) {}", "get_x(req: str, res: str); FW316 2:23; FW316 2:28"],
    ["export function get_x(req: Request) {}", "get_x(request)"],
  ],
);

check("a handler whose signature can't be read is an error where it is declared", IMPORTS, [
  ["export const get_x = withAuth(() => 1);", "FW311 2:14"],
  ["export const get_x = a.b.wrap((id: int) => 1);", "FW311 2:14"],
  ["export const get_x = f.bind(null);", "FW311 2:14"],
  ["export const get_x = handlers.x;", "FW311 2:14"],
  ["export const get_x = a ? b : c;", "FW311 2:14"],
  ["export const get_x = await f();", "FW311 2:14"],
  ["export const { get_x } = handlers;", "FW311 2:16"],
  ["export const { a: get_x, ...get_y } = handlers;", "FW311 2:19; FW311 2:29"],
  ["export const [get_x] = handlers;", "FW311 2:15"],
  ["export let get_x;", "FW311 2:12"],
  ["let f; f = () => 1;\nexport { f as get_x };", "FW311 2:5"],
]);

check("a handler's name on something that is no function is an error, and on a type nothing", IMPORTS, [
  ["export const get_x = 5;", "FW312 2:14"],
  ["export const get_x = 'a';", "FW312 2:14"],
  ["export const get_x = { a: 1 };", "FW312 2:14"],
  ["export const get_x = [1];", "FW312 2:14"],
  ["export const get_x = null;", "FW312 2:14"],
  ["export const get_x = undefined;", "FW312 2:14"],
  ["export const get_x = new Foo();", "FW312 2:14"],
  ["export const get_x = `a`;", "FW312 2:14"],
  ["export class get_x {}", "FW312 2:14"],
  ["export enum get_x { A }", "FW318 2:8; FW312 2:13"],
  ["export namespace get_x { export const a = 1 }", "FW318 2:8; FW312 2:18"],
  ["export const get_x = class {};", "FW312 2:14"],
  ["export type get_x = string;", ""],
  ["export interface get_x {}", ""],
  ["type get_x = 1;\nexport type { get_x };", ""],
  ["export declare function get_x(id: int): void;", "FW312 2:25"],
  ["export declare const get_x: (id: int) => void;", "FW312 2:22"],
  ["export function get_x(id: int): void;", "FW312 2:17"],
]);

check(
  "names that break the rule are errors, names that nearly keep it warnings, and others nothing",
  IMPORTS,
  [
    ["export function get_a__b() {}", "FW201 2:17"],
    ["export function get__a() {}", "FW201 2:17"],
    ["export function get_a_() {}", "FW201 2:17"],
    ["export function get_() {}", "FW201 2:17"],
    ["export const get_ = 5;", ""],
    ["export const get_a__b = withAuth(f);", "FW201 2:14"],
    ["export function gte_all() {}", "FW202 2:17"],
    ["export function GET_all() {}", "FW202 2:17"],
    ["export function getAll() {}", "FW202 2:17"],
    ["export function fetch_all() {}", "FW202 2:17"],
    ["export const getAll = () => 1;", "FW202 2:14"],
    ["export const getAll = 5;", ""],
    ["export function helper() {}", ""],
    ["export const LIMIT = 5;", ""],
    ["function get_x() {}", "FW203 2:10"],
    ["const get_x = () => 1;", "FW203 2:7"],
    ["function get_x() {}\nexport { get_x as helper };", ""],
    ["function helper() {}", ""],
    ["export default function get_x() {}", "FW203 2:1"],
    ["export default function () {}", "FW203 2:1"],
    ["export default () => 1;", "FW203 2:1"],
    ["export default function getAll() {}", "FW203 2:1"],
    ["export default {};", "FW203 2:1"],
    ["export default class {}", "FW203 2:1"],
    ["function f() {}\nexport { f as default };", "FW203 3:15"],
    ["const get_limit = 5;", ""],
  ],
);

check("a syntax error is told where it is, and does not hide the rest where the parser can go on", IMPORTS, [
  ["export function get_x(a, a) {}", "get_x(a: str, a: str); FW301 2:26"],
  ["export { nope as get_x };", "FW301 2:10"],
  ["export function get_x() {}\nexport function get_x() {}", "get_x(); FW319 3:17"],
  ["export function get_x( {}", "FW301 2:26"],
  ["function f() {}\nexport { f as get_x };\nexport function get_x(id: int) {}", "get_x(); FW319 4:17"],
  [
    "export function get_x(id: int) {}\nfunction f() {}\nexport { f as get_x };",
    "get_x(id: int); FW319 4:15",
  ],
  ["export default 1;\nexport default function get_x() {}", "FW203 2:1; FW319 3:1"],
  ["function f() {}\nexport { f, f as get_x, f as get_x };", "get_x(); FW319 3:30"],
  ["let x = ;", "FW301 2:9"],
  ["export function get_x(id: int) {}\ntype get_x = 1;\nexport type { get_x };", "get_x(id: int)"],
  [
    "export default function f(id: int): void;\nexport default function f(id: int) {}\nexport default interface f {}",
    "FW203 3:1",
  ],
]);

check("a variable's function type gives its untyped parameters their types", IMPORTS, [
  [
    "export const get_x: (request: Request, id: int) => object = (request, id) => ({});",
    "get_x(request, id: int)",
  ],
  [
    "type H = (r: Request, id: int) => object;\nexport const get_x: H = (r, id) => ({});",
    "get_x(request, id: int)",
  ],
  [
    "type H = (r: Request, id: int) => object;\nexport const get_x = ((r, id) => ({})) satisfies H;",
    "get_x(request, id: int)",
  ],
  ["export const get_x: Unknown = (request, id) => ({});", "get_x(request, id: str)"],
  ["export const get_x: Function = (id) => ({});", "get_x(id: str)"],
  ["export const get_x: any = (id) => ({});", "get_x(id: str)"],
]);

check("a variable's type that is not read is an error where a parameter has no type of its own", IMPORTS, [
  ["interface H { (id: int): object }\nexport const get_x: H = (id) => ({});", "FW311 3:21"],
  ["interface H { (id: int): object }\nexport const get_x: H = ({ id }) => ({});", "FW311 3:21"],
  ["interface H { (id: int): object }\nexport const get_x: H = (id: int) => ({});", "get_x(id: int)"],
  ["interface H { (r: Request): object }\nexport const get_x: H = (request) => ({});", "get_x(request)"],
  ["type H<T> = (id: T) => object;\nexport const get_x: H<int> = (id) => ({});", "FW311 3:21"],
  ["type H = (...ids: [int]) => object;\nexport const get_x: H = (id) => ({});", "FW311 3:21"],
  ["export const get_x: { (id: int): object } = (id) => ({});", "FW311 2:21"],
  ['import type { H } from "fastify";\nexport const get_x: H = (id) => ({});', "FW311 3:21"],
  ['import type { H } from "./none.ts";\nexport const get_x: H = (id) => ({});', "get_x(id: str)"],
]);

check("the request and the param types are imported from framework in every form", "", [
  [
    'import { type Request, type int } from "framework";\nexport function get_x(r: Request, id: int) {}',
    "get_x(request, id: int)",
  ],
  [
    'import { Request, int, str } from "framework";\nexport function get_x(r: Request, id: int, s: str) {}',
    "get_x(request, id: int, s: str)",
  ],
  [
    'import type { Request as Req, int as Id } from "framework/http";\nexport function get_x(r: Req, id: Id) {}',
    "get_x(request, id: int)",
  ],
  [
    'import type * as framework from "framework";\nexport function get_x(r: framework.Request, id: framework.int) {}',
    "get_x(request, id: int)",
  ],
  [
    'import * as http from "framework/http";\nexport function get_x(r: http.Request, id: http.str) {}',
    "get_x(request, id: str)",
  ],
  ["export function get_x(r: Request) {}", "get_x(request)"],
  ...VENDORED.map(
    (specifier): Case => [
      `import type { Request, int } from "${specifier}";\nexport function get_x(r: Request, id: int) {}`,
      "get_x(request, id: int)",
      {
        "package.json": '{ "imports": { "#*": "./*", "#fw/*": "./vendor/framework/*" } }',
        "vendor/framework/index.d.ts": 'export * from "./http.js";',
        "vendor/framework/http.d.ts": "export type int = number;\nexport interface Request {}",
      },
    ],
  ),
  [
    'import type { int } from "#vendor/framework/runtime/wire.js";\nexport function get_x(id: int) {}',
    "FW306 2:27",
    { "package.json": '{ "imports": { "#*": "./*" } }' },
  ],
  [
    'export function get_x(r: import("framework").Request, id: import("framework").int) {}',
    "get_x(request, id: int)",
  ],
]);

check("an import that can't be what was meant is told with the right one", "", [
  ["export function get_x(id: int) {}", "FW307 1:27"],
  ["export function get_x(id: str) {}", "FW307 1:27"],
  ['import { int } from "framework/core";\nexport function get_x(id: int) {}', "FW307 2:27"],
  ['import { Int } from "framework";\nexport function get_x(id: Int) {}', "FW307 2:27"],
  ['import { request } from "framework";\nexport function get_x(request: request) {}', "FW307 2:32"],
  ['import { HttpError } from "framework";\nexport function get_x(id: HttpError) {}', "FW327 2:27"],
  ['import framework from "framework";\nexport function get_x(id: framework.int) {}', "FW307 2:27"],
  ['import Request from "framework";\nexport function get_x(r: Request) {}', "FW307 2:26"],
  ['import { Request } from "express";\nexport function get_x(request: Request) {}', "FW307 2:32"],
  ['import type { Request } from "undici";\nexport function get_x(r: Request) {}', "FW307 2:26"],
  ['import { int } from "Framework";\nexport function get_x(id: int) {}', "FW307 2:27"],
  [importsId("ids"), "FW328 2:27"],
  [importsId("#ids"), "FW328 2:27"],
]);

check("types are followed through relative imports", "", [
  [importsId("./ids.ts"), "get_x(id: int)", { "apps/a/ids.ts": "export type Id = number;" }],
  [
    importsId("../../ids.ts"),
    "get_x(id: int)",
    { "ids.ts": 'import type { int } from "framework"; export type Id = int;' },
  ],
  [importsId("./ids"), "get_x(id: str)", { "apps/a/ids.ts": "export type Id = string;" }],
  [importsId("./ids.js"), "get_x(id: str)", { "apps/a/ids.ts": "export type Id = string;" }],
  [importsId("./types"), "get_x(id: str)", { "apps/a/types/index.ts": "export type Id = string;" }],
  [importsId("./ids.ts"), "FW327 2:27", { "apps/a/ids.d.ts": "" }],
  [
    importsId("./ids.ts"),
    "get_x(id: int)",
    { "apps/a/ids.ts": 'export type { int as Id } from "framework";' },
  ],
  [
    importsId("./ids.ts"),
    "get_x(id: int)",
    { "apps/a/ids.ts": 'import type { int } from "framework"; export type { int as Id };' },
  ],
  [
    importsId("./ids.ts"),
    "get_x(id: int)",
    { "apps/a/ids.ts": 'export * from "./more.ts";', "apps/a/more.ts": "export type Id = number" },
  ],
  [importsId("./ids.ts"), "FW327 2:27", { "apps/a/ids.ts": 'export * from "./ids.ts";' }],
  [importsId("./ids.ts"), "FW327 2:27", { "apps/a/ids.ts": "export type Ids = 1;" }],
  [importsId("./ids.ts"), "FW306 2:27", { "apps/a/ids.ts": "export type Id = boolean;" }],
  [importsId("./ids.ts"), "FW301 apps/a/ids.ts:1:18; FW327 2:27", { "apps/a/ids.ts": "export type Id = ;" }],
  [
    'import type Id from "./ids.ts";\nexport function get_x(id: Id) {}',
    "get_x(id: int)",
    { "apps/a/ids.ts": "type Id = number; export default Id;" },
  ],
  [
    'import type * as ids from "./ids.ts";\nexport function get_x(id: ids.Id) {}',
    "get_x(id: int)",
    { "apps/a/ids.ts": "export type Id = number;" },
  ],
  [
    'import type { ids } from "./ids.ts";\nexport function get_x(id: ids.Id) {}',
    "get_x(id: int)",
    { "apps/a/ids.ts": 'export * as ids from "./more.ts";', "apps/a/more.ts": "export type Id = number" },
  ],
  [
    'import type { H } from "./h.ts";\nexport const get_x: H = (r, id) => 1;',
    "get_x(request, id: int)",
    {
      "apps/a/h.ts":
        'import type { Request, int } from "framework"; export type H = (r: Request, id: int) => 1;',
    },
  ],
  [
    'import type { Request } from "./http.ts";\nexport function get_x(r: Request) {}',
    "get_x(request)",
    { "apps/a/http.ts": 'export { Request } from "framework";' },
  ],
  ["interface Request { a: 1 }\nexport function get_x(r: Request) {}", "FW306 2:26"],
  ["type int = number;\nexport function get_x(id: int) {}", "get_x(id: int)"],
]);

const ALIASED = { "package.json": '{ "imports": { "#*": "./*", "#ids": "./lib/ids.ts", "#pkg": "ids" } }' };

check("types and handlers are followed through the aliases of package.json", "", [
  [importsId("#lib/ids.ts"), "get_x(id: int)", { ...ALIASED, "lib/ids.ts": "export type Id = number;" }],
  [
    'export function get_x(id: import("#lib/ids.ts").Id) {}',
    "get_x(id: int)",
    { ...ALIASED, "lib/ids.ts": "export type Id = number;" },
  ],
  [
    importsId("#ids"),
    "get_x(id: int)",
    {
      ...ALIASED,
      "lib/ids.ts": 'export type { Id } from "#lib/more.ts";',
      "lib/more.ts": "export type Id = number;",
    },
  ],
  [
    'import type { H } from "#lib/h.ts";\nexport const get_x: H = (r, id) => 1;',
    "get_x(request, id: int)",
    {
      ...ALIASED,
      "lib/h.ts":
        'import type { Request, int } from "framework"; export type H = (r: Request, id: int) => 1;',
    },
  ],
  [
    'export { get_x } from "#lib/h.ts";',
    "get_x(id: str)",
    { ...ALIASED, "lib/h.ts": 'export * from "#lib/i.ts";', "lib/i.ts": "export function get_x(id) {}" },
  ],
  ['export * from "#lib/h.ts";', "get_x()", { ...ALIASED, "lib/h.ts": "export function get_x() {}" }],
  [importsId("#lib/no.ts"), "FW327 2:27", ALIASED],
  [importsId("#pkg"), "FW328 2:27", ALIASED],
  ['export { get_x } from "#lib/h";', "FW327 1:10", { ...ALIASED, "lib/h.ts": "export function get_x() {}" }],
  ['export { get_x } from "#pkg";', "FW327 1:10", ALIASED],
]);

test("an alias that leads to no file is told in words", () => {
  const others = { ...ALIASED, "lib/h.ts": "export function get_x() {}", "lib/i/index.ts": "" };
  const tell = (source: string): string[] =>
    readViews(source, others).diagnostics.map(({ message, hint }) => `${message} ${hint}`);
  assert.equal(tell('export { get_x } from "#lib/h";'), [
    '`get_x` can\'t be found: there is no file "#lib/h". Did you mean `#lib/h.ts`?',
  ]);
  assert.equal(tell('export { get_x } from "#lib/h.js";'), [
    '`get_x` can\'t be found: there is no file "#lib/h.js". Did you mean `#lib/h.ts`?',
  ]);
  assert.equal(tell('export { get_x } from "#lib/i";'), [
    '`get_x` can\'t be found: there is no file "#lib/i". Did you mean `#lib/i/index.ts`?',
  ]);
  assert.equal(tell('export { get_x } from "#pkg";'), [
    '`get_x` can\'t be found: `imports` in package.json leads "#pkg" to no file of the project. ' +
      "Declare it, or import it from a file of the project, by its path with the ending.",
  ]);
});

check("handlers are followed through re-exports from relative files", "", [
  [
    'export { get_x } from "./h.ts";',
    "get_x(id: int)",
    { "apps/a/h.ts": 'import type { int } from "framework";\nexport function get_x(id: int) {}' },
  ],
  [
    'export { f as get_x } from "./h.ts";',
    "get_x(id: int)",
    { "apps/a/h.ts": "export const f = (id: number) => 1;" },
  ],
  [
    'export { default as get_x } from "./h.ts";',
    "get_x(id: int)",
    { "apps/a/h.ts": "export default function (id: number) {}" },
  ],
  [
    'export { default as get_x } from "./h.ts";',
    "get_x(id: int)",
    { "apps/a/h.ts": "export default (id: number) => 1" },
  ],
  [
    'export { default as get_x } from "./h.ts";',
    "get_x(id: int)",
    { "apps/a/h.ts": "const f = (id: number) => 1; export default f;" },
  ],
  [
    'import { f } from "./h.ts";\nexport { f as get_x };',
    "get_x(id: int)",
    { "apps/a/h.ts": "export function f(id: number) {}" },
  ],
  [
    'import f from "./h.ts";\nexport const get_x = f;',
    "get_x(id: int)",
    { "apps/a/h.ts": "export default function f(id: number) {}" },
  ],
  ['import * as h from "./h.ts";\nexport { h as get_x };', "FW312 2:15", { "apps/a/h.ts": "" }],
  [
    'import * as h from "./h.ts";\nexport const get_x = h.f;',
    "FW311 2:14",
    { "apps/a/h.ts": "export function f() {}" },
  ],
  ['export { get_x } from "../../shared/h.ts";', "get_x()", { "shared/h.ts": "export function get_x() {}" }],
  ['export { get_x } from "./h.js";', "get_x(id: str)", { "apps/a/h.js": "export function get_x(id) {}" }],
  ['export { get_x } from "./h.js";', "FW327 1:10", { "apps/a/h.ts": "export function get_x(id) {}" }],
  ['export { get_x } from "./h";', "FW327 1:10", { "apps/a/h.ts": "export function get_x(id) {}" }],
  ['export { get_x } from "./nope.ts";', "FW327 1:10"],
  ['export { get_x } from "pkg";', "FW327 1:10"],
  ['export { get_x } from "framework";', "FW327 1:10"],
  ['export { get_y } from "./h.ts";', "FW327 1:10", { "apps/a/h.ts": "export function get_x() {}" }],
  [
    'export { get_x } from "./h.ts";',
    "FW301 apps/a/h.ts:1:26; FW327 1:10",
    { "apps/a/h.ts": "export function get_x( {}" },
  ],
  [
    'export { get_x } from "./h.ts";',
    "FW327 apps/a/h.ts:1:10",
    { "apps/a/h.ts": 'export { get_x } from "./views.ts";' },
  ],
  ['export { helper } from "pkg";\nexport { other } from "./nope.ts";', ""],
  ['export type { get_x } from "pkg";', ""],
]);

check("`export *` brings handlers as JavaScript would", "", [
  ['export { type get_x } from "pkg";', ""],
  [
    'export * from "./h.ts";',
    "get_x(); get_y(id: int)",
    { "apps/a/h.ts": "export function get_x() {}\nexport function get_y(id: number) {}\nexport default 1;" },
  ],
  [
    'export * from "./h.ts";\nexport function get_x(id: string) {}',
    "get_x(id: str)",
    { "apps/a/h.ts": "export function get_x() {}" },
  ],
  [
    'export * from "./h.ts";\nexport * from "./i.ts";',
    "FW319 2:1",
    { "apps/a/h.ts": "export function get_x() {}", "apps/a/i.ts": "export function get_x() {}" },
  ],
  [
    'export * from "./h.ts";\nexport * from "./i.ts";',
    "get_x()",
    { "apps/a/h.ts": "export function get_x() {}", "apps/a/i.ts": 'export * from "./h.ts";' },
  ],
  [
    'export * from "./h.ts";\nexport * from "./i.ts";',
    "get_x()",
    { "apps/a/h.ts": "export function get_x() {}", "apps/a/i.ts": 'export { get_x } from "./h.ts";' },
  ],
  [
    'export * from "./h.ts";\nexport { get_x } from "./i.ts";\nexport * from "./i.ts";',
    "get_x(id: str)",
    { "apps/a/h.ts": "export function get_x() {}", "apps/a/i.ts": "export function get_x(id: string) {}" },
  ],
  [
    'export * from "./h.ts";',
    "get_x()",
    {
      "apps/a/h.ts": 'export * from "./i.ts";',
      "apps/a/i.ts": 'export * from "./views.ts"; export function get_x() {}',
    },
  ],
  ['export * from "./views.ts";\nexport function get_x() {}', "get_x()"],
  ['export * from "pkg";', "FW327 1:1"],
  ['export * from "./nope.ts";', "FW327 1:1"],
  ['export * from "./h.ts";', "FW327 apps/a/h.ts:1:1", { "apps/a/h.ts": 'export * from "pkg";' }],
  [
    'export * from "./h.ts";\nexport * from "./i.ts";',
    "get_x(id: int)",
    {
      "apps/a/h.ts": 'export * from "./i.ts";\nexport function get_x(id: number) {}',
      "apps/a/i.ts": "export { get_x } from './h.ts';",
    },
  ],
  [
    'export * from "./h.ts";',
    "FW319 apps/a/h.ts:2:1",
    {
      "apps/a/h.ts": 'export * from "./i.ts";\nexport * from "./j.ts";',
      "apps/a/i.ts": "export function get_x() {}",
      "apps/a/j.ts": "export function get_x() {}",
    },
  ],
  [
    importsId("./ids.d.ts"),
    "get_x(id: int)",
    { "apps/a/ids.d.ts": "export const a: 1; const b; export type Id = number; export { Buffer };" },
  ],
  ['export type * from "pkg";', ""],
  ['export * as get_x from "./h.ts";', "FW312 1:13", { "apps/a/h.ts": "" }],
  ['export * as ns from "pkg";', ""],
  [
    'export * from "./h.ts";',
    "FW202 apps/a/h.ts:1:17; FW201 apps/a/h.ts:2:17",
    { "apps/a/h.ts": "export function getAll() {}\nexport function get__x() {}" },
  ],
]);

check("files are read whatever their marks, line ends and other content", "", [
  [
    'export { withAuth as get_x } from "./h.ts";',
    "FW311 apps/a/h.ts:1:14",
    { "apps/a/h.ts": "export const withAuth = wrap(() => 1);" },
  ],
  [
    'import type { f } from "./h.ts";\nexport { f as get_x };',
    "",
    { "apps/a/h.ts": "export function f() {}" },
  ],
  ["export = 5;", "FW318 1:1"],
  ["export import get_x = A.b;", "FW318 1:8; FW311 1:15"],
  ["﻿export function get_x() {}", "get_x()"],
  ["#!/usr/bin/env node\nexport function get_x() {}", "get_x()"],
  ["export function get_x() {}\r\n\r\nexport function get__y() {}\r\n", "get_x(); FW201 3:17"],
  ["export const a = `\\u2028`; export function get_é() {}", "get_é()"],
  ["@dec class A {}\nexport function get_x() {}", "get_x(); FW318 1:1"],
  ["", ""],
]);

test("each refusal says what to do", () => {
  const cases: [source: string, message: RegExp, hint: RegExp][] = [
    [`${IMPORTS}export function get_x(id?: int) {}`, /is optional here/, /or take it .*: `id: Query<int>`/],
    [
      "interface Body { a: 1 }\nexport function post_x(b: Body) {}",
      /`Body`/,
      /`b: import\("framework"\)\.Body<Body>` to take/,
    ],
    [
      'import type { Query } from "pg";\nexport function get_x(on: boolean) {}',
      /`boolean`/,
      /`on: import\("framework"\)\.Query<boolean>` to take/,
    ],
    ["type On = boolean;\nexport function get_x(on: On) {}", /`On = boolean`/, /`on: Query<On>`/],
    ["export function post_x(u: {\n a: 1 }) {}", /a: 1/, /^Write `u: Body<\{ a: 1 \}>` to take/],
    [
      "export function get_x(a: Body<int>) {}",
      /`Body` is neither imported nor declared/,
      /import type \{ Body \} from "framework"/,
    ],
    [
      "export function get_x(a?: Query<int> | undefined) {}",
      /`Query` can.t be found/,
      /import type \{ Query \}/,
    ],
    ['import { Boddy } from "framework";\nexport function get_x(a: Boddy<1>) {}', /`Boddy`/, /\{ Body \}/],
    [
      'import { Body } from "framework/wire";\nexport function get_x(a: Body<1>) {}',
      /`Body` is not what "framework\/wire" exports/,
      /import type \{ Body \} from "framework"/,
    ],
    [
      'import { Body } from "@nestjs/common";\nexport function get_x(a: Body<1>) {}',
      /"@nestjs\/common"/,
      /import type \{ Body \} from "framework"/,
    ],
    ["export function get_x(a: From<typeof f>) {}", /`From` is neither/, /import type \{ From \}/],
    [
      "export const get_x = withAuth(f);",
      /what `withAuth\(…\)` returns/,
      /export function get_x\(request: Request\)/,
    ],
    ["export const get_x = 5;", /is a number/, /Write it as a function/],
    ["export function get_a__b() {}", /empty segment/, /`get_a_b`/],
    ["export function getAll() {}", /not served/, /Did you mean `get_all`/],
    ["export default function getAll() {}", /default export/, /export function get_all\(…\)/],
    [
      'import { Request as R } from "express";\nexport function get_x(r: R) {}',
      /"express"/,
      /import type \{ Request \} from "framework"/,
    ],
    ["export function get_x(req) {}", /segment of the path and not the request/, /`req: Request`/],
    ['export { get_x } from "./h";', /no file "\.\/h"/, /Did you mean `\.\/h\.ts`/],
    ['export { get_xy } from "./h.ts";', /does not export `get_xy`/, /Did you mean `get_x`/],
  ];
  for (const [source, message, hint] of cases) {
    const { diagnostics } = readViews(source, { "apps/a/h.ts": "export function get_x() {}" });
    assert.match(diagnostics[0]?.message ?? "", message, source);
    assert.match(diagnostics[0]?.hint ?? "", hint, source);
  }
});

test("a handler is located where it is declared, through any number of files", () => {
  const { routes } = readViews('export * from "./b.ts";', {
    "apps/a/b.ts": 'export { f as get_x } from "./c.ts";',
    "apps/a/c.ts": "// first line\nexport const f = () => 1;",
  });
  assert.equal(routes[0]?.location, { file: "apps/a/c.ts", line: 2, column: 14 });
  assert.is(routes[0]?.module, VIEWS);
});

test("several mistakes in one signature are all told", () => {
  const project = readViews(
    `${IMPORTS}export function get_x(request: string, id: boolean, ...rest: int[]) {}`,
  );
  assert.is(summarize(project), "FW305 2:32; FW306 2:44; FW302 2:53");
});

test("a file of megabytes and one that is nested without end are read or refused, and neither hangs nor throws", () => {
  const large = `export function get_x() {}\n${"// 1234567890\n".repeat(runs(72_000, 360_000))}`;
  assert.is(summarize(readViews(large)), "get_x()");
  const nested = `export function get_x() {}\nconst a = ${"[".repeat(runs(20_000, 100_000))}`;
  assert.match(summarize(readViews(nested)), /^FW301 /);
});

check("TypeScript that leaves code behind when its types are taken out is refused", "", [
  ["enum A { B }", "FW318 1:1"],
  ["const enum A { B }", "FW318 1:1"],
  ["declare enum A { B }", ""],
  ["declare const enum A { B }", ""],
  ["namespace A { export const b = 1 }", "FW318 1:1"],
  ["namespace A.B { export const b = 1 }", "FW318 1:1"],
  ["namespace A { export type B = 1; interface C {} }", ""],
  ["namespace A { namespace B { export type C = 1 } }", ""],
  ["declare namespace A { const b: number }", ""],
  ["declare module 'x' { const b: number }", ""],
  ["declare global { var b: number }", ""],
  ["import a = require('a');", "FW318 1:1"],
  ["import type a = require('a');", ""],
  ["class A { constructor(private b: number) {} }", "FW318 1:23"],
  ["export class A { constructor(public b: number, readonly c = 1) {} }", "FW318 1:30; FW318 1:48"],
  ["export default class { constructor(public b: number) {} }", "FW203 1:1; FW318 1:36"],
  ["class A { private b = 1; constructor(b: number) { this.b = b; } }", ""],
  ["abstract class A { abstract b(): void; declare c: number; d!: string }", ""],
  ["const a = class { constructor(b = f(), readonly c = 1) {} };", "FW318 1:40"],
  ["function a() { enum B {} return () => { enum C {} }; }", "FW318 1:16; FW318 1:41"],
  ["const a = <string>b;", "FW318 1:11"],
  ["const a = () => <string>b;", "FW318 1:17"],
  ["function a() { return <\n string >b; }", "FW318 1:23"],
  ["if (a) <B>c;", "FW318 1:8"],
  ["{}\n<B>a;", "FW318 2:1"],
  ["const a = [...<any>[1]];", "FW318 1:15"],
  ["const a = 4 /<any>2;", "FW318 1:14"],
  ["const a = b < <any>c;", "FW318 1:15"],
  ["const a = /* c */ <any>b;", "FW318 1:19"],
  ["const a = // c\n<any>b;", "FW318 2:1"],
  ["let a: B\n<any>b;", "FW318 2:1"],
  ["const a = <'a'>b;", "FW318 1:11"],
  ['const a = <"a">b;', "FW318 1:11"],
  ["const a = <`a`>b;", "FW318 1:11"],
  ["const a = <-1>b;", "FW318 1:11"],
  ["const a = <|A>b;", "FW318 1:11"],
  ["const a = <&A>b;", "FW318 1:11"],
  ["const a = </* c */A>b;", "FW318 1:11"],
  ["const a = <// c\nA>b;", "FW318 1:11"],
  ["const a = <\u00c4>b;", "FW318 1:11"],
  ["const a = <\\u0041>b;", "FW318 1:11"],
  ["const a = <const>['a'];", "FW318 1:11"],
  ["enum/**/A { B }", "FW318 1:1"],
  ["enum// c\nA { B }", "FW318 1:1"],
  ["namespace/**/A { export const b = 1 }", "FW318 1:1"],
  ["export/**/= 1;", "FW318 1:1"],
  ["import/**/a = require('a');", "FW318 1:1"],
  ["import a/**/= require('a');", "FW318 1:1"],
  ["const a = <B>(b: B) => b < 1 || c(b) < d;", ""],
  ["// an enum A\nconst a = 'namespace A';", ""],
  [`enum A {}\nconst a = ${"1 + ".repeat(2_000)}1;`, "FW318 1:1"],
]);

test.run();
