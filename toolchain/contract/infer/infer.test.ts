import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, rmSync } from "node:fs";
import { join, parse } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type ProjectFiles, readFiles, writeFiles } from "#convention/folder.fixture";
import type { Sources } from "#convention/project";
import { formatShape } from "#convention/wire/reading.fixture";
import { toArguments } from "#runtime/program.fixture";
import { sample } from "#runtime/random.fixture";
import { createProject, formatType, readSound, SETTINGS, VIEWS } from "./infer.fixture.ts";
import { type InferredResults, inferResults } from "./infer.ts";

const roots: string[] = [];

function create(files: ProjectFiles, isInstalled?: boolean): string {
  const root = createProject(files, isInstalled);
  roots.push(root);
  return root;
}

test.after(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

/** @returns the types by the names of the handlers in the views; and the diagnostics by code and place. */
async function infer(root: string, patience?: number): Promise<Record<string, string>> {
  const sources = readSound(root);
  const { inferred, diagnostics } = await inferResults(sources, patience === undefined ? {} : { patience });
  const types = sources.project.routes.flatMap(({ module, handler }) => {
    const type = inferred(module, handler);
    return type ? [[handler, formatType(type)]] : [];
  });
  const infos = diagnostics.map(({ code, message, locations: [place] }) => [
    place ? `${code} ${place.file}:${place.line}` : code,
    message,
  ]);
  return Object.fromEntries([...types, ...infos]);
}

const HEAD = `import { events, HttpError, reply, type Body, type From, type Request, type int } from "framework";
import { boxed, colors, db, find, findHidden, missing, transaction } from "#lib/db.ts";
import type { currentUser } from "../../providers/user.ts";

interface User { id: number; name: string; friends: User[] }
type Role = "admin" | "user";
const users = new Map<number, User>();
const ROLES = ["a", "b"] as const;
const CREATED = 201;
`;

const OTHERS: ProjectFiles = {
  "lib/db.ts": `
interface Hidden { id: number; next?: Hidden }
export interface Row<T> { value: T }
type Box<T> = { box: T }
export function findHidden(): Hidden { return { id: 1 }; }
export function boxed<T>(value: T): Box<T> { return { box: value }; }
export async function find() { return [{ value: 1 }] as Row<number>[]; }
export function missing() { return [{ error: "no" }, 404]; }
export const db = { names: new Map<number, { first: string; last?: string }>() };
export function transaction<T>(run: () => Promise<T>): Promise<T> { return run(); }
export const colors = { red: 1, blue: 2 } as const;
`,
  "providers/user.ts": `export function currentUser(request: Request) { return { name: request.url, roles: [] as string[] }; }
`,
};

/** By what it is about: a handler's parameters and body, and its type. */
const CASES: Readonly<Record<string, readonly [rest: string, type: string]>> = {
  "a value": ["() { return { a: 1, b: [true] }; }", "{ a: number; b: boolean[] }"],
  "a value and its status": ["() { return [{ a: 1 }, 201]; }", "[{ a: number }, 201]"],
  "several, in an async function": [
    'async (n: int) { if (n) return [{ a: 1 }, 201]; return [{ e: "" }, 400]; }',
    "Promise<[{ a: number }, 201] | [{ e: string }, 400]>",
  ],
  "an early return of nothing": ["(n: int) { if (n) return; return { a: 1 }; }", "{ a: number } | undefined"],
  "the branches of a condition": [
    '(n: int) { return n > 2 ? [{ a: n }, 200] : n > 1 ? undefined : [{ e: "x" }, n ? 404 : 410]; }',
    "[{ a: number }, 200] | [{ e: string }, 404 | 410] | undefined",
  ],
  "the sides of an operator": [
    "(n: int) { return users.get(n) ?? [{ e: 1 }, 404]; }",
    "[{ e: number }, 404] | User",
  ],
  "two values of one status, of which one has more": [
    "(n: int) { return n ? [{ a: 1, b: 2 }, 200] : [{ a: 1 }, 200]; }",
    "[{ a: number; b: number }, 200] | [{ a: number }, 200]",
  ],
  "a constant as status": ["() { return [{ a: 1 }, CREATED]; }", "[{ a: number }, 201]"],
  "a status that is not known": ["(n: int) { return [{ a: 1 }, n]; }", "[{ a: number }, number]"],
  "null and a status": ["() { return [null, 404]; }", "[null, 404]"],
  "any and a status": ["() { return [JSON.parse(''), 200]; }", "[any, 200]"],
  "unknown and a status": [
    "async (request: Request) { return [await request.json(), 200]; }",
    "Promise<[unknown, 200]>",
  ],
  "two numbers": ["() { return [1, 200]; }", "number[]"],
  "two texts": ["() { return [String(1), String(2)]; }", "string[]"],
  "three values": ["() { return [{ a: 1 }, 2, 3]; }", "(number | { a: number })[]"],
  "as const": ["() { return [{ a: 1 }, 201] as const; }", "[{ a: 1 }, 201]"],
  "an assertion": ["() { return [users.get(1), 201] as [User, 201]; }", "[User, 201]"],
  satisfies: ["() { return [{ a: 1 }, 201] satisfies [object, number]; }", "[{ a: number }, 201]"],
  "a function of the project": ["() { return find(); }", 'Promise<import("../../lib/db.ts").Row<number>[]>'],
  "a function that returns a status": [
    "(n: int) { return n ? missing() : [{ a: 1 }, 200]; }",
    "[{ error: string }, 404] | [{ a: number }, 200]",
  ],
  "a function inside of another": [
    "() { return transaction(async () => { if (users.size) return [{ e: 1 }, 409]; return [{ a: 1 }, 201]; }); }",
    "Promise<[{ e: number }, 409] | [{ a: number }, 201]>",
  ],
  "entries that are no results": [
    "() { return new Map([1].map((n) => [String(n), n])); }",
    "Map<string, number>",
  ],
  "a type that its file does not export": ["() { return findHidden(); }", "lib/db.ts#Hidden"],
  "one with type parameters": [
    "(n: int) { return boxed(users.get(n)); }",
    "lib/db.ts#Box<apps/shop/views.ts#User | undefined>",
  ],
  "a lookup": ["(n: int) { return db.names.get(n); }", "{ first: string; last?: string } | undefined"],
  "a type of the file": ["(n: int) { return users.get(n)!; }", "User"],
  "what a provider gives": [
    "(user: From<typeof currentUser>) { return [{ ...user, id: 1 }, 200]; }",
    "[{ id: number; name: string; roles: string[] }, 200]",
  ],
  "the body": ["(body: Body<User>) { return [body, 201]; }", "[User, 201]"],
  "a spread": [
    "() { return { ...users.get(1), z: 1 }; }",
    "{ friends?: User[]; id?: number; name?: string; z: number }",
  ],
  "a literal type": [
    '() { return { role: "admin" as Role, first: ROLES[0] }; }',
    '{ first: "a"; role: Role }',
  ],
  "a value of another file": ["() { return colors; }", "{ blue: 2; red: 1 }"],
  "a template": [
    `(n: int) { return { s: \`x\${n}\` as const, t: \`x\${n}\` }; }`,
    `{ s: \`x\${number}\`; t: string }`,
  ],
  "a date": ["() { return { at: new Date() }; }", "{ at: Date }"],
  reply: ["() { return reply({ a: 1 }, 201); }", 'import("framework").Reply<{ a: number }, 201>'],
  events: [
    "() { return events((async function* () { yield { a: 1 }; })()); }",
    'import("framework").EventStream<{ a: number }>',
  ],
  "a Response": ['() { return new Response("x"); }', "Response"],
  "a Response that is fetched": ['() { return fetch("http://x"); }', "Promise<Response>"],
  "a stream of texts": ["async *() { yield 'a'; }", "AsyncGenerator<string, void, unknown>"],
  bytes: ["() { return new Uint8Array(1); }", "Uint8Array<ArrayBuffer>"],
  nothing: ["() {}", "void"],
  "nothing but an error": ['() { throw new HttpError(404, "x"); }', "void"],
  "a type that is written": ["(n: int): object { return { n }; }", ""],
  "a function that calls itself": ["(n: int) { return n ? post_45(n - 1) : 1; }", "any"],
};

/** A project for all that one run of TypeScript can show. */
const SHARED: ProjectFiles = {
  ...OTHERS,
  "framework.toml": 'apps = ["shop", "more", "named", "odd", "broken"]\n',
  ...Object.fromEntries(
    ["more", "named", "odd", "broken"].map((app) => [`apps/${app}/app.toml`, `[app]\nprefix = "/${app}"\n`]),
  ),
  [VIEWS]:
    HEAD +
    Object.values(CASES)
      .map(([rest], at) => {
        const [, before = "", after = ""] = /^(async \*|async )?(.*)$/s.exec(rest) ?? [];
        const word = before.includes("*") ? "async function*" : `${before}function`;
        return `export ${word} post_${at + 1}${after}`;
      })
      .join("\n"),
  "apps/more/views.ts": `export * from "../../lib/more.ts";
export { remove as delete_x, get_one as get_two } from "#lib/more.ts";`,
  "lib/more.ts": `import type { From, int } from "framework";
import type { known } from "../providers/known.ts";
function remove(id: int) { return [{ id }, 200]; }
export { remove };
export const get_one = (user: From<typeof known>) => user;
export const get_three = get_one;`,
  "routes/index.ts": `export const get = async () => [{ a: 1 }, 200] as const;
const put = () => [{ a: 1 }, 201];
export { put, put as post };`,
  "providers/known.ts": "export function known() { return { name: '' }; }",
  "_hooks.ts": `import type { Next, Request } from "framework";
export function guard() { return null; }
export const middleware = async (request: Request, next: Next) => next();
export { failed as error } from "./lib/failed.ts";`,
  "lib/failed.ts": "export function failed(error: unknown) { return [{ error: String(error) }, 500]; }",
  "apps/named/views.ts": `${HEAD.replaceAll(/\bUser\b/g, "Person")}
export function post_a(body: Body<Person>) { return body; }
export function post_b() { return { user: users.get(1)!, hidden: findHidden() }; }`,
  "apps/odd/views.ts": `export function get_a() { class Local { private x = 1; } return new Local(); }
export function get_b() { return { b: 1 }; }
export const get_c = () => { interface Inner { c: 1 } const c: Inner = { c: 1 }; return c; };`,
  "apps/broken/views.ts": `import { gone } from "../../lib/gone.ts";
const unused: string = 1;
export function get_a() { return [{ a: unused.length, gone }, 200]; }`,
};

async function inferShared(): Promise<InferredResults & { readonly sources: Sources }> {
  const sources = readSound(create(SHARED));
  return { sources, ...(await inferResults(sources)) };
}
let shared: ReturnType<typeof inferShared> | undefined;

function share(): ReturnType<typeof inferShared> {
  shared ??= inferShared();
  return shared;
}

/** @returns the type of a function in the shared project, as one would write it. */
async function typeOf(file: string, name: string): Promise<string> {
  const { inferred } = await share();
  const type = inferred(file, name);
  return type ? formatType(type) : "";
}

for (const [at, [what, [, type]]] of Object.entries(CASES).entries())
  test(`the type of a result is what TypeScript infers, with each status beside its value: ${what}`, async () => {
    assert.is(sortMembers(await typeOf(VIEWS, `post_${at + 1}`)), type);
  });

/** Versions of TypeScript differ in the order. */
function sortMembers(type: string): string {
  return type.replace(
    /\{ ([^{}]*) \}/g,
    (_, members: string) => `{ ${members.split("; ").sort().join("; ")} }`,
  );
}

const FOUND: readonly (readonly [file: string, name: string, type: string])[] = [
  ["apps/more/views.ts", "delete_x", "[{ id: number }, 200]"],
  ["apps/more/views.ts", "get_one", "{ name: string }"],
  ["apps/more/views.ts", "get_two", "{ name: string }"],
  ["apps/more/views.ts", "get_three", "{ name: string }"],
  ["routes/index.ts", "get", "Promise<[{ a: 1 }, 200]>"],
  ["routes/index.ts", "put", "[{ a: number }, 201]"],
  ["routes/index.ts", "post", "[{ a: number }, 201]"],
  ["providers/known.ts", "known", "{ name: string }"],
  ["_hooks.ts", "guard", "null"],
  ["_hooks.ts", "middleware", "Promise<Response>"],
  ["_hooks.ts", "error", "[{ error: string }, 500]"],
];

test("handlers, providers and hooks are found wherever they are declared, and however they are exported", async () => {
  for (const [file, name, type] of FOUND) assert.is(await typeOf(file, name), type, name);
});

test("a type that has a name is one definition, whether it is written or inferred, exported or not", async () => {
  const { sources, inferred } = await share();
  const found = inferred("apps/named/views.ts", "post_b");
  assert.ok(found);
  const { shape } = sources.types.shapes.read(found);
  assert.is(shape && formatShape(shape), "{ user: #Person, hidden: #Hidden }");
  assert.equal(Object.keys(sources.types.shapes.definitions).sort(), ["Hidden", "Person", "User"]);
});

test("a function whose type can't be written out leaves those of its file unknown, and others known", async () => {
  const odd = "apps/odd/views.ts";
  for (const name of ["get_a", "get_b", "get_c"]) assert.is(await typeOf(odd, name), "");
  const { diagnostics } = await share();
  assert.equal(
    diagnostics.map(
      ({ code, message, locations: [place] }) => `${code} ${place?.file}:${place?.line} ${message}`,
    ),
    [1, 2, 3].map(
      (line) =>
        `FW922 ${odd}:${line} What \`get_${" abc"[line]}\` returns is not known, because a type of its file can't be written out.`,
    ),
  );
  assert.match(diagnostics[0]?.hint ?? "", /TypeScript says: .*'x'/);
});

test("errors in the user's code do not keep the types from being known", async () => {
  assert.is(await typeOf("apps/broken/views.ts", "get_a"), "[{ a: number; gone: any }, 200]");
});

const ONE: ProjectFiles = { [VIEWS]: "export function get_a() { return [{ a: 1 }, 201]; }\n" };
const KNOWN = { get_a: "[{ a: number }, 201]" };

const withSettings = (options: object, more: object = {}): ProjectFiles => ({
  ...ONE,
  "tsconfig.json": JSON.stringify({
    ...SETTINGS,
    compilerOptions: { ...SETTINGS.compilerOptions, ...options },
    ...more,
  }),
});

const LAYOUTS: Readonly<Record<string, ProjectFiles>> = {
  "settings that forbid declarations": withSettings({ isolatedDeclarations: false, declaration: false }),
  "isolated declarations": withSettings({ isolatedDeclarations: true, declaration: true }),
  "a composite project": withSettings({
    composite: true,
    noEmit: false,
    outDir: "dist",
    tsBuildInfoFile: "x.json",
  }),
  "an incremental one": withSettings({ incremental: true }),
  "declarations elsewhere": withSettings({ declaration: true, declarationDir: "types", outDir: "dist" }),
  "no emit on error": withSettings({ noEmitOnError: true }, { references: [{ path: "./gone" }] }),
  "a bundler's resolution": withSettings({ module: "esnext", moduleResolution: "bundler" }),
  "settings that are not strict": withSettings({ strict: false, strictNullChecks: false }),
  "settings that extend others": {
    ...ONE,
    "tsconfig.json": JSON.stringify({ extends: "./config/base.json", include: ["apps"] }),
    "config/base.json": JSON.stringify({ compilerOptions: { ...SETTINGS.compilerOptions, paths: {} } }),
  },
  "settings with comments": { ...ONE, "tsconfig.json": `// ours\n${JSON.stringify(SETTINGS)}` },
  "an unknown setting": withSettings({ invented: true }),
  "settings that extend what is gone": withSettings({}, { extends: "./gone.json" }),
  "no settings": ONE,
};

for (const [what, files] of sample("layouts", Object.entries(LAYOUTS), 3)) {
  test(`works with ${what}, and leaves nothing behind`, async () => {
    const root = create(files);
    if (what === "no settings") rmSync(join(root, "tsconfig.json"));
    const before = listTree(root);
    assert.equal(await infer(root), KNOWN);
    assert.equal(listTree(root), before);
  });
}

function listTree(root: string): readonly string[] {
  return Object.keys(readFiles(root)).filter((file) => !file.startsWith("node_modules/"));
}

test("finds what the project declares for all files, and what is above it in a monorepo", async () => {
  const above = create({
    "tsconfig.base.json": JSON.stringify(SETTINGS),
    "shared/money.ts":
      "export interface Money { amount: number }\nexport const price = { amount: 1 } as Money;\n",
  });
  const root = join(above, "packages/api");
  const rest = {
    "framework.toml": 'apps = ["shop"]\n',
    "apps/shop/app.toml": '[app]\nprefix = "/"\n',
    "package.json": JSON.stringify({ type: "module" }),
    "tsconfig.json": JSON.stringify({ extends: "../../tsconfig.base.json" }),
    "types/global.d.ts": "declare const BUILD: { commit: string };\n",
    [VIEWS]: `import { price } from "../../../../shared/money.ts";
import * as yaml from "node:path";
export function get_a() { return { price, build: BUILD, sep: yaml.sep }; }
export function get_b() { return [{ price }, 201]; }`,
  };
  writeFiles(root, rest);
  const before = process.cwd();
  // Above this folder there is nothing that a relative path could lead to.
  process.chdir(parse(root).root);
  assert.equal(await infer(root).finally(() => process.chdir(before)), {
    get_a:
      '{ price: import("../../../../shared/money.ts").Money; build: { commit: string }; sep: "/" | "\\\\" }',
    get_b: '[{ price: import("../../../../shared/money.ts").Money }, 201]',
  });
});

test("runs nothing where every function writes its type", async () => {
  const root = create({ [VIEWS]: "export function get_a(): { a: number } { return { a: 1 }; }\n" }, false);
  assert.equal(await infer(root), {});
});

test("says so where TypeScript is not installed", async () => {
  const root = create(ONE, false);
  assert.equal(await infer(root), {
    FW920: "The results without a written type are not known, because `typescript` is not installed.",
  });
});

/** What is in place of TypeScript, and why nothing is known then. */
const FAILURES: Readonly<Record<string, readonly [program: string, why: string]>> = {
  "fails to start": ["throw new Error('no native program');", "wrote nothing"],
  "is ended": ["process.kill(process.pid, 'SIGKILL');", "ended with SIGKILL"],
  "ends with a status of its own": [
    "console.log('one\\ntwo'); process.exitCode = 7;",
    "ended with status 7: two",
  ],
  "does not end": ["setInterval(() => {}, 1000); console.log('busy');", "took more than 2 seconds: busy"],
};
/** Milliseconds: a busy machine needs some to start a process. */
const [SHORT, LONG] = [2000, 60_000];

for (const [what, [program, why]] of Object.entries(FAILURES)) {
  test(`says so where TypeScript ${what}, and leaves nothing behind`, async () => {
    const root = create({ ...ONE, ...fakeCompiler(program) }, false);
    const before = listTree(root);
    const { FW920 = "" } = await infer(root, what === "does not end" ? SHORT : LONG);
    const start = `The results without a written type are not known, because \`tsc\` ${why}`;
    assert.is(FW920.slice(0, start.length), start);
    assert.equal(listTree(root), before);
  });
}

function fakeCompiler(program: string): ProjectFiles {
  return {
    "node_modules/typescript/package.json": JSON.stringify({ bin: { tsc: "bin/tsc.cjs" } }),
    "node_modules/typescript/bin/tsc.cjs": program,
  };
}

test("a signal ends TypeScript, too, and what was written for it is gone", async () => {
  const program =
    'setInterval(() => require("node:fs").writeFileSync(__dirname + "/now", String(Date.now())), 10);';
  const root = create({ ...ONE, ...fakeCompiler(program) }, false);
  const script = `import { readSources } from "#convention/project";
import { inferResults } from "#toolchain/contract/infer/infer";
await inferResults(readSources(${JSON.stringify(root)}));`;
  const child = spawn(process.execPath, toArguments(script));
  const place = "node_modules/typescript/bin/now";
  while (!readFiles(root)[place]) await new Promise((done) => setTimeout(done, 20));
  child.kill("SIGTERM");
  const [, signal] = await once(child, "close");
  assert.is(signal, "SIGTERM");
  const last = readFiles(root)[place];
  await new Promise((done) => setTimeout(done, 100));
  assert.is(readFiles(root)[place], last);
  assert.equal(
    readdirSync(root).filter((name) => name.startsWith(".framework")),
    [],
  );
});

test.run();
