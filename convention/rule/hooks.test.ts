/** Which hooks run around which route, and what is reported about files that nearly have some. */

import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { processorTime } from "#runtime/processor-time.fixture";
import { createFolder, writeFiles } from "../folder.fixture.ts";
import { type Project, readProject } from "../project.ts";
import { auditRoutes } from "./audit.ts";

const test = suite<{ root: string }>("hooks");

test.before.each((context) => {
  context.root = createFolder();
});

test.after.each(({ root }) => {
  rmSync(root, { recursive: true, force: true });
});

const GUARD = 'import type { Bearer } from "framework";\nexport function guard(_token: Bearer) {}\n';
const AROUND = "export const middleware = (_request, next) => next();\nexport function error() {}\n";
const GET = "export function get() {}\n";

const NEXT = 'import type { NextMiddleware, NextRequest } from "next/server";\n';

const BASE: Readonly<Record<string, string>> = {
  "framework.toml": 'apps = ["shop", "blog"]\n',
  "apps/shop/app.toml": "",
  "apps/shop/views.ts": "export function get_index() {}\n",
  "apps/blog/app.toml": '[app]\nprefix = "/"\n',
  "apps/blog/views.ts": "export function get_posts() {}\n",
  "routes/index.ts": GET,
  "routes/admin/users.ts": GET,
  "routes/admin/deep/er.ts": GET,
  "routes/administrators.ts": GET,
  "routes/[org]/members.ts": "export function get(org: string) {}\n",
};

function read(root: string, files: Readonly<Record<string, string>>): Project {
  writeFiles(root, { ...BASE, ...files });
  return readProject(root);
}

/** The files of the guards, and the folders with other hooks, of each route that has some. */
function around({ routes }: Project): Readonly<Record<string, readonly string[]>> {
  const found = routes.map(({ pattern, calls, hooks }): [string, string[]] => [
    pattern,
    [
      ...calls.filter(({ kind }) => kind === "guard").map(({ module }) => `guard ${module}`),
      ...hooks.map(({ folder, middleware, error }) =>
        [`${folder}/`, middleware && "m", error && "e"].filter((part) => part).join(" "),
      ),
    ],
  ]);
  return Object.fromEntries(found.filter(([, hooks]) => hooks.length > 0));
}

function codes({ diagnostics }: Project): string[] {
  return diagnostics.map(
    ({ code, locations: [place] }) => `${code} ${place?.file}:${place?.line}:${place?.column}`,
  );
}

const ALL = ["/", "/administrators", "/admin/users", "/admin/deep/er", "/posts", "/shop/", "/<org>/members"];

const PLACES: readonly [file: string, patterns: readonly string[]][] = [
  ["_hooks.ts", ALL],
  ["apps/_hooks.ts", ["/posts", "/shop/"]],
  ["apps/shop/_hooks.ts", ["/shop/"]],
  ["routes/_hooks.ts", ["/", "/administrators", "/admin/users", "/admin/deep/er", "/<org>/members"]],
  ["routes/admin/_hooks.ts", ["/admin/users", "/admin/deep/er"]],
  ["routes/admin/deep/_hooks.ts", ["/admin/deep/er"]],
  ["routes/[org]/_hooks.ts", ["/<org>/members"]],
];

for (const [file, patterns] of PLACES) {
  test(`${file} holds for the routes of files in its folder and below, whatever their URLs are`, ({
    root,
  }) => {
    const project = read(root, { [file]: GUARD + AROUND });
    const folder = file.slice(0, -"_hooks.ts".length) || "/";
    const expected = patterns.map((pattern) => [pattern, [`guard ${file}`, `${folder} m e`]]);
    assert.equal(around(project), Object.fromEntries(expected));
    assert.equal(codes(project), []);
    assert.equal(project.unmatched?.folder, file === "_hooks.ts" ? "" : undefined);
    assert.ok(project.files.includes(file));
  });
}

test("the hooks of a group hold for its files alone, and other files may have the same path", ({ root }) => {
  const project = read(root, {
    "routes/(internal)/_hooks.ts": GUARD,
    "routes/(internal)/reports.ts": GET,
    "routes/(internal)/admin/jobs.ts": GET,
    "routes/admin/(staff)/_hooks.ts": GUARD,
    "routes/admin/(staff)/index.ts": GET,
    "routes/(public)/reports.ts": "export function post() {}\n",
  });
  assert.equal(around(project), {
    "/reports": ["guard routes/(internal)/_hooks.ts"],
    "/admin/jobs": ["guard routes/(internal)/_hooks.ts"],
    "/admin": ["guard routes/admin/(staff)/_hooks.ts"],
  });
  assert.equal(codes(project), []);
  const open = auditRoutes(project).routes.filter(({ guardedBy }) => guardedBy.length === 0);
  assert.ok(open.some(({ route }) => route.method === "POST" && route.pattern === "/reports"));
});

test("outer hooks come before inner ones", ({ root }) => {
  const files = ["_hooks.ts", "routes/_hooks.ts", "routes/admin/_hooks.ts", "routes/admin/deep/_hooks.ts"];
  const project = read(root, Object.fromEntries(files.map((file) => [file, GUARD + AROUND])));
  assert.equal(around(project)["/admin/deep/er"], [
    ...files.map((file) => `guard ${file}`),
    "/ m e",
    "routes/ m e",
    "routes/admin/ m e",
    "routes/admin/deep/ m e",
  ]);
});

test("a guard alone has no entry among the hooks, and middleware is not a call", ({ root }) => {
  const project = read(root, { "apps/_hooks.ts": GUARD, "apps/shop/_hooks.ts": AROUND });
  assert.equal(around(project), {
    "/posts": ["guard apps/_hooks.ts"],
    "/shop/": ["guard apps/_hooks.ts", "apps/shop/ m e"],
  });
});

const FORMS: readonly [how: string, files: Readonly<Record<string, string>>][] = [
  ["constants", { "routes/_hooks.ts": "export const guard = (request: Request) => { throw 1 };\n" }],
  [
    "functions that are exported under another name",
    { "routes/_hooks.ts": "function check(request) { throw 1 }\nexport { check as guard };\n" },
  ],
  [
    "re-exports",
    {
      "routes/_hooks.ts": 'export { check as guard } from "../check.ts";\n',
      "check.ts": "export async function check(request: Request) { throw 1 }\n",
    },
  ],
  [
    "stars",
    {
      "routes/_hooks.ts": 'export * from "../check.ts";\n',
      "check.ts": "export function guard(request: Request) { throw 1 }\n",
    },
  ],
  [
    "generators",
    {
      "routes/_hooks.ts":
        "export async function* guard(request: Request) { if (request.ip === '') throw 1; yield 1; }\n",
    },
  ],
  [
    "files with Windows line ends and a byte order mark",
    { "routes/_hooks.ts": `\ufeff${GUARD.replaceAll("\n", "\r\n")}` },
  ],
];

for (const [how, files] of FORMS) {
  test(`hooks may be ${how}`, ({ root }) => {
    const project = read(root, files);
    assert.equal(around(project)["/"], ["guard routes/_hooks.ts"]);
    assert.equal(codes(project), []);
  });
}

test("middleware and error hooks may be anything that can be called", ({ root }) => {
  const text =
    "export const middleware = timing();\nexport const error = [a, b].find(Boolean);\nfunction timing() {}\n";
  assert.equal(around(read(root, { "apps/shop/_hooks.ts": text })), { "/shop/": ["apps/shop/ m e"] });
});

/** What is reported of `routes/_hooks.ts`, and at which line and column. */
const IN_HOOKS: readonly [what: string, text: string, found: string][] = [
  ["an empty file", "", "FW221 1:1"],
  ["a file without hooks", "export const limit = 3;\n", "FW221 1:1"],
  ["types alone", "export type limit = string;\n", "FW221 1:1"],
  ["a type of a hook's name", "export type guard = string;\n", "FW312 1:13"],
  ["a syntax error alone", "export function guard( {\n", "FW301 2:1"],
  ["an object", "export const error = {};\n", "FW312 1:14"],
  [
    "a guard that is imported as a type",
    'import { type guard } from "../lib/checks.ts";\nexport { guard };\nexport function error() {}\n',
    "FW312 2:10",
  ],
  [
    "a type that is exported as a value",
    "type guard = string;\nexport { guard };\nexport function error() {}\n",
    "FW312 2:10",
  ],
  ["a third parameter", "export function middleware(request, response, next) {}\n", "FW224 1:17"],
  ["a slip of the keyboard", "export function gaurd() {}\n", "FW225 1:17"],
  ["another framework's name", "export const onError = () => 1;\n", "FW225 1:14"],
  ["a list of guards", `${AROUND}export const guards = [];\n`, "FW225 3:14"],
  ["a provider with a guard's other name", `${GUARD}export function authorize() {}\n`, ""],
  ["texts of errors", `${GUARD}export const errors = { none: "None" };\n`, ""],
  ["a class of errors", `${GUARD}export class Errors extends Error {}\n`, ""],
  [
    "middleware that is a generator",
    "export async function* middleware(request, next) { yield next(); }\n",
    "FW224 1:24",
  ],
  ["middleware with all in one", "export const middleware = (...all) => all[1]();\n", ""],
  ["an error hook without a body", "export declare function error(): void;\n", "FW312 1:25"],
  ["a function that is not exported", "function guard() {}\n", "FW225 1:10"],
  ["a guard exported as a type", `${AROUND}function guard() {}\nexport type { guard };\n`, "FW312 4:15"],
  ["a guard re-exported as a type", 'export type { guard } from "../lib/checks.ts";\n', "FW312 1:15"],
  ["a default export", "export default function guard() {}\n", "FW225 1:1"],
  ["a wrapped guard", "export const guard = all(a, b);\n", "FW311 1:14"],
  ["a guard with a rest", "export function guard(...all) {}\n", "FW302 1:23"],
  ["an import of the main file", `import { app } from "../app.ts";\n${GUARD}`, "FW320 1:21"],
  ["an enum", `${GUARD}enum Role { Admin }\n`, "FW318 3:1"],
  ["a lost re-export", 'export { guard } from "./lost.ts";\n', "FW327 1:10"],
];

const REPORTED: readonly [what: string, file: string, text: string, found: string][] = [
  ["a near file name", "routes/admin/_hook.ts", GUARD, "FW225 2:17"],
  ["another letter case", "_Hooks.ts", GUARD, "FW225 2:17"],
  ["another ending", "apps/shop/_hooks.mts", GUARD, "FW225 2:17"],
  ["a script", "apps/_hooks.js", "export const guard = (request) => {};\n", "FW225 1:14"],
  ["two underscores", "routes/__hooks.ts", GUARD, "FW225 2:17"],
  ["a name without its underscore", "apps/shop/hooks.ts", GUARD, "FW225 2:17"],
  ["hooks of another kind", "apps/shop/hooks.ts", AROUND, "FW225 1:14"],
  ["a default function that is no hook", "hooks/index.ts", "export default function useThing() {}\n", ""],
  [
    "a page's hooks, which are not TypeScript alone",
    "hooks.tsx",
    "export const useX = () => <p a='b'>x</p>;\n",
    "",
  ],
  ["a `_hooks` with another ending", "routes/_hooks.tsx", GUARD, "FW225 2:17"],
  ["what a library returns", "auth.ts", "export const middleware = betterAuth();\n", ""],
  [
    "what a library returns, in an app",
    "apps/shop/auth.ts",
    "export const middleware = betterAuth();\n",
    "FW225 1:14",
  ],
  ...["routes/admin/_hook.ts", "routes/admin/_middleware.ts", "apps/_hooks.js", "apps/shop/_auth.ts"].map(
    (file): (typeof REPORTED)[number] => [
      `what a library returns, in ${file}`,
      file,
      "export const middleware = basicAuth();\nexport const error = report();\nexport default all();\n",
      "FW225 1:14, FW225 2:14",
    ],
  ),
  [
    "what a library returns, beside handlers",
    "routes/admin/x.ts",
    `${GET}export const middleware = basicAuth();\n`,
    "FW225 2:14",
  ],
  [
    "what a library returns, in views.ts",
    "apps/shop/views.ts",
    "export const guard = basicAuth();\n",
    "FW225 1:14",
  ],
  [
    "what a package exports, in `_hook.ts`",
    "routes/_hook.ts",
    'export { guard } from "guards";\n',
    "FW225 1:10",
  ],
  ["all of another file, without hooks", "routes/_hook.ts", 'export * from "../app.ts";\n', ""],
  [
    "middleware that Next.js calls",
    "middleware.ts",
    `${NEXT}export function middleware(request: NextRequest) {}\n`,
    "",
  ],
  [
    "middleware that Next.js calls, in JavaScript",
    "middleware.js",
    "export function middleware(request) {}\n",
    "",
  ],
  [
    "middleware of a type of Next.js",
    "middleware.ts",
    `${NEXT}export const middleware: NextMiddleware = (a, b) => {};\n`,
    "",
  ],
  [
    "middleware that only has a request",
    "apps/shop/middleware.ts",
    "export function middleware(request) {}\n",
    "FW225 1:17",
  ],
  [
    "middleware that has our request",
    "middleware.ts",
    'import type { Request } from "framework";\nexport const middleware = (_: Request) => {};\n',
    "FW225 2:14",
  ],
  [
    "middleware of our type",
    "middleware.ts",
    'import type { Middleware } from "framework";\nexport const middleware: Middleware = () => {};\n',
    "FW225 2:14",
  ],
  ["a file of its own for the guard", "routes/_guard.ts", GUARD, "FW225 2:17"],
  ["a list of guards in another file", "apps/_guards.ts", "export const guard = [];\n", ""],
  ["a guard in the root's auth.ts", "auth.ts", GUARD, "FW225 2:17"],
  ["a guard in an app's guard.ts", "apps/shop/guard.ts", GUARD, "FW225 2:17"],
  ["middleware in an app's middleware.ts", "apps/blog/middleware.ts", AROUND, "FW225 1:14"],
  ...["middleware", "guard", "guards", "auth", "protected"].map((name): (typeof REPORTED)[number] => [
    `a guard in a folder's ${name}.ts`,
    `routes/admin/${name}.ts`,
    GUARD,
    "FW225 2:17",
  ]),
  ["a guard beside handlers", "routes/admin/x.ts", GET + GUARD, "FW225 3:17"],
  ["a guard in views.ts", "apps/shop/views.ts", GUARD, "FW225 2:17"],
  ["a wrapped guard in another file", "routes/_guard.ts", "export const guard = all(a, b);\n", "FW225 1:14"],
  [
    "a default export in another file",
    "_middleware.ts",
    "export default function (request) {}\n",
    "FW225 1:1",
  ],
  ["a route of the name", "routes/auth.ts", "export function post() {}\nexport function error() {}\n", ""],
  ["providers in a file of the name", "apps/shop/guards.ts", "export function user(_token) {}\n", ""],
  ["what a tool loads", "auth.ts", "export const auth = create();\nexport default auth;\n", ""],
  ["another file of an app", "apps/shop/policy.ts", GUARD, ""],
  ["a file of its own without functions", "routes/_guard.ts", "export type guard = string;\n", ""],
  ["a folder in place of the file", "routes/_hooks/index.ts", GUARD, "FW225 2:17"],
  ["a folder of what hooks need", "routes/_hooks/tokens.ts", GUARD, ""],
  ...[
    "routes/admin/_hooks/guard.ts",
    "apps/_hooks/index.js",
    "_guards/_guard.mts",
    "apps/shop/guards/index.js",
  ].map((file): (typeof REPORTED)[number] => [
    `a guard in ${file}`,
    file,
    "export function guard(_token) {}\n",
    "FW225 1:17",
  ]),
  ["a file about guards in a folder of hooks", "apps/shop/hooks/guard.ts", GUARD, ""],
  ["a private file", "routes/_shared.ts", GUARD, ""],
  ["a private file about guards", "routes/_guarded.ts", GUARD, ""],
  ["a slip in the file's name", "_hoks.ts", `${GET}${AROUND}`, "FW225 2:14, FW225 3:17"],
  ["a hooks.ts of something else", "apps/shop/hooks.ts", "export const useUser = () => 1;\n", ""],
  ["a folder without routes", "tests/_hooks.ts", GUARD, "FW221 1:1"],
  ["a folder that is not an app", "apps/common/_hooks.ts", GUARD, "FW221 1:1"],
  ["a folder that has no routes by rule", "routes/_a/_hooks.ts", GUARD, "FW221 1:1"],
  ["a package", "node_modules/_hooks.ts", GUARD, ""],
  ["a folder of an app", "apps/shop/admin/_hooks.ts", GUARD, "FW221 1:1"],
];

const IN_HOOKS_FILE = IN_HOOKS.map(([what, text, found]): (typeof REPORTED)[number] => [
  what,
  "routes/_hooks.ts",
  text,
  found,
]);

for (const [what, file, text, found] of [...IN_HOOKS_FILE, ...REPORTED]) {
  test(`${what}: ${found}`, ({ root }) => {
    const project = read(root, { [file]: text, "app.ts": "", "lib/checks.ts": GUARD });
    assert.is(codes(project).join(", ").replaceAll(`${file}:`, ""), found);
  });
}

const LIB = 'import "./client.ts";\n';

const PARTS: readonly [what: string, files: Readonly<Record<string, string>>, codes: readonly string[]][] = [
  [
    "a `_hooks.ts` beside it that does not export it",
    { "routes/_guard.ts": GUARD, "routes/_hooks.ts": AROUND },
    ["FW225 routes/_guard.ts:2:17"],
  ],
  [
    "a `_hooks.ts` of another folder that exports it",
    { "routes/_guard.ts": GUARD, "routes/admin/_hooks.ts": 'export { guard } from "../_guard.ts";\n' },
    [],
  ],
  [
    "a `_hooks.ts` that exports all of it",
    { "routes/admin/guard.ts": GUARD, "routes/admin/_hooks.ts": 'export * from "./guard.ts";\n' },
    [],
  ],
  [
    "a `_hooks.ts` that exports what `views.ts` has, too",
    {
      "lib/all.ts": GUARD,
      "apps/shop/views.ts": 'export * from "../../lib/all.ts";\nexport function get_index() {}\n',
      "apps/shop/_hooks.ts": 'export { guard } from "../../lib/all.ts";\n',
    },
    [],
  ],
  [
    "a `_hooks.ts` that calls it",
    {
      "apps/shop/guard.ts": GUARD,
      "apps/shop/_hooks.ts":
        'import type { Bearer } from "framework";\nimport { guard as check } from "./guard.ts";\nexport function guard(token: Bearer) { check(token); }\n',
    },
    [],
  ],
  [
    "a `_hooks.ts` that exports it by its other name",
    {
      "apps/shop/guard.ts": `${GUARD}export default guard;\n`,
      "apps/shop/_hooks.ts": 'export { default as guard } from "./guard.ts";\n',
    },
    [],
  ],
  [
    "a handler that takes it",
    {
      "routes/_guard.ts": GUARD,
      "routes/x.ts":
        'import type { From } from "framework";\nimport type { guard } from "./_guard.ts";\nexport function get(_: From<typeof guard>) {}\n',
    },
    [],
  ],
  [
    "a handler that takes it where it stands",
    {
      "routes/_guard.ts": GUARD,
      "routes/x.ts":
        'import type { From } from "framework";\nexport function get(_: From<typeof import("./_guard.ts").guard>) {}\n',
    },
    [],
  ],
  [
    "a handler that takes another function of it",
    {
      "routes/_auth.ts": `${GUARD}export function user() {}\n`,
      "routes/x.ts": `import { user } from "./_auth.ts";\n${GET}`,
    },
    ["FW225 routes/_auth.ts:2:17"],
  ],
  [
    "a file that calls it, whatever that needs",
    {
      "apps/shop/middleware.ts": AROUND.split("\n")[0] ?? "",
      "lib/client.ts":
        'import { middleware } from "../apps/shop/middleware.ts";\nconst a = 1;\nconst a = 2;\n',
      "lib/index.ts": LIB,
      "routes/x.ts": `import "../lib/index.ts";\n${GET}`,
    },
    [],
  ],
  [
    "an import that has a comment",
    { "routes/_guard.ts": GUARD, "app.ts": 'await import(/* late */ "./routes/_guard.ts");\n' },
    [],
  ],
  [
    "another such file that imports it, in vain itself",
    {
      "routes/_guard.ts": GUARD,
      "routes/_hook.ts": 'import "../lib/index.ts";\nexport { guard } from "./_guard.ts";\n',
      "lib/index.ts": 'export { guard } from "../routes/_guard.ts";\n',
    },
    ["FW225 routes/_guard.ts:2:17", "FW225 routes/_hook.ts:2:10"],
  ],
  [
    "another such file that imports it, and a `_hooks.ts` that imports that one",
    {
      "routes/_guard.ts": GUARD,
      "routes/_auth.ts": 'export { guard } from "./_guard.ts";\n',
      "routes/admin/_hooks.ts": 'export { guard } from "../_auth.ts";\n',
    },
    [],
  ],
  [
    "the main file calling it",
    { "middleware.ts": AROUND, "app.ts": 'const all = await import("./middleware.ts");\n' },
    [],
  ],
];

for (const [what, files, expected] of PARTS) {
  test(`hooks in another file, with ${what}: ${expected.length === 0 ? "nothing" : "an error"}`, ({
    root,
  }) => {
    assert.equal(codes(read(root, files)), expected);
  });
}

const RIGHT: readonly [file: string, right: string][] = [
  ["routes/admin/_hooks/index.ts", "routes/admin/_hooks.ts"],
  ["_hooks/guard.ts", "_hooks.ts"],
  ["apps/shop/_auth.ts", "apps/shop/_hooks.ts"],
  ["routes/admin/users.ts", "routes/admin/_hooks.ts"],
  ["routes/guard/index.ts", "routes/guard/_hooks.ts"],
];

for (const [file, right] of RIGHT) {
  test(`a guard in ${file} belongs in ${right}`, ({ root }) => {
    const hints = read(root, { [file]: GUARD }).diagnostics.map(({ hint }) => hint);
    assert.is(hints.length, 1);
    assert.match(hints[0] ?? "", `Move it to ${right}, or`);
  });
}

test("middleware and error hooks may type what they are given as they like", ({ root }) => {
  const texts = [
    "export const middleware: Middleware = async (request, next) => next();\nexport const error: ErrorHook = (error, request) => {};\n",
    "export function middleware(_: Request, go: Next) {}\nexport function error(error: string, { path }: Request) {}\n",
    "export function middleware({ path }, next: () => Promise<Response>) {}\nexport function error(error: any, request: { path: string }) {}\n",
    "export function middleware(_: globalThis.Request, next: Next) {}\nexport function error(error: Error | HttpError) {}\n",
  ];
  for (const text of texts) {
    const imports =
      'import { type ErrorHook, HttpError, type Middleware, type Next, type Request } from "framework";\n';
    assert.equal(codes(read(root, { "routes/_hooks.ts": imports + text })), [], text);
  }
});

test("a guard that takes a body names the first route that has none", ({ root }) => {
  const guard = 'import type { Body } from "framework";\nexport function guard(_: Body<string>) {}\n';
  const { diagnostics } = read(root, { "routes/_hooks.ts": guard });
  assert.equal(
    diagnostics.map(({ code, message }) => `${code} ${message}`),
    ["FW343 `guard` takes a body, but GET /<org>/members has none."],
  );
  assert.equal(
    diagnostics[0]?.locations.map(({ file, line }) => `${file}:${line}`),
    ["routes/_hooks.ts:2", "routes/[org]/members.ts:1"],
  );
});

const GUARDS: readonly [text: string, codes: readonly string[]][] = [
  ["export function guard() { return false; }", ["FW230"]],
  ["export const guard = () => false;", ["FW230"]],
  ["export function guard() { if (a()) return [{ error: 'no' }, 403]; }", ["FW230"]],
  ["export function guard() { return new Response(null, { status: 403 }); }", ["FW230"]],
  ["export function guard() { return Response.json({}, { status: 403 }); }", ["FW230"]],
  ["export const guard = (request: Request) => (request.ip ? undefined : false);", ["FW230"]],
  ["export const guard = (request: Request) => request.headers.has('x') || false;", ["FW230"]],
  ["export function guard() {}", []],
  ["export function guard(request: Request) { return request.headers.get('x'); }", []],
  ["export function guard(token: Bearer) { return [{ id: 1 }, 7]; }", []],
  ["export function guard() { return new HttpError(403, 'no'); }", []],
  ["export function guard(token: Bearer) { if (!all.some((one) => { return false; })) throw 1; }", []],
  ["export function guard(token: Bearer) { const a = { is() { return false; } }; check(a); }", []],
];

for (const [text, expected] of GUARDS) {
  test(`${text} ${expected.length === 0 ? "returns no refusal" : "should throw it"}`, ({ root }) => {
    const imports = 'import { type Bearer, HttpError, type Request } from "framework";\n';
    const found = codes(read(root, { "apps/shop/_hooks.ts": `${imports}${text}\n` }));
    assert.equal(
      found.map((line) => line.slice(0, 5)),
      expected,
    );
  });
}

test("a guard's param has to be in each route below it, as that type", ({ root }) => {
  const guard = "export function guard(org: string) { throw 1 }\n";
  assert.equal(codes(read(root, { "routes/[org]/_hooks.ts": guard })), []);
  const number = "export function guard(org: number) { throw 1 }\n";
  assert.equal(codes(read(root, { "routes/[org]/_hooks.ts": number })), [
    "FW363 routes/[org]/_hooks.ts:1:23",
  ]);
  const missing = codes(read(root, { "routes/[org]/_hooks.ts": "", "apps/_hooks.ts": guard }));
  assert.equal(missing, [
    "FW363 apps/_hooks.ts:1:23",
    "FW363 apps/_hooks.ts:1:23",
    "FW221 routes/[org]/_hooks.ts:1:1",
  ]);
});

test("a folder behind a link has the hooks of its own path, and a link back up to them none", ({ root }) => {
  const files = { "shared/_hooks.ts": GUARD, "shared/users.ts": GET, "routes/admin/_hooks.ts": GUARD };
  writeFiles(root, { ...BASE, ...files });
  symlinkSync(join(root, "shared"), join(root, "routes/admin/linked"), "junction");
  symlinkSync(join(root, "shared"), join(root, "routes/open"), "junction");
  symlinkSync(join(root, "routes"), join(root, "routes/admin/up"), "junction");
  const project = readProject(root);
  assert.equal(around(project)["/admin/linked/users"], [
    "guard routes/admin/_hooks.ts",
    "guard routes/admin/linked/_hooks.ts",
  ]);
  assert.equal(around(project)["/open/users"], ["guard routes/open/_hooks.ts"]);
  assert.equal(codes(project), ["FW115 routes/admin/up:1:1", "FW221 shared/_hooks.ts:1:1"]);
});

test("a handler that is re-exported, or linked, out of a guarded folder is open, and the audit says so", ({
  root,
}) => {
  writeFiles(root, {
    ...BASE,
    "framework.toml": 'apps = []\n[exposure]\nopen = ["/", "/administrators", "/<org>/members"]\n',
    "routes/admin/_hooks.ts": GUARD,
    "routes/again.ts": 'export { get } from "./admin/users.ts";\n',
  });
  symlinkSync(join(root, "routes/admin/users.ts"), join(root, "routes/linked.ts"));
  symlinkSync(join(root, "routes/admin/deep"), join(root, "routes/deep"), "junction");
  const { diagnostics } = auditRoutes(readProject(root));
  assert.equal(
    diagnostics.map(({ code, message }) => `${code} ${message.split(",")[0]}`),
    [
      "FW410 Nothing guards GET /again",
      "FW410 Nothing guards GET /deep/er",
      "FW410 Nothing guards GET /linked",
    ],
  );
});

/** What guards a route that takes the value of `user`, with a ? for what a request may leave out. */
const PROVIDERS: readonly [text: string, guards: readonly string[]][] = [
  ["export function user(token: Bearer) {}", ["user"]],
  ["export function user(id: Cookie<string>) {}", ["user"]],
  ["export function user(token?: Bearer) { if (!token) throw 1; }", ["user?"]],
  ["export function user(id?: Cookie<string>) { return id ?? no(); }\nfunction no() { throw 1; }", []],
  ["export function user(token?: Bearer) {}", []],
  ["export function user(page: Query<int>) { throw 1; }", []],
  [
    "export function user(who: From<typeof caller>) { if (!who) throw 1; }\nexport function caller(token?: Bearer) {}",
    ["user?"],
  ],
  ["export function user(who: From<typeof caller>) {}\nexport function caller(token: Bearer) {}", ["caller"]],
];

for (const [text, expected] of PROVIDERS) {
  test(`${text.replaceAll("\n", " ")} guards by ${expected.join() || "nothing"}`, ({ root }) => {
    const imports = 'import type { Bearer, Cookie, From, int, Query } from "framework";\n';
    const handler =
      'import type { From } from "framework";\nimport type { user } from "../lib/user.ts";\n' +
      "export function get(_user: From<typeof user>) {}\n";
    const project = read(root, { "lib/user.ts": `${imports}${text}\n`, "routes/me.ts": handler });
    assert.equal(codes(project), []);
    const me = auditRoutes(project).routes.find(({ route }) => route.pattern === "/me");
    assert.equal(
      me?.guardedBy.map(({ name, optional }) => `${name}${optional ? "?" : ""}`),
      expected,
    );
  });
}

test("a link to nothing called _hooks.ts can't be read", ({ root }) => {
  writeFiles(root, BASE);
  symlinkSync(join(root, "lost.ts"), join(root, "routes/_hooks.ts"));
  assert.equal(codes(readProject(root)), ["FW113 routes/_hooks.ts:1:1"]);
});

test("folders may have any name", ({ root }) => {
  const folders = ["constructor", "ä", "[org]", "hooks.ts", "-", "a.b"];
  const files = folders.map((name): [string, string] => [`routes/odd/${name}/_hooks.ts`, AROUND]);
  const routes = folders.map((name): [string, string] => [
    `routes/odd/${name}/x.ts`,
    name === "[org]" ? "export function get(org: string) {}\n" : GET,
  ]);
  const project = read(root, Object.fromEntries([...files, ...routes]));
  const hooked = Object.values(around(project)).flat();
  assert.equal(hooked.sort(), folders.map((name) => `routes/odd/${name}/ m e`).sort());
});

test("a project of a thousand folders is read in a moment", ({ root }) => {
  writeFiles(root, BASE);
  for (let index = 0; index < 1_000; index++) mkdirSync(join(root, `routes/f${index}`));
  writeFiles(root, { "routes/_hooks.ts": GUARD, "routes/f999/_hooks.ts": GUARD, "routes/f999/x.ts": GET });
  const time = processorTime(() => assert.is(around(readProject(root))["/f999/x"]?.length, 2));
  assert.ok(time < 1_000, `${time} ms`);
});

test("a folder called _hooks.ts can't be read", ({ root }) => {
  assert.equal(codes(read(root, { "routes/_hooks.ts/index.ts": GET })), ["FW113 routes/_hooks.ts:1:1"]);
});

test.run();
