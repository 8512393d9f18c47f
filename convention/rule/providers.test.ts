/** What is read of `From<typeof f>`: which function it names, what that takes in the handler's place, and what is wrong with it. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { processorTime } from "#runtime/processor-time.fixture";
import { runs } from "#runtime/random.fixture";
import type { Argument, Segment } from "#runtime/routing/route";
import type { Project } from "../project.ts";
import { createCheck, type Files, readViews, summarizeDiagnostics, VIEWS } from "../views.fixture.ts";
import { formatTake } from "../wire/format-take.ts";
import type { Inputs } from "../wire/typed-route.ts";

const IMPORTS =
  'import type { Basic, Bearer, Body, Form, From, Header, Query, Request, int } from "framework"; import * as auth from "#auth/user.ts"; import { requireUser } from "#auth/user.ts"; interface User { name: string }\n';
const AUTH =
  'import type { Bearer, From, Query, Request, int } from "framework";\nexport async function requireUser(token: Bearer) { return { name: token }; }\n';

const PROJECT: Files = {
  "package.json": '{ "imports": { "#auth/*": "./auth/*", "#apps/*": "./apps/*" } }',
  "apps/a/app.toml": '[app]\nprefix = ""',
  "auth/user.ts": AUTH,
};

function read(files: Files): Project {
  return readViews("", { ...PROJECT, ...files });
}

/** In one line: `/x/<id> (id, requireUser) requireUser(bearer); FW315 2:23`. What runs before the body is read has a `!`. */
function summarize(project: Project): string {
  const lines = project.routes.map((route) => {
    const { pattern, segments, calls } = route;
    const names = calls.map(({ name }) => name);
    const shown = calls.map(({ name, module, exported, isEarly, ...inputs }) => {
      const called = (exported === name ? name : `${exported} of ${module}`) + (isEarly ? "!" : "");
      return called + summarizeInputs(inputs, segments, names);
    });
    return [`${pattern} ${summarizeInputs(route, segments, names)}`, ...shown].join(" ");
  });
  return [...lines, ...summarizeDiagnostics(project)].join("; ");
}

function summarizeInputs(inputs: Inputs, segments: readonly Segment[], names: readonly string[]): string {
  const params = segments.filter((segment) => typeof segment !== "string");
  const takes = inputs.takes.map(formatTake);
  const provided = inputs.provided.map((index) => names[index]);
  const show = (argument: Argument): string | undefined => {
    if (argument === "request") return argument;
    if (argument === "taken") return takes.shift();
    return argument === "provided" ? provided.shift() : params[argument]?.name;
  };
  return `(${inputs.arguments.map(show).join(", ")})`;
}

const check = createCheck(summarize, PROJECT);

const READ = "/x (requireUser) requireUser(bearer)";

check("`From` is ours under any name, by namespace, by import type, through aliases and re-exports", "", [
  [`${IMPORTS}export function get_x(me: From<typeof requireUser>) {}`, READ],
  [`${IMPORTS}export function get_x({ name }: From<typeof requireUser>) {}`, READ],
  [`${IMPORTS}export const get_x = async (me: From<typeof requireUser>) => me;`, READ],
  [`${IMPORTS}export const get_x: (me: From<typeof requireUser>) => object = (me) => me;`, READ],
  [`${IMPORTS}type Me = From<typeof requireUser>;\nexport function get_x(me: Me) {}`, READ],
  [`${IMPORTS}type Get<F> = From<F>;\nexport function get_x(me: Get<typeof requireUser>) {}`, READ],
  [`${IMPORTS}type F = typeof requireUser;\nexport function get_x(me: From<F>) {}`, READ],
  [
    'import type { Me } from "./me.ts";\nexport function get_x(me: Me) {}',
    READ,
    {
      "apps/a/me.ts":
        'import type { From } from "framework/http";\nimport type { requireUser } from "../../auth/user.ts";\nexport type Me = From<typeof requireUser>;',
    },
  ],
  [
    'import type * as f from "framework";\nimport { requireUser } from "#auth/user.ts";\nexport function get_x(me: f.From<typeof requireUser>) {}',
    READ,
  ],
  [
    'import { requireUser } from "#auth/user.ts";\nexport function get_x(me: import("framework").From<typeof requireUser>) {}',
    READ,
  ],
  [
    'import { requireUser } from "#auth/user.ts";\nimport { From as Of } from "./m.ts";\nexport function get_x(me: Of<typeof requireUser>) {}',
    READ,
    { "apps/a/m.ts": 'export * from "framework";' },
  ],
]);

check("the function after `typeof` is followed to the file that declares it", IMPORTS, [
  ["export function get_x(me: From<typeof auth.requireUser>) {}", READ],
  ['export function get_x(me: From<typeof import("#auth/user.ts").requireUser>) {}', READ],
  [
    "export function page(at: Query<int> = 1) { return at; }\nexport function get_x(p: From<typeof page>) {}",
    "/x (page) page(at: int = 1)",
  ],
  [
    "const page = async (at: Query<int>) => at;\nexport { page as pageOf };\nexport function get_x(p: From<typeof page>) {}",
    "/x (page) pageOf of apps/a/views.ts(at: int)",
  ],
  [
    "export const page: (at: Query<int>) => number = (at) => at;\nexport function get_x(p: From<typeof page>) {}",
    "/x (page) page(at: int)",
  ],
  [
    "export function page(at: Query<int>): number;\nexport function page(at: Query<int>) { return at; }\nexport function get_x(p: From<typeof page>) {}",
    "/x (page) page(at: int)",
  ],
  [
    "export async function* open(this: void, request: Request) { yield 1; }\nexport function get_x(p: From<typeof open>) {}",
    "/x (open) open(request)",
  ],
  [
    'import { me } from "./r.ts";\nexport function get_x(a: From<typeof me>) {}',
    READ,
    { "apps/a/r.ts": 'export { requireUser as me } from "../../auth/user.ts";' },
  ],
  [
    'import { requireUser as me } from "./r.ts";\nexport function get_x(a: From<typeof me>) {}',
    READ,
    { "apps/a/r.ts": 'export * from "some-package"; export * from "../../auth/user.ts";' },
  ],
  [
    'import { all } from "./r.ts";\nexport function get_x(a: From<typeof all.requireUser>) {}',
    READ,
    { "apps/a/r.ts": 'export * as all from "../../auth/user.ts";' },
  ],
  [
    'import { me } from "./r.ts";\nexport function get_x(a: From<typeof me>) {}',
    READ,
    { "apps/a/r.ts": 'import { requireUser } from "../../auth/user.ts";\nexport const me = requireUser;' },
  ],
  [
    'import me from "./r.ts";\nexport function get_x(a: From<typeof me>) {}',
    "/x (me) default of apps/a/r.ts(request)",
    { "apps/a/r.ts": "export default (request) => request;" },
  ],
  [
    'import me from "./r.ts";\nexport function get_x(a: From<typeof me>) {}',
    "/x (userOf) default of apps/a/r.ts(request)",
    { "apps/a/r.ts": "export default function userOf(request) {}" },
  ],
]);

check("what names no provider has a diagnostic where it is named, or where the function is", IMPORTS, [
  ["function f() {}\nexport function get_x(a: From<typeof f>) {}", "FW347 2:10"],
  ["const f = () => 1;\nexport function get_x(a: From<typeof f>) {}", "FW347 2:7"],
  [
    'import { f as g } from "./f.ts";\nexport function get_x(a: From<typeof g>) {}',
    "FW347 apps/a/f.ts:1:10",
    { "apps/a/f.ts": "function f() {}" },
  ],
  ['import { f } from "pkg";\nexport function get_x(a: From<typeof f>) {}', "FW348 3:26"],
  ['import * as p from "pkg";\nexport function get_x(a: From<typeof p.f>) {}', "FW348 3:26"],
  [
    'export { f } from "pkg";\nimport { f } from "pkg";\nexport function get_x(a: From<typeof f>) {}',
    "FW348 4:26",
  ],
  ["export class F {}\nexport function get_x(a: From<typeof F>) {}", "FW312 3:26"],
  ["export const f = { a: 1 };\nexport function get_x(a: From<typeof f>) {}", "FW312 3:26"],
  ["export const f = { g() {} };\nexport function get_x(a: From<typeof f.g>) {}", "FW312 3:26"],
  ["export const f = memo(auth.requireUser);\nexport function get_x(a: From<typeof f>) {}", "FW311 2:14"],
  ["export function get_y() {}\nexport function get_x(a: From<typeof get_y>) {}", "/y (); FW352 3:26"],
  [
    'import { get } from "../../routes/i.ts";\nexport function get_x(a: From<typeof get>) {}',
    "/i (); FW352 3:26",
    { "routes/i.ts": "export function get() {}" },
  ],
  ["export function get_x(requireUser: From<typeof requireUser>) {}", "FW352 2:36"],
  ["export function get_x(a: From<typeof b>, b: From<typeof requireUser>) {}", "FW352 2:26"],
  ["export function get_x(a: From<typeof requireUsr>) {}", "FW327 2:26"],
  ["export function get_x(a: From<typeof auth.requireUsr>) {}", "FW327 2:26"],
  ['import { f } from "./none.ts";\nexport function get_x(a: From<typeof f>) {}', "FW327 3:26"],
  ["export const f = g; export const g = f;\nexport function get_x(a: From<typeof f>) {}", "FW327 3:26"],
  ["export declare function f(a: int): void;\nexport function get_x(a: From<typeof f>) {}", "FW312 2:25"],
  [
    'import { f } from "./f.ts";\nexport function get_x(a: From<typeof f>) {}',
    "FW320 apps/a/f.ts:1:21",
    { "apps/a/f.ts": 'import { app } from "../../app.ts";\nexport function f() { app; }', "app.ts": "" },
  ],
]);

check("an argument of `From` that is not a provider has a diagnostic", IMPORTS, [
  ["export function get_x(a: From) {}", "FW340 2:26"],
  ["export function get_x(a: From<typeof requireUser, User>) {}", "FW340 2:26"],
  ["export function get_x(a: From<requireUser>) {}", "FW352 2:26"],
  ["export function get_x(a: From<ReturnType<typeof requireUser>>) {}", "FW352 2:26"],
  ["export function get_x(a: From<User>) {}", "FW352 2:26"],
  ["export function get_x(a: From<() => User>) {}", "FW352 2:26"],
  ["export function get_x(a: From<typeof requireUser>[]) {}", "FW341 2:26"],
  ["export function get_x(a: Promise<From<typeof requireUser>>) {}", "FW341 2:26"],
  ["export function post_x(a: Body<From<typeof requireUser>>) {}", "FW341 2:32"],
  ["export function post_x(a: Body<{ b: From<typeof requireUser> }>) {}", "FW341 2:37"],
  ["export function get_x(request: From<typeof requireUser>) {}", "FW305 2:32"],
]);

const MESSAGES: readonly (readonly [source: string, message: RegExp, hint: RegExp])[] = [
  ["export function get_x(a: From<requireUser>) {}", /this is `requireUser`/, /From<typeof requireUser>$/],
  [
    "export function get_x(a: From<Awaited<ReturnType<typeof auth.requireUser>>>) {}",
    /this is `Awaited</,
    /From<typeof auth\.requireUser>$/,
  ],
  ["export function get_x(a: From<User>) {}", /this is `User`/, /A provider is a function/],
  [
    'export function get_x(a: From<(typeof auth)["requireUser"]>) {}',
    /this is `\(typeof auth\)\["requireUser"\]`/,
    /^A provider is a function.* From<typeof requireUser>\.$/,
  ],
  [
    "export const all = { requireUser };\nexport function get_x(a: From<typeof all.requireUser>) {}",
    /`all.requireUser` .* is a member of an object/,
    /^Export the function itself, and take that one\.$/,
  ],
  [
    "export class Store {}\nexport function get_x(a: From<typeof Store>) {}",
    /`Store` .* is a class/,
    /^Write a function that returns an instance of it, and export that one\.$/,
  ],
  [
    'import * as p from "pkg";\nexport function get_x(a: From<typeof p.f>) {}',
    /`p.f` comes from "pkg"/,
    /^Write a function in a file of the project that calls it, and export that one\.$/,
  ],
  [
    'import type { f } from "./f.cts";\nexport function get_x(a: From<typeof f>) {}',
    /found: the exports of "\.\/f\.cts" can't be read/,
    /^Correct that first\. Names are read from \.ts, /,
  ],
  ["export function get_x(a: From<typeof requireUsr>) {}", /neither declares nor imports/, /`requireUser`/],
  ["export function get_x(a: From<typeof auth.requireUsr>) {}", /does not export/, /`requireUser`/],
  [
    'import type { sessio } from "./views.ts";\nexport interface Session {}\nexport function sesion() {}\nexport function get_x(a: From<typeof sessio>) {}',
    /does not export/,
    /`sesion`/,
  ],
  ["export function get_x(a: From<typeof requireUser>[]) {}", /`From` is inside/, /the provider return/],
  ["export function post_x(a: Body<From<typeof requireUser>>) {}", /`From` is inside/, /: From<typeof/],
  [
    "export function a(x: From<typeof b>) {}\nexport function b(x: From<typeof a>) {}\nexport function get_x(x: From<typeof a>) {}",
    /itself: `a -> b -> a`/,
    /third function/,
  ],
  [
    "export function a(id: int) {}\nexport function b(x: From<typeof a>) {}\nexport function get_x(id: string, x: From<typeof b>) {}",
    /`get_x -> b -> a` takes `id: int`, but `get_x` takes `id: string`, and the param `id` can/,
    /one of them in both/,
  ],
  [
    "export function a(page: Query<string>) {}\nexport function get_x(page: Query<int>, x: From<typeof a>) {}",
    /`get_x -> a` takes `page: string`, but `get_x` takes `page: int`, and the query value `page` can't/,
    /one of them in both/,
  ],
  [
    "export function a(user: Basic) {}\nexport function get_x(token: Bearer, x: From<typeof a>) {}",
    /`get_x -> a` takes `basic`, but `get_x` takes `bearer`, and the header `authorization`/,
    /one of them in both/,
  ],
  [
    "export function a(user: Body<User>) {}\nexport function get_x(x: From<typeof a>) {}",
    /`get_x -> a` takes a body, but a GET/,
    /`Query`/,
  ],
  ["function f() {}\nexport function get_x(a: From<typeof f>) {}", /does not export `f`/, /Write `export`/],
];

test("each refusal says what to do", () => {
  for (const [source, message, hint] of MESSAGES) {
    const { diagnostics } = read({ [VIEWS]: IMPORTS + source });
    assert.match(diagnostics[0]?.message ?? "", message, source);
    assert.match(diagnostics[0]?.hint ?? "", hint, source);
    assert.is(diagnostics.length, 1, source);
  }
});

check("a provider always runs, so `?`, a default and `undefined` beside it have a warning", IMPORTS, [
  ["export function get_x(me?: From<typeof requireUser>) {}", `${READ}; FW315 2:23`],
  ["export function get_x(me: From<typeof requireUser> | undefined) {}", `${READ}; FW315 2:23`],
  ["export function get_x(me: From<typeof requireUser> = null) {}", `${READ}; FW315 2:23`],
]);

const SLUG = "export function article(slug: string, request) {}\n";

check("a provider's params are segments of the route, in the place of the parameter that names it", IMPORTS, [
  [`${SLUG}export function get_x(a: From<typeof article>) {}`, "/x/<slug> (article) article(slug, request)"],
  [
    `${SLUG}export function get_x(id: int, a: From<typeof article>, part: string) {}`,
    "/x/<id>/<slug>/<part> (id, article, part) article(slug, request)",
  ],
  [
    `${SLUG}export function get_x(a: From<typeof article>, slug: string) {}`,
    "/x/<slug> (article, slug) article(slug, request)",
  ],
  [
    `${SLUG}export function get_x(a: From<typeof article>, b: From<typeof article>) {}`,
    "/x/<slug> (article, article) article(slug, request)",
  ],
  [
    `${SLUG}export function get_$slug_x(a: From<typeof article>) {}`,
    "/<slug>/x (article) article(slug, request)",
  ],
  [
    `${SLUG}export function get_index(a: From<typeof article>) {}`,
    "/<slug> (article) article(slug, request)",
  ],
  [
    `${SLUG}export function comment(id: int, a: From<typeof article>, me: From<typeof requireUser>) {}\nexport function get_x(me: From<typeof requireUser>, c: From<typeof comment>, part: int) {}`,
    "/x/<id>/<slug>/<part> (requireUser, comment, part) requireUser(bearer) article(slug, request) comment(id, article, requireUser)",
  ],
  [`${SLUG}export function get_$sluug(a: From<typeof article>) {}`, "FW201 3:17"],
  [`${SLUG}export function get_$a(a: From<typeof article>) {}`, "FW351 3:24"],
  [
    `${SLUG}export function get_slug_x(a: From<typeof article>) {}`,
    "/slug/x/<slug> (article) article(slug, request); FW212 2:25",
  ],
  [
    "export function f(req, id?: int) {}\nexport function get_x(a: From<typeof f>) {}\nexport function get_y(a: From<typeof f>) {}",
    "/x/<req>/<id> (f) f(req, id); /y/<req>/<id> (f) f(req, id); FW316 2:19; FW315 2:24",
  ],
  ["export function f(a: Nope) {}\nexport function get_x(a: From<typeof f>) {}", "FW327 2:22"],
  ["export function f({ a }) {}\nexport function get_x(a: From<typeof f>) {}", "FW303 2:19"],
  ["export function f(...a: string[]) {}\nexport function get_x(a: From<typeof f>) {}", "FW302 2:19"],
]);

const NEEDS =
  "export function user(me: From<typeof requireUser>, id: string) {}\nexport function admin(u: From<typeof user>, me: From<typeof requireUser>) {}\nexport function page() {}\n";
const HOOKS = `${IMPORTS}import { page, user } from "#apps/a/views.ts";\n`;

check(
  "a provider runs once, after those that it needs; guards run first, the outer before the inner",
  IMPORTS,
  [
    [
      `${NEEDS}export function get_x(a: From<typeof admin>, r: Request, me: From<typeof requireUser>) {}`,
      "/x/<id> (admin, request, requireUser) requireUser(bearer) user(requireUser, id) admin(user, requireUser)",
    ],
    [
      `${NEEDS}export function get_x(p: From<typeof page>, a: From<typeof admin>) {}`,
      "/x/<id> (page, admin) page() requireUser(bearer) user(requireUser, id) admin(user, requireUser)",
    ],
    [
      `${NEEDS}export function get_x(u: From<typeof user>, p: From<typeof page>) {}`,
      "/x/<id> (user, page) requireUser!(bearer) guard!(requireUser) user!(requireUser, id) guard!(user, request) page()",
      {
        "apps/_hooks.ts": `${HOOKS}export function guard(me: From<typeof requireUser>) {}`,
        "apps/a/_hooks.ts": `${HOOKS}export function guard(u: From<typeof user>, r: Request) {}`,
      },
    ],
    [
      "export function get_x(me: From<typeof requireUser>) {}",
      "/x (guard) guard!(bearer)",
      { "_hooks.ts": 'export { requireUser as guard } from "#auth/user.ts";' },
    ],
    [
      "export function get_x() {}",
      "/x () guard!(bearer) guard!(guard)",
      {
        "_hooks.ts": 'export { requireUser as guard } from "#auth/user.ts";',
        "apps/_hooks.ts": `${HOOKS}export function guard(me: From<typeof requireUser>) {}`,
      },
    ],
  ],
);

test("a guard's param that a route lacks, or has as another type, is told with the way from the guard to it", () => {
  const guard = `${HOOKS}export function guard(n: int, u: From<typeof user>) {}`;
  const handlers = `${IMPORTS}${NEEDS}export function get_x() {}\nexport function get_$n(n: string) {}`;
  const { diagnostics } = read({ [VIEWS]: handlers, "apps/_hooks.ts": guard });
  assert.equal(
    diagnostics.map(({ message }) => message),
    [
      "`guard` needs the param `n: int`, but in GET /<n> it is `string`.",
      "`guard` needs the param `n: int`, but in GET /x there is none.",
      "`guard -> user` needs the param `id: string`, but in GET /<n> there is none.",
      "`guard -> user` needs the param `id: string`, but in GET /x there is none.",
    ],
  );
  assert.match(diagnostics[0]?.hint ?? "", /^The guard of apps\/ holds for each route/);
});

test("a bracket of a route file may be a provider's param", () => {
  const of = (file: string, parameters: string): string =>
    summarize(
      read({
        [VIEWS]: SLUG,
        [file]: `${IMPORTS}import { article } from "../apps/a/views.ts";\nexport function get(${parameters}) {}`,
      }),
    );
  assert.is(of("routes/[slug].ts", "a: From<typeof article>"), "/<slug> (article) article(slug, request)");
  assert.is(of("routes/[slug].ts", "slug: From<typeof article>"), "/<slug> (article) article(slug, request)");
  assert.is(of("routes/[a].ts", "a: From<typeof article>"), "FW351 routes/[a].ts:3:21");
  assert.match(of("routes/[slugg].ts", "a: From<typeof article>"), / FW212 1:25$/);
  assert.match(of("routes/[other].ts", "a: From<typeof article>"), / FW212 1:25$/);
});

check("what several functions of a route take has to be of one type", IMPORTS, [
  [
    "export function a(token: Bearer, page: Query<int>, body: Body<User>) {}\nexport function post_x(x: From<typeof a>, t: Bearer, page: Query<int> = 1, b: Body<User>) {}",
    "/x (a, bearer, page: int = 1, body: User) a(bearer, page: int, body: User)",
  ],
  [
    "export function a(q: Query<{ page: int; q: string }>) {}\nexport function get_x(x: From<typeof a>, page?: Query<int>) {}",
    "/x (a, page?: int) a(query: { page: int; q: string })",
  ],
  [
    "export function a(q: Query<{ page: int; q: string }>) {}\nexport function get_x(x: From<typeof a>, page: Query<string>) {}",
    "FW361 3:42",
  ],
  ["export function a(id: int) {}\nexport function get_x(x: From<typeof a>, id: string) {}", "FW361 3:42"],
  [
    "export function a(b: Body<User>) {}\nexport function post_x(x: From<typeof a>, b: Body<{ name: string }>) {}",
    "FW361 3:43",
  ],
  [
    "export function a(b: Form<{ a: string }>) {}\nexport function post_x(x: From<typeof a>, b: Body<User>) {}",
    "FW361 3:43",
  ],
  [
    "export function a(b: Form<{ a: string }>) {}\nexport function post_x(x: From<typeof a>, b: Form<{ b: string }>) {}",
    "/x (a, form: { b: string }) a(form: { a: string })",
  ],
  ["export function a(b: Basic) {}\nexport function get_x(x: From<typeof a>, t: Bearer) {}", "FW361 3:42"],
  [
    "export function a(b?: Basic) {}\nexport function get_x(x: From<typeof a>, t?: Bearer) {}",
    "/x (a, bearer?) a(basic?)",
  ],
  ["export function a(b: Body<User>) {}\nexport function get_x(x: From<typeof a>) {}", "FW343 3:23"],
  [
    "export function a(b: Body<User>) {}\nexport function b(x: From<typeof a>) {}\nexport function get_x(x: From<typeof b>) {}\nexport function post_x(x: From<typeof b>) {}",
    "/x (b) a(body: User) b(a); FW343 4:23",
  ],
]);

test("what a guard takes has to be of the type that the handler takes, and a GET request has no body for it either", () => {
  const of = (guard: string, handler: string): string =>
    summarize(read({ [VIEWS]: IMPORTS + handler, "apps/a/_hooks.ts": IMPORTS + guard }));
  assert.is(
    of("export function guard(token: Bearer) {}", "export function get_x(token: Bearer) {}"),
    "/x (bearer) guard!(bearer)",
  );
  assert.is(
    of("export function guard(login: Basic) {}", "export function get_x(token: Bearer) {}").slice(-10),
    "FW361 2:23",
  );
  assert.match(
    of("export function guard(user: Body<User>) {}", "export function get_x() {}"),
    /FW343 apps\/a\/_hooks.ts:2:23$/,
  );
  assert.match(
    of("export function guard(id: int) {}", "export function get_x(id: string) {}"),
    /; FW363 apps\/a\/_hooks.ts:2:23$/,
  );
  assert.is(
    of(
      "export function guard(id: int, me: From<typeof requireUser>) {}",
      "export function get_$id_x(id: int, me: From<typeof requireUser>) {}",
    ),
    "/<id>/x (id, requireUser) requireUser!(bearer) guard!(id, requireUser)",
  );
});

const CLASH =
  "export function a(id: int) {}\nexport function b(id: string) {}\nexport function c(x: From<typeof a>, y: From<typeof b>) {}\n";
const CIRCLE =
  "export function a(x: From<typeof b>) {}\nexport function b(x: From<typeof c>) {}\nexport function c(x: From<typeof a>) {}\n";

check("what is wrong with a provider is reported once, and no handler that needs it is served", IMPORTS, [
  [
    `${CLASH}export function get_x(x: From<typeof c>) {}\nexport function get_y(x: From<typeof c>) {}\nexport function get_z() {}`,
    "/z (); FW361 3:19",
  ],
  [
    `${CIRCLE}export function get_x(x: From<typeof c>) {}\nexport function get_y(x: From<typeof b>) {}\nexport function get_z() {}`,
    "/z (); FW360 4:19",
  ],
  ["export function a(x: From<typeof a>) {}\nexport function get_x(x: From<typeof a>) {}", "FW360 2:19"],
  [
    `${CIRCLE}export function d(x: From<typeof a>) {}\nexport function get_x(x: From<typeof d>, ...y: int[]) {}`,
    "FW360 2:19; FW302 6:42",
  ],
  [
    "export enum E { A }\nexport function get_x(a: From<typeof import('./e.ts').f>) {}\nexport function get_y(a: From<typeof import('./e.ts').f>) {}",
    "FW318 apps/a/e.ts:1:1; FW318 2:8",
    { "apps/a/e.ts": "enum E { A }\nexport function f() {}" },
  ],
]);

test("a circle is shown with the places of the parameters that lead around it", () => {
  const [circle] = read({
    [VIEWS]: `${IMPORTS}${CIRCLE}export function get_x(x: From<typeof a>) {}`,
  }).diagnostics;
  assert.is(circle?.message, "A provider needs itself: `a -> b -> c -> a`.");
  assert.equal(
    circle?.locations.map(({ line, column }) => `${line}:${column}`),
    ["2:19", "3:19", "4:19"],
  );
});

/** `f0` needs `f1`, which needs `f2`, and so on; the last one takes a param. */
function chain(length: number, last: string): string {
  const functions = Array.from(
    { length },
    (_, at) => `export function f${at}(${at === length - 1 ? last : `x: From<typeof f${at + 1}>`}) {}`,
  );
  return `${IMPORTS}${functions.join("\n")}\nexport function get_x(x: From<typeof f0>) {}`;
}

test("hundreds of providers may need each other, in a row or in a circle", () => {
  const LARGE = runs(700, 2_000);
  const time = processorTime(() => {
    const { routes, diagnostics } = read({ [VIEWS]: chain(LARGE, "slug: string") });
    assert.equal(diagnostics, []);
    assert.is(routes[0]?.pattern, "/x/<slug>");
    assert.is(routes[0]?.calls.length, LARGE);
    assert.is(routes[0]?.calls[0]?.name, `f${LARGE - 1}`);
    const [circle, ...others] = read({ [VIEWS]: chain(LARGE, "x: From<typeof f0>") }).diagnostics;
    assert.equal(others, []);
    assert.is(circle?.message, "A provider needs itself: `f0 -> f1 -> f2 -> f3 -> … -> f0`.");
  });
  assert.ok(time < 5_000, `${time} ms`);
});

test("providers that all need each other are looked at once each", () => {
  const count = 60;
  const functions = Array.from({ length: count }, (_, at) => {
    const needs = Array.from({ length: at }, (__, other) => `x${other}: From<typeof f${other}>`);
    return `export function f${at}(${needs.join(", ")}) {}`;
  });
  const { routes } = read({
    [VIEWS]: `${IMPORTS}${functions.join("\n")}\nexport function get_x(x: From<typeof f${count - 1}>) {}`,
  });
  assert.is(routes[0]?.calls.length, count);
});

test("the files of providers are among those of the project", () => {
  const { files } = read({ [VIEWS]: `${IMPORTS}export function get_x(me: From<typeof requireUser>) {}` });
  assert.ok(files.includes("auth/user.ts"));
});

test("a project is read again when a provider has changed", () => {
  const source = { [VIEWS]: `${IMPORTS}export function get_x(me: From<typeof requireUser>) {}` };
  assert.is(summarize(read(source)), READ);
  const changed = { ...source, "auth/user.ts": "export function requireUser(id: number) {}" };
  assert.is(summarize(read(changed)), "/x/<id> (requireUser) requireUser(id)");
});

test.run();
